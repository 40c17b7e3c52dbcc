//! Predicted cost against measured time: a point for each design, the line through all, the worst miss named.

use tablesmith_model::evidence::{Predicted, Prediction};

use super::{Drawn, Room};
use crate::fit::{self, Line};
use crate::number::{NONE, decimal, significant, time};
use crate::svg::scale::extent;
use crate::svg::{Anchor, Scale, Sketch, axis, text, theme};
use crate::view::View;

/// More points than this are drawn without names, but for the worst.
const MOST_NAMES: usize = 60;
/// A range wider than this is drawn with logarithmic axes.
const WIDE_RANGE: f64 = 30.0;
const HEIGHT: f64 = 360.0;
const SIZE: f64 = 11.0;

struct Plot<'a> {
    prediction: &'a Prediction,
    points: Vec<&'a Predicted>,
    line: Option<Line>,
    is_logarithmic: bool,
}

/// Draws the points, when something was predicted.
pub fn draw(view: &View<'_>) -> Option<Drawn> {
    let prediction = view.evidence.prediction.as_ref()?;
    let is_number = |point: &&Predicted| point.predicted.is_finite() && point.measured_ms.is_finite();
    let points: Vec<&Predicted> = prediction.designs.iter().filter(is_number).collect();
    if points.is_empty() {
        return None;
    }
    let pairs: Vec<(f64, f64)> = points.iter().map(|point| (point.predicted, point.measured_ms)).collect();
    let is_wide = |(low, high): (f64, f64)| low > 0.0 && high / low > WIDE_RANGE;
    let all_positive = pairs.iter().all(|(x, y)| *x > 0.0 && *y > 0.0);
    let any_wide = extent(pairs.iter().map(|pair| pair.0)).is_some_and(is_wide)
        || extent(pairs.iter().map(|pair| pair.1)).is_some_and(is_wide);
    let plot = Plot { prediction, points, line: fit::line(&pairs), is_logarithmic: all_positive && any_wide };
    let title = "Predicted cost against measured time";
    Some(Drawn::new("prediction", title, alt(prediction), |room| sketch(room, view, &plot)))
}

fn sketch(room: Room, view: &View<'_>, plot: &Plot<'_>) -> Sketch {
    let mut sketch = Sketch::new(room.width());
    let (left, right, top, bottom) = (52.0, room.width() - 12.0, 26.0, HEIGHT);
    let (Some(x_ends), Some(y_ends)) = (
        extent(plot.points.iter().map(|point| point.predicted)),
        extent(plot.points.iter().map(|point| point.measured_ms)),
    ) else {
        return sketch;
    };
    let x = scale(plot, x_ends, left, right);
    let y = scale(plot, y_ends, bottom, top);
    sketch.text("muted small", Anchor::Start, (0.0, 12.0), "measured mean in ms");
    axis::vertical(&mut sketch, &y, (left, right), 7);
    let name = format!("predicted cost of a call ({})", plot.prediction.cost);
    axis::horizontal(&mut sketch, &x, (left, right), (top, bottom), &text::fit(&name, SIZE, right - left));
    draw_line(&mut sketch, plot, &x, &y);
    let places: Vec<(f64, f64)> =
        plot.points.iter().map(|point| (x.at(point.predicted), y.at(point.measured_ms))).collect();
    for (point, place) in plot.points.iter().zip(&places) {
        let class = if is_worst(plot, point) { theme::series(1) } else { view.class(&point.design) };
        sketch.group(class, &words(point), |sketch| {
            sketch.dot("fill halo", *place, if is_worst(plot, point) { 6.0 } else { 4.5 });
        });
    }
    names(&mut sketch, plot, &places);
    sketch
}

/// With a little room at both ends; a linear axis that comes near 0 begins there.
fn scale(plot: &Plot<'_>, (low, high): (f64, f64), from: f64, to: f64) -> Scale {
    if plot.is_logarithmic {
        return Scale::logarithmic((low / 1.15, high * 1.15), from, to);
    }
    let room = (high - low) * 0.06;
    let begins_at_zero = low >= 0.0 && low < 0.5 * high;
    Scale::linear((if begins_at_zero { 0.0 } else { low - room }, high + room), from, to)
}

