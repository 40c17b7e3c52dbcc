//! Loads rows into the table of a design.
//!
//! Rows go to lanes by their key, as many as the store takes batches at once. Each lane sends its rows in order, and the
//! lanes send at the same time: of two rows with one key the later stays, on every store. Memory is that of one batch a lane.

use std::time::Instant;

use tablesmith_model::evidence::{Loaded, Rejected};
use tablesmith_model::key::KeyEncodeError;
use tablesmith_model::source_row::{RowError, SourceRow};
use tablesmith_model::value::CellError;
use tablesmith_model::{Durability, TableName};
use tablesmith_store::{Action, FlushScope, Mutation, Put, Store, StoreError};
use xxhash_rust::xxh3::xxh3_64;

use super::at_once::try_join_all;
use crate::error::AccessError;
use crate::layout::Layout;
use crate::row_writes::{WholeRow, cells_of_row};

/// A lane sends when it has so many rows …
const LANE_ROWS: usize = 500;
/// … or so many bytes of values.
const LANE_BYTES: usize = 1 << 20;
/// So many different reasons are told apart.
const REASONS: usize = 100;
/// What all others are counted under.
const OTHER_REASONS: &str = "other reasons";

/// Loads rows into a table that [`crate::apply`] made, and tells `progress` now and then how many there are. Rows that do
/// not go in are counted by reason. At the end everything is in files, one a family and region, so that all designs
/// start alike; the layout then knows which columns every row has.
pub async fn load(
    store: &dyn Store,
    layout: &mut Layout,
    name: &TableName,
    rows: impl Iterator<Item = Result<SourceRow, RowError>>,
    progress: &mut (dyn FnMut(u64) + Send),
) -> Result<Loaded, AccessError> {
    let begun = Instant::now();
    let mut loading = Loading::new(store.batches_at_once(), layout.source().columns.len());
    for row in rows {
        match row {
            Ok(row) => loading.add(layout, &row),
            Err(RowError::Rejected(rejected)) => loading.reject(rejected),
            Err(RowError::Failed(message)) => return Err(AccessError::Data(message)),
        }
        if loading.lanes.iter().any(Lane::is_full) {
            loading.send(store, name).await?;
            progress(loading.loaded);
        }
    }
    loading.send(store, name).await?;
    progress(loading.loaded);
    if let (0, Some(first)) = (loading.loaded, loading.rejected.first()) {
        let rows = loading.rejected.iter().map(|rejected| rejected.rows).sum();
        return Err(AccessError::NothingLoaded(Rejected { rows, ..first.clone() }));
    }
    store.flush(FlushScope::Table(name.clone(), None)).await?;
    store.major_compact(FlushScope::Table(name.clone(), None)).await?;
    layout.set_in_every_row(loading.in_every_row(layout));
    let seconds = begun.elapsed().as_secs_f64();
    Ok(Loaded { rows: loading.loaded, seconds, rejected: loading.rejected })
}

struct Loading {
    lanes: Vec<Lane>,
    loaded: u64,
    rejected: Vec<Rejected>,
    /// For each column of the table whether a row without a value came by.
    has_nulls: Vec<bool>,
}

/// Rows on their way, with their lines.
#[derive(Clone, Default)]
struct Lane {
    actions: Vec<Action>,
    lines: Vec<u64>,
    bytes: usize,
}

impl Lane {
    fn is_full(&self) -> bool {
        self.actions.len() >= LANE_ROWS || self.bytes >= LANE_BYTES
    }
}

impl Loading {
    fn new(lanes: usize, columns: usize) -> Self {
        let (lanes, has_nulls) = (vec![Lane::default(); lanes], vec![false; columns]);
        Self { lanes, loaded: 0, rejected: Vec::new(), has_nulls }
    }

    fn reject(&mut self, mut rejected: Rejected) {
        let is_known = |reason: &str| self.rejected.iter().any(|have| have.reason == reason);
        if self.rejected.len() >= REASONS && !is_known(&rejected.reason) {
            rejected.reason = OTHER_REASONS.to_owned();
        }
        match self.rejected.iter_mut().find(|have| have.reason == rejected.reason) {
            Some(have) => {
                have.rows += rejected.rows;
                have.first_line = have.first_line.min(rejected.first_line);
            }
            None => self.rejected.push(rejected),
        }
    }

