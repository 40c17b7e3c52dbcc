//! Carries writes out: locks rows, prepares, stores, counts.

use std::collections::{BTreeMap, HashSet};
use std::sync::Arc;
use std::time::Instant;

use bytes::Bytes;
use fjall::PersistMode;
use tablesmith_model::{Cell, Durability, TableName, Timestamp};
use tablesmith_store::{
    Action, ActionAnswer, Answer, AtomicBatch, CheckAndMutate, CheckOutcome, DeleteTarget, Mutation, OpStats,
    Row, RowCheck, RowMutations, RowOfBatch, StoreError,
};

use crate::Engine;
use crate::error::from_write;
use crate::family::AlreadyHashed;
use crate::locks::row_hash;
use crate::region::Region;
use crate::table::{Table, TableState};
use crate::write::{Encoded, LazySnapshot, Prepared, Preparing, RowShape, check_families, encode};

type RowHashes = HashSet<u64, std::hash::BuildHasherDefault<AlreadyHashed>>;

/// Rows of a batch that are stored together at most.
const MAX_ROWS_TOGETHER: usize = 1_024;

/// A row's cells, ready to be stored.
struct RowWrite<'a, 'm> {
    region: &'a Region,
    row: &'m Bytes,
    row_hash: u64,
    shape: RowShape,
    cells: u64,
}

impl Engine {
    /// Writes to one row.
    pub(crate) fn mutate(&self, table: &Table, mutation: &Mutation) -> Result<Answer<Row>, StoreError> {
        mutation.check()?;
        self.write_row(table, mutation.row(), std::slice::from_ref(mutation))
    }

    /// Writes several things to one row, all or nothing.
    pub(crate) fn mutate_row_atomically(
        &self,
        table: &Table,
        mutations: &RowMutations,
    ) -> Result<Answer<Row>, StoreError> {
        mutations.check()?;
        self.write_row(table, &mutations.row, &mutations.mutations)
    }

    fn write_row(
        &self,
        table: &Table,
        row: &Bytes,
        mutations: &[Mutation],
    ) -> Result<Answer<Row>, StoreError> {
        let begun = Instant::now();
        let (writing, state) = table.state_for_write();
        state.check_enabled()?;
        let row_hash = row_hash(row);
        let lock = table.row_locks.lock(row_hash);
        let (results, stats) = self.apply(&state, row, row_hash, mutations, None)?;
        drop(lock);
        drop(writing);
        self.end_full_generations(table, &state, row);
        let stats = OpStats { time: Some(begun.elapsed()), ..stats };
        Ok(Answer { value: Row { row: row.clone(), cells: results }, stats })
    }

    /// Writes to a row if it is as expected.
    pub(crate) fn check_and_mutate_row(
        &self,
        table: &Table,
        check: &CheckAndMutate,
    ) -> Result<Answer<CheckOutcome>, StoreError> {
        let begun = Instant::now();
        check.check()?;
        let (writing, state) = table.state_for_write();
        state.check_enabled()?;
        let row = &check.then.row;
        let row_hash = row_hash(row);
        let lock = table.row_locks.lock(row_hash);
        let held = self.condition_holds(&state, row, &check.condition)?;
        let (outcome, stats) = match held {
            None => (
                CheckOutcome { success: false, row: None },
                OpStats { regions: Some(1), ..OpStats::default() },
            ),
            Some(seen_ms) => {
                let (results, stats) =
                    self.apply(&state, row, row_hash, &check.then.mutations, Some(seen_ms))?;
                let row = (!results.is_empty()).then(|| Row { row: row.clone(), cells: results });
                (CheckOutcome { success: true, row }, stats)
            }
        };
        drop(lock);
        drop(writing);
        self.end_full_generations(table, &state, row);
        Ok(Answer { value: outcome, stats: OpStats { time: Some(begun.elapsed()), ..stats } })
    }

    /// Prepares and stores mutations of a row whose lock is held. `seen_ms`: puts must not be older than this.
    fn apply(
        &self,
        state: &TableState,
        row: &Bytes,
        row_hash: u64,
        mutations: &[Mutation],
        seen_ms: Option<Timestamp>,
    ) -> Result<(Vec<Cell>, OpStats), StoreError> {
        state.check_writable()?;
        mutations.iter().try_for_each(|mutation| check_families(state, mutation))?;
        let region: &Region = state.region_of(row)?;
        let preparing = self.preparing(state, region, seen_ms)?;
        let mut encoded = Vec::new();
        let (write, results) = prepare_row(&preparing, row, row_hash, mutations, &mut encoded)?;
        let durability = strongest(state, mutations.iter().map(Mutation::durability));
        let stats = write_stats(write.cells, write.shape.bytes);
        self.store(encoded, &[write], durability)?;
        Ok((results, stats))
    }

