//! Counters: adding to a column of one row, in one call that no other client can come between.

use bytes::Bytes;
use tablesmith_model::bytes_text::to_text;
use tablesmith_model::plan::{Condition as Met, Which};
use tablesmith_model::value::CellEncoding;
use tablesmith_model::{TableName, TimeRange, design::ColumnOf};
use tablesmith_store::filter::{Comparator, CompareOp};
use tablesmith_store::{CheckAndMutate, Condition, Get, Increment, Mutation, RowMutations, Store};

use super::{Place, SetTo, Writer, Written, out_of_range};
use crate::error::AccessError;
use crate::layout::{LaidColumn, LaidFamily};
use crate::records::Wanted;

/// How often an increment is tried while others change the counter.
const ATTEMPTS: usize = 100;

/// An update that is one increment.
pub(crate) struct Counting<'w> {
    pub name: &'w TableName,
    family: Bytes,
    qualifier: Bytes,
    amount: i64,
    check: CheckAndMutate,
}

impl Writer {
    /// Adds to a column as one increment, where that can be; see [`Writer::counting`].
    pub(super) async fn count_up(
        &self,
        store: &dyn Store,
        table: &str,
        set: &[(String, SetTo)],
        conditions: &[Met],
    ) -> Result<Option<Written>, AccessError> {
        let Some(Counting { name, family, qualifier, amount, check }) =
            self.counting(table, set, conditions)?
        else {
            return Ok(None);
        };
        for _ in 0..ATTEMPTS {
            if store.check_and_mutate(name, check.clone()).await?.value.success {
                return Ok(Some(Written { rows: 1, is_blind: false }));
            }
            // The row is not there, its column is null, or the sum would be out of range.
            let get = Get::new(check.then.row.clone()).column(family.clone(), qualifier.clone());
            let there = store.get(name, get).await?.value;
            let Some(cell) = there.cells.first() else { return Ok(Some(Written::default())) };
            match cell.value.as_ref().try_into().map(i64::from_be_bytes) {
                Err(_) => {
                    let reason = format!("a counter has 8 bytes, its value has {}", cell.value.len());
                    let row = to_text(&check.then.row);
                    return Err(AccessError::Foreign { table: name.to_string(), row, reason });
                }
                Ok(old) if old.checked_add(amount).is_none() => {
                    let column = set.first().map_or("", |(column, _)| column.as_str());
                    let row: Vec<String> = conditions.iter().map(ToString::to_string).collect();
                    return Err(AccessError::Data(format!(
                        "the column {column:?} of the row of {table:?} with {}: {}; no row was changed",
                        row.join(" AND "),
                        out_of_range(old, amount)
                    )));
                }
                // Another client has changed it meanwhile.
                Ok(_) => {}
            }
        }
        Err(AccessError::Data(format!(
            "a counter of {table:?} was changed by others {ATTEMPTS} times in a row: try again"
        )))
    }

    /// The one increment that an update is, where the column is stored as a counter and only there, and the row is named by
    /// its key. A row that is not there, and one whose column is null, stays as it is.
    pub(crate) fn counting(
        &self,
        table: &str,
        set: &[(String, SetTo)],
        conditions: &[Met],
    ) -> Result<Option<Counting<'_>>, AccessError> {
        let [(column, SetTo::Plus(amount))] = set else { return Ok(None) };
        let master = self.master(table)?;
        let of_table = ColumnOf::new(table, column);
        let is_elsewhere = |place: &&Place| !place.is_master && place.hangs_on(&of_table);
        if master.lies_by(&of_table) || self.places.iter().any(|place| is_elsewhere(&place)) {
            return Ok(None);
        }
        let Some((family, laid)) = counter(master, column) else { return Ok(None) };
        let read = master.layout.read(&Wanted { conditions: conditions.to_vec(), ..Wanted::default() })?;
        let Which::Keys(keys) = read.which() else { return Ok(None) };
        let ([key], []) = (keys.as_slice(), read.residual_conditions()) else { return Ok(None) };
        let (row, family) = (Bytes::from(key.clone()), family.name_bytes.clone());
        let qualifier = laid.qualifier.clone();
        let increment = Increment::new(row.clone(), family.clone(), qualifier.clone(), *amount);
        let condition = in_range(family.clone(), qualifier.clone(), *amount);
        let then = RowMutations { row, mutations: vec![Mutation::Increment(increment)] };
        let check = CheckAndMutate { condition, then };
        Ok(Some(Counting { name: &master.name, family, qualifier, amount: *amount, check }))
    }
}

/// The condition that a counter exists and that its sum with an amount is in range: a store adds modulo 2^64. The given
/// value stands on the left.
fn in_range(family: Bytes, qualifier: Bytes, amount: i64) -> Condition {
    let (op, comparator) = match amount {
        1.. => (CompareOp::GreaterOrEqual, Comparator::Long(i64::MAX - amount)),
        // Every value is longer than none.
        0 => (CompareOp::NotEqual, Comparator::Binary(Bytes::new())),
        ..0 => (CompareOp::LessOrEqual, Comparator::Long(i64::MIN - amount)),
    };
    Condition::Value { family, qualifier, op, comparator, time_range: TimeRange::ALL }
}

/// The only cell of a column, when it is one that a store can add to.
fn counter<'p>(master: &'p Place, column: &str) -> Option<(&'p LaidFamily, &'p LaidColumn)> {
    if master.layout.is_wide() {
        return None;
    }
    let families = master.layout.families().iter();
    let mut cells = families.filter_map(|family| Some((family, family.column(column)?)));
    let (family, laid) = cells.next()?;
    let is_counter = laid.encoding == CellEncoding::I64 && laid.together.is_none();
    (is_counter && cells.next().is_none()).then_some((family, laid))
}
