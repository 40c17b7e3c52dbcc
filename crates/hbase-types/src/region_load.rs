//! What a region has to do.

use std::ops::AddAssign;

/// What a region had to do since it was opened, and how large it is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RegionLoad {
    /// Rows read.
    pub reads: u64,
    /// Rows written.
    pub writes: u64,
    /// Bytes of the cells read, as far as known.
    pub read_bytes: Option<u64>,
    /// Bytes of the cells written, as far as known.
    pub written_bytes: Option<u64>,
    /// Bytes stored, as far as known.
    pub stored_bytes: Option<u64>,
    /// Bytes written and not yet flushed.
    pub memstore_bytes: u64,
    /// Files the flushes made.
    pub store_files: u64,
}

impl AddAssign for RegionLoad {
    fn add_assign(&mut self, other: Self) {
        fn add(into: &mut Option<u64>, more: Option<u64>) {
            if let Some(more) = more {
                *into = Some(into.unwrap_or(0) + more);
            }
        }
        self.reads += other.reads;
        self.writes += other.writes;
        add(&mut self.read_bytes, other.read_bytes);
        add(&mut self.written_bytes, other.written_bytes);
        add(&mut self.stored_bytes, other.stored_bytes);
        self.memstore_bytes += other.memstore_bytes;
        self.store_files += other.store_files;
    }
}
