//! All differences of a pair's response times, query by query: a hill on both sides of no difference.

use tablesmith_model::evidence::Pair;

use super::intervals::{class, name};
use super::ridge::{self, Rows};
use super::{Drawn, Room};
use crate::density::{curve, quantile, share_above_zero, sorted};
use crate::number::percent;
use crate::svg::scale::extent;
use crate::svg::{Anchor, Scale, Sketch, axis};
use crate::view::View;

/// More pairs than this are left out.
const MOST: usize = 12;

struct Spread {
    pair: Pair,
    sorted: Vec<f64>,
}

/// Draws the differences.
pub fn draw(view: &View<'_>) -> Option<Drawn> {
    let spreads: Vec<Spread> = view
        .pairs(MOST)
        .into_iter()
        .map(|pair| Spread { sorted: sorted(&pair.distribution), pair })
        .filter(|spread| !spread.sorted.is_empty())
        .collect();
    let ends = extent(spreads.iter().flat_map(|spread| spread.sorted.iter().copied()))?;
    let unit = unit(&spreads);
    let title = "Differences query by query";
    Some(Drawn::new("differences", title, alt(&spreads), |room| sketch(room, &spreads, ends, unit)))
}

/// A power of ten that most differences are larger than: the axis is linear up to it.
fn unit(spreads: &[Spread]) -> f64 {
    let mut sizes: Vec<f64> = spreads
        .iter()
        .flat_map(|spread| spread.sorted.iter().map(|value| value.abs()))
        .filter(|size| *size > 0.0)
        .collect();
    sizes.sort_by(f64::total_cmp);
    let typical = quantile(&sizes, 0.25).unwrap_or(1.0).clamp(1e-9, 1e290);
    10_f64.powf(typical.log10().floor())
}

fn sketch(room: Room, spreads: &[Spread], ends: (f64, f64), unit: f64) -> Sketch {
    let mut sketch = Sketch::new(room.width());
    let figures = if room == Room::Wide { 150.0 } else { 0.0 };
    let names: Vec<String> = spreads.iter().map(|spread| name(&spread.pair)).collect();
    let rows = Rows::new(room, names.iter().map(String::as_str), (6.0, 34.0, 12.0));
    let (left, right) = (rows.gutter(), room.width() - figures - 12.0);
    let scale = Scale::symmetric(ends, unit, left, right);
    let bottom = rows.bottom(spreads.len());
    let unit_name = "difference in ms, logarithmic on both sides of 0";
    axis::horizontal(&mut sketch, &scale, (left, right), (0.0, bottom), unit_name);
    let zero = scale.at(0.0);
    sketch.line("mark", (zero, 0.0), (zero, bottom));
    for (index, (spread, name)) in spreads.iter().zip(&names).enumerate() {
        let row = rows.get(index);
        sketch.group(class(&spread.pair), &words(spread), |sketch| {
            rows.name(sketch, row, "", name);
            ridge::hill(sketch, row, &curve(&spread.sorted, &scale));
            if let Some(median) = quantile(&spread.sorted, 0.5) {
                ridge::stroke(sketch, "mark thick", &scale, median, row.base_y - 5.0, 5.0);
            }
            if let (Room::Wide, Some(share)) = (room, share_above_zero(&spread.sorted)) {
                let text = format!("first faster in {}", percent(share));
                sketch.text("small", Anchor::End, (room.width(), row.base_y - 6.0), &text);
            }
        });
    }
    sketch
}

fn words(Spread { pair, sorted }: &Spread) -> String {
    let share = share_above_zero(sorted).map(percent).unwrap_or_default();
    format!("{} is faster than {} in {share} of the queries", pair.a, pair.b)
}

fn alt(spreads: &[Spread]) -> String {
    let some: Vec<String> = spreads.iter().take(8).map(words).collect();
    format!(
        "How the differences of response times are spread, query by query, with their median marked. {}.",
        some.join("; ")
    )
}
