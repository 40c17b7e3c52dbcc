//! Rows that move from one place of a table to another, on stores that write one row at a time.
//!
//! ```text
//!  log the move ─▶ write the new row ─▶ delete the old row ─▶ clear the log
//!                                        └ commit point: until then only the old row is seen
//! ```
//!
//! The log is one row of the state table, with a column for each client that moves rows. A
//! reader looks at it first: as long as the old row exists as it was, the new one is hidden ([`ReadView`]). A client
//! that stops half-way leaves its column; the next statement that writes, or `repair`, completes the moves whose new
//! rows exist. Of the others nothing but the log was written.
//!
//! A move names the newest timestamp of the old row and a hash of the new one, so that rows which were written to either
//! place later are never taken for those of the move.

mod text;

use std::collections::BTreeMap;
use std::hash::{BuildHasher, RandomState};

use bytes::Bytes;
use tablesmith_model::{Cell, TableName, Timestamp};
use tablesmith_store::{
    Action, ActionAnswer, Columns, Delete, DeleteTarget, Get, Mutation, Put, ReadOptions, Row, Store,
    StoreError,
};
use xxhash_rust::xxh3::xxh3_128;

use crate::error::AccessError;
use crate::state::{self, FAMILY, StateRow, state_table};
use crate::view::{Hidden, RecordCells, View};

/// The column of the log that says up to which time the store has timestamps, where a clock was behind them.
const NEWEST: &str = "newest";

/// A record on its way from one place of a table to another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Move {
    pub table: TableName,
    pub from: RecordCells,
    pub to: RecordCells,
    /// The newest timestamp of the old record: the one that is deleted.
    pub newest_ms: Timestamp,
    /// The hash of the new record's cells.
    pub hash: u128,
}

/// What one client has logged.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Logged {
    client: Bytes,
    moves: Vec<Move>,
}

/// What the row of the log has.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct MoveRow {
    /// Moves of clients.
    pub logged: Vec<Logged>,
    /// Up to which time the store has timestamps, as far as a statement has seen that a clock was behind them.
    pub newest_ms: Option<Timestamp>,
}

/// How far a move has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    /// The old record exists, the new one does not: the client has stopped, or is about to write it.
    Begun,
    /// Both exist.
    Doubled,
    /// The old record is gone, or another one is in its place.
    Over,
}

/// Who looks after moves that a client has left.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Settle {
    /// A statement: it completes what is doubled, and leaves alone what another client may be about to do.
    Statement,
    /// A repair: no client is writing any more.
    Repair,
}

/// The store as a reader should see it: a row that a stopped client was moving is seen once.
pub struct ReadView<'s>(Seen<'s>);

enum Seen<'s> {
    Plain(&'s dyn Store),
    Hiding(View<'s>),
}

impl ReadView<'_> {
    /// The store to read from.
    pub fn store(&self) -> &dyn Store {
        match &self.0 {
            Seen::Plain(store) => *store,
            Seen::Hiding(view) => view,
        }
    }
}

/// The store as a reader should see it. Takes one call, and none where a store moves rows in one write.
pub async fn read_view(store: &dyn Store) -> Result<ReadView<'_>, AccessError> {
    let MoveRow { logged, .. } = read_log(store).await?;
    view_of(store, &logged).await
}

/// The same, where the log is known.
pub(crate) async fn view_of<'s>(
    store: &'s dyn Store,
    logged: &[Logged],
) -> Result<ReadView<'s>, AccessError> {
    let mut hidden = Hidden::default();
    for (moved, stage) in staged(store, logged).await? {
        if stage == Stage::Doubled {
            hidden.add(moved.table.clone(), moved.to.clone());
        }
    }
    Ok(ReadView(match hidden.is_empty() {
        true => Seen::Plain(store),
        false => Seen::Hiding(View::hiding(store, hidden)),
    }))
}

