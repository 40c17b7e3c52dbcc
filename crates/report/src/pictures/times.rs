//! Response times of each design: a hill of all of them over a logarithmic axis, with what sums them up below it.

use tablesmith_model::evidence::{MeasuredDesign, Summary};

use super::ridge::{self, Rows};
use super::{Drawn, Room};
use crate::density::{curve, quantile, sorted};
use crate::number::time;
use crate::svg::legend::{self, Entry};
use crate::svg::scale::extent;
use crate::svg::{Scale, Sketch, axis};
use crate::view::{Shown, View};

/// More designs than this are in the table alone.
const MOST: usize = 40;
/// More designs than this have lower hills.
const HIGH: usize = 12;

/// One design's times.
struct Times<'a> {
    shown: Shown<'a>,
    summary: &'a Summary,
    sorted: Vec<f64>,
}

/// Reads.
pub fn reads(view: &View<'_>) -> Option<Drawn> {
    draw(view, "times", "Response times of reads", |design| Some(&design.reads))
}

/// Writes, when there were any.
pub fn writes(view: &View<'_>) -> Option<Drawn> {
    draw(view, "writes", "Response times of writes", |design| design.writes.as_ref())
}

fn draw(
    view: &View<'_>,
    name: &'static str,
    title: &str,
    pick: impl Fn(&MeasuredDesign) -> Option<&Summary>,
) -> Option<Drawn> {
    let all: Vec<Times<'_>> = view
        .designs
        .iter()
        .filter_map(|shown| {
            let summary = pick(shown.design).filter(|summary| summary.queries > 0)?;
            Some(Times { shown: *shown, summary, sorted: sorted(&summary.distribution) })
        })
        .collect();
    let times = all.get(..MOST.min(all.len()))?;
    let values = times.iter().flat_map(|times| times.sorted.iter().copied().chain([times.summary.mean_ms]));
    let ends = extent(values.filter(|value| *value > 0.0))?;
    let alt = alt(times, all.len());
    Some(Drawn::new(name, title, alt, |room| sketch(room, times, ends)))
}

fn sketch(room: Room, times: &[Times<'_>], ends: (f64, f64)) -> Sketch {
    let mut sketch = Sketch::new(room.width());
    let names = times.iter().map(|times| times.shown.design.name.as_str());
    let rows = Rows::new(room, names, (4.0, if times.len() <= HIGH { 40.0 } else { 16.0 }, 26.0));
    let (left, right) = (rows.gutter(), room.width() - 14.0);
    let scale = Scale::logarithmic(ends, left, right);
    let bottom = rows.bottom(times.len());
    axis::horizontal(&mut sketch, &scale, (left, right), (0.0, bottom), "response time in ms, logarithmic");
    for (index, times) in times.iter().enumerate() {
        let row = rows.get(index);
        sketch.group(times.shown.class, &words(times), |sketch| {
            rows.name(sketch, row, "strong", &times.shown.design.name);
            ridge::hill(sketch, row, &curve(&times.sorted, &scale));
            marks(sketch, &scale, row.base_y + 11.0, times);
        });
    }
    let entries = [
        Entry { class: "", sign: box_sign, text: "middle half, with the median" },
        Entry { class: "", sign: diamond_sign, text: "mean" },
        Entry { class: "", sign: stroke_sign, text: "95 % and 99 % are faster" },
        Entry { class: "", sign: dot_sign, text: "fastest and slowest" },
    ];
    legend::draw(&mut sketch, &entries, (left, bottom + axis::HEIGHT));
    sketch
}

/// What sums the times up, below the hill.
fn marks(sketch: &mut Sketch, scale: &Scale, y: f64, Times { summary, sorted, .. }: &Times<'_>) {
    let at = |share: f64| quantile(sorted, share).map(|value| scale.at(value));
    if let (Some(least), Some(most)) = (at(0.0), at(1.0)) {
        sketch.line("stroke", (least, y), (most, y));
        sketch.dot("fill", (least, y), 1.8);
        sketch.dot("fill", (most, y), 1.8);
    }
    if let (Some(low), Some(high)) = (at(0.25), at(0.75)) {
        sketch.pill("fill", (low, y - 4.0), ((high - low).max(2.0), 8.0), 2.0);
    }
    ridge::stroke(sketch, "halo", scale, summary.median_ms, y, 4.0);
    for value in [summary.p95_ms, summary.p99_ms] {
        ridge::stroke(sketch, "stroke joined", scale, value, y, 5.0);
    }
    if summary.mean_ms.is_finite() {
        sketch.diamond("markfill halo", (scale.at(summary.mean_ms), y), 4.5);
    }
}

fn box_sign(sketch: &mut Sketch, (x, y): (f64, f64)) {
    sketch.pill("muted", (x - 6.0, y - 4.0), (12.0, 8.0), 2.0);
    sketch.line("halo", (x, y - 4.0), (x, y + 4.0));
}

fn diamond_sign(sketch: &mut Sketch, at: (f64, f64)) {
    sketch.diamond("markfill", at, 4.5);
}

fn stroke_sign(sketch: &mut Sketch, (x, y): (f64, f64)) {
    sketch.line("mark", (x - 2.0, y - 5.0), (x - 2.0, y + 5.0));
    sketch.line("mark", (x + 3.0, y - 5.0), (x + 3.0, y + 5.0));
}

fn dot_sign(sketch: &mut Sketch, at: (f64, f64)) {
    sketch.dot("muted", at, 2.2);
}

fn words(Times { shown, summary, .. }: &Times<'_>) -> String {
    format!(
        "{}: mean {}, median {}, 95 % {}, 99 % {}",
        shown.design.name,
        time(summary.mean_ms),
        time(summary.median_ms),
        time(summary.p95_ms),
        time(summary.p99_ms)
    )
}

fn alt(times: &[Times<'_>], all: usize) -> String {
    let some: Vec<String> = times.iter().take(8).map(words).collect();
    let rest =
        if all > some.len() { format!("; and {} more designs", all - some.len()) } else { String::new() };
    format!("How response times are spread, on a logarithmic axis. {}{rest}.", some.join("; "))
}
