//! Flush and compaction: removes what HBase would not have written to the new file, and records the files.

use bytes::Bytes;
use tablesmith_model::{CellKind, KeepDeletedCells, Timestamp};
use tablesmith_store::StoreError;

use crate::Engine;
use crate::cursor::{Cursor, KeyRange};
use crate::error::from_fjall;
use crate::family::{FamilyStore, FileSpan};
use crate::key::{self, Generation};
use crate::matcher::{PurgeMatcher, PurgeMode};
use crate::region::Region;

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
        let present = |generation: Generation| generation == store.generation;
        let kept = if memstore.unknown {
            self.purge(store, [region.key_range()], present, PurgeMode::KeepMarkers)?
        } else {
            let rows = memstore.suspects().iter().map(|row| row_range(row));
            self.purge(store, rows, present, PurgeMode::KeepMarkers)?.or(memstore.has_plain_rows())
        };
        let mut files = store.files.clone();
        if kept.any {
            files.push(FileSpan { first: store.generation, last: store.generation });
        } else if memstore.unknown && kept.seen == 0 {
            return Ok(Some(store.flushed(store.generation, files)));
        }
        Ok(Some(store.flushed(store.generation.saturating_add(1), files)))
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
        let (Some(first), Some(last)) = (merged.first(), merged.last()) else { return Ok(None) };
        let span = FileSpan { first: first.first, last: last.last };
        let in_span = |generation: Generation| span.contains(generation);
        let mode = match choice {
            Choice::MergeAll => {
                PurgeMode::DropMarkers { earliest_put: self.earliest_put(region, store, in_span)? }
            }
            Choice::Nothing | Choice::MergeOldest(_) => PurgeMode::KeepMarkers,
        };
        let kept = self.purge(store, [region.key_range()], in_span, mode)?;
        let mut files: Vec<FileSpan> = kept.any.then_some(span).into_iter().collect();
        files.extend(store.files.iter().skip(merged.len()));
        let compacted = store.copy();
        Ok(Some(FamilyStore { files, ..compacted }))
    }

    /// The oldest put in some files. Only needed where markers may stay.
    fn earliest_put(
        &self,
        region: &Region,
        store: &FamilyStore,
        in_span: impl Fn(Generation) -> bool,
    ) -> Result<Timestamp, StoreError> {
        let mut earliest = Timestamp::MAX;
        if store.descriptor.keep_deleted_cells == KeepDeletedCells::False {
            return Ok(earliest);
        }
        let mut cursor = self.cursor(store, region.key_range());
        while let Some(stored) = cursor.peek()? {
            if in_span(stored.generation()) && stored.kind() == CellKind::Put {
                earliest = earliest.min(stored.timestamp());
            }
            cursor.advance();
        }
        Ok(earliest)
    }

    /// Removes what the rules do not keep among the cells of some generations, and says what stayed.
    fn purge(
        &self,
        store: &FamilyStore,
        ranges: impl IntoIterator<Item = KeyRange>,
        of_generation: impl Fn(Generation) -> bool,
        mode: PurgeMode,
    ) -> Result<Kept, StoreError> {
        let mut matcher = PurgeMatcher::new(&store.descriptor, mode, self.now_ms());
        let mut kept = Kept::default();
        let mut removed: Vec<Bytes> = Vec::new();
        for range in ranges {
            let mut cursor = self.cursor(store, range);
            while let Some(stored) = cursor.peek()? {
                if of_generation(stored.generation()) {
                    kept.seen += 1;
                    if matcher.keeps(stored.row(), stored.into()) {
                        kept.any = true;
                    } else {
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
        Ok(kept)
    }

    fn cursor(&self, store: &FamilyStore, range: KeyRange) -> Cursor {
        Cursor::new(&store.keyspace, &self.inner.db.snapshot(), &store.descriptor.name, range, false)
    }

    fn remove(&self, store: &FamilyStore, keys: &mut Vec<Bytes>) -> Result<(), StoreError> {
        let mut batch = self.inner.db.batch();
        for key in keys.drain(..) {
            batch.remove(&store.keyspace, key);
        }
        batch.commit().map_err(from_fjall)
    }
}

fn row_range(row: &[u8]) -> KeyRange {
    KeyRange { from: key::row_start(row), until: Some(key::row_behind(row)) }
}

/// What a purge left.
#[derive(Clone, Copy, Debug, Default)]
struct Kept {
    seen: u64,
    any: bool,
}

impl Kept {
    fn or(self, any: bool) -> Self {
        Self { any: self.any || any, ..self }
    }
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
}
