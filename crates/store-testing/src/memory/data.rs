//! Reading and writing single rows.

use std::collections::BTreeMap;

use bytes::Bytes;
use tablesmith_model::{Cell, TableDescriptor, TableName, Timestamp};
use tablesmith_store::filter::eval::{CompiledComparator, check as check_value};
use tablesmith_store::filter::{Comparator, CompareOp};
use tablesmith_store::{
    Action, ActionAnswer, Answer, AtomicBatch, CheckAndMutate, CheckOutcome, Condition, Get, Mutation,
    OpStats, ReadOptions, Row, RowMutations, StoreError,
};

use super::mutate::{Outcome, Setting, check_family};
use super::region::Region;
use super::shared::Shared;

impl Shared {
    /// Reads a row.
    pub(super) fn get(&self, table: &TableName, get: &Get) -> Result<Answer<Row>, StoreError> {
        get.check()?;
        if get.read.versions == 0 {
            return Err(StoreError::IllegalArgument("a get reads at least one version".to_owned()));
        }
        let mut cluster = self.lock();
        let table = cluster.enabled_table(table)?;
        get.read.columns.families().try_for_each(|(family, _)| check_family(&table.descriptor, family))?;
        let (piece, (cells, bytes)) =
            table.region(&get.row)?.read_row(&table.descriptor, &get.row, &get.read, self.now_ms())?;
        let name = table.descriptor.name.clone();
        let rows_read = u64::from(!piece.cells.is_empty());
        let bytes_read = piece.cells.iter().map(Cell::size_bytes).sum();
        cluster.table_mut(&name)?.region_mut(&get.row)?.count_read(rows_read, bytes_read);
        let stats =
            OpStats { cells: Some(cells), bytes: Some(bytes), regions: Some(1), ..OpStats::default() };
        Ok(Answer { value: Row { row: get.row.clone(), cells: piece.cells }, stats })
    }

    /// Does mutations of one row together. The answer has the new values, if there can be any.
    pub(super) fn mutate(
        &self,
        table: &TableName,
        row: &Bytes,
        mutations: &[Mutation],
    ) -> Result<Answer<Option<Row>>, StoreError> {
        let mut cluster = self.lock();
        let now_ms = self.now_ms();
        let table = cluster.writable_table(table)?;
        let region = table.region(row)?;
        let setting = Setting { table: &table.descriptor, region, now_ms, put_stamp: now_ms };
        let outcome = setting.prepare(mutations)?;
        Ok(write(table.region_mut(row)?, row, outcome))
    }

    /// Does mutations of one row if a condition holds.
    pub(super) fn check_and_mutate(
        &self,
        table: &TableName,
        check: &CheckAndMutate,
    ) -> Result<Answer<CheckOutcome>, StoreError> {
        check.check()?;
        let mut cluster = self.lock();
        let now_ms = self.now_ms();
        let table = cluster.writable_table(table)?;
        let row = &check.then.row;
        let region = table.region(row)?;
        let Some(seen_at) = fulfilment(&table.descriptor, region, row, &check.condition, now_ms)? else {
            return Ok(Answer { value: CheckOutcome { success: false, row: None }, stats: one_region() });
        };
        // A write must not be older than what the check has seen.
        let put_stamp = now_ms.max(seen_at);
        let setting = Setting { table: &table.descriptor, region, now_ms, put_stamp };
        let outcome = setting.prepare(&check.then.mutations)?;
        let answer = write(table.region_mut(row)?, row, outcome);
        Ok(answer.map(|row| CheckOutcome { success: true, row }))
    }

