//! Mean differences of pairs with their 95 % intervals, beside the line of no difference.

use tablesmith_model::evidence::Pair;

use super::ridge::Rows;
use super::{Drawn, Room};
use crate::number::{percent, time};
use crate::svg::legend::{self, Entry};
use crate::svg::scale::extent;
use crate::svg::{Anchor, Scale, Sketch, axis, theme};
use crate::view::{View, is_told};

/// More pairs than this are in the table alone.
pub const MOST: usize = 28;

/// Draws the pairs.
pub fn draw(view: &View<'_>) -> Option<Drawn> {
    let mut pairs = view.pairs(MOST);
    pairs.retain(|pair| pair.difference.is_finite());
    let (low, high) = extent(pairs.iter().flat_map(|pair| [pair.low, pair.difference, pair.high]))?;
    let room = (high.max(0.0) - low.min(0.0)) * 0.03;
    let ends = (low.min(0.0) - room, high.max(0.0) + room);
    let title = "Mean differences with their 95 % intervals";
    Some(Drawn::new("pairs", title, alt(&pairs), |room| sketch(room, &pairs, ends)))
}

fn sketch(room: Room, pairs: &[Pair], ends: (f64, f64)) -> Sketch {
    let mut sketch = Sketch::new(room.width());
    let figures = if room == Room::Wide { 150.0 } else { 0.0 };
    let names: Vec<String> = pairs.iter().map(name).collect();
    let rows = Rows::new(room, names.iter().map(String::as_str), (22.0, 10.0, 18.0));
    let (left, right) = (rows.gutter(), room.width() - figures - 12.0);
    let scale = Scale::linear(ends, left, right);
    let bottom = rows.bottom(pairs.len());
    axis::horizontal(&mut sketch, &scale, (left, right), (16.0, bottom), "mean difference in ms");
    let zero = scale.at(0.0);
    sketch.line("mark", (zero, 16.0), (zero, bottom));
    sketch.text("muted small", Anchor::Start, (zero, 10.0), "the first is faster →");
    for (index, (pair, name)) in pairs.iter().zip(&names).enumerate() {
        let row = rows.get(index);
        let y = row.base_y - 4.0;
        sketch.group(class(pair), &words(pair), |sketch| {
            rows.name(sketch, row, "", name);
            if pair.low.is_finite() && pair.high.is_finite() {
                let (low, high) = (scale.at(pair.low), scale.at(pair.high));
                let width = (high - low).max(3.0);
                sketch.pill("fill", ((low + high - width) / 2.0, y - 6.0), (width, 12.0), 2.0);
            }
            let mean = scale.at(pair.difference);
            sketch.line("mark", (mean, y - 8.0), (mean, y + 8.0));
            if room == Room::Wide {
                let text = format!(
                    "{} ({} to {})",
                    percent(pair.share),
                    percent(pair.share_low),
                    percent(pair.share_high)
                );
                sketch.text("small", Anchor::End, (room.width(), y + 4.0), &text);
            }
        });
    }
    legend::draw(&mut sketch, &entries(pairs), (left, bottom + axis::HEIGHT));
    sketch
}

fn entries(pairs: &[Pair]) -> Vec<Entry<'static>> {
    let all = [(true, "the first is faster"), (false, "no telling: the interval has 0 in it")];
    all.into_iter()
        .filter(|(told, _)| pairs.iter().any(|pair| is_told(pair) == *told))
        .map(|(told, text)| Entry { class: class_of(told), sign: legend::square, text })
        .collect()
}

/// Both names, the first first.
pub fn name(pair: &Pair) -> String {
    format!("{} | {}", pair.a, pair.b)
}

/// The class of what a pair says.
pub fn class(pair: &Pair) -> &'static str {
    class_of(is_told(pair))
}

fn class_of(is_told: bool) -> &'static str {
    if is_told { theme::series(0) } else { theme::PLAIN }
}

fn words(pair: &Pair) -> String {
    format!(
        "{} is {} faster than {}, 95 % interval {} to {}",
        pair.a,
        time(pair.difference),
        pair.b,
        time(pair.low),
        time(pair.high)
    )
}

fn alt(pairs: &[Pair]) -> String {
    let some: Vec<String> = pairs.iter().take(8).map(words).collect();
    format!(
        "Mean differences of response times with 95 % intervals; the first design of a pair is the faster one. {}.",
        some.join("; ")
    )
}
