//! Measures a data file: one reads, the others measure.
//!
//! Every worker sees every batch, and measures the columns that are its own: rows stay in file order, nothing is merged
//! at the end, and the answer is the same with any number of workers.

use std::panic::resume_unwind;
use std::path::Path;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread;

use super::ProfileError;
use super::found::{ColumnProfile, Profile};
use super::keys::find_keys;
use super::measure::Meter;
use super::source::{self, BadLines, Batch, Kind, Source};
use tablesmith_model::value::ValueType;

/// Batches that wait for a worker: a few, so that memory stays small.
const WAITING: usize = 4;
/// More workers would wait for the reader.
const MOST_WORKERS: usize = 6;
/// Values that are compared for uniqueness, over all columns; about 20 bytes each.
const COMPARED: usize = 1 << 22;

/// How far the reading is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// Bytes read.
    pub bytes: u64,
    /// Bytes of the file.
    pub total: u64,
}

/// Measures a data file and finds its keys; `progress` hears after every batch how far it is.
pub fn profile(path: &Path, progress: &mut dyn FnMut(Progress)) -> Result<Profile, ProfileError> {
    let measured = columns_only(path, progress)?;
    Ok(Profile { keys: find_keys(path, &measured, &[])?, ..measured })
}

/// As [`profile`], but without keys: [`find_keys`] finds them when it is known what queries ask for.
pub fn columns_only(path: &Path, progress: &mut dyn FnMut(Progress)) -> Result<Profile, ProfileError> {
    columns_of_types(path, &[], progress)
}

/// As [`columns_only`], with types that are known already: values are not asked what they look like.
pub fn columns_of_types(
    path: &Path,
    types: &[(String, ValueType)],
    progress: &mut dyn FnMut(Progress),
) -> Result<Profile, ProfileError> {
    let mut source = Typed { source: source::open(path)?, types };
    let (rows, meters) = measure(&mut source, progress)?;
    let columns: Vec<ColumnProfile> =
        source.columns().iter().zip(meters).map(|(name, meter)| meter.finish(name)).collect();
    let bad_lines = source.bad_lines().clone();
    Ok(Profile {
        rows,
        columns,
        keys: Vec::new(),
        bad_lines: bad_lines.count,
        first_bad_lines: bad_lines.first,
    })
}

/// A source whose columns have types that are known already.
struct Typed<'t> {
    source: Box<dyn Source>,
    types: &'t [(String, ValueType)],
}

impl Source for Typed<'_> {
    fn columns(&self) -> &[String] {
        self.source.columns()
    }

    fn declared(&self, column: usize) -> Option<ValueType> {
        let name = self.source.columns().get(column)?;
        let known = self.types.iter().find(|(known, _)| known == name).map(|(_, value_type)| *value_type);
        known.or_else(|| self.source.declared(column))
    }

    fn next(&mut self) -> Result<Option<Batch>, ProfileError> {
        self.source.next()
    }

    fn position(&self) -> (u64, u64) {
        self.source.position()
    }

    fn bad_lines(&self) -> &BadLines {
        self.source.bad_lines()
    }
}

/// A batch, with what a worker must know about it.
struct Work {
    batch: Batch,
    rows_before: u64,
    declared: Vec<Option<ValueType>>,
}

fn measure(
    source: &mut dyn Source,
    progress: &mut dyn FnMut(Progress),
) -> Result<(u64, Vec<Meter>), ProfileError> {
    let workers = thread::available_parallelism().map_or(1, usize::from).min(MOST_WORKERS);
    thread::scope(|scope| {
        let (senders, handles): (Vec<_>, Vec<_>) = (0..workers)
            .map(|index| {
                let (sender, receiver) = sync_channel(WAITING);
                (sender, scope.spawn(move || work(index, workers, &receiver)))
            })
            .unzip();
        let read = read(source, &senders, progress);
        drop(senders);
        let joined =
            handles.into_iter().map(|handle| handle.join().unwrap_or_else(|panic| resume_unwind(panic)));
        let mut parts: Vec<_> = joined.map(Vec::into_iter).collect();
        let rows = read?;
        let columns = source.columns().len();
        let meters = (0..columns).map(|column| {
            let meter = parts.get_mut(column % workers).and_then(Iterator::next);
            // Without a row nobody has made one.
            meter.unwrap_or_else(|| meter_of(source.declared(column), columns))
        });
        Ok((rows, meters.collect()))
    })
}

/// Reads to the end and hands on what was read; the number of rows.
fn read(
    source: &mut dyn Source,
    workers: &[SyncSender<Arc<Work>>],
    progress: &mut dyn FnMut(Progress),
) -> Result<u64, ProfileError> {
    let mut rows = 0;
    while let Some(batch) = source.next()? {
        let declared = (0..batch.columns()).map(|column| source.declared(column)).collect();
        let work = Arc::new(Work { rows_before: rows, declared, batch });
        rows += work.batch.rows() as u64;
        for worker in workers {
            // A worker that is gone has panicked, which is passed on where it is joined.
            let _ = worker.send(Arc::clone(&work));
        }
        let (bytes, total) = source.position();
        progress(Progress { bytes, total });
    }
    Ok(rows)
}

/// Measures the columns `index`, `index + workers`, …
fn work(index: usize, workers: usize, receiver: &Receiver<Arc<Work>>) -> Vec<Meter> {
    let mut meters: Vec<Meter> = Vec::new();
    for work in receiver {
        let Work { batch, rows_before, declared } = &*work;
        let own = (index..batch.columns()).step_by(workers);
        for (place, column) in own.enumerate() {
            if meters.len() <= place {
                // A column that appears only now had no value in the rows before.
                let mut meter = meter_of(declared.get(column).copied().flatten(), batch.columns());
                meter.see_nulls(*rows_before);
                meters.push(meter);
            }
            let Some(meter) = meters.get_mut(place) else { continue };
            for (kind, value) in batch.column(column) {
                match kind {
                    Kind::Null => meter.see_nulls(1),
                    kind => meter.see(value, kind == Kind::Quoted, batch.ascii),
                }
            }
        }
    }
    meters
}

fn meter_of(declared: Option<ValueType>, columns: usize) -> Meter {
    Meter::new(declared, (COMPARED / columns.max(1)).min(1 << 18))
}