    /// Writes to several rows of several tables if all checks hold; whether they did. All rows are prepared before the
    /// first is written.
    pub(super) fn atomic_batch(&self, batch: AtomicBatch) -> Result<Answer<bool>, StoreError> {
        batch.check()?;
        let mut cluster = self.lock();
        let now_ms = self.now_ms();
        let mut seen = BTreeMap::new();
        for check in &batch.checks {
            let table = cluster.writable_table(&check.table)?;
            let region = table.region(&check.row)?;
            match fulfilment(&table.descriptor, region, &check.row, &check.condition, now_ms)? {
                None => return Ok(Answer { value: false, stats: OpStats::default() }),
                Some(seen_at) => {
                    let newest = seen.entry((check.table.clone(), check.row.clone())).or_insert(seen_at);
                    *newest = seen_at.max(*newest);
                }
            }
        }
        let mut outcomes = Vec::new();
        for one in batch.into_rows() {
            let table = cluster.writable_table(&one.table)?;
            let region = table.region(&one.row)?;
            let seen_at = seen.get(&(one.table.clone(), one.row.clone())).copied().unwrap_or(now_ms);
            let put_stamp = now_ms.max(seen_at);
            let setting = Setting { table: &table.descriptor, region, now_ms, put_stamp };
            outcomes.push((setting.prepare(&one.mutations)?, one));
        }
        let mut stats = OpStats::default();
        for (outcome, one) in outcomes {
            let region = cluster.table_mut(&one.table)?.region_mut(&one.row)?;
            stats += write(region, &one.row, outcome).stats;
        }
        Ok(Answer { value: true, stats })
    }

    /// Does one element of a batch.
    pub(super) fn act(&self, table: &TableName, action: Action) -> Result<Answer<ActionAnswer>, StoreError> {
        match action {
            Action::Get(get) => Ok(self.get(table, &get)?.map(ActionAnswer::Row)),
            Action::Mutate(mutation) => Ok(self.mutate_one(table, mutation)?.map(ActionAnswer::Row)),
            Action::RowMutations(mutations) => Ok(self.mutate_row(table, &mutations)?.map(ActionAnswer::Row)),
            Action::CheckAndMutate(check) => {
                Ok(self.check_and_mutate(table, &check)?.map(ActionAnswer::Checked))
            }
        }
    }

    /// Does one mutation; the answer is an empty row where there are no new values.
    pub(super) fn mutate_one(
        &self,
        table: &TableName,
        mutation: Mutation,
    ) -> Result<Answer<Row>, StoreError> {
        mutation.check()?;
        let row = mutation.row().clone();
        Ok(self.mutate(table, &row, &[mutation])?.map(|new_values| new_values.unwrap_or_default()))
    }

    /// Does several mutations of one row.
    pub(super) fn mutate_row(
        &self,
        table: &TableName,
        mutations: &RowMutations,
    ) -> Result<Answer<Row>, StoreError> {
        mutations.check()?;
        let answer = self.mutate(table, &mutations.row, &mutations.mutations)?;
        Ok(answer.map(|new_values| new_values.unwrap_or_default()))
    }
}

/// Writes what mutations came to.
fn write(region: &mut Region, row: &Bytes, outcome: Outcome) -> Answer<Option<Row>> {
    region.write(outcome.cells);
    let new_values = outcome.answer.map(|cells| Row { row: row.clone(), cells });
    Answer { value: new_values, stats: one_region() }
}

fn one_region() -> OpStats {
    OpStats { regions: Some(1), ..OpStats::default() }
}

/// Whether a condition holds in a row: if so, the timestamp of what was looked at, 0 if that is nothing.
fn fulfilment(
    table: &TableDescriptor,
    region: &Region,
    row: &Bytes,
    condition: &Condition,
    now_ms: Timestamp,
) -> Result<Option<Timestamp>, StoreError> {
    let absent = Comparator::Binary(Bytes::new());
    let (family, qualifier, op, comparator, time_range) = match condition {
        Condition::Value { family, qualifier, op, comparator, time_range } => {
            (family, qualifier, *op, comparator, *time_range)
        }
        Condition::Absent { family, qualifier, time_range } => {
            (family, qualifier, CompareOp::Equal, &absent, *time_range)
        }
        Condition::Filter { filter, time_range } => {
            let read = ReadOptions {
                filter: Some(filter.clone()),
                time_range: *time_range,
                ..ReadOptions::default()
            };
            let (piece, _) = region.read_row(table, row, &read, now_ms)?;
            return Ok(piece.cells.first().map(|cell| cell.timestamp));
        }
    };
    check_family(table, family)?;
    let mut read = ReadOptions { time_range, ..ReadOptions::default() };
    read.columns.add_column(family.clone(), qualifier.clone());
    let (piece, _) = region.read_row(table, row, &read, now_ms)?;
    let newest = piece.cells.first();
    let holds = check_value(op, &CompiledComparator::new(comparator)?, newest.map(|cell| &cell.value[..]));
    Ok(holds.then(|| newest.map_or(0, |cell| cell.timestamp)))
}
