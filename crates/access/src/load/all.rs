//! Loads the rows of a file into every place that holds rows of their table.
//!
//! ```text
//!  file ──▶ some thousand rows ──▶ master, in lanes ──▶ copies, all at the same time ──▶ progress
//! ```
//!
//! The master has rows before their copies do, and the progress says so only when all places have them: see `progress`.
//! Joined copies are made afterwards from the masters ([`Writer::load_joined`]).

use std::time::Instant;

use tablesmith_model::TableName;
use tablesmith_model::source_row::{RowError, SourceRow};
use tablesmith_store::{Action, Filter, Mutation, Put, ReadOptions, Scan, Store, StoreError};
use xxhash_rust::xxh3::xxh3_64;

use super::progress::{Kept, Progress};
use crate::error::AccessError;
use crate::write::{Place, Writer};

/// Rows that go to all places before the progress is written.
pub(super) const CHUNK_ROWS: usize = 4_000;
/// Calls to one table at the same time.
const LANES: usize = 4;

/// The rows of a file.
pub struct LoadSource<'s> {
    /// The table that they are of.
    pub table: &'s str,
    /// What tells the file from others; the load of one that is known already goes on where it was.
    pub file: &'s str,
    /// Its rows, in its order.
    pub rows: Box<dyn Iterator<Item = Result<SourceRow, RowError>> + 's>,
}

/// Who is told how a load goes on.
pub trait LoadWatch: Send {
    /// A line that does not go in, and why.
    fn rejected(&mut self, line: u64, rows: u64, reason: &str);
    /// So many rows are loaded, those of an earlier load among them.
    fn loaded(&mut self, rows: u64);
}

/// What the load of a file gave.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LoadedFile {
    /// Rows that are loaded.
    pub rows: u64,
    /// Those of them that an earlier load had loaded already.
    pub before: u64,
    /// Rows that were rejected.
    pub rejected: u64,
    /// How long it took.
    pub seconds: f64,
}

/// Rows on their way, and what of them goes to each place.
struct Chunk {
    /// For each place that is written to, its puts.
    puts: Vec<Vec<Put>>,
    lines: Vec<u64>,
    rows: usize,
}

impl Writer {
    /// Loads the rows of a file into the master of their table and all its plain copies. A load that broke off goes on, and
    /// one that was through has nothing left to do. Rows are taken for new: over rows with the same keys and other values
    /// old copies can stay, which [`repair`](crate::repair()) removes.
    pub async fn load(
        &self,
        store: &dyn Store,
        source: LoadSource<'_>,
        watch: &mut dyn LoadWatch,
    ) -> Result<LoadedFile, AccessError> {
        if let Some(stored) = self.readings_of(source.table) {
            return self.load_readings(store, stored, source, watch).await;
        }
        let begun = Instant::now();
        let places = self.places_of(source.table)?;
        let (beginning, name) = self.load_name(&places, &source);
        let mut kept = Kept::open(store, &name).await?;
        let mut progress = self.begin(store, &kept, &places, &beginning).await?;
        let before = progress.rows;
        watch.loaded(before);
        let mut rows = source.rows.skip(usize::try_from(progress.lines).unwrap_or(usize::MAX));
        while !progress.is_done {
            let mut chunk = Chunk::new(places.len());
            while chunk.rows < CHUNK_ROWS {
                match rows.next() {
                    None => {
                        progress.is_done = true;
                        break;
                    }
                    Some(row) => {
                        let made = row.map(|row| (row.line, self.puts(source.table, &places, &row)));
                        chunk.take(made, &mut progress, watch)?;
                    }
                }
            }
            self.send(store, &places, chunk, &mut progress, watch).await?;
            progress.numbers = numbers(&places);
            kept.write_now_and_then(&progress).await?;
            watch.loaded(progress.rows);
        }
        let Progress { rows, rejected, .. } = progress;
        Ok(LoadedFile { rows, before, rejected, seconds: begun.elapsed().as_secs_f64() })
    }

