//! Flush and compaction: removes what HBase would not have written to the new file, and records the files.

use bytes::Bytes;
use tablesmith_model::{CellType, KeepDeletedCells, Timestamp};
use tablesmith_store::StoreError;

use crate::Engine;
use crate::cursor::{Cursor, KeyRange};
use crate::error::from_write;
use crate::family::{FamilyStore, FilePart, StoreFile};
use crate::key;
use crate::matcher::{PurgeMatcher, PurgeMode};
use crate::region::Region;
use crate::stored::StoredCell;

/// Removals that are stored together.
const REMOVALS_TOGETHER: usize = 1_000;

/// What to do with a family's files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Choice {
    /// Leave them.
    Nothing,
    /// Merge the oldest so many, keeping markers.
    MergeOldest(usize),
    /// Merge all, dropping markers.
    MergeAll,
}

/// Fewer files are not worth merging (`hbase.hstore.compaction.min`).
const MIN_FILES: usize = 3;
/// More are not merged at once (`hbase.hstore.compaction.max`).
const MAX_FILES: usize = 10;

/// What a minor compaction does. Merging all files is as good as a major one.
pub(crate) fn choose_minor(files: usize) -> Choice {
    match files {
        0..MIN_FILES => Choice::Nothing,
        MIN_FILES..=MAX_FILES => Choice::MergeAll,
        _ => Choice::MergeOldest(MAX_FILES),
    }
}

/// What happens by itself after a flush. A compaction reads the whole region, so it waits until the younger files have
/// grown to the size of the oldest: each byte is then read about as often as the region doubles.
pub(crate) fn choose_automatic(files: &[StoreFile]) -> Choice {
    let Some((oldest, younger)) = files.split_first() else { return Choice::Nothing };
    let younger_bytes: u64 = younger.iter().map(|file| file.bytes).sum();
    if files.len() >= MIN_FILES && younger_bytes >= oldest.bytes { Choice::MergeAll } else { Choice::Nothing }
}

/// What a major compaction does.
pub(crate) fn choose_major(files: usize) -> Choice {
    if files == 0 { Choice::Nothing } else { Choice::MergeAll }
}

impl Engine {
    /// Ends the present generation of a family in a region. `None` when nothing was written in it. The caller keeps
    /// writers out.
    pub(crate) fn flush_family(
        &self,
        region: &Region,
        store: &FamilyStore,
    ) -> Result<Option<FamilyStore>, StoreError> {
        let memstore = store.memstore().clone();
        if memstore.is_empty() {
            return Ok(None);
        }
        let present = |stored: &StoredCell| stored.generation() == store.generation;
        let ranges: Vec<KeyRange> = if memstore.unknown {
            vec![region.key_range()]
        } else {
            memstore.suspects().iter().map(|row| row_range(row)).collect()
        };
        let seen = self.purge(store, ranges, present, PurgeMode::KeepMarkers)?;
        let mut files = store.files.clone();
        if memstore.unknown && seen == 0 {
            return Ok(Some(store.flushed(store.generation, files)));
        }
        // Like HBase's, a flush makes a file even when it removes everything.
        files.push(StoreFile::of_generation(store.generation, memstore.bytes));
        Ok(Some(store.flushed(store.generation.saturating_add(1), files)))
    }

    /// Closes a family in a region, as a server does that lets go of the region: flushes it, and forgets wishes.
    pub(crate) fn close_family(
        &self,
        region: &Region,
        store: &FamilyStore,
    ) -> Result<Option<FamilyStore>, StoreError> {
        let flushed = self.flush_family(region, store)?;
        if flushed.is_none() && !store.owes_major_compaction {
            return Ok(None);
        }
        Ok(Some(FamilyStore { owes_major_compaction: false, ..flushed.unwrap_or_else(|| store.copy()) }))
    }

