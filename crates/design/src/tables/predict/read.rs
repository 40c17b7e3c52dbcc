//! What reading a want from a candidate takes.

use tablesmith_model::cost::Operations;
use tablesmith_model::design::ColumnOf;
use tablesmith_model::plan::join::passes;

use super::narrow::{Narrowed, narrow, sorts};
use super::{Ground, How, Read, Refusal, beside, regions};
use crate::tables::ask::Ask;
use crate::tables::candidate::{Candidate, Entry, Shape};
use crate::tables::facts;
use crate::tables::want::Want;

/// A scanner's portion: a scan takes a call for each.
const PORTION_BYTES: f64 = 2.0 * 1_048_576.0;

/// What reading a want from a candidate takes, the cheapest of its entries; or why it cannot be read there.
pub fn read(
    ground: &Ground<'_>,
    ask: Option<&Ask>,
    want: &Want,
    candidate: &Candidate,
) -> Result<Read, Refusal> {
    if let Shape::Time(_) = candidate.shape {
        return of_readings(ground, ask, want, candidate);
    }
    let mut refusal = Refusal::OtherRows;
    let mut best: Option<Read> = None;
    let mut offer = |read: Read| {
        let cost = |read: &Read| ground.prices.cost(&read.operations);
        if best.as_ref().is_none_or(|best| cost(&read) < cost(best)) {
            best = Some(read);
        }
    };
    for entry in &candidate.entries {
        match of_entry(ground, want, entry) {
            Ok(read) => offer(beside::among_others(want, candidate, entry, read)),
            Err(Refusal::OtherRows) => {}
            Err(other) => refusal = other,
        }
    }
    if let Some(read) = beside::read(ground, want, candidate) {
        offer(read);
    }
    best.ok_or(refusal)
}

/// What a query on readings takes, by the layout's own prediction.
fn of_readings(
    ground: &Ground<'_>,
    ask: Option<&Ask>,
    want: &Want,
    candidate: &Candidate,
) -> Result<Read, Refusal> {
    let (Shape::Time(layout), [entry]) = (&candidate.shape, candidate.entries.as_slice()) else {
        return Err(Refusal::NotReadings);
    };
    let readings = ground.readings.iter().find(|one| one.table == entry.rows.from);
    let (Some(readings), Some(ask)) = (readings, ask) else { return Err(Refusal::NotReadings) };
    if !want.is_of(&entry.record.tables) || want.times > 1.0 {
        return Err(Refusal::OtherRows);
    }
    let regions = regions(entry.size.total_bytes(), ground.servers);
    let predicted = readings.predict(layout, ground.prices, regions).queries;
    let query = predicted.into_iter().find(|query| query.name == ask.name).ok_or(Refusal::NotReadings)?;
    let operations = query.operations;
    let how =
        if operations.regions > 0.0 { How::Scans(operations.regions) } else { How::Gets(operations.rows) };
    Ok(Read { how, operations, stops_early: true })
}

/// What reading a want from rows of one kind takes.
fn of_entry(ground: &Ground<'_>, want: &Want, entry: &Entry) -> Result<Read, Refusal> {
    if !is_same_record(want, entry) {
        return Err(Refusal::OtherRows);
    }
    let key = narrow(want, entry, &entry.rows.key.parts);
    let qualifier_parts = entry.qualifier_parts();
    let qualifier = (entry.is_wide() && key.is_whole).then(|| narrow(want, entry, &qualifier_parts));
    let one_cell = qualifier.as_ref().is_some_and(|qualifier| qualifier.is_whole);
    let used: Vec<&ColumnOf> =
        key.used.iter().chain(qualifier.iter().filter(|_| one_cell).flat_map(|one| &one.used)).collect();
    lacks(want, entry, &used)?;
    let is_left = |column: &ColumnOf| !used.contains(&&entry.record.same_as(column));
    let has_left = want.has_others
        || want.given.iter().any(|given| is_left(&given.column))
        || want.ranges.iter().any(|range| is_left(&range.column));
    let shape = Reading { ground, want, entry, has_left };
    Ok(match (&qualifier, key.is_whole) {
        (Some(qualifier), _) => shape.wide_gets(&key, qualifier),
        (None, true) => shape.gets(&key),
        (None, false) => shape.scans(&key),
    })
}

/// Whether the rows are those of the want's tables, joined as it joins them.
fn is_same_record(want: &Want, entry: &Entry) -> bool {
    let record = &entry.record;
    want.is_of(&record.tables)
        && want.equalities.iter().all(|(one, two)| record.same_as(one) == record.same_as(two))
        && record.joins.iter().all(|join| want.are_equal(&join.have, &join.other))
}

/// Refuses rows without a column that must come back; what the statement says itself need not.
fn lacks(want: &Want, entry: &Entry, used: &[&ColumnOf]) -> Result<(), Refusal> {
    let is_said = |column: &ColumnOf| {
        let same = entry.record.same_as(column);
        used.contains(&&same)
            && want
                .given
                .iter()
                .any(|given| given.values <= 1.0 && entry.record.same_as(&given.column) == same)
    };
    let missing = want.reads.iter().find(|column| !is_said(column) && !entry.holds(column));
    missing.map_or(Ok(()), |column| Err(Refusal::Lacks(column.clone())))
}