    /// The master of a table and its plain copies, the master first.
    fn places_of(&self, table: &str) -> Result<Vec<&Place>, AccessError> {
        let copies = self.places.iter().filter(|place| place.is_plain() && place.record().has(table));
        let copies = copies.filter(|place| !place.is_master);
        Ok(std::iter::once(self.master(table)?).chain(copies).collect())
    }

    /// What a load is kept under: how rows are laid out comes behind where.
    fn load_name(&self, places: &[&Place], source: &LoadSource<'_>) -> (String, String) {
        let tables: Vec<&str> = places.iter().map(|place| place.layout.table()).collect();
        let laid: Vec<String> = places.iter().map(|place| place.layout.laid()).collect();
        // Rows that lie otherwise now are not there yet.
        let laid = xxh3_64(laid.join("\n").as_bytes());
        let beginning = format!("{} in {} (", source.table, tables.join(", "));
        let name = format!("{beginning}{laid:016x}) from {}", source.file);
        (beginning, name)
    }

    /// What writes a row to each place, or why it does not go in.
    fn puts(&self, table: &str, places: &[&Place], row: &SourceRow) -> Result<Vec<Put>, String> {
        self.has_key(table, &row.values)?;
        places.iter().map(|place| put(place, row).map_err(|error| error.to_string())).collect()
    }

    /// How far an earlier load came; for a first one the numbers that its rows begin with are kept before anything else.
    /// Where a place has no row any more, because its table was made anew, nothing of an earlier load is left.
    async fn begin(
        &self,
        store: &dyn Store,
        kept: &Kept<'_>,
        places: &[&Place],
        beginning: &str,
    ) -> Result<Progress, AccessError> {
        let mut is_there = true;
        for place in places {
            is_there &= has_rows(store, &place.name).await?;
        }
        if let Some(progress) = kept.read().await?.filter(|progress| is_there || progress.rows == 0) {
            let numbered = places.iter().filter(|place| place.layout.numbers_rows());
            numbered.zip(&progress.numbers).for_each(|(place, next)| place.layout.set_next_row_number(*next));
            return Ok(progress);
        }
        if is_there && kept.has_others(beginning).await? {
            let tables: Vec<&str> = places.iter().map(|place| place.layout.table()).collect();
            return Err(AccessError::Data(format!(
                "{} holds rows that were loaded with another key or other cells than the design has now: empty it first \
                 (truncate in tablesmith shell), or give it another name in the design",
                tables.join(", ")
            )));
        }
        self.continue_numbers(store).await?;
        let progress = Progress { numbers: numbers(places), ..Progress::default() };
        kept.write(&progress).await?;
        Ok(progress)
    }

    /// Sends a chunk: first to the master, then to all copies at the same time.
    async fn send(
        &self,
        store: &dyn Store,
        places: &[&Place],
        chunk: Chunk,
        progress: &mut Progress,
        watch: &mut dyn LoadWatch,
    ) -> Result<(), AccessError> {
        let mut puts = chunk.puts.into_iter();
        let (Some(master), Some(first)) = (places.first(), puts.next()) else { return Ok(()) };
        let refused = send_lanes(store, master, first).await?;
        progress.rows += chunk.rows.saturating_sub(refused.len()) as u64;
        progress.rejected += refused.len() as u64;
        for (at, reason) in refused {
            let line = chunk.lines.get(at).copied().unwrap_or_default();
            watch.rejected(line, 1, &format!("the store refuses it: {reason}"));
        }
        let copies = places.iter().skip(1).zip(puts).map(|(place, puts)| send_lanes(store, place, puts));
        for refused in join_all(copies).await {
            if let Some((_, reason)) = refused?.into_iter().next() {
                return Err(AccessError::Data(format!("a copy is refused: {reason}")));
            }
        }
        Ok(())
    }
}

impl Chunk {
    fn new(places: usize) -> Self {
        Self { puts: vec![Vec::with_capacity(CHUNK_ROWS); places], lines: Vec::new(), rows: 0 }
    }