    fn reject_line(&mut self, line: u64, reason: String) {
        self.reject(Rejected { reason, rows: 1, first_line: line });
    }

    /// Gives a row to its lane, or rejects it. The number of a row is its place among those that are not rejected by
    /// their values, so that it is the same on all designs whose keys take the same rows.
    fn add(&mut self, layout: &Layout, row: &SourceRow) {
        let cells = match cells_of_row(layout, &row.values, Vec::new()) {
            Ok(cells) => cells.into_put(0).cells,
            Err((column, error)) => return self.reject_line(row.line, unfit(column, &error)),
        };
        let number = layout.next_row_number();
        let key = match layout.codec.encode(&mut WholeRow::new(layout, &row.values, number)) {
            Ok(key) => key,
            Err(error) => return self.reject_line(row.line, key_reason(&error)),
        };
        for (has_nulls, value) in self.has_nulls.iter_mut().zip(&row.values) {
            *has_nulls |= value.is_null();
        }
        let lane = xxh3_64(&key).checked_rem(self.lanes.len() as u64).unwrap_or_default();
        let Some(lane) = self.lanes.get_mut(lane as usize) else { return };
        lane.bytes +=
            cells.iter().map(|(_, name, _, value)| key.len() + name.len() + value.len()).sum::<usize>();
        lane.lines.push(row.line);
        // What is not in the log is in files when the load is through; a load that breaks off is not used.
        let put = Put { cells, durability: Durability::SkipWal, ..Put::new(key) };
        lane.actions.push(Action::Mutate(Mutation::Put(put)));
    }

    async fn send(&mut self, store: &dyn Store, name: &TableName) -> Result<(), AccessError> {
        let lanes = self.lanes.iter_mut().map(|lane| send_lane(store, name, std::mem::take(lane)));
        for lane in try_join_all(lanes).await? {
            self.loaded += lane.loaded;
            lane.rejected.into_iter().for_each(|(line, reason)| self.reject_line(line, reason));
        }
        Ok(())
    }

    fn in_every_row(&self, layout: &Layout) -> Vec<String> {
        let columns = layout.source().columns.iter().zip(&self.has_nulls);
        columns.filter(|(_, has_nulls)| !**has_nulls).map(|(column, _)| column.name.clone()).collect()
    }
}

#[derive(Default)]
struct Sent {
    loaded: u64,
    rejected: Vec<(u64, String)>,
}

/// Sends the rows of a lane. A row that the store refuses is rejected; a store that fails ends the load.
async fn send_lane(store: &dyn Store, name: &TableName, lane: Lane) -> Result<Sent, StoreError> {
    let mut sent = Sent::default();
    if lane.actions.is_empty() {
        return Ok(sent);
    }
    let answers = store.batch(name, lane.actions).await?.value;
    for (answer, line) in answers.into_iter().zip(lane.lines) {
        match answer {
            Ok(_) => sent.loaded += 1,
            Err(StoreError::IllegalArgument(reason) | StoreError::DoNotRetry(reason)) => {
                sent.rejected.push((line, format!("the store refuses it: {reason}")));
            }
            Err(error) => return Err(error),
        }
    }
    Ok(sent)
}

/// A reason without the value, so that rows with the same trouble are counted together.
fn unfit(column: &str, error: &CellError) -> String {
    match error {
        CellError::DoesNotFit { encoding, .. } => {
            format!("a value of {column:?} does not fit into {encoding}: use a wider encoding")
        }
        error => format!("the column {column:?}: {error}"),
    }
}

fn key_reason(error: &KeyEncodeError) -> String {
    match error {
        KeyEncodeError::DoesNotFit { part, expected, .. } => {
            format!("the key part {part} does not take the value: it takes {expected}")
        }
        KeyEncodeError::TooLong { .. } => "the key would be longer than 32767 bytes".to_owned(),
        error => error.to_string(),
    }
}