    /// Merges as many files as a compaction that nobody insists on would.
    pub(crate) fn compact_minor(
        &self,
        region: &Region,
        store: &FamilyStore,
    ) -> Result<Option<FamilyStore>, StoreError> {
        if store.owes_major_compaction {
            return self.compact_major(region, store);
        }
        let unexpired = self.drop_expired_files(region, store)?;
        let compacted = self.compact_family(region, &unexpired, choose_minor(unexpired.files.len()))?;
        Ok(Some(compacted.unwrap_or(unexpired)))
    }

    /// Merges all files.
    pub(crate) fn compact_major(
        &self,
        region: &Region,
        store: &FamilyStore,
    ) -> Result<Option<FamilyStore>, StoreError> {
        let compacted = self.compact_family(region, store, choose_major(store.files.len()))?;
        let owes_major_compaction = store.files.is_empty();
        Ok(Some(FamilyStore { owes_major_compaction, ..compacted.unwrap_or_else(|| store.copy()) }))
    }

    /// Before it chooses files, a compaction drops those of which every cell is expired, except the newest file. An empty
    /// file has none that is.
    fn drop_expired_files(&self, region: &Region, store: &FamilyStore) -> Result<FamilyStore, StoreError> {
        let unchanged = store.copy();
        let family = &store.descriptor;
        let (Some(ttl_ms), 0, [older @ .., _newest]) =
            (family.ttl_ms(), family.min_versions, &store.files[..])
        else {
            return Ok(unchanged);
        };
        let oldest_unexpired = self.now_ms().saturating_sub(ttl_ms);
        let mut newest = vec![None; older.len()];
        let mut cursor = self.cursor(store, region.key_range());
        while let Some(stored) = cursor.peek()? {
            for (newest, _) in newest.iter_mut().zip(older).filter(|(_, file)| file.contains(stored)) {
                *newest = Some(stored.timestamp()).max(*newest);
            }
            cursor.advance();
        }
        let is_expired = |newest: Option<Timestamp>| newest.is_some_and(|newest| newest < oldest_unexpired);
        let expired =
            older.iter().zip(newest).filter(|(_, newest)| is_expired(*newest)).map(|(file, _)| file.clone());
        let expired: Vec<StoreFile> = expired.collect();
        self.remove_files(region, store, &expired)?;
        let files = store.files.iter().filter(|file| !expired.contains(file)).cloned().collect();
        Ok(FamilyStore { files, ..unchanged })
    }

    fn remove_files(
        &self,
        region: &Region,
        store: &FamilyStore,
        files: &[StoreFile],
    ) -> Result<(), StoreError> {
        let mut removed: Vec<Bytes> = Vec::new();
        let mut cursor = self.cursor(store, region.key_range());
        while let Some(stored) = cursor.peek()?.filter(|_| !files.is_empty()) {
            if files.iter().any(|file| file.contains(stored)) {
                removed.push(stored.key.clone());
            }
            cursor.advance();
            if removed.len() >= REMOVALS_TOGETHER {
                self.remove(store, &mut removed)?;
            }
        }
        self.remove(store, &mut removed)
    }

    /// Merges files of a family in a region. `None` when there is nothing to do. What is in memory is not touched.
    pub(crate) fn compact_family(
        &self,
        region: &Region,
        store: &FamilyStore,
        choice: Choice,
    ) -> Result<Option<FamilyStore>, StoreError> {
        let merged = match choice {
            Choice::Nothing => return Ok(None),
            Choice::MergeOldest(count) => store.files.get(..count).unwrap_or(&store.files),
            Choice::MergeAll => &store.files,
        };
        let file = StoreFile::merge(merged);
        let in_file = |stored: &StoredCell| file.contains(stored);
        let mode = match choice {
            Choice::MergeAll => {
                PurgeMode::DropMarkers { earliest_put: self.earliest_put(region, store, in_file)? }
            }
            Choice::Nothing | Choice::MergeOldest(_) => PurgeMode::KeepMarkers,
        };
        self.purge(store, [region.key_range()], in_file, mode)?;
        let file = match choice {
            // All that was flushed, whichever parts it came in.
            Choice::MergeAll => StoreFile { parts: vec![FilePart::before(store.generation)], ..file },
            Choice::Nothing | Choice::MergeOldest(_) => file,
        };
        let files = [file].into_iter().chain(store.files.iter().skip(merged.len()).cloned()).collect();
        let compacted = store.copy();
        Ok(Some(FamilyStore { files, ..compacted }))
    }