/// The line in short pieces, for on logarithmic axes it is bent; only where it is on the picture.
fn draw_line(sketch: &mut Sketch, plot: &Plot<'_>, x: &Scale, y: &Scale) {
    let Some(line) = plot.line else { return };
    let ((low, high), (least, most)) = (x.ends(), y.ends());
    let place = |share: f64| {
        if plot.is_logarithmic { low * (high / low).powf(share) } else { low + (high - low) * share }
    };
    let points: Vec<(f64, f64)> = (0..=80)
        .map(|index| place(f64::from(index) / 80.0))
        .map(|at| (at, line.at(at)))
        .filter(|(_, value)| (least..=most).contains(value))
        .map(|(at, value)| (x.at(at), y.at(value)))
        .collect();
    sketch.path("edge dashed joined", &points, false);
}

fn is_worst(plot: &Plot<'_>, point: &Predicted) -> bool {
    plot.prediction.worst.as_deref() == Some(point.design.as_str())
}

/// Names beside points wherever there is room, the worst first.
fn names(sketch: &mut Sketch, plot: &Plot<'_>, places: &[(f64, f64)]) {
    let mut taken: Vec<Area> = places.iter().map(|(x, y)| Area::around(*x, *y)).collect();
    let mut order: Vec<(&&Predicted, &(f64, f64))> = plot.points.iter().zip(places).collect();
    order.sort_by_key(|(point, _)| !is_worst(plot, point));
    let many = order.len() > MOST_NAMES;
    for (point, (x, y)) in order {
        let worst = is_worst(plot, point);
        if many && !worst {
            continue;
        }
        let name = text::fit(&point.design, SIZE, 130.0);
        let label = if worst { format!("{name} (worst miss)") } else { name };
        let width = text::width(&label, SIZE * if worst { text::BOLD } else { 1.0 });
        let spots = [
            (x + 9.0, y + 4.0, Anchor::Start),
            (x - 9.0, y + 4.0, Anchor::End),
            (x - width / 2.0, y - 10.0, Anchor::Start),
            (x - width / 2.0, y + 18.0, Anchor::Start),
        ];
        let free = spots.into_iter().find_map(|(at, base, anchor)| {
            let left = if anchor == Anchor::End { at - width } else { at };
            let area = Area { left, top: base - 10.0, right: left + width, bottom: base + 3.0 };
            let is_free = area.is_inside(sketch.width()) && !taken.iter().any(|other| area.meets(other));
            is_free.then_some((at, base, anchor, area))
        });
        if let Some((at, base, anchor, area)) = free {
            taken.push(area);
            sketch.text(if worst { "small strong" } else { "small muted" }, anchor, (at, base), &label);
        }
    }
}

#[derive(Clone, Copy, Debug)]
struct Area {
    left: f64,
    top: f64,
    right: f64,
    bottom: f64,
}

impl Area {
    fn around(x: f64, y: f64) -> Self {
        Self { left: x - 5.0, top: y - 5.0, right: x + 5.0, bottom: y + 5.0 }
    }

    fn meets(&self, other: &Self) -> bool {
        self.left < other.right
            && other.left < self.right
            && self.top < other.bottom
            && other.top < self.bottom
    }

    fn is_inside(&self, width: f64) -> bool {
        self.left >= 50.0 && self.right <= width && self.top >= 14.0 && self.bottom <= HEIGHT
    }
}

fn words(point: &Predicted) -> String {
    format!(
        "{}: predicted {}, measured {}",
        point.design,
        significant(point.predicted, 3),
        time(point.measured_ms)
    )
}

fn alt(prediction: &Prediction) -> String {
    let spearman = prediction.spearman.map_or(NONE.to_owned(), |value| decimal(value, 3));
    let worst =
        prediction.worst.as_ref().map(|name| format!(" The worst miss is {name}.")).unwrap_or_default();
    format!(
        "The predicted cost and the measured mean time of {} designs, with the line through them. Spearman's rank correlation is {spearman}.{worst}",
        prediction.designs.len()
    )
}
