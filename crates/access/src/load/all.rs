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

use futures_util::future::try_join_all;
use tablesmith_model::Durability;
use tablesmith_model::source_row::{RowError, SourceRow};
use tablesmith_store::{Store, StoreError};

use super::made::{HasNulls, Made, Portion};
use super::progress::{Checkpoint, Progress};
use super::puts::{Lane, Lanes, MakePuts, Puts, next_numbers};
use crate::error::AccessError;
use crate::state::{StoredLayout, has_rows};
use crate::write::{Place, Writer};

/// The rows of a file.
pub struct LoadSource<'s> {
    /// The table that they are of.
    pub table: &'s str,
    /// What tells the file from others; the load of one that is known already goes on where it was.
    pub file: &'s str,
    /// Its rows, in its order.
    pub rows: LoadRows,
}

/// How rows are loaded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LoadOptions {
    /// Whether the progress is kept in the store, so that a load that broke off goes on, and how rows lie, so that a design
    /// under which they would not be found is noticed.
    pub checkpoints: bool,
    /// Whether rows go through the write-ahead log.
    pub durability: Durability,
}

impl Default for LoadOptions {
    fn default() -> Self {
        Self { checkpoints: true, durability: Durability::UseDefault }
    }
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
    /// Rows that took the place of others with their key, as far as this load knows.
    pub replaced: u64,
    /// Rows that were rejected.
    pub rejected: u64,
    /// How long it took.
    pub seconds: f64,
    /// Columns that have a value in every row of the file; none where an earlier load took some of them.
    pub never_null: Vec<String>,
}

impl Writer {
    /// Loads the rows of a file into the master of their table and all its plain copies. A load that broke off goes on, and
    /// one that was through has nothing left to do. A row whose key is there already, or comes again, is replaced.
    pub async fn load(
        self: &Arc<Self>,
        store: &dyn Store,
        source: LoadSource<'_>,
        options: LoadOptions,
        watch: &mut dyn LoadWatch,
    ) -> Result<LoadedFile, AccessError> {
        let store = &self.statement(store).await? as &dyn Store;
        if let Some(stored) = self.readings_of(source.table) {
            return self.load_readings(store, stored, source, options, watch).await;
        }
        let begun = Instant::now();
        let places = self.places_of(source.table)?;
        let layouts: Vec<StoredLayout> = places.iter().map(|place| place.stored_layout()).collect();
        let mut kept = match options.checkpoints {
            true => Some(Checkpoint::open(store, source.table, &layouts, source.file).await?),
            false => None,
        };
        let mut progress = self.begin(store, kept.as_ref(), &places).await?;
        let (before, mut replaced) = (progress.rows, 0);
        let mut has_nulls = HasNulls::default();
        watch.loaded(before);
        let keys = self.known_keys(store, source.table).await?;
        let (writer, table, lanes) = (Arc::clone(self), source.table.to_owned(), store.batches_at_once());
        let mut made = Made::ahead(source.rows, progress.lines, move |making| {
            let Ok(places) = writer.places_of(&table) else { return };
            making.all(MakePuts::new(&writer, &table, places, keys, (lanes, options.durability)));
        });
        while !progress.is_done {
            let mut portion = made.next().await?;
            progress.pass(&portion, watch);
            has_nulls.add(&portion.has_nulls);
            if let Some(known) = portion.made.known.take() {
                self.loaded_keys.keep(source.table, known);
            }
            replaced += portion.made.superseded;
            replaced += self.make_way(store, source.table, &places, &mut portion.made).await?;
            self.send(store, &places, portion, &mut progress, watch).await?;
            watch.loaded(progress.rows);
            if let Some(kept) = &mut kept {
                kept.write_now_and_then(&progress).await?;
            }
        }
        let Progress { rows, rejected, .. } = progress;
        let never_null =
            if before == 0 { has_nulls.columns_without(&self.columns(source.table)) } else { Vec::new() };
        Ok(LoadedFile {
            rows,
            before,
            replaced,
            rejected,
            seconds: begun.elapsed().as_secs_f64(),
            never_null,
        })
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
        kept: Option<&Checkpoint<'_>>,
        places: &[&Place],
    ) -> Result<Progress, AccessError> {
        let Some(kept) = kept else {
            self.continue_numbers(store).await?;
            return Ok(Progress { numbers: next_numbers(places), ..Progress::default() });
        };
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
        let progress = Progress { numbers: next_numbers(places), ..Progress::default() };
        kept.write(&progress).await?;
        Ok(progress)
    }

    /// Sends what was made: first to the master, then to all copies at the same time.
    async fn send(
        &self,
        store: &dyn Store,
        places: &[&Place],
        portion: Portion<Puts>,
        progress: &mut Progress,
        watch: &mut dyn LoadWatch,
    ) -> Result<(), AccessError> {
        let mut puts = portion.made.places.into_iter();
        let (Some(master), Some(first)) = (places.first(), puts.next()) else { return Ok(()) };
        let refused = send_lanes(store, master, first).await?;
        progress.rows += portion.rows.saturating_sub(refused.len() as u64);
        progress.rejected += refused.len() as u64;
        for (line, reason) in refused {
            watch.rejected(line, 1, &format!("the store refuses it: {reason}"));
        }
        let copies = places.iter().skip(1).zip(puts).map(|(place, puts)| send_lanes(store, place, puts));
        match try_join_all(copies).await?.into_iter().flatten().next() {
            Some((_, reason)) => Err(AccessError::Data(format!("a copy is refused: {reason}"))),
            None => Ok(()),
        }
    }
}

/// Sends puts, all lanes at the same time. Those that the store refuses come back with their line.
async fn send_lanes(
    store: &dyn Store,
    place: &Place,
    Lanes(lanes): Lanes,
) -> Result<Vec<(u64, String)>, AccessError> {
    let lanes = lanes.into_iter().filter(|lane| !lane.puts.is_empty());
    let sent = try_join_all(lanes.map(|Lane { puts, lines }| async move {
        store.batch(&place.name, puts).await.map(|answer| (answer.value, lines))
    }))
    .await?;
    let mut refused = Vec::new();
    for (answers, lines) in sent {
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