    /// The oldest put in some files. Only needed where markers may stay.
    fn earliest_put(
        &self,
        region: &Region,
        store: &FamilyStore,
        in_file: impl Fn(&StoredCell) -> bool,
    ) -> Result<Timestamp, StoreError> {
        let mut earliest = Timestamp::MAX;
        if store.descriptor.keep_deleted_cells == KeepDeletedCells::False {
            return Ok(earliest);
        }
        let mut cursor = self.cursor(store, region.key_range());
        while let Some(stored) = cursor.peek()? {
            if in_file(stored) && stored.kind() == CellType::Put {
                earliest = earliest.min(stored.timestamp());
            }
            cursor.advance();
        }
        Ok(earliest)
    }

    /// Removes what the rules do not keep among the cells of some generations, and says how many there were.
    fn purge(
        &self,
        store: &FamilyStore,
        ranges: impl IntoIterator<Item = KeyRange>,
        is_meant: impl Fn(&StoredCell) -> bool,
        mode: PurgeMode,
    ) -> Result<u64, StoreError> {
        let mut matcher = PurgeMatcher::new(&store.descriptor, mode, self.now_ms());
        let mut seen = 0;
        let mut removed: Vec<Bytes> = Vec::new();
        for range in ranges {
            let mut cursor = self.cursor(store, range);
            while let Some(stored) = cursor.peek()? {
                if is_meant(stored) {
                    seen += 1;
                    if !matcher.keeps(stored.row(), stored.into()) {
                        removed.push(stored.key.clone());
                    }
                }
                cursor.advance();
                if removed.len() >= REMOVALS_TOGETHER {
                    self.remove(store, &mut removed)?;
                }
            }
        }
        self.remove(store, &mut removed)?;
        Ok(seen)
    }

    fn cursor(&self, store: &FamilyStore, range: KeyRange) -> Cursor {
        Cursor::new(&store.keyspace, &self.inner.db.snapshot(), &store.descriptor.name, range, false)
    }

    fn remove(&self, store: &FamilyStore, keys: &mut Vec<Bytes>) -> Result<(), StoreError> {
        let mut batch = self.inner.db.batch();
        for key in keys.drain(..) {
            batch.remove(&store.keyspace, key);
        }
        self.inner.gate.pass(&self.inner.db)?;
        batch.commit().map_err(|error| from_write(&self.inner.options.dir, error))
    }
}

fn row_range(row: &[u8]) -> KeyRange {
    KeyRange { from: key::row_start(row), until: Some(key::row_behind(row)) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_minor_compaction_wants_three_files_and_takes_ten() {
        assert_eq!(choose_minor(2), Choice::Nothing);
        assert_eq!(choose_minor(3), Choice::MergeAll);
        assert_eq!(choose_minor(10), Choice::MergeAll);
        assert_eq!(choose_minor(11), Choice::MergeOldest(10));
        assert_eq!((choose_major(0), choose_major(1)), (Choice::Nothing, Choice::MergeAll));
    }

    #[test]
    fn an_automatic_compaction_waits_for_the_region_to_double() {
        let files = |sizes: &[u64]| -> Vec<StoreFile> {
            sizes.iter().map(|&bytes| StoreFile::of_generation(1, bytes)).collect()
        };
        assert_eq!(choose_automatic(&files(&[])), Choice::Nothing);
        assert_eq!(choose_automatic(&files(&[5, 5])), Choice::Nothing);
        assert_eq!(choose_automatic(&files(&[5, 2, 3])), Choice::MergeAll);
        assert_eq!(choose_automatic(&files(&[50, 5, 5, 5])), Choice::Nothing);
    }
}