/// How many rows were being moved when their clients stopped, and exist twice: readers see the old ones.
pub async fn unfinished_moves(store: &dyn Store) -> Result<u64, AccessError> {
    let MoveRow { logged, .. } = read_log(store).await?;
    let staged = staged(store, &logged).await?;
    Ok(staged.iter().filter(|(_, stage)| *stage == Stage::Doubled).count() as u64)
}

/// Completes the moves that clients have left.
pub(crate) async fn settle(store: &dyn Store, logged: &[Logged], who: Settle) -> Result<(), AccessError> {
    if !logged.is_empty() {
        // The log may still be that of an earlier version.
        state::create(store).await?;
    }
    for one in logged {
        let staged = staged(store, std::slice::from_ref(one)).await?;
        let doubled = staged.iter().filter(|(_, stage)| *stage == Stage::Doubled);
        delete_old(store, doubled.map(|(moved, _)| *moved)).await?;
        let is_over = staged.iter().all(|(_, stage)| *stage != Stage::Begun);
        if is_over || who == Settle::Repair {
            MoveLog { store, client: one.client.clone() }.clear().await?;
        }
    }
    Ok(())
}

/// What is in the log.
pub(crate) async fn read_log(store: &dyn Store) -> Result<MoveRow, AccessError> {
    if store.has_atomic_batches() {
        return Ok(MoveRow::default());
    }
    match state::read(store, &[StateRow::Moves]).await?.first() {
        Some(log) => in_row(log),
        None => Ok(MoveRow::default()),
    }
}

/// What is in the log, as it was read.
pub(crate) fn in_row(row: &Row) -> Result<MoveRow, AccessError> {
    let mut read = MoveRow::default();
    for Cell { qualifier, value, timestamp, .. } in &row.cells {
        if *qualifier == NEWEST {
            read.newest_ms = Some(*timestamp);
            continue;
        }
        let moves = text::parse(value).ok_or_else(|| {
            AccessError::Data(format!(
                "the row `moves` of table {} logs moved rows in a way that this version does not know: run `repair` with \
                 the version that wrote it",
                state_table().map_or_else(|error| error.to_string(), |table| table.to_string())
            ))
        })?;
        read.logged.push(Logged { client: qualifier.clone(), moves });
    }
    Ok(read)
}

/// Keeps up to which time the store has timestamps: as the timestamp of a cell, so that the latest counts.
pub(crate) async fn keep_newest(store: &dyn Store, newest_ms: Timestamp) -> Result<(), StoreError> {
    let newest = Put::new(StateRow::Moves.key()).add_at(FAMILY, NEWEST, newest_ms, newest_ms.to_string());
    put(store, newest).await
}

/// Puts into the table of the log, and creates it where it does not exist.
async fn put(store: &dyn Store, put: Put) -> Result<(), StoreError> {
    state::create(store).await?;
    store.put(&state_table()?, put).await?;
    Ok(())
}

/// The log of one statement.
pub(crate) struct MoveLog<'s> {
    store: &'s dyn Store,
    client: Bytes,
}

impl<'s> MoveLog<'s> {
    /// Nothing is logged yet.
    pub fn new(store: &'s dyn Store) -> Self {
        let client = RandomState::new().hash_one(std::process::id());
        Self { store, client: format!("{client:016x}").into() }
    }

    /// Logs moves in place of those before, which are over.
    pub async fn write(&self, moves: &[Move]) -> Result<(), AccessError> {
        let moves = Put::new(StateRow::Moves.key()).add(FAMILY, self.client.clone(), text::print(moves));
        Ok(put(self.store, moves).await?)
    }

    /// All is done.
    pub async fn clear(&self) -> Result<(), AccessError> {
        let target = DeleteTarget::Column(FAMILY.into(), self.client.clone(), None);
        self.store.delete(&state_table()?, Delete::row(StateRow::Moves.key()).target(target)).await?;
        Ok(())
    }
}

