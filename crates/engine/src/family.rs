//! One family in one region: HBase's *store*, with its memstore and files.
//!
//! The cells themselves are all in one keyspace for the family, whatever their region and whether HBase would have
//! them in memory or in a file. What tells them apart is the *generation* in their key: every flush ends one. So a flush
//! rewrites nothing; it only removes what HBase's flush would not have written, among the rows where that can be.

use std::collections::BTreeSet;
use std::sync::{Mutex, MutexGuard, PoisonError};

use bytes::Bytes;
use fjall::Keyspace;
use serde::{Deserialize, Serialize};
use tablesmith_model::FamilyDescriptor;

use crate::key::Generation;

/// The generations that one file covers, both included.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct FileSpan {
    pub first: Generation,
    pub last: Generation,
}

impl FileSpan {
    pub fn contains(&self, generation: Generation) -> bool {
        (self.first..=self.last).contains(&generation)
    }
}

/// One family in one region.
pub(crate) struct FamilyStore {
    pub descriptor: FamilyDescriptor,
    pub keyspace: Keyspace,
    /// The generation that writes belong to now.
    pub generation: Generation,
    /// What earlier generations are in, oldest first.
    pub files: Vec<FileSpan>,
    pub(crate) memstore: Mutex<Memstore>,
}

impl FamilyStore {
    pub fn new(
        descriptor: FamilyDescriptor,
        keyspace: Keyspace,
        generation: Generation,
        files: Vec<FileSpan>,
        memstore: Memstore,
    ) -> Self {
        Self { descriptor, keyspace, generation, files, memstore: Mutex::new(memstore) }
    }

    pub fn memstore(&self) -> MutexGuard<'_, Memstore> {
        self.memstore.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The same store with another generation and other files, and nothing in memory.
    pub fn flushed(&self, generation: Generation, files: Vec<FileSpan>) -> Self {
        Self {
            descriptor: self.descriptor.clone(),
            keyspace: self.keyspace.clone(),
            generation,
            files,
            memstore: Mutex::default(),
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

    /// Whether rows were written in which a flush finds nothing to remove.
    pub fn has_plain_rows(&self) -> bool {
        self.seen.len() > self.suspects.len()
    }

    pub fn suspects(&self) -> &BTreeSet<Bytes> {
        &self.suspects
    }
}
