//! What reading an access pattern from a candidate table takes.

use tablesmith_plan::side_by_side::{SideBySide, among_others};
use tablesmith_plan::{
    self as plan, AccessKind, AccessPattern, ReadEstimate, StoredRows, Unreadable, regions,
};

use super::Ground;
use crate::tables::ask::Ask;
use crate::tables::candidate::{Candidate, Shape};

/// What reading a pattern from a candidate takes, the cheapest of its rows; or why it cannot be read there.
pub fn read(
    ground: &Ground<'_>,
    ask: Option<&Ask>,
    pattern: &AccessPattern,
    candidate: &Candidate,
) -> Result<ReadEstimate, Unreadable> {
    if let Shape::Time(_) = candidate.shape {
        return of_time_series(ground, ask, pattern, candidate);
    }
    let mut refusal = Unreadable::OtherRows;
    let mut best: Option<ReadEstimate> = None;
    let mut offer = |read: ReadEstimate| {
        let cost = |read: &ReadEstimate| ground.prices.cost(&read.operations);
        if best.as_ref().is_none_or(|best| cost(&read) < cost(best)) {
            best = Some(read);
        }
    };
    for entry in &candidate.entries {
        match plan::read(&ground.costs(), pattern, entry) {
            Ok(read) if candidate.shape == Shape::Mixed => {
                let others: Vec<&StoredRows> =
                    candidate.entries.iter().filter(|other| *other != entry).collect();
                offer(among_others(pattern, entry, &others, read));
            }
            Ok(read) => offer(read),
            Err(Unreadable::OtherRows) => {}
            Err(other) => refusal = other,
        }
    }
    if let (Shape::Nested | Shape::Mixed, [parents, children]) =
        (&candidate.shape, candidate.entries.as_slice())
    {
        let is_nested = candidate.shape == Shape::Nested;
        SideBySide { parents, children }.read(pattern, is_nested).into_iter().for_each(offer);
    }
    best.ok_or(refusal)
}

/// What a query on a time series takes, by the layout's own prediction.
fn of_time_series(
    ground: &Ground<'_>,
    ask: Option<&Ask>,
    pattern: &AccessPattern,
    candidate: &Candidate,
) -> Result<ReadEstimate, Unreadable> {
    let (Shape::Time(layout), [entry]) = (&candidate.shape, candidate.entries.as_slice()) else {
        return Err(Unreadable::NotTimeSeries);
    };
    let readings = ground.readings.iter().find(|one| one.table == entry.rows.from);
    let (Some(readings), Some(ask)) = (readings, ask) else { return Err(Unreadable::NotTimeSeries) };
    if !pattern.is_of(&entry.record.tables) || pattern.executions > 1.0 {
        return Err(Unreadable::OtherRows);
    }
    let regions = regions(entry.size.total_bytes(), ground.servers);
    let predicted = readings.predict(layout, ground.prices, regions).queries;
    let query =
        predicted.into_iter().find(|query| query.name == ask.name).ok_or(Unreadable::NotTimeSeries)?;
    let operations = query.operations;
    let (access, requests) = match operations.regions > 0.0 {
        true => (AccessKind::Scans, operations.regions),
        false => (AccessKind::Gets, operations.rows),
    };
    let (rows_returned, records) = (operations.rows, operations.cells_returned);
    Ok(ReadEstimate { access, requests, operations, rows_returned, records, stops_early: true })
}