/// Rows of one kind that are read for a want.
struct Reading<'a> {
    ground: &'a Ground<'a>,
    want: &'a Want,
    entry: &'a Entry,
    /// Whether conditions are left that have to be checked on the rows that come back.
    has_left: bool,
}

impl Reading<'_> {
    /// Rows by their whole keys. Who asks for one by its key most often asks for one that is there, however many other keys
    /// there could be.
    fn gets(&self, key: &Narrowed) -> Read {
        let count = key.values * self.want.times;
        let operations = Operations {
            calls: self.batches(count),
            seeks: count,
            rows: count,
            family_rows: count,
            ..self.cells(count, count)
        };
        Read { how: How::Gets(count), operations, stops_early: true }
    }

    /// Wide rows by their keys: all their cells, or the one that is asked for.
    fn wide_gets(&self, key: &Narrowed, qualifier: &Narrowed) -> Read {
        let count = key.values * self.want.times;
        let in_rows = self.entry.size.records * key.share * self.want.times;
        let records = if qualifier.is_whole { count * qualifier.values } else { in_rows };
        let records = records.min(in_rows.max(count * f64::from(u8::from(qualifier.is_whole))));
        let operations = Operations {
            calls: self.batches(count),
            seeks: count,
            rows: count,
            family_rows: count,
            ..self.cells(records, records)
        };
        Read { how: How::Gets(count), operations, stops_early: false }
    }

    /// Stretches of rows.
    fn scans(&self, key: &Narrowed) -> Read {
        let (want, size) = (self.want, &self.entry.size);
        let is_full = key.share >= 1.0;
        let times = if is_full { passes(want.times) } else { want.times };
        let scans = key.values * times;
        let in_order = !self.entry.is_wide()
            && key.values <= 1.0
            && (want.order.is_empty()
                || sorts(want, self.entry, &self.entry.rows.key.parts, key.known_parts));
        let stops_early = in_order && !self.has_left && !want.sums && want.grouping.is_empty();
        let mut records = size.records * key.share * times;
        if let (Some(limit), true) = (want.limit, stops_early) {
            records = records.min(limit * times);
        }
        let rows = records * size.rows / size.records;
        let sums = (want.sums || !want.grouping.is_empty()) && self.is_summed();
        let returned = if sums { self.groups().min(records) } else { records };
        let cells = self.cells(records, returned);
        let regions =
            (regions(size.total_bytes(), self.ground.servers) * key.share / key.values).max(1.0) * scans;
        let operations = Operations {
            calls: scans.max(regions) + (cells.bytes_returned / PORTION_BYTES).floor(),
            regions,
            seeks: regions,
            rows,
            family_rows: rows,
            ..cells
        };
        let how = match (sums, is_full && !stops_early) {
            (true, _) => How::Aggregate,
            (false, true) => How::FullScan,
            (false, false) => How::Scans(scans),
        };
        Read { how, operations, stops_early }
    }

    /// Whether regions can make the sums: nothing is left to check, and groups are beginnings of keys.
    fn is_summed(&self) -> bool {
        let parts = &self.entry.rows.key.parts;
        let leads = |column: &ColumnOf| {
            let mut first = parts.iter().take(self.want.given.len() + self.want.grouping.len());
            first.any(|part| {
                part.fields().iter().any(|field| self.entry.column(field).as_ref() == Some(column))
            })
        };
        !self.has_left
            && !self.entry.is_wide()
            && self.want.grouping.iter().all(|column| leads(&self.entry.record.same_as(column)))
    }

    /// How many groups an answer has.
    fn groups(&self) -> f64 {
        self.want.grouping.iter().map(|column| facts::distinct(self.ground.workload, column)).product()
    }

    /// Cells and bytes of records that are read, and of those that go to the client.
    fn cells(&self, read: f64, returned: f64) -> Operations {
        let size = &self.entry.size;
        let asked = self.asked_share();
        Operations {
            cells: read * size.cells,
            bytes: read * size.bytes,
            cells_returned: returned * (size.cells * asked).max(1.0),
            bytes_returned: returned * (size.bytes * asked),
            ..Operations::NONE
        }
    }

    /// The share of a record's cells that is asked for.
    fn asked_share(&self) -> f64 {
        let columns =
            || self.entry.rows.cells.iter().filter(|cells| !cells.together).flat_map(|cells| &cells.columns);
        let all = columns().count();
        if all == 0 || self.entry.is_wide() {
            return 1.0;
        }
        let read = |field: &&String| {
            let column = self.entry.column(field);
            self.want.reads.iter().any(|read| Some(self.entry.record.same_as(read)) == column)
        };
        (columns().filter(read).count().max(1) as f64 / all as f64).min(1.0)
    }

    /// Calls of so many gets: they go to each server in one.
    fn batches(&self, gets: f64) -> f64 {
        if gets <= 1.0 { 1.0 } else { gets.min(self.ground.servers.max(1.0)) }
    }
}
