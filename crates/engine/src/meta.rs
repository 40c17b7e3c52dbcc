//! What the engine remembers of its tables: JSON records in a keyspace of their own.
//!
//! ```text
//! key                 record
//! format              {"version": 2}; version 1 had no checkpoint
//! numbers             {"reserved": N}: keyspaces were made and removed under sequence numbers below N
//! namespace/NAME      {}
//! table/NAME          one TableRecord: description, regions, generations
//! ```
//! A table is one record, so every change of it is one atomic write.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use bytes::Bytes;
use fjall::{Database, Keyspace, PersistMode, Readable};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use tablesmith_model::bytes_text::{from_text, to_text};
use tablesmith_model::{FamilyDescriptor, TableDescriptor, TableName};
use tablesmith_store::StoreError;

use crate::checkpoint::sync_dir;
use crate::error::{from_fjall, from_io_at, from_write};
use crate::family::{FilePart, StoreFile};
use crate::gate::WriteGate;
use crate::integrity::layout::KEYSPACES;
use crate::key::Generation;

/// The format of records and keys that this program writes.
pub(crate) const FORMAT_VERSION: u32 = 2;

const FORMAT_KEY: &str = "format";
const NUMBERS_KEY: &str = "numbers";
const NAMESPACE_PREFIX: &str = "namespace/";
const TABLE_PREFIX: &str = "table/";

#[derive(Debug, Serialize, Deserialize)]
struct FormatRecord {
    version: u32,
}

/// See [`Meta::reserve_numbers`].
#[derive(Debug, Serialize, Deserialize)]
struct NumbersRecord {
    reserved: u64,
}

#[derive(Debug, Serialize, Deserialize)]
struct NamespaceRecord {}

/// A table.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct TableRecord {
    pub id: u64,
    pub enabled: bool,
    pub attributes: BTreeMap<String, String>,
    pub families: Vec<FamilyRecord>,
    pub regions: Vec<RegionRecord>,
}

/// A family's description and where its cells are.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct FamilyRecord {
    pub name: String,
    pub keyspace: String,
    pub settings: BTreeMap<String, String>,
    pub attributes: BTreeMap<String, String>,
}

/// A region; it ends where the next one starts.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct RegionRecord {
    pub id: i64,
    pub start: String,
    pub server: usize,
    pub stored_bytes: u64,
    /// By family name.
    pub families: BTreeMap<String, GenerationRecord>,
}

/// How far the flushes of a family in a region are.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct GenerationRecord {
    pub generation: Generation,
    pub files: Vec<FileRecord>,
}

/// A file.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct FileRecord {
    pub parts: Vec<PartRecord>,
    pub bytes: u64,
}

/// A part of a file: generations and rows.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct PartRecord {
    pub first: Generation,
    pub last: Generation,
    pub start: String,
    pub end: String,
}

impl FileRecord {
    pub fn new(file: &StoreFile) -> Self {
        let parts = file.parts.iter().map(|part| PartRecord {
            first: part.first,
            last: part.last,
            start: to_text(&part.start),
            end: to_text(&part.end),
        });
        Self { parts: parts.collect(), bytes: file.bytes }
    }

    pub fn file(&self) -> StoreFile {
        let parts = self.parts.iter().map(|part| FilePart {
            first: part.first,
            last: part.last,
            start: from_text(part.start.as_bytes()).into(),
            end: from_text(part.end.as_bytes()).into(),
        });
        StoreFile { parts: parts.collect(), bytes: self.bytes }
    }
}

impl FamilyRecord {
    pub fn new(family: &FamilyDescriptor, keyspace: &str) -> Self {
        Self {
            name: to_text(&family.name),
            keyspace: keyspace.to_owned(),
            settings: family.settings().into_iter().map(|(name, value)| (name.to_owned(), value)).collect(),
            attributes: family.attributes.clone(),
        }
    }

    pub fn descriptor(&self) -> Result<FamilyDescriptor, StoreError> {
        let mut family = FamilyDescriptor::new(from_text(self.name.as_bytes()));
        for (name, value) in &self.settings {
            family
                .set(name, value)
                .map_err(|error| StoreError::Corrupt(format!("a table's record is damaged: {error}")))?;
        }
        family.attributes = self.attributes.clone();
        Ok(family)
    }
}

