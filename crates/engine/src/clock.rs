//! The store's clock: it never runs back, not even from one process to the next.
//!
//! A cell with an older timestamp than an existing one stays hidden, so a clock that was set back would make writes do
//! nothing. Timestamps that the store assigns are at least as late as the last one it assigned; while the system's clock
//! is behind, every write gets a later one than the write before. The file `clock` holds an upper bound of them. It
//! runs ahead by [`LEASE_MS`], so that a process that is killed leaves a bound that is not too low. When it is lost, the
//! newest timestamp of the store's cells takes its place.

use std::fs::{File, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicI64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use tablesmith_model::Timestamp;
use tablesmith_store::{Clock, StoreError};
use xxhash_rust::xxh3::xxh3_64;

use crate::error::from_io_at;

/// Name of the file.
pub(crate) const FILE: &str = "clock";
/// The bound is written again when this much time has passed.
const LEASE_MS: i64 = 1_000;
/// No clock shows the year 3000: a later timestamp counts something else.
pub(crate) const LATEST_CLOCK_MS: Timestamp = 32_503_680_000_000;

/// The clock of one open store.
#[derive(Debug)]
pub(crate) struct StoreClock {
    system: Arc<dyn Clock>,
    /// See [`crate::EngineOptions::follows_clock_back`].
    runs_back: bool,
    path: PathBuf,
    /// The last timestamp that was assigned.
    last_ms: AtomicI64,
    /// What the file holds.
    bound_ms: AtomicI64,
    /// The file, once it is written to.
    file: Mutex<Option<File>>,
}

impl StoreClock {
    pub fn open(system: Arc<dyn Clock>, dir: &Path, runs_back: bool) -> Self {
        let path = dir.join(FILE);
        let bound_ms = read_bound(dir).unwrap_or(i64::MIN);
        Self {
            system,
            runs_back,
            path,
            last_ms: AtomicI64::new(bound_ms),
            bound_ms: AtomicI64::new(bound_ms),
            file: Mutex::new(None),
        }
    }

    /// Whether the file cannot be read, so that nobody knows what was assigned before.
    pub fn is_lost(&self) -> bool {
        self.bound_ms.load(Ordering::Relaxed) == i64::MIN
    }

    /// Takes note of a timestamp that a cell of the store has: later ones are assigned from now on.
    pub fn learn(&self, timestamp: Timestamp) -> Result<(), StoreError> {
        if self.runs_back {
            return Ok(());
        }
        self.last_ms.fetch_max(timestamp, Ordering::Relaxed);
        match timestamp > self.bound_ms.load(Ordering::Relaxed) {
            true => self.extend(timestamp),
            false => Ok(()),
        }
    }

    /// The time for reading: what was written last is not in the future.
    pub fn now_ms(&self) -> Timestamp {
        if self.runs_back {
            return self.system.now_ms();
        }
        self.system.now_ms().max(self.last_ms.load(Ordering::Relaxed))
    }

    /// The timestamp of a write.
    pub fn stamp_ms(&self) -> Result<Timestamp, StoreError> {
        let now_ms = self.system.now_ms();
        if self.runs_back {
            return Ok(now_ms);
        }
        let before = self.last_ms.fetch_max(now_ms, Ordering::Relaxed);
        let stamp_ms = if now_ms >= before {
            now_ms
        } else {
            self.last_ms.fetch_add(1, Ordering::Relaxed).saturating_add(1)
        };
        if stamp_ms > self.bound_ms.load(Ordering::Relaxed) {
            self.extend(stamp_ms)?;
        }
        Ok(stamp_ms)
    }

    #[cold]
    fn extend(&self, stamp_ms: Timestamp) -> Result<(), StoreError> {
        let mut file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        if stamp_ms <= self.bound_ms.load(Ordering::Relaxed) {
            return Ok(());
        }
        let bound_ms = stamp_ms.saturating_add(LEASE_MS);
        self.write(&mut file, bound_ms).map_err(|error| from_io_at(&self.path, &error))?;
        self.bound_ms.store(bound_ms, Ordering::Relaxed);
        Ok(())
    }

    /// Writes the last timestamp in place of the bound, when no more will be assigned.
    pub fn close(&self) -> io::Result<()> {
        let mut file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        if file.is_none() {
            return Ok(());
        }
        self.write(&mut file, self.last_ms.load(Ordering::Relaxed))
    }

    /// Always the same number of bytes at the same place, so that a killed process leaves the old text or the new one.
    fn write(&self, file: &mut Option<File>, bound_ms: i64) -> io::Result<()> {
        let file = match file {
            Some(file) => file,
            None => {
                file.insert(OpenOptions::new().create(true).write(true).truncate(false).open(&self.path)?)
            }
        };
        write_at_beginning(file, text(bound_ms).as_bytes())
    }
}

#[cfg(unix)]
fn write_at_beginning(file: &File, text: &[u8]) -> io::Result<()> {
    std::os::unix::fs::FileExt::write_all_at(file, text, 0)
}

#[cfg(not(unix))]
fn write_at_beginning(mut file: &File, text: &[u8]) -> io::Result<()> {
    use std::io::{Seek, Write};
    file.rewind()?;
    file.write_all(text)
}

/// The bound in a directory's file; `None` when there is none that can be read.
pub(crate) fn read_bound(dir: &Path) -> Option<Timestamp> {
    std::fs::read_to_string(dir.join(FILE)).ok().and_then(|text| parse(&text))
}

fn text(bound_ms: i64) -> String {
    let number = format!("{bound_ms:020}");
    let checksum = xxh3_64(number.as_bytes());
    format!("{number} {checksum:016x}\n")
}

fn parse(content: &str) -> Option<i64> {
    let bound_ms = content.split_whitespace().next()?.parse().ok()?;
    (text(bound_ms) == content).then_some(bound_ms)
}

#[cfg(test)]
mod tests {
    use tablesmith_store::ManualClock;

    use super::*;

    #[test]
    fn a_clock_that_is_set_back_still_gives_later_timestamps() {
        let dir = tempfile::tempdir().unwrap();
        let system = Arc::new(ManualClock::at(10_000));
        let clock = StoreClock::open(system.clone(), dir.path(), false);
        assert_eq!((clock.stamp_ms().unwrap(), clock.stamp_ms().unwrap()), (10_000, 10_000));
        system.set(5_000);
        assert_eq!((clock.stamp_ms().unwrap(), clock.stamp_ms().unwrap()), (10_001, 10_002));
        assert_eq!(clock.now_ms(), 10_002);
        clock.close().unwrap();
        let next = StoreClock::open(system.clone(), dir.path(), false);
        assert_eq!(next.stamp_ms().unwrap(), 10_003);
        // Killed: the bound counts, not the last timestamp.
        let killed = StoreClock::open(system, dir.path(), false);
        let stamp_ms = killed.stamp_ms().unwrap();
        assert!((10_004..=10_004 + LEASE_MS).contains(&stamp_ms), "{stamp_ms}");
    }

    #[test]
    fn a_damaged_clock_file_is_not_believed() {
        let whole = text(1_234);
        assert_eq!(parse(&whole), Some(1_234));
        assert_eq!(parse(&whole.replace("1234", "9234")), None);
        assert_eq!(parse(""), None);
    }
}