    fn preparing<'a>(
        &'a self,
        state: &'a TableState,
        region: &'a Region,
        seen_ms: Option<Timestamp>,
    ) -> Result<Preparing<'a>, StoreError> {
        Ok(self.preparing_at(self.stamp_ms()?, state, region, seen_ms))
    }

    fn preparing_at<'a>(
        &'a self,
        now_ms: Timestamp,
        state: &'a TableState,
        region: &'a Region,
        seen_ms: Option<Timestamp>,
    ) -> Preparing<'a> {
        let put_ms = now_ms.max(seen_ms.unwrap_or(now_ms));
        Preparing { state, region, snapshot: LazySnapshot::of(&self.inner.db), now_ms, put_ms }
    }

    /// Writes to several rows of several tables if all checks hold, in one write of the storage below; whether they did.
    pub(crate) fn write_atomically(&self, batch: AtomicBatch) -> Result<Answer<bool>, StoreError> {
        let begun = Instant::now();
        batch.check()?;
        let mut tables: BTreeMap<TableName, Arc<Table>> = BTreeMap::new();
        let checked = batch.checks.iter().map(|check| &check.table);
        for name in checked.chain(batch.writes.iter().map(|(name, _)| name)) {
            if !tables.contains_key(name) {
                tables.insert(name.clone(), self.table(name)?);
            }
        }
        let checks = batch.checks.clone();
        let rows = batch.into_rows();
        let held: BTreeMap<&TableName, _> =
            tables.iter().map(|(name, table)| (name, table.state_for_write())).collect();
        // Tables and their rows are locked in one order by everybody, so that nobody waits in a circle.
        let mut locks = Vec::new();
        for (name, table) in &tables {
            let checked = checks.iter().filter(|check| check.table == *name).map(|check| &check.row);
            let written = rows.iter().filter(|row| row.table == *name).map(|row| &row.row);
            locks.push(table.row_locks.lock_all(checked.chain(written).map(|row| row_hash(row))));
        }
        let states: BTreeMap<&TableName, &TableState> =
            held.iter().map(|(name, (_, state))| (*name, &**state)).collect();
        let Some(stats) = self.check_and_store(&states, &checks, &rows)? else {
            return Ok(Answer { value: false, stats: OpStats::default() });
        };
        drop(locks);
        let written: Vec<(&Table, Arc<TableState>, &Bytes)> = rows
            .iter()
            .filter_map(|row| Some((&**tables.get(&row.table)?, held.get(&row.table)?.1.clone(), &row.row)))
            .collect();
        drop(states);
        drop(held);
        let mut regions: Vec<*const Region> = Vec::new();
        for (table, state, row) in written {
            let Ok(region) = state.region_of(row) else { continue };
            if !regions.contains(&Arc::as_ptr(region)) {
                regions.push(Arc::as_ptr(region));
                self.end_full_generations(table, &state, row);
            }
        }
        let (regions, time) = (Some(regions.len() as u64), Some(begun.elapsed()));
        Ok(Answer { value: true, stats: OpStats { regions, time, ..stats } })
    }

    /// Prepares rows whose locks are held, and stores them together; none where a check does not hold.
    fn check_and_store(
        &self,
        states: &BTreeMap<&TableName, &TableState>,
        checks: &[RowCheck],
        rows: &[RowOfBatch],
    ) -> Result<Option<OpStats>, StoreError> {
        let state_of = |name: &TableName| {
            states.get(name).copied().ok_or_else(|| StoreError::TableNotFound(name.clone()))
        };
        states.values().try_for_each(|state| state.check_enabled().and_then(|()| state.check_writable()))?;
        let mut seen: BTreeMap<(&TableName, &Bytes), Timestamp> = BTreeMap::new();
        for check in checks {
            let held = self.condition_holds(state_of(&check.table)?, &check.row, &check.condition)?;
            let Some(seen_ms) = held else { return Ok(None) };
            let newest = seen.entry((&check.table, &check.row)).or_insert(seen_ms);
            *newest = seen_ms.max(*newest);
        }
        let now_ms = self.stamp_ms()?;
        let (mut encoded, mut writes, mut durabilities) = (Vec::new(), Vec::new(), Vec::new());
        for one in rows {
            let state = state_of(&one.table)?;
            one.mutations.iter().try_for_each(|mutation| check_families(state, mutation))?;
            let seen_ms = seen.get(&(&one.table, &one.row)).copied();
            let preparing = self.preparing_at(now_ms, state, state.region_of(&one.row)?, seen_ms);
            let row_hash = row_hash(&one.row);
            let (write, _) = prepare_row(&preparing, &one.row, row_hash, &one.mutations, &mut encoded)?;
            writes.push(write);
            durabilities.push(strongest(state, one.mutations.iter().map(Mutation::durability)));
        }
        let mut stats = OpStats::default();
        writes.iter().for_each(|write| stats += write_stats(write.cells, write.shape.bytes));
        let durability = durabilities.into_iter().max_by_key(rank).unwrap_or(Durability::SyncWal);
        self.store(encoded, &writes, durability)?;
        Ok(Some(stats))
    }

    /// Stores encoded rows in one atomic write and counts them.
    fn store(
        &self,
        encoded: Vec<Encoded<'_>>,
        rows: &[RowWrite<'_, '_>],
        durability: Durability,
    ) -> Result<(), StoreError> {
        let mut batch = fjall::OwnedWriteBatch::with_capacity(self.inner.db.clone(), encoded.len())
            .durability(persist_mode(durability));
        for cell in encoded {
            batch.insert(&cell.store.keyspace, cell.key, cell.value);
        }
        batch.commit().map_err(|error| from_write(&self.inner.options.dir, error))?;
        let is_asynchronous = matches!(durability, Durability::AsyncWal);
        self.inner.journal_keeper.after_write(&self.inner.db, is_asynchronous);
        for write in rows {
            let RowShape { bytes, suspect, families } = write.shape;
            write.region.load.add_write(1, bytes);
            for (at, family) in write.region.families.iter().enumerate() {
                if families.contains(at) {
                    family.memstore().note(write.row, write.row_hash, bytes, suspect);
                }
            }
        }
        Ok(())
    }

    /// Does many things in order. Neighbouring puts and deletes of different rows are stored together.
    pub(crate) fn run_batch(
        &self,
        table: &Table,
        actions: Vec<Action>,
    ) -> Result<Answer<Vec<Result<ActionAnswer, StoreError>>>, StoreError> {
        let begun = Instant::now();
        table.state().check_enabled()?;
        let mut answers = Vec::with_capacity(actions.len());
        let mut stats = OpStats::default();
        let mut together: Vec<Mutation> = Vec::new();
        let mut rows = RowHashes::default();
        for action in actions {
            match action {
                Action::Mutate(mutation) if is_blind(&mutation) => {
                    if !rows.insert(row_hash(mutation.row())) || together.len() >= MAX_ROWS_TOGETHER {
                        self.store_together(table, &mut together, &mut answers, &mut stats);
                        rows.clear();
                        rows.insert(row_hash(mutation.row()));
                    }
                    together.push(mutation);
                }
                other => {
                    self.store_together(table, &mut together, &mut answers, &mut stats);
                    rows.clear();
                    answers.push(self.run_action(table, other).map(|answer| {
                        stats += answer.stats;
                        answer.value
                    }));
                }
            }
        }
        self.store_together(table, &mut together, &mut answers, &mut stats);
        Ok(Answer { value: answers, stats: OpStats { time: Some(begun.elapsed()), ..stats } })
    }

    fn run_action(&self, table: &Table, action: Action) -> Result<Answer<ActionAnswer>, StoreError> {
        match action {
            Action::Get(get) => Ok(self.get_row(&table.state(), &get)?.map(ActionAnswer::Row)),
            Action::Mutate(mutation) => Ok(self.mutate(table, &mutation)?.map(ActionAnswer::Row)),
            Action::RowMutations(mutations) => {
                Ok(self.mutate_row_atomically(table, &mutations)?.map(ActionAnswer::Row))
            }
            Action::CheckAndMutate(check) => {
                Ok(self.check_and_mutate_row(table, &check)?.map(ActionAnswer::Checked))
            }
        }
    }

    /// Stores mutations of different rows that read nothing first, each with its own result.
    fn store_together(
        &self,
        table: &Table,
        together: &mut Vec<Mutation>,
        answers: &mut Vec<Result<ActionAnswer, StoreError>>,
        stats: &mut OpStats,
    ) {
        if together.is_empty() {
            return;
        }
        let mutations = std::mem::take(together);
        let (writing, state) = table.state_for_write();
        let locks = table.row_locks.lock_all(mutations.iter().map(|mutation| row_hash(mutation.row())));
        let mut encoded = Vec::new();
        let mut writes = Vec::with_capacity(mutations.len());
        let first_answer = answers.len();
        for mutation in &mutations {
            let answer = self.prepare_blind(&state, mutation, &mut encoded).map(|write| {
                *stats += OpStats { regions: None, ..write_stats(write.cells, write.shape.bytes) };
                writes.push(write);
                ActionAnswer::Row(Row::default())
            });
            answers.push(answer);
        }
        let durability = strongest(&state, mutations.iter().map(Mutation::durability));
        if let Err(error) = self.store(encoded, &writes, durability) {
            let message = error.to_string();
            for answer in answers.iter_mut().skip(first_answer).filter(|answer| answer.is_ok()) {
                *answer = Err(StoreError::Io(message.clone()));
            }
        }
        drop(locks);
        drop(writing);
        let rows = first_row_per_region(&writes);
        *stats += OpStats { regions: Some(rows.len() as u64), ..OpStats::default() };
        for row in rows {
            self.end_full_generations(table, &state, &row);
        }
    }

    fn prepare_blind<'a, 'm>(
        &self,
        state: &'a TableState,
        mutation: &'m Mutation,
        encoded: &mut Vec<Encoded<'a>>,
    ) -> Result<RowWrite<'a, 'm>, StoreError> {
        state.check_enabled()?;
        state.check_writable()?;
        mutation.check()?;
        check_families(state, mutation)?;
        let row = mutation.row();
        let region: &Arc<Region> = state.region_of(row)?;
        let preparing = self.preparing(state, region, None)?;
        let mut prepared = Prepared::default();
        preparing.prepare(mutation, &mut prepared)?;
        let before = encoded.len();
        // Of a row that is refused nothing is stored.
        let shape = encode(region, row, &prepared.cells, encoded).inspect_err(|_| encoded.truncate(before));
        let cells = (encoded.len() - before) as u64;
        Ok(RowWrite { region, row, row_hash: row_hash(row), shape: shape?, cells })
    }
}

