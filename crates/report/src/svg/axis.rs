//! Axes: lines that guide the eye, and round values beside them.

use super::{Anchor, Scale, Sketch, text};
use crate::number::significant;

/// Room between two values on a horizontal axis, at least.
const LABEL_GAP: f64 = 12.0;
/// More values than this are no help.
const MOST_TICKS: usize = 11;
const SIZE: f64 = 11.0;
/// From the end of the lines to the baseline of the values, and from there to the axis's own name.
const BELOW: f64 = 16.0;

/// The room below the lines that a horizontal axis with a name takes.
pub const HEIGHT: f64 = 2.0 * BELOW + 8.0;

/// A horizontal axis: lines from `top` to `bottom` at round values, the values and the axis's name below.
pub fn horizontal(
    sketch: &mut Sketch,
    scale: &Scale,
    (left, right): (f64, f64),
    (top, bottom): (f64, f64),
    name: &str,
) {
    for value in ticks_that_fit(scale) {
        let x = scale.at(value);
        sketch.line("grid", (x, top), (x, bottom));
        let label = label(value);
        let half = text::width(&label, SIZE) / 2.0;
        // A value near an edge moves in, so that it is not cut off.
        let middle = x.min(sketch.width() - half).max(half);
        sketch.text("muted small", Anchor::Middle, (middle, bottom + BELOW), &label);
    }
    sketch.text("muted small", Anchor::Middle, ((left + right) / 2.0, bottom + 2.0 * BELOW + 2.0), name);
}

/// As many round values as can stand beside each other.
fn ticks_that_fit(scale: &Scale) -> Vec<f64> {
    let half = |value: f64| text::width(&label(value), SIZE) / 2.0;
    let fits = |ticks: &Vec<f64>| {
        ticks.iter().zip(ticks.iter().skip(1)).all(|(one, next)| {
            (scale.at(*next) - scale.at(*one)).abs() >= half(*one) + half(*next) + LABEL_GAP
        })
    };
    let fewest = || scale.ticks(2).into_iter().take(1).collect();
    (2..=MOST_TICKS).rev().map(|most| scale.ticks(most)).find(fits).unwrap_or_else(fewest)
}

/// A vertical axis: lines from `left` to `right` at round values, the values to the left of them.
pub fn vertical(sketch: &mut Sketch, scale: &Scale, (left, right): (f64, f64), most: usize) {
    for value in scale.ticks(most) {
        let y = scale.at(value);
        sketch.line("grid", (left, y), (right, y));
        sketch.text("muted small", Anchor::End, (left - 6.0, y + 4.0), &label(value));
    }
}

/// A round value, without the zeros that only say how round it is.
pub fn label(value: f64) -> String {
    let text = significant(value, 4);
    match text.split_once('.') {
        Some((whole, fraction)) if !fraction.contains('e') => {
            let fraction = fraction.trim_end_matches('0');
            if fraction.is_empty() { whole.to_owned() } else { format!("{whole}.{fraction}") }
        }
        Some((whole, fraction)) => match fraction.split_once('e') {
            Some((zeros, exponent)) if zeros.chars().all(|digit| digit == '0') => {
                format!("{whole}e{exponent}")
            }
            _ => text.clone(),
        },
        None => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_are_as_short_as_they_can_be() {
        let labels = [0.0, 0.5, 10.0, 2_000.0, -0.25, 1e20].map(label);
        assert_eq!(labels, ["0", "0.5", "10", "2,000", "−0.25", "1e20"]);
    }

    #[test]
    fn an_axis_has_its_values_and_its_name() {
        let mut sketch = Sketch::new(400.0);
        let scale = Scale::linear((0.0, 10.0), 0.0, 400.0);
        horizontal(&mut sketch, &scale, (0.0, 400.0), (0.0, 50.0), "ms");
        let drawn = sketch.inline("x", "", "");
        assert!(drawn.contains(">10</text>") && drawn.contains(">ms</text>"), "{drawn}");
    }
}
