//! Loads the rows of a file into every place that holds rows of their table.
//!
//! ```text
//!  file ──▶ puts, on a thread of its own ──▶ some thousand rows ──▶ master, in lanes ──▶ copies, all at the same time ──▶ progress
//! ```
//!
//! The master has rows before their copies do, and the progress says so only when all places have them: see `progress`.
//! Joined copies are made afterwards from the masters ([`Writer::load_joined`]).

use std::sync::Arc;
use std::time::Instant;

use tablesmith_model::TableName;
use tablesmith_model::source_row::{RowError, SourceRow};
use tablesmith_store::{Action, Filter, Mutation, Put, ReadOptions, Scan, Store, StoreError};
use xxhash_rust::xxh3::xxh3_64;

use super::made::{Made, Make, Portion};
use super::progress::{Kept, LoadName, Progress};
use crate::error::AccessError;
use crate::write::{Place, Writer};

/// Calls to one table at the same time.
const LANES: usize = 4;

/// The rows of a file.
pub struct LoadSource<'s> {
    /// The table that they are of.
    pub table: &'s str,
    /// What tells the file from others; the load of one that is known already goes on where it was.
    pub file: &'s str,
    /// Its rows, in its order.
    pub rows: LoadRows,
}

/// Rows as they come out of a file.
pub type LoadRows = Box<dyn Iterator<Item = Result<SourceRow, RowError>> + Send>;

/// Who is told how a load goes on.
pub trait LoadWatch: Send {
    /// A line that does not go in, and why.
    fn rejected(&mut self, line: u64, rows: u64, reason: &str);
    /// So many rows are loaded, those of an earlier load among them. Once this returns, lines that were rejected may never
    /// be told of again.
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

/// Puts that go to one table at the same time as those of other lanes. What has one row is in one lane, so that of two
/// puts the later stays.
#[derive(Clone, Default)]
struct Lane {
    puts: Vec<Action>,
    lines: Vec<u64>,
}

type Lanes = [Lane; LANES];

/// Makes the puts of rows for all places.
struct MakePuts<'m> {
    writer: &'m Writer,
    table: &'m str,
    places: Vec<&'m Place>,
    /// The puts of one row.
    puts: Vec<Put>,
}

impl Make for MakePuts<'_> {
    type Made = Vec<Lanes>;

    fn none(&self) -> Vec<Lanes> {
        vec![Lanes::default(); self.places.len()]
    }

    fn add(&mut self, row: SourceRow, made: &mut Vec<Lanes>) -> Result<(), String> {
        self.writer.has_key(self.table, &row.values)?;
        // A row goes to all places or to none.
        self.puts.clear();
        for place in &self.places {
            let put = place.new_row(&row.values).and_then(|key| place.put(key, &row.values));
            self.puts.push(put.map_err(|error| error.to_string())?);
        }
        for (lanes, put) in made.iter_mut().zip(self.puts.drain(..)) {
            let lane = (xxh3_64(&put.row) % LANES as u64) as usize;
            let Some(lane) = lanes.get_mut(lane) else { continue };
            lane.puts.push(Action::Mutate(Mutation::Put(put)));
            lane.lines.push(row.line);
        }
        Ok(())
    }

    fn numbers(&self) -> Vec<u64> {
        numbers(&self.places)
    }
}

impl Writer {
    /// Loads the rows of a file into the master of their table and all its plain copies. A load that broke off goes on, and
    /// one that was through has nothing left to do. Rows are taken for new: over rows with the same keys and other values
    /// old copies can stay, which [`repair`](crate::repair()) removes.
    pub async fn load(
        self: &Arc<Self>,
        store: &dyn Store,
        source: LoadSource<'_>,
        watch: &mut dyn LoadWatch,
    ) -> Result<LoadedFile, AccessError> {
        if let Some(stored) = self.readings_of(source.table) {
            return self.load_readings(store, stored, source, watch).await;
        }
        let begun = Instant::now();
        let places = self.places_of(source.table)?;
        let mut kept = Kept::open(store, load_name(&places, source.table, source.file)).await?;
        let mut progress = self.begin(store, &kept, &places).await?;
        let before = progress.rows;
        watch.loaded(before);
        let (writer, table) = (Arc::clone(self), source.table.to_owned());
        let mut made = Made::ahead(source.rows, progress.lines, move |making| {
            let Ok(places) = writer.places_of(&table) else { return };
            making.all(MakePuts { writer: &writer, table: &table, places, puts: Vec::new() });
        });
        while !progress.is_done {
            let portion = made.next().await?;
            progress.pass(&portion, watch);
            self.send(store, &places, portion, &mut progress, watch).await?;
            watch.loaded(progress.rows);
            kept.write_now_and_then(&progress).await?;
        }
        let Progress { rows, rejected, .. } = progress;
        Ok(LoadedFile { rows, before, rejected, seconds: begun.elapsed().as_secs_f64() })
    }