/// Encodes the mutations of one row behind what is encoded already; with it the new values that they answer.
fn prepare_row<'a, 'm>(
    preparing: &Preparing<'a>,
    row: &'m Bytes,
    row_hash: u64,
    mutations: &[Mutation],
    encoded: &mut Vec<Encoded<'a>>,
) -> Result<(RowWrite<'a, 'm>, Vec<Cell>), StoreError> {
    let region = preparing.region;
    let mut prepared = Prepared::default();
    mutations.iter().try_for_each(|mutation| preparing.prepare(mutation, &mut prepared))?;
    let before = encoded.len();
    let shape = encode(region, row, &prepared.cells, encoded)?;
    let shape = RowShape { suspect: shape.suspect || mutations.len() > 1, ..shape };
    let cells = (encoded.len() - before) as u64;
    Ok((RowWrite { region, row, row_hash, shape, cells }, prepared.results))
}

/// Whether a mutation can be stored without reading first.
fn is_blind(mutation: &Mutation) -> bool {
    match mutation {
        Mutation::Put(_) => true,
        Mutation::Delete(delete) => {
            !delete.targets.iter().any(|target| matches!(target, DeleteTarget::Version(_, _, None)))
        }
        Mutation::Increment(_) | Mutation::Append(_) => false,
    }
}