/// Deletes the old records of moves, at their own time: what was written there since stays.
pub(crate) async fn delete_old<'m>(
    store: &dyn Store,
    moves: impl Iterator<Item = &'m Move>,
) -> Result<(), AccessError> {
    let mut deletes: BTreeMap<&TableName, Vec<Action>> = BTreeMap::new();
    for moved in moves {
        let RecordCells { row, families, qualifier } = &moved.from;
        let target = |family: &Bytes| match qualifier {
            Some(qualifier) => DeleteTarget::Column(family.clone(), qualifier.clone(), Some(moved.newest_ms)),
            None => DeleteTarget::Family(family.clone(), Some(moved.newest_ms)),
        };
        let delete = families.iter().map(target).fold(Delete::row(row.clone()), Delete::target);
        deletes.entry(&moved.table).or_default().push(Action::Mutate(Mutation::Delete(delete)));
    }
    for (table, deletes) in deletes {
        for answer in store.batch(table, deletes).await?.value {
            answer?;
        }
    }
    Ok(())
}

/// How far each logged move has come.
async fn staged<'l>(store: &dyn Store, logged: &'l [Logged]) -> Result<Vec<(&'l Move, Stage)>, AccessError> {
    let mut by_table: BTreeMap<&TableName, Vec<&Move>> = BTreeMap::new();
    for moved in logged.iter().flat_map(|logged| &logged.moves) {
        by_table.entry(&moved.table).or_default().push(moved);
    }
    let mut staged = Vec::new();
    for (table, moves) in by_table {
        let places = moves.iter().flat_map(|moved| [&moved.from, &moved.to]);
        let rows = match read_records(store, table, places).await {
            // Its rows went with it.
            Err(AccessError::Store(StoreError::TableNotFound(_))) => continue,
            rows => rows?,
        };
        for (moved, pair) in moves.into_iter().zip(rows.chunks(2)) {
            let [from, to] = pair else { continue };
            let stage = match (newest_of(from) == Some(moved.newest_ms), cells_hash(to) == moved.hash) {
                (true, true) => Stage::Doubled,
                (true, false) => Stage::Begun,
                (false, _) => Stage::Over,
            };
            staged.push((moved, stage));
        }
    }
    Ok(staged)
}

/// The cells of records, each as a row.
pub(crate) async fn read_records<'r>(
    store: &dyn Store,
    table: &TableName,
    records: impl Iterator<Item = &'r RecordCells>,
) -> Result<Vec<Row>, AccessError> {
    let gets = records.map(|record| Action::Get(record.get())).collect();
    let mut rows = Vec::new();
    for answer in store.batch(table, gets).await?.value {
        if let ActionAnswer::Row(row) = answer? {
            rows.push(row);
        }
    }
    Ok(rows)
}

impl RecordCells {
    fn get(&self) -> Get {
        let mut columns = Columns::all();
        for family in &self.families {
            match &self.qualifier {
                Some(qualifier) => columns.add_column(family.clone(), qualifier.clone()),
                None => columns.add_family(family.clone()),
            }
        }
        Get { row: self.row.clone(), read: ReadOptions { columns, ..ReadOptions::default() } }
    }
}

/// The newest timestamp of a record; none where it does not exist.
pub(crate) fn newest_of(record: &Row) -> Option<Timestamp> {
    record.cells.iter().map(|cell| cell.timestamp).max()
}

/// The hash of a record's cells as they are read.
pub(crate) fn cells_hash(record: &Row) -> u128 {
    hash(record.cells.iter().map(|cell| (&cell.family, &cell.qualifier, &cell.value)).collect())
}

/// The hash of a record's cells as they are written.
pub(crate) fn put_hash(put: &Put) -> u128 {
    hash(put.cells.iter().map(|(family, qualifier, _, value)| (family, qualifier, value)).collect())
}

fn hash(mut cells: Vec<(&Bytes, &Bytes, &Bytes)>) -> u128 {
    cells.sort();
    let mut bytes = Vec::new();
    for part in cells.into_iter().flat_map(|(family, qualifier, value)| [family, qualifier, value]) {
        bytes.extend((part.len() as u64).to_be_bytes());
        bytes.extend_from_slice(part);
    }
    xxh3_128(&bytes)
}
