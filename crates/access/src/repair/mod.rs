//! Holds every copy against what the masters say, and mends what a crash left.
//!
//! ```text
//!   masters ──join──▶ records as they should be ──Checker──▶ missing or different: written anew
//!                                                  │ where each lies, as a number
//!   a copy  ──scan──▶ records that are there ──────┴───────▶ not among those: removed
//! ```
//!
//! Plain copies come first: joined ones are found through them. Where records lie is kept as numbers of 16 bytes; when
//! there are too many for memory, a place is gone through several times, each time for a part of them.

mod checker;

pub(crate) use checker::{Checker, place_number};

use std::collections::HashSet;

use tablesmith_model::value::Value;
use tablesmith_store::Store;

use crate::error::AccessError;
use crate::moves::{self, Settle};
use crate::records::{Located, Wanted, records};
use crate::write::{Batch, Place, Sink, Writer};

/// So many places of records are kept in memory.
const MOST_KEPT: usize = 4_000_000;

/// What was found in one copy.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Repaired {
    /// The table of the design.
    pub table: String,
    /// The tables of the workload whose rows it holds.
    pub tables: Vec<String>,
    /// Records that should be there.
    pub records: u64,
    /// Those that were missing.
    pub missing: u64,
    /// Those that said something else.
    pub different: u64,
    /// Records that were there and should not be.
    pub dangling: u64,
}

impl Repaired {
    /// Whether everything was as it should be.
    pub fn is_true(&self) -> bool {
        self.missing == 0 && self.different == 0 && self.dangling == 0
    }
}

/// Whether a repair only looks or also mends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Repair {
    /// It tells what it finds. What of joined copies is missing because plain ones are is told when those are mended.
    Look,
    /// It mends.
    Mend,
}

/// Compares every index table of a design with its base tables, and repairs it. Moves of base rows that stopped clients
/// have left are completed first: [`unfinished_moves`](crate::unfinished_moves) counts them.
pub async fn repair(store: &dyn Store, writer: &Writer, how: Repair) -> Result<Vec<Repaired>, AccessError> {
    match how {
        Repair::Look => {
            let view = crate::read_view(store).await?;
            compare(view.store(), writer, how).await
        }
        Repair::Mend => {
            let logged = writer.learn(moves::read_log(store).await?);
            moves::settle(store, &logged, Settle::Repair).await?;
            let view = writer.statement(store).await?;
            compare(&view, writer, how).await
        }
    }
}

/// Compares every index table with its base tables.
async fn compare(store: &dyn Store, writer: &Writer, how: Repair) -> Result<Vec<Repaired>, AccessError> {
    let mut found = Vec::new();
    let copies = |is_plain: bool| {
        writer.places.iter().filter(move |place| !place.is_master && place.is_plain() == is_plain)
    };
    for place in copies(true).chain(copies(false)) {
        let mut parts = 1;
        found.push(loop {
            match repair_place(store, writer, place, how, parts).await? {
                Some(repaired) => break repaired,
                None => parts *= 2,
            }
        });
    }
    Ok(found)
}

/// Goes through a place in so many parts; `None` when one part is more than memory takes.
async fn repair_place(
    store: &dyn Store,
    writer: &Writer,
    place: &Place,
    how: Repair,
    parts: u64,
) -> Result<Option<Repaired>, AccessError> {
    let tables = place.record().tables.clone();
    let mut repaired = Repaired { table: place.layout.table().to_owned(), tables, ..Repaired::default() };
    for part in 0..parts {
        let mut sink = Sink::Check(Box::new(Checker::new(store, place, how, (part, parts))));
        each_record(store, writer, place, &mut sink).await?;
        sink.end(writer).await?;
        let Sink::Check(checker) = sink else { continue };
        let Some(kept) = checker.finish(&mut repaired) else { return Ok(None) };
        remove_others(store, writer, place, how, (part, parts), &kept, &mut repaired).await?;
    }
    Ok(Some(repaired))
}

/// Hands over the records that a place should have.
async fn each_record(
    store: &dyn Store,
    writer: &Writer,
    place: &Place,
    sink: &mut Sink<'_>,
) -> Result<(), AccessError> {
    let Some(from) = place.record().tables.first() else { return Ok(()) };
    let master = writer.master(from)?;
    let wanted = Wanted { fields: writer.columns(from), ..Wanted::default() };
    let read = master.layout.read(&wanted)?;
    let mut rows = records(store, &master.layout, &master.name, &read).await?;
    while let Some(row) = rows.next().await? {
        writer.each_joined(store, place, (from, &row), sink).await?;
        if matches!(sink, Sink::Check(checker) if checker.is_full()) {
            break;
        }
    }
    Ok(())
}

/// Removes the records of a place that are not among those that it should have.
async fn remove_others(
    store: &dyn Store,
    writer: &Writer,
    place: &Place,
    how: Repair,
    part: (u64, u64),
    kept: &HashSet<u128>,
    repaired: &mut Repaired,
) -> Result<(), AccessError> {
    // Only what says where a record lies: the rest of what is to be removed need not even be readable.
    let record = place.record();
    let identity = &place.layout.source().key;
    let says_where = |field: &String| {
        identity.is_empty()
            || identity.contains(field)
            || record.column(field).is_some_and(|column| place.lies_by(&column))
    };
    let is_read = |field: &String| place.layout.stores(field) && says_where(field);
    let fields: Vec<String> = record.fields().into_iter().filter(is_read).collect();
    let read = place.layout.read(&Wanted { fields: fields.clone(), ..Wanted::default() })?;
    let mut found = records(store, &place.layout, &place.name, &read).await?;
    let mut batch = Batch::new(store, &place.name, &writer.recent);
    while let Some(Located { row, values }) = found.next_located().await? {
        let mut whole = vec![Value::Null; place.layout.source().columns.len()];
        for (field, value) in fields.iter().zip(values) {
            let at = place.layout.columns.get(field);
            if let Some(slot) = at.and_then(|at| whole.get_mut(*at)) {
                *slot = value;
            }
        }
        let number = place_number(&row, place.qualifier_of(&whole)?.as_deref());
        if !checker::is_of(number, part) || kept.contains(&number) {
            continue;
        }
        repaired.dangling += 1;
        if how == Repair::Mend {
            batch.delete(place.delete(row, &whole)?).await?;
        }
    }
    batch.send().await
}
