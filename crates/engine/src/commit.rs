//! Carries writes out: locks rows, prepares, stores, counts.

use std::collections::HashSet;
use std::sync::Arc;
use std::time::Instant;

use bytes::Bytes;
use fjall::PersistMode;
use tablesmith_model::{Cell, Durability, Timestamp};
use tablesmith_store::{
    Action, ActionAnswer, Answer, CheckAndMutate, CheckOutcome, DeleteTarget, Mutation, OpStats, Row,
    RowMutations, StoreError,
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
        let mut prepared = Prepared::default();
        mutations.iter().try_for_each(|mutation| preparing.prepare(mutation, &mut prepared))?;
        let mut encoded = Vec::new();
        let shape = encode(region, row, &prepared.cells, &mut encoded)?;
        let shape = RowShape { suspect: shape.suspect || mutations.len() > 1, ..shape };
        let write = RowWrite { region, row, row_hash, shape, cells: encoded.len() as u64 };
        let durability = strongest(state, mutations.iter().map(Mutation::durability));
        let stats = write_stats(write.cells, write.shape.bytes);
        self.store(encoded, &[write], durability)?;
        Ok((prepared.results, stats))
    }

    fn preparing<'a>(
        &'a self,
        state: &'a TableState,
        region: &'a Region,
        seen_ms: Option<Timestamp>,
    ) -> Result<Preparing<'a>, StoreError> {
        let now_ms = self.stamp_ms()?;
        let put_ms = now_ms.max(seen_ms.unwrap_or(now_ms));
        Ok(Preparing { state, region, snapshot: LazySnapshot::of(&self.inner.db), now_ms, put_ms })
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
        if matches!(durability, Durability::AsyncWal) {
            self.inner.syncer.ask();
        }
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

/// The safest of what mutations ask for.
fn strongest(state: &TableState, asked: impl Iterator<Item = Durability>) -> Durability {
    let rank = |durability: &Durability| match durability {
        Durability::UseDefault | Durability::SkipWal => 0,
        Durability::AsyncWal => 1,
        Durability::SyncWal => 2,
        Durability::FsyncWal => 3,
    };
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
