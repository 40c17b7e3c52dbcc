//! One family in one region: HBase's *store*, with its memstore and files.
//!
//! The cells themselves are all in one keyspace for the family, whatever their region and whether HBase would have
//! them in memory or in a file. What tells them apart is the *generation* in their key: every flush ends one. So a flush
//! rewrites nothing; it only removes what HBase's flush would not have written, among the rows where that can be.

use std::collections::BTreeSet;
use std::sync::{Mutex, MutexGuard, PoisonError};

use bytes::Bytes;
use fjall::Keyspace;
use tablesmith_model::FamilyDescriptor;

use crate::key::Generation;
use crate::stored::StoredCell;

/// What HBase would have in one file. Nothing is in a file of its own here: a file is what its parts say.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct StoreFile {
    pub parts: Vec<FilePart>,
    /// Bytes written in them, before anything was removed.
    pub bytes: u64,
}

/// Cells of some generations, both ends included, in some rows: a region that took in others has their files too.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct FilePart {
    pub first: Generation,
    pub last: Generation,
    /// The first row; empty: from the beginning.
    pub start: Bytes,
    /// The first row after it; empty: to the end.
    pub end: Bytes,
}

impl StoreFile {
    /// The file of one generation.
    pub fn of_generation(generation: Generation, bytes: u64) -> Self {
        let part = FilePart { first: generation, last: generation, start: Bytes::new(), end: Bytes::new() };
        Self { parts: vec![part], bytes }
    }

    /// One file of several.
    pub fn merge(files: &[Self]) -> Self {
        let parts = files.iter().flat_map(|file| file.parts.iter().cloned()).collect();
        Self { parts, bytes: files.iter().map(|file| file.bytes).sum() }
    }

    pub fn contains(&self, stored: &StoredCell) -> bool {
        self.parts.iter().any(|part| part.contains(stored.row(), stored.generation()))
    }

    /// The same file, limited to the rows of a region.
    pub fn within(&self, start: &Bytes, end: &Bytes) -> Self {
        let limit = |part: &FilePart| FilePart {
            start: part.start.clone().max(start.clone()),
            end: match (part.end.is_empty(), end.is_empty()) {
                (false, false) => part.end.clone().min(end.clone()),
                (false, true) => part.end.clone(),
                (true, _) => end.clone(),
            },
            ..*part
        };
        Self { parts: self.parts.iter().map(limit).collect(), bytes: self.bytes }
    }
}

impl FilePart {
    /// Everything before a generation.
    pub fn before(generation: Generation) -> Self {
        Self { first: 0, last: generation.saturating_sub(1), start: Bytes::new(), end: Bytes::new() }
    }

    fn contains(&self, row: &[u8], generation: Generation) -> bool {
        (self.first..=self.last).contains(&generation)
            && row >= &self.start[..]
            && (self.end.is_empty() || row < &self.end[..])
    }
}

/// One family in one region.
pub(crate) struct FamilyStore {
    pub descriptor: FamilyDescriptor,
    pub keyspace: Keyspace,
    /// The generation that writes belong to now.
    pub generation: Generation,
    /// What earlier generations are in, oldest first.
    pub files: Vec<StoreFile>,
    pub(crate) memstore: Mutex<Memstore>,
    /// A major compaction was asked for when there was no file: the next compaction will be that one, as in HBase.
    pub owes_major_compaction: bool,
}

impl FamilyStore {
    pub fn new(
        descriptor: FamilyDescriptor,
        keyspace: Keyspace,
        generation: Generation,
        files: Vec<StoreFile>,
        memstore: Memstore,
    ) -> Self {
        Self {
            descriptor,
            keyspace,
            generation,
            files,
            memstore: Mutex::new(memstore),
            owes_major_compaction: false,
        }
    }

    pub fn memstore(&self) -> MutexGuard<'_, Memstore> {
        self.memstore.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The same store with another generation and other files, and nothing in memory.
    pub fn flushed(&self, generation: Generation, files: Vec<StoreFile>) -> Self {
        Self {
            descriptor: self.descriptor.clone(),
            keyspace: self.keyspace.clone(),
            generation,
            files,
            memstore: Mutex::default(),
            owes_major_compaction: self.owes_major_compaction,
        }
    }

    /// The same store in every respect.
    pub fn copy(&self) -> Self {
        let memstore = Mutex::new(self.memstore().clone());
        Self { memstore, ..self.flushed(self.generation, self.files.clone()) }
    }
}

impl std::fmt::Debug for FamilyStore {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("FamilyStore")
            .field("descriptor", &self.descriptor)
            .field("generation", &self.generation)
            .field("files", &self.files)
            .finish_non_exhaustive()
    }
}

impl std::fmt::Debug for Memstore {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Memstore")
            .field("bytes", &self.bytes)
            .field("rows", &self.seen.len())
            .finish_non_exhaustive()
    }
}

/// What was written in the present generation: enough to know which rows a flush must look at.
#[derive(Clone, Default)]
pub(crate) struct Memstore {
    /// Bytes written.
    pub bytes: u64,
    /// Hashes of the rows written.
    seen: BTreeSetOfHashes,
    /// Rows in which a flush may find something to remove: written more than once, deleted from, or with a time to live.
    suspects: BTreeSet<Bytes>,
    /// Written by an earlier process: what was written is not known.
    pub unknown: bool,
}

type BTreeSetOfHashes = std::collections::HashSet<u64, std::hash::BuildHasherDefault<AlreadyHashed>>;

/// The keys are hashes already.
#[derive(Clone, Copy, Default)]
pub(crate) struct AlreadyHashed(u64);

impl std::hash::Hasher for AlreadyHashed {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, _: &[u8]) {}

    fn write_u64(&mut self, hash: u64) {
        self.0 = hash;
    }
}

/// More rows than this are not remembered: the generation ends by itself.
const MAX_SEEN_ROWS: usize = 1_000_000;
const MAX_SUSPECT_ROWS: usize = 100_000;

impl Memstore {
    /// What a store begins with that an earlier process may have written to.
    pub fn unknown() -> Self {
        Self { unknown: true, ..Self::default() }
    }

    /// Takes note of a row that is written.
    pub fn note(&mut self, row: &Bytes, row_hash: u64, bytes: u64, suspect: bool) {
        self.bytes += bytes;
        let again = !self.seen.insert(row_hash);
        if again || suspect {
            self.suspects.insert(row.clone());
        }
    }

    pub fn is_empty(&self) -> bool {
        self.seen.is_empty() && !self.unknown
    }

    /// Whether the generation should end by itself.
    pub fn is_full(&self, flush_bytes: u64) -> bool {
        self.bytes >= flush_bytes
            || self.seen.len() >= MAX_SEEN_ROWS
            || self.suspects.len() >= MAX_SUSPECT_ROWS
    }

    pub fn suspects(&self) -> &BTreeSet<Bytes> {
        &self.suspects
    }
}