    /// Takes the puts of a row with its line, or rejects it.
    fn take(
        &mut self,
        row: Result<(u64, Result<Vec<Put>, String>), RowError>,
        progress: &mut Progress,
        watch: &mut dyn LoadWatch,
    ) -> Result<(), AccessError> {
        progress.lines += 1;
        let (line, made) = match row {
            Ok(made) => made,
            Err(RowError::Rejected(rejected)) => {
                progress.rejected += rejected.rows;
                watch.rejected(rejected.first_line, rejected.rows, &rejected.reason);
                return Ok(());
            }
            Err(RowError::Failed(message)) => return Err(AccessError::Data(message)),
        };
        match made {
            Ok(made) => {
                self.rows += 1;
                self.lines.push(line);
                self.puts.iter_mut().zip(made).for_each(|(puts, put)| puts.push(put));
            }
            Err(error) => {
                progress.rejected += 1;
                watch.rejected(line, 1, &error);
            }
        }
        Ok(())
    }
}

/// Whether a table has a row.
pub(super) async fn has_rows(store: &dyn Store, table: &TableName) -> Result<bool, AccessError> {
    let read = ReadOptions { filter: Some(Filter::FirstKeyOnly), ..ReadOptions::default() };
    let mut scanner = store.scan(table, Scan { limit: Some(1), read, ..Scan::default() }).await?;
    Ok(!scanner.next_rows().await?.is_empty())
}

fn put(place: &Place, row: &SourceRow) -> Result<Put, AccessError> {
    let key = place.new_row(&row.values)?;
    place.put(key, &row.values)
}

/// The next number of each place whose rows are numbered.
fn numbers(places: &[&Place]) -> Vec<u64> {
    let numbered = places.iter().filter(|place| place.layout.numbers_rows());
    numbered.map(|place| place.layout.peek_row_number()).collect()
}

/// Sends puts in lanes by their rows, so that of two with one key the later stays. Those that the store refuses come back
/// with their place.
async fn send_lanes(
    store: &dyn Store,
    place: &Place,
    puts: Vec<Put>,
) -> Result<Vec<(usize, String)>, AccessError> {
    let mut lanes: [(Vec<Action>, Vec<usize>); LANES] = Default::default();
    for (at, put) in puts.into_iter().enumerate() {
        let lane = (xxh3_64(&put.row) % LANES as u64) as usize;
        let Some((actions, places)) = lanes.get_mut(lane) else { continue };
        actions.push(Action::Mutate(Mutation::Put(put)));
        places.push(at);
    }
    let sent = join_all(lanes.into_iter().filter(|(actions, _)| !actions.is_empty()).map(
        |(actions, places)| async move {
            store.batch(&place.name, actions).await.map(|answer| (answer.value, places))
        },
    ))
    .await;
    let mut refused = Vec::new();
    for lane in sent {
        let (answers, places) = lane?;
        for (answer, at) in answers.into_iter().zip(places) {
            match answer {
                Ok(_) => {}
                Err(StoreError::IllegalArgument(reason) | StoreError::DoNotRetry(reason)) => {
                    refused.push((at, reason));
                }
                Err(error) => return Err(error.into()),
            }
        }
    }
    Ok(refused)
}

/// Waits for all at the same time; their answers in their order.
async fn join_all<F: Future>(futures: impl IntoIterator<Item = F>) -> Vec<F::Output> {
    let mut waiting: Vec<_> = futures.into_iter().map(|future| (Box::pin(future), None)).collect();
    std::future::poll_fn(|context| {
        let mut all_done = true;
        for (future, done) in &mut waiting {
            if done.is_none() {
                match future.as_mut().poll(context) {
                    std::task::Poll::Ready(output) => *done = Some(output),
                    std::task::Poll::Pending => all_done = false,
                }
            }
        }
        if all_done { std::task::Poll::Ready(()) } else { std::task::Poll::Pending }
    })
    .await;
    waiting.into_iter().filter_map(|(_, done)| done).collect()
}