fn first_row_per_region(writes: &[RowWrite<'_, '_>]) -> Vec<Bytes> {
    let mut regions: Vec<*const Region> = Vec::new();
    let mut rows = Vec::new();
    for write in writes {
        let region: *const Region = write.region;
        if !regions.contains(&region) {
            regions.push(region);
            rows.push(write.row.clone());
        }
    }
    rows
}

fn write_stats(cells: u64, bytes: u64) -> OpStats {
    OpStats { cells: Some(cells), bytes: Some(bytes), regions: Some(1), ..OpStats::default() }
}

/// How safe a write is.
fn rank(durability: &Durability) -> u8 {
    match durability {
        Durability::UseDefault | Durability::SkipWal => 0,
        Durability::AsyncWal => 1,
        Durability::SyncWal => 2,
        Durability::FsyncWal => 3,
    }
}

/// The safest of what mutations ask for.
fn strongest(state: &TableState, asked: impl Iterator<Item = Durability>) -> Durability {
    asked
        .map(
            |durability| {
                if durability == Durability::UseDefault { state.descriptor.durability() } else { durability }
            },
        )
        .max_by_key(rank)
        .unwrap_or(Durability::SyncWal)
}

fn persist_mode(durability: Durability) -> Option<PersistMode> {
    match durability {
        Durability::SkipWal | Durability::AsyncWal => None,
        Durability::UseDefault | Durability::SyncWal => Some(PersistMode::Buffer),
        Durability::FsyncWal => Some(PersistMode::SyncAll),
    }
}