impl TableRecord {
    pub fn descriptor(&self, name: TableName) -> Result<TableDescriptor, StoreError> {
        let families: Vec<_> =
            self.families.iter().map(FamilyRecord::descriptor).collect::<Result<_, _>>()?;
        let mut descriptor = TableDescriptor::new(name, families);
        descriptor.attributes = self.attributes.clone();
        Ok(descriptor)
    }
}

/// A record, or why it cannot be read.
type ReadRecord<T> = Result<T, StoreError>;

/// The keyspace of records.
#[derive(Clone)]
pub(crate) struct Meta {
    db: Database,
    dir: PathBuf,
    keyspace: Keyspace,
    gate: Arc<WriteGate>,
    /// Tables or namespaces changed since the store was opened.
    changed: Arc<AtomicBool>,
}

/// More sequence numbers than creating or removing one keyspace takes.
const NUMBERS_RESERVED: u64 = 100;

/// Name of that keyspace. Families' keyspaces begin with [`FAMILY_PREFIX`].
pub(crate) const META_KEYSPACE: &str = "meta";
/// How the keyspaces of families begin.
pub(crate) const FAMILY_PREFIX: &str = "family.";

impl Meta {
    /// Where the records are.
    pub fn keyspace(&self) -> &Keyspace {
        &self.keyspace
    }

    /// Opens the records; refuses those of a newer program, and a store that has cells but no records.
    pub fn open(db: &Database, dir: &Path, gate: Arc<WriteGate>) -> Result<Self, StoreError> {
        let is_new = !db.keyspace_exists(META_KEYSPACE);
        if is_new && !gate.is_read_only() {
            refuse_lost_records(db, dir)?;
            gate.pass(db)?;
        }
        let keyspace =
            db.keyspace(META_KEYSPACE, fjall::KeyspaceCreateOptions::default).map_err(from_fjall)?;
        if is_new && !gate.is_read_only() {
            // The storage below syncs what is in the directories of keyspaces, but not the entries that name them.
            let parent = dir.join(KEYSPACES);
            sync_dir(&parent).map_err(|error| from_io_at(&parent, &error))?;
        }
        let meta = Self { db: db.clone(), dir: dir.to_owned(), keyspace, gate, changed: Arc::default() };
        let format = meta.read::<FormatRecord>(FORMAT_KEY)?.map(|format| format.version);
        match format {
            Some(version) if version > FORMAT_VERSION => {
                return Err(StoreError::Corrupt(format!(
                    "the store was written in format {version}, this program reads up to {FORMAT_VERSION}: \
                     use a newer tablesmith, or another directory"
                )));
            }
            _ if meta.gate.is_read_only() || format == Some(FORMAT_VERSION) => {}
            None => {
                refuse_lost_records(db, dir)?;
                meta.write_format()?;
            }
            Some(_) => meta.write_format()?,
        }
        Ok(meta)
    }

    fn write_format(&self) -> Result<(), StoreError> {
        self.write(FORMAT_KEY, &FormatRecord { version: FORMAT_VERSION }, PersistMode::SyncAll)
    }

    /// Whether tables or namespaces changed since the store was opened.
    pub fn is_changed(&self) -> bool {
        self.changed.load(Ordering::Relaxed)
    }

    /// To be called before keyspaces are created or removed.
    ///
    /// The storage below numbers its writes, and finds the last number again in the journal and in the cells. The list of
    /// keyspaces is in neither: what was last written to it may have a higher number than the next thing written after
    /// opening. A keyspace created then could take the id of one that was removed, with a name older than the removal of
    /// that id, and would be gone with all its cells at the next opening. So the journal says how far numbers may have
    /// gone, and whoever creates or removes the next keyspace goes on from there.
    pub fn reserve_numbers(&self, keyspaces: usize) -> Result<(), StoreError> {
        if let Some(numbers) = self.read::<NumbersRecord>(NUMBERS_KEY)? {
            while self.db.seqno() < numbers.reserved {
                self.write(NUMBERS_KEY, &numbers, PersistMode::Buffer)?;
            }
        }
        let reserved = self.db.seqno() + NUMBERS_RESERVED * (keyspaces as u64).max(1);
        self.write(NUMBERS_KEY, &NumbersRecord { reserved }, PersistMode::SyncAll)
    }

