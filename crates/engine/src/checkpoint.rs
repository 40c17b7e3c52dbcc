//! What the journals held when the store was closed, or when it was first written to after that: `checkpoint.json`.
//!
//! A journal that ends too early looks like one that a crash cut off. The checkpoint tells them apart: a store that was
//! closed has exactly the journals that the checkpoint lists, and one that was being written to still begins with them.
//! The file is replaced before the first change of a process and after its last one.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::Path;

use serde::{Deserialize, Serialize};
use tablesmith_store::StoreError;

use crate::integrity::Damage;
use crate::integrity::journal::JournalScan;
use crate::integrity::layout::cannot_read;

/// Name of the file.
pub(crate) const FILE: &str = "checkpoint.json";
const VERSION: u32 = 1;

/// The file's content.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Checkpoint {
    version: u32,
    pub state: State,
    /// Batches behind what is listed have higher sequence numbers.
    pub seqno: u64,
    pub journals: Vec<JournalMark>,
    /// While the store is open: which run of the operating system it was opened in, where that is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    boot_id: Option<String>,
}

/// Whether a process had the store open for writing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum State {
    Open,
    Closed,
}

/// A journal up to its last whole batch.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct JournalMark {
    pub number: u64,
    pub bytes: u64,
    /// xxh3-64 of those bytes, in hexadecimal.
    pub checksum: String,
}

impl JournalMark {
    pub fn new(number: u64, scan: &JournalScan) -> Self {
        Self { number, bytes: scan.whole_bytes, checksum: format!("{:016x}", scan.checksum) }
    }

    /// The mark of a journal with nothing in it.
    pub fn empty(number: u64) -> Self {
        Self { number, bytes: 0, checksum: format!("{:016x}", xxhash_rust::xxh3::xxh3_64(&[])) }
    }

    /// Bytes and checksum, if the checksum can be read.
    pub fn beginning(&self) -> Option<(u64, u64)> {
        Some((self.bytes, u64::from_str_radix(&self.checksum, 16).ok()?))
    }
}

impl Checkpoint {
    pub fn new(state: State, seqno: u64, journals: Vec<JournalMark>) -> Self {
        let boot_id = if state == State::Open { boot_id() } else { None };
        Self { version: VERSION, state, seqno, journals, boot_id }
    }

    /// Whether the machine runs on since the store was opened: all that its process wrote is there, synced or not.
    pub fn is_of_this_boot(&self) -> bool {
        self.boot_id.is_some() && self.boot_id == boot_id()
    }

    /// Reads a directory's checkpoint. A store without one was written by a program that did not have them.
    pub fn read(dir: &Path) -> Result<Result<Option<Self>, Damage>, StoreError> {
        let path = dir.join(FILE);
        let bytes = match fs::read(&path) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Ok(None)),
            Err(error) => return Err(cannot_read(&path, &error)),
        };
        let damage = |problem: String| Ok(Err(Damage::new(&path, problem)));
        match serde_json::from_slice::<Self>(&bytes) {
            Err(error) => damage(format!("the checkpoint cannot be read: {error}")),
            Ok(checkpoint) if checkpoint.version != VERSION => {
                damage(format!("the checkpoint has version {}, not {VERSION}", checkpoint.version))
            }
            Ok(checkpoint) if checkpoint.journals.iter().any(|mark| mark.beginning().is_none()) => {
                damage("the checkpoint cannot be read: a checksum is no number".to_owned())
            }
            Ok(checkpoint) => Ok(Ok(Some(checkpoint))),
        }
    }

    /// Puts the checkpoint in place of the one before, so that it outlasts a power loss.
    pub fn write(&self, dir: &Path) -> io::Result<()> {
        let text = serde_json::to_vec(self).map_err(io::Error::other)?;
        replace_durably(dir, FILE, &text)
    }
}

/// What the kernel calls its present run; `None` where it does not say.
fn boot_id() -> Option<String> {
    let text = fs::read_to_string("/proc/sys/kernel/random/boot_id").ok()?;
    Some(text.trim().to_owned()).filter(|id| !id.is_empty())
}

/// Replaces a file of a directory by another content, at once and for good.
pub(crate) fn replace_durably(dir: &Path, name: &str, content: &[u8]) -> io::Result<()> {
    let mut file = tempfile::Builder::new().prefix(".tablesmith-").tempfile_in(dir)?;
    file.write_all(content)?;
    file.as_file().sync_all()?;
    file.persist(dir.join(name)).map_err(|error| error.error)?;
    sync_dir(dir)
}

/// Makes the entries of a directory outlast a power loss.
pub(crate) fn sync_dir(dir: &Path) -> io::Result<()> {
    File::open(dir)?.sync_all()
}