    /// The master of a table and its plain copies, the master first.
    pub(super) fn places_of(&self, table: &str) -> Result<Vec<&Place>, AccessError> {
        let copies = self.places.iter().filter(|place| place.is_plain() && place.record().has(table));
        let copies = copies.filter(|place| !place.is_master);
        Ok(std::iter::once(self.master(table)?).chain(copies).collect())
    }

    /// How far an earlier load came; for a first one the numbers that its rows begin with are kept before anything else.
    async fn begin(
        &self,
        store: &dyn Store,
        kept: &Kept<'_>,
        places: &[&Place],
    ) -> Result<Progress, AccessError> {
        let mut is_there = true;
        for place in places {
            is_there &= has_rows(store, &place.name).await?;
        }
        if let Some(progress) = kept.begin(is_there).await? {
            let numbered = places.iter().filter(|place| place.layout.numbers_rows());
            numbered.zip(&progress.numbers).for_each(|(place, next)| place.layout.set_next_row_number(*next));
            return Ok(progress);
        }
        self.continue_numbers(store).await?;
        let progress = Progress { numbers: numbers(places), ..Progress::default() };
        kept.write(&progress).await?;
        Ok(progress)
    }

    /// Sends what was made: first to the master, then to all copies at the same time.
    async fn send(
        &self,
        store: &dyn Store,
        places: &[&Place],
        portion: Portion<Vec<Lanes>>,
        progress: &mut Progress,
        watch: &mut dyn LoadWatch,
    ) -> Result<(), AccessError> {
        let mut puts = portion.made.into_iter();
        let (Some(master), Some(first)) = (places.first(), puts.next()) else { return Ok(()) };
        let refused = send_lanes(store, master, first).await?;
        progress.rows += portion.rows.saturating_sub(refused.len() as u64);
        progress.rejected += refused.len() as u64;
        for (line, reason) in refused {
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

pub(super) fn load_name(places: &[&Place], table: &str, file: &str) -> LoadName {
    let tables: Vec<&str> = places.iter().map(|place| place.layout.table()).collect();
    let laid: Vec<String> = places.iter().map(|place| place.layout.laid()).collect();
    LoadName::new(table, &tables, &laid, file)
}

/// Whether a table has a row.
pub(super) async fn has_rows(store: &dyn Store, table: &TableName) -> Result<bool, AccessError> {
    let read = ReadOptions { filter: Some(Filter::FirstKeyOnly), ..ReadOptions::default() };
    let mut scanner = store.scan(table, Scan { limit: Some(1), read, ..Scan::default() }).await?;
    Ok(!scanner.next_rows().await?.is_empty())
}

/// The next number of each place whose rows are numbered.
fn numbers(places: &[&Place]) -> Vec<u64> {
    let numbered = places.iter().filter(|place| place.layout.numbers_rows());
    numbered.map(|place| place.layout.peek_row_number()).collect()
}

/// Sends puts, all lanes at the same time. Those that the store refuses come back with their line.
async fn send_lanes(
    store: &dyn Store,
    place: &Place,
    lanes: Lanes,
) -> Result<Vec<(u64, String)>, AccessError> {
    let lanes = lanes.into_iter().filter(|lane| !lane.puts.is_empty());
    let sent = join_all(lanes.map(|Lane { puts, lines }| async move {
        store.batch(&place.name, puts).await.map(|answer| (answer.value, lines))
    }))
    .await;
    let mut refused = Vec::new();
    for lane in sent {
        let (answers, lines) = lane?;
        for (answer, line) in answers.into_iter().zip(lines) {
            match answer {
                Ok(_) => {}
                Err(StoreError::IllegalArgument(reason) | StoreError::DoNotRetry(reason)) => {
                    refused.push((line, reason));
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
