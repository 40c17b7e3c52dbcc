//! What queries take on a layout: operations, counted as the layout is carried out, times prices.
//!
//! [`Shape`] says what rows look like; [`fetch`] counts what reading a stretch takes, [`reads`] and [`writes`] what each
//! kind of query does.

mod fetch;
mod reads;
mod shape;
mod writes;

pub use shape::Shape;

use tablesmith_model::cost::{Operations, Prices};
use tablesmith_model::series::{Dimension, SeriesLayout, Span};

use super::facts::Facts;
use super::query::{TimeKind, TimeQuery};
use fetch::Ground;

/// What a layout is expected to take.
#[derive(Clone, Debug, PartialEq)]
pub struct Prediction {
    /// Milliseconds of a second's calls, or of whatever the rates count: the sum over all queries of rate × time.
    pub cost_ms: f64,
    /// Each query, in the order given.
    pub queries: Vec<QueryPrediction>,
    /// Bytes of a reading as stored, before any compression.
    pub reading_bytes: f64,
    /// Readings of one row.
    pub row_readings: f64,
    /// Versions that a cell has in a row; 1 where time is elsewhere.
    pub depth: u64,
}

/// What one call of a query is expected to take.
#[derive(Clone, Debug, PartialEq)]
pub struct QueryPrediction {
    /// The query.
    pub name: String,
    /// Its operations.
    pub operations: Operations,
    /// What these take, in milliseconds.
    pub cost_ms: f64,
}

/// What queries take on a layout whose table has so many regions.
pub fn predict(
    layout: &SeriesLayout,
    facts: &Facts,
    queries: &[TimeQuery],
    prices: &Prices,
    regions: f64,
) -> Prediction {
    let shape = Shape::of(layout, facts);
    let ground = Ground { layout, facts, shape, regions: regions.max(1.0) };
    let one = |query: &TimeQuery| {
        let operations = operations(&ground, query);
        QueryPrediction { name: query.name.clone(), cost_ms: prices.cost(&operations), operations }
    };
    let predicted: Vec<QueryPrediction> = queries.iter().map(one).collect();
    let cost_ms = predicted.iter().zip(queries).map(|(one, query)| one.cost_ms * query.rate).sum();
    let depth = depth(layout, facts, &shape);
    Prediction {
        cost_ms,
        queries: predicted,
        reading_bytes: shape.reading_bytes(),
        row_readings: shape.row_readings,
        depth,
    }
}

/// Versions that a cell can have in a row: as many as there are readings when none is missing.
fn depth(layout: &SeriesLayout, facts: &Facts, shape: &Shape) -> u64 {
    let most = match (layout.dimension, layout.span) {
        (Dimension::Version, Span::Of(width)) => (width as f64 / facts.interval).max(shape.row_readings),
        (Dimension::Version, _) => shape.row_readings,
        _ => 1.0,
    };
    // What is a whole number but for rounding is one.
    (most - 1e-6).ceil().max(1.0) as u64
}

fn operations(ground: &Ground<'_>, query: &TimeQuery) -> Operations {
    match &query.kind {
        TimeKind::Range { entities, length } => ground.range(*entities, *length, &query.metrics),
        TimeKind::Latest { n } => ground.latest(*n as f64, &query.metrics),
        TimeKind::Instant { entities } => ground.instant(*entities, &query.metrics),
        TimeKind::Aggregate { entities, length, group } => {
            ground.aggregate(*entities, *length, *group, &query.metrics)
        }
        TimeKind::Compare => ground.compare(),
        TimeKind::Write { readings } => ground.write(*readings),
    }
}

#[cfg(test)]
mod tests;
