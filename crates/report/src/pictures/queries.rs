//! Mean response time by query: a row for each query, a dot for each design.

use std::collections::HashMap;

use super::ridge::Rows;
use super::{Drawn, Room};
use crate::number::time;
use crate::svg::legend::{self, Entry};
use crate::svg::scale::extent;
use crate::svg::{Scale, Sketch, axis, theme};
use crate::view::View;

/// More queries than this are in the table alone.
const MOST: usize = 30;

/// More designs than this would be one smear of dots: only the fastest have theirs.
const MOST_DOTS: usize = 40;

/// A query with its mean on each design, in the order of the view.
pub struct ByQuery<'a> {
    /// The query's name.
    pub name: &'a str,
    /// Its calls on a design, at most.
    pub calls: u64,
    /// Its means; none where the design was not asked.
    pub means: Vec<Option<f64>>,
}

/// The queries of all designs, the most frequent first.
pub fn by_query<'a>(view: &View<'a>) -> Vec<ByQuery<'a>> {
    let mut places: HashMap<&str, usize> = HashMap::new();
    let mut queries: Vec<ByQuery<'a>> = Vec::new();
    for (column, shown) in view.designs.iter().enumerate() {
        for query in &shown.design.by_query {
            let place = *places.entry(query.name.as_str()).or_insert_with(|| {
                queries.push(ByQuery { name: &query.name, calls: 0, means: vec![None; view.designs.len()] });
                queries.len() - 1
            });
            let Some(entry) = queries.get_mut(place) else { continue };
            entry.calls = entry.calls.max(query.calls);
            if let Some(mean) = entry.means.get_mut(column) {
                *mean = Some(query.mean_ms).filter(|mean| mean.is_finite());
            }
        }
    }
    queries.sort_by_key(|query| std::cmp::Reverse(query.calls));
    queries
}

/// Draws the most frequent queries.
pub fn draw(view: &View<'_>) -> Option<Drawn> {
    let queries = by_query(view);
    let drawn = queries.get(..MOST.min(queries.len()))?;
    let means = drawn.iter().flat_map(|query| query.means.iter().flatten().copied());
    let ends = extent(means.filter(|mean| *mean > 0.0))?;
    let title = "Mean response time by query";
    Some(Drawn::new("queries", title, alt(view, drawn), |room| sketch(room, view, drawn, ends)))
}

fn sketch(room: Room, view: &View<'_>, queries: &[ByQuery<'_>], (low, high): (f64, f64)) -> Sketch {
    let mut sketch = Sketch::new(room.width());
    let rows = Rows::new(room, queries.iter().map(|query| query.name), (2.0, 14.0, 10.0));
    let (left, right) = (rows.gutter(), room.width() - 14.0);
    let scale = Scale::logarithmic((low / 1.1, high * 1.1), left, right);
    let bottom = rows.bottom(queries.len());
    axis::horizontal(&mut sketch, &scale, (left, right), (0.0, bottom), "mean in ms, logarithmic");
    for (index, query) in queries.iter().enumerate() {
        let row = rows.get(index);
        let y = row.base_y - 4.0;
        rows.name(&mut sketch, row, "", query.name);
        if let Some((least, most)) = extent(query.means.iter().flatten().copied()) {
            sketch.line("edge", (scale.at(least), y), (scale.at(most), y));
        }
        // From the slowest design on, so that the dot of the fastest is never hidden.
        for (shown, mean) in view.designs.iter().zip(&query.means).take(MOST_DOTS).rev() {
            let Some(mean) = mean else { continue };
            let title = format!("{} on {}: {}", query.name, shown.design.name, time(*mean));
            sketch.group(shown.class, &title, |sketch| sketch.dot("fill halo", (scale.at(*mean), y), 5.0));
        }
    }
    legend::draw(&mut sketch, &entries(view), (left, bottom + axis::HEIGHT));
    sketch
}

/// The designs that have a colour, and one entry for all others.
fn entries<'a>(view: &View<'a>) -> Vec<Entry<'a>> {
    let mut entries: Vec<Entry<'a>> = view
        .designs
        .iter()
        .filter(|shown| shown.class != theme::PLAIN)
        .map(|shown| Entry { class: shown.class, sign: legend::square, text: shown.design.name.as_str() })
        .collect();
    if view.designs.len() > MOST_DOTS {
        let text = "the next designs; lines reach over all of them";
        entries.push(Entry { class: theme::PLAIN, sign: legend::square, text });
    } else if entries.len() < view.designs.len() {
        entries.push(Entry { class: theme::PLAIN, sign: legend::square, text: "the other designs" });
    }
    entries
}

fn alt(view: &View<'_>, queries: &[ByQuery<'_>]) -> String {
    let some: Vec<String> = queries
        .iter()
        .take(8)
        .filter_map(|query| {
            let means = view.designs.iter().zip(&query.means);
            let known = means.filter_map(|(shown, mean)| mean.map(|mean| (shown.design.name.as_str(), mean)));
            let (name, mean) = known.min_by(|a, b| a.1.total_cmp(&b.1))?;
            Some(format!("{} is fastest on {name} with {}", query.name, time(mean)))
        })
        .collect();
    format!(
        "The mean response time of each query on each design, on a logarithmic axis. {}.",
        some.join("; ")
    )
}
