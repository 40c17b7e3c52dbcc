//! One family of one region: a memstore and the files that flushes have made of it.

use tablesmith_model::{Cell, FamilyDescriptor, Timestamp};

use super::purge::{Scope, purge};
use super::stored::{Run, StoredCell};
use super::visible::{ReadRules, unexpired_from};

/// A compaction that nobody insists on wants so many files.
const MIN_FILES_TO_COMPACT: usize = 3;
/// It takes no more than so many.
const MAX_FILES_TO_COMPACT: usize = 10;

/// The cells of one family of one region.
#[derive(Clone, Debug, Default)]
pub(super) struct FamilyStore {
    memstore: Run,
    /// Oldest first. A file may be empty: a flush makes one even if it purges everything.
    files: Vec<Run>,
    /// A major compaction was asked for when there was no file. The next compaction will be that one.
    owes_major_compaction: bool,
}

impl FamilyStore {
    /// Writes a cell.
    pub(super) fn write(&mut self, stored: StoredCell) {
        self.memstore.insert(stored);
    }

    /// All cells that a read has to do with.
    pub(super) fn cells_for(&self, rules: &ReadRules) -> Run {
        let matters = |run: &&Run| run.may_matter(rules.time_range, rules.run_unexpired_from());
        Run::merge(self.files.iter().chain([&self.memstore]).filter(matters))
    }

    /// What lies in the place of a cell.
    pub(super) fn find(&self, cell: &Cell) -> Option<&StoredCell> {
        let newest_first = [&self.memstore].into_iter().chain(self.files.iter().rev());
        newest_first.filter_map(|run| run.find(cell)).next()
    }

    /// Makes a file of the memstore.
    pub(super) fn flush(&mut self, family: &FamilyDescriptor, now_ms: Timestamp) {
        if !self.memstore.is_empty() {
            let memstore = std::mem::take(&mut self.memstore);
            self.files.push(purge(&memstore, family, Scope::Some, now_ms));
        }
    }

    /// Merges files, as far as it is worth the while.
    pub(super) fn compact(&mut self, family: &FamilyDescriptor, now_ms: Timestamp) {
        if self.owes_major_compaction {
            return self.major_compact(family, now_ms);
        }
        self.drop_expired_files(family, now_ms);
        let Some((first, count)) = self.choose_files() else { return };
        let scope = if count == self.files.len() { Scope::All } else { Scope::Some };
        let chosen: Vec<Run> = self.files.drain(first..first + count).collect();
        self.files.insert(first, purge(&Run::merge(&chosen), family, scope, now_ms));
    }

    /// Merges all files. The memstore has no part in it.
    pub(super) fn major_compact(&mut self, family: &FamilyDescriptor, now_ms: Timestamp) {
        self.owes_major_compaction = self.files.is_empty();
        if !self.files.is_empty() {
            self.files = vec![purge(&Run::merge(&self.files), family, Scope::All, now_ms)];
        }
    }

    /// What happens when the region's server lets go of it: the memstore is flushed, and wishes are forgotten.
    pub(super) fn close(&mut self, family: &FamilyDescriptor, now_ms: Timestamp) {
        self.flush(family, now_ms);
        self.owes_major_compaction = false;
    }

    /// Those of the files' cells that lie in certain rows, file by file.
    pub(super) fn part(&self, is_wanted: impl Fn(&[u8]) -> bool) -> Self {
        let parts = self.files.iter().map(|file| file.of_rows(&is_wanted));
        Self { files: parts.filter(|part| !part.is_empty()).collect(), ..Self::default() }
    }

    /// Takes over the files of another region.
    pub(super) fn adopt(&mut self, other: Self) {
        self.files.extend(other.files);
    }

    /// The files' cells.
    pub(super) fn files(&self) -> &[Run] {
        &self.files
    }

    /// Bytes not yet flushed.
    pub(super) fn memstore_bytes(&self) -> u64 {
        self.memstore.bytes()
    }

    /// Bytes in files.
    pub(super) fn file_bytes(&self) -> u64 {
        self.files.iter().map(Run::bytes).sum()
    }

    /// Before it chooses files a compaction drops those of which every cell is expired, except the newest file.
    fn drop_expired_files(&mut self, family: &FamilyDescriptor, now_ms: Timestamp) {
        if family.min_versions > 0 {
            return;
        }
        let unexpired_from = unexpired_from(family, now_ms);
        if let Some(newest_file) = self.files.pop() {
            self.files.retain(|file| file.newest().is_none_or(|newest| newest >= unexpired_from));
            self.files.push(newest_file);
        }
    }

    /// The first file to compact and how many: as many neighbours as allowed, and of those the smallest.
    fn choose_files(&self) -> Option<(usize, usize)> {
        let count = self.files.len().min(MAX_FILES_TO_COMPACT);
        if count < MIN_FILES_TO_COMPACT {
            return None;
        }
        let bytes_of = |neighbours: &[Run]| neighbours.iter().map(Run::bytes).sum::<u64>();
        let choices = self.files.windows(count).map(bytes_of).enumerate();
        choices.min_by_key(|&(_, bytes)| bytes).map(|(first, _)| (first, count))
    }
}