    pub fn namespaces(&self) -> Result<Vec<String>, StoreError> {
        Ok(self.list::<NamespaceRecord>(NAMESPACE_PREFIX)?.into_iter().map(|(name, _)| name).collect())
    }

    pub fn put_namespace(&self, name: &str) -> Result<(), StoreError> {
        self.changed.store(true, Ordering::Relaxed);
        self.write(&format!("{NAMESPACE_PREFIX}{name}"), &NamespaceRecord {}, PersistMode::SyncAll)
    }

    pub fn remove_namespace(&self, name: &str) -> Result<(), StoreError> {
        self.remove(&format!("{NAMESPACE_PREFIX}{name}"))
    }

    /// All tables; `Err` in place of a record that cannot be read.
    pub fn tables(&self) -> Result<Vec<(TableName, ReadRecord<TableRecord>)>, StoreError> {
        let records = self.list::<TableRecord>(TABLE_PREFIX)?;
        records.into_iter().map(|(name, record)| Ok((name.parse::<TableName>()?, record))).collect()
    }

    /// Writes a table's record. What is acknowledged as an administrative command outlasts a power loss
    /// ([`PersistMode::SyncAll`]): above all, the record that no longer names a keyspace is on disk before the keyspace
    /// is removed.
    pub fn put_table(
        &self,
        name: &TableName,
        record: &TableRecord,
        durability: PersistMode,
    ) -> Result<(), StoreError> {
        self.changed.store(true, Ordering::Relaxed);
        self.write(&format!("{TABLE_PREFIX}{name}"), record, durability)
    }

    pub fn remove_table(&self, name: &TableName) -> Result<(), StoreError> {
        self.remove(&format!("{TABLE_PREFIX}{name}"))
    }

    fn list<T: DeserializeOwned>(&self, prefix: &str) -> Result<Vec<(String, ReadRecord<T>)>, StoreError> {
        let mut records = Vec::new();
        for guard in self.db.snapshot().prefix(&self.keyspace, prefix) {
            let (key, value) = guard.into_inner().map_err(from_fjall)?;
            let name = key.strip_prefix(prefix.as_bytes()).unwrap_or(&key);
            records.push((String::from_utf8_lossy(name).into_owned(), parse(&key, &value)));
        }
        Ok(records)
    }

    fn read<T: DeserializeOwned>(&self, key: &str) -> Result<Option<T>, StoreError> {
        let value = self.keyspace.get(key).map_err(from_fjall)?;
        value.map(|value| parse(key.as_bytes(), &value)).transpose()
    }

    fn write<T: Serialize>(&self, key: &str, record: &T, durability: PersistMode) -> Result<(), StoreError> {
        let value = serde_json::to_vec(record).map_err(|error| StoreError::Io(error.to_string()))?;
        self.gate.pass(&self.db)?;
        let mut batch = self.db.batch().durability(Some(durability));
        batch.insert(&self.keyspace, Bytes::copy_from_slice(key.as_bytes()), value);
        batch.commit().map_err(|error| from_write(&self.dir, error))
    }

    fn remove(&self, key: &str) -> Result<(), StoreError> {
        self.changed.store(true, Ordering::Relaxed);
        self.gate.pass(&self.db)?;
        let mut batch = self.db.batch().durability(Some(PersistMode::SyncAll));
        batch.remove(&self.keyspace, Bytes::copy_from_slice(key.as_bytes()));
        batch.commit().map_err(|error| from_write(&self.dir, error))
    }
}

/// A store without records is new. One that has the cells of families is not: its records were lost.
fn refuse_lost_records(db: &Database, dir: &Path) -> Result<(), StoreError> {
    match db.list_keyspace_names().iter().any(|name| name.starts_with(FAMILY_PREFIX)) {
        false => Ok(()),
        true => Err(StoreError::Corrupt(format!(
            "the store in {} has cells but no records of its tables: it is damaged, and nothing was changed; \
             `tablesmith store check` says what is wrong, `tablesmith store salvage` copies out what can be read",
            dir.display()
        ))),
    }
}

fn parse<T: DeserializeOwned>(key: &[u8], value: &[u8]) -> Result<T, StoreError> {
    serde_json::from_slice(value)
        .map_err(|error| StoreError::Corrupt(format!("the record {} is damaged: {error}", to_text(key))))
}
