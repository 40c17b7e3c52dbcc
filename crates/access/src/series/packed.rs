//! All readings of a row in one cell, or in one a metric.
//!
//! ```text
//!   row │ "t": packed readings of all metrics          (together)
//!       │ "bikes": packed readings of one metric, …     (each)
//!       │ "": how often the row was written, 8 bytes
//! ```
//!
//! A write reads the row, changes the cells and puts them back on the condition that the count is still the one it read:
//! of two writers that meet, the second one reads again.

use std::collections::BTreeMap;

use bytes::Bytes;
use tablesmith_model::bytes_text::to_text;
use tablesmith_model::series::packed::{Change, changed, entries};
use tablesmith_model::series::{CellShape, Reading};
use tablesmith_model::value::CellEncoding;
use tablesmith_model::{Cell, TimeRange};
use tablesmith_store::filter::{Comparator, CompareOp};
use tablesmith_store::{CheckAndMutate, Condition, Get, Mutation, Put, ReadOptions, Row, RowMutations};

use super::SeriesError;
use super::columns::Columns;
use super::decode::{Gathered, Wanted, foreign};
use super::tall::name_columns;

/// The qualifier of the cell that counts writes.
const COUNT: Bytes = Bytes::from_static(b"");

/// The greatest value that HBase takes as it is delivered (`hbase.server.keyvalue.maxsize`), less room for the rest of a cell.
const MOST_BYTES: usize = (10 << 20) - (64 << 10);

/// Reads the packed cells of the metrics wanted.
pub(super) fn options(columns: &Columns, metrics: &[usize]) -> ReadOptions {
    let mut options = ReadOptions::default();
    name_columns(columns, metrics, &mut options);
    options
}

/// What is read before a row is written.
pub(super) fn get(columns: &Columns, row: Bytes) -> Get {
    Get::new(row).family(columns.family.clone())
}

/// The write of changes to a row as it was read.
pub(super) fn write(
    columns: &Columns,
    old: &Row,
    row: &Bytes,
    readings: &BTreeMap<i64, &Reading>,
) -> Result<CheckAndMutate, SeriesError> {
    let count = old.value(&columns.family, &COUNT);
    let mut put = Put::new(row.clone()).add(columns.family.clone(), COUNT, next(count));
    for (qualifier, encodings, changes) in changes(columns, readings)? {
        let cell = old.cells.iter().find(|cell| cell.family == columns.family && cell.qualifier == qualifier);
        let new = changed(cell.map(|cell| cell.value.as_ref()), encodings, &changes);
        let new = new.map_err(|error| match cell {
            Some(cell) => foreign(cell, &error),
            None => SeriesError::Foreign { row: to_text(row), reason: error.to_string() },
        })?;
        if new.len() > MOST_BYTES {
            return Err(SeriesError::TooLarge { row: to_text(row), bytes: new.len(), most: MOST_BYTES });
        }
        put = put.add(columns.family.clone(), qualifier, new);
    }
    let then = RowMutations { row: row.clone(), mutations: vec![Mutation::Put(put)] };
    Ok(CheckAndMutate { condition: unchanged(columns, count), then })
}

/// The count after one more write.
fn next(count: Option<&Bytes>) -> Bytes {
    let count = count.and_then(|bytes| bytes.as_ref().try_into().ok()).map_or(0, u64::from_be_bytes);
    Bytes::copy_from_slice(&count.wrapping_add(1).to_be_bytes())
}

fn unchanged(columns: &Columns, count: Option<&Bytes>) -> Condition {
    let (family, time_range) = (columns.family.clone(), TimeRange::ALL);
    match count {
        None => Condition::Absent { family, qualifier: COUNT, time_range },
        Some(count) => Condition::Value {
            family,
            qualifier: COUNT,
            op: CompareOp::Equal,
            comparator: Comparator::Binary(count.clone()),
            time_range,
        },
    }
}

type CellChanges<'c> = (Bytes, &'c [CellEncoding], BTreeMap<u64, Change>);

/// What becomes of each cell of a row.
fn changes<'c>(
    columns: &'c Columns,
    readings: &BTreeMap<i64, &Reading>,
) -> Result<Vec<CellChanges<'c>>, SeriesError> {
    let mut values = Vec::with_capacity(readings.len());
    for (at, reading) in readings {
        values.push((columns.offsets.offset(*at), columns.values(reading)?));
    }
    if columns.shape == CellShape::Together {
        let change = |values: Vec<Option<Vec<u8>>>| match values.iter().all(Option::is_none) {
            true => Change::Remove,
            false => Change::Write(values),
        };
        let changes = values.into_iter().map(|(offset, values)| (offset, change(values))).collect();
        return Ok(vec![(columns.together.clone(), columns.encodings.as_slice(), changes)]);
    }
    let of_metric = |(index, encoding): (usize, &'c CellEncoding)| {
        let metric = columns.metrics.get(index)?;
        let change = |value: &Option<Vec<u8>>| match value {
            Some(value) => Change::Write(vec![Some(value.clone())]),
            None => Change::Remove,
        };
        let changes =
            values.iter().filter_map(|(offset, values)| Some((*offset, change(values.get(index)?))));
        Some((metric.qualifier.clone(), std::slice::from_ref(encoding), changes.collect()))
    };
    Ok(columns.encodings.iter().enumerate().filter_map(of_metric).collect())
}

pub(super) fn gather(
    columns: &Columns,
    cell: &Cell,
    start: i64,
    wanted: &Wanted,
    gathered: &mut Gathered,
) -> Result<(), SeriesError> {
    let at = |offset| {
        let at = columns.offsets.at(start, offset);
        at.ok_or_else(|| foreign(cell, &"an offset leads behind the last time there is"))
    };
    if columns.shape == CellShape::Together {
        if cell.qualifier != columns.together {
            return Ok(());
        }
        for found in entries(&cell.value, &columns.encodings) {
            let found = found.map_err(|error| foreign(cell, &error))?;
            let at = at(found.offset)?;
            if wanted.window.contains(at) {
                columns.gather_values(cell, found.entry, at, wanted, gathered)?;
            }
        }
        return Ok(());
    }
    for (place, metric) in columns.wanted(wanted).filter(|(_, metric)| metric.qualifier == cell.qualifier) {
        for found in entries(&cell.value, std::slice::from_ref(&metric.encoding)) {
            let found = found.map_err(|error| foreign(cell, &error))?;
            let at = at(found.offset)?;
            if let Some(bytes) = found.entry.value(0).filter(|_| wanted.window.contains(at)) {
                let value = metric.encoding.decode(metric.value_type, bytes);
                gathered.add(wanted, at, place, value.map_err(|error| foreign(cell, &error))?);
            }
        }
    }
    Ok(())
}
