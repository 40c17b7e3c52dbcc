//! Counters: adding to a column of one row, in one call that no other client can come between.

use tablesmith_model::plan::{Condition as Met, Which};
use tablesmith_model::value::CellEncoding;
use tablesmith_model::{TableName, TimeRange, design::ColumnOf};
use tablesmith_store::filter::{Comparator, CompareOp};
use tablesmith_store::{CheckAndMutate, Condition, Increment, Mutation, RowMutations, Store};

use super::{Place, SetTo, Writer, Written};
use crate::error::AccessError;
use crate::layout::{LaidColumn, LaidFamily};
use crate::records::Wanted;

impl Writer {
    /// Adds to a column as one increment, where that can be; see [`Writer::counting`].
    pub(super) async fn count_up(
        &self,
        store: &dyn Store,
        table: &str,
        set: &[(String, SetTo)],
        conditions: &[Met],
    ) -> Result<Option<Written>, AccessError> {
        let Some((name, check)) = self.counting(table, set, conditions)? else { return Ok(None) };
        let outcome = store.check_and_mutate(name, check).await?.value;
        Ok(Some(Written { rows: u64::from(outcome.success), is_blind: false }))
    }

    /// The one increment that an update is, where the column is stored as a counter and only there, and the row is named by
    /// its key. A row that is not there, and one whose column is null, stays as it is.
    pub(crate) fn counting(
        &self,
        table: &str,
        set: &[(String, SetTo)],
        conditions: &[Met],
    ) -> Result<Option<(&TableName, CheckAndMutate)>, AccessError> {
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
        let (row, family) = (bytes::Bytes::from(key.clone()), family.name_bytes.clone());
        let qualifier = laid.qualifier.clone();
        let increment = Increment::new(row.clone(), family.clone(), qualifier.clone(), *amount);
        // Every value that is there is at least the least one: the counter must exist.
        let condition = Condition::Value {
            family,
            qualifier,
            op: CompareOp::NotEqual,
            comparator: Comparator::Binary(bytes::Bytes::new()),
            time_range: TimeRange::ALL,
        };
        let then = RowMutations { row, mutations: vec![Mutation::Increment(increment)] };
        Ok(Some((&master.name, CheckAndMutate { condition, then })))
    }
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
