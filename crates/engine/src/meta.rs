//! What the engine remembers of its tables: JSON records in a keyspace of their own.
//!
//! ```text
//! key                 record
//! format              {"version": 1}
//! numbers             {"reserved": N}: keyspaces were made and removed under sequence numbers below N
//! namespace/NAME      {}
//! table/NAME          one TableRecord: description, regions, generations
//! ```
//! A table is one record, so every change of it is one atomic write.

use std::collections::BTreeMap;

use bytes::Bytes;
use fjall::{Database, Keyspace, PersistMode, Readable};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use tablesmith_model::bytes_text::{from_text, to_text};
use tablesmith_model::{FamilyDescriptor, TableDescriptor, TableName};
use tablesmith_store::StoreError;

use crate::error::from_fjall;
use crate::family::{FilePart, StoreFile};
use crate::key::Generation;

/// The format of records and keys that this program writes.
pub(crate) const FORMAT_VERSION: u32 = 1;

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

/// The keyspace of records.
#[derive(Clone)]
pub(crate) struct Meta {
    db: Database,
    keyspace: Keyspace,
}

/// More sequence numbers than making or removing one keyspace takes.
const NUMBERS_RESERVED: u64 = 100;

/// Name of that keyspace. Families' keyspaces begin with `family.`.
const META_KEYSPACE: &str = "meta";

impl Meta {
    /// Opens the records; refuses those of a newer program.
    pub fn open(db: &Database) -> Result<Self, StoreError> {
        let keyspace =
            db.keyspace(META_KEYSPACE, fjall::KeyspaceCreateOptions::default).map_err(from_fjall)?;
        let meta = Self { db: db.clone(), keyspace };
        match meta.read::<FormatRecord>(FORMAT_KEY)? {
            None => meta.write(FORMAT_KEY, &FormatRecord { version: FORMAT_VERSION })?,
            Some(format) if format.version > FORMAT_VERSION => {
                return Err(StoreError::Corrupt(format!(
                    "the store was written in format {}, this program reads up to {FORMAT_VERSION}: \
                     use a newer tablesmith, or another directory",
                    format.version
                )));
            }
            Some(_) => {}
        }
        meta.pass_reserved_numbers()?;
        Ok(meta)
    }

    /// To be called before a keyspace is made or removed.
    ///
    /// The storage below numbers its writes, and finds the last number again in the journal and in the cells. The list of
    /// keyspaces is in neither: what was last written to it may have a higher number than the next thing written after
    /// opening. A keyspace made then could take the id of one that was removed, with a name older than the removal of
    /// that id, and would be gone with all its cells at the next opening. So the journal says how far numbers may have
    /// gone, and opening goes on from there.
    pub fn reserve_numbers(&self) -> Result<(), StoreError> {
        self.write(NUMBERS_KEY, &NumbersRecord { reserved: self.db.seqno() + NUMBERS_RESERVED })
    }

    fn pass_reserved_numbers(&self) -> Result<(), StoreError> {
        let Some(numbers) = self.read::<NumbersRecord>(NUMBERS_KEY)? else { return Ok(()) };
        while self.db.seqno() < numbers.reserved {
            self.write(NUMBERS_KEY, &numbers)?;
        }
        Ok(())
    }

    pub fn namespaces(&self) -> Result<Vec<String>, StoreError> {
        Ok(self.list::<NamespaceRecord>(NAMESPACE_PREFIX)?.into_iter().map(|(name, _)| name).collect())
    }

    pub fn put_namespace(&self, name: &str) -> Result<(), StoreError> {
        self.write(&format!("{NAMESPACE_PREFIX}{name}"), &NamespaceRecord {})
    }

    pub fn remove_namespace(&self, name: &str) -> Result<(), StoreError> {
        self.remove(&format!("{NAMESPACE_PREFIX}{name}"))
    }

    pub fn tables(&self) -> Result<Vec<(TableName, TableRecord)>, StoreError> {
        let records = self.list::<TableRecord>(TABLE_PREFIX)?;
        records.into_iter().map(|(name, record)| Ok((name.parse::<TableName>()?, record))).collect()
    }

    pub fn put_table(&self, name: &TableName, record: &TableRecord) -> Result<(), StoreError> {
        self.write(&format!("{TABLE_PREFIX}{name}"), record)
    }

    pub fn remove_table(&self, name: &TableName) -> Result<(), StoreError> {
        self.remove(&format!("{TABLE_PREFIX}{name}"))
    }

    fn list<T: DeserializeOwned>(&self, prefix: &str) -> Result<Vec<(String, T)>, StoreError> {
        let mut records = Vec::new();
        for guard in self.db.snapshot().prefix(&self.keyspace, prefix) {
            let (key, value) = guard.into_inner().map_err(from_fjall)?;
            let name = key.strip_prefix(prefix.as_bytes()).unwrap_or(&key);
            records.push((String::from_utf8_lossy(name).into_owned(), parse(&key, &value)?));
        }
        Ok(records)
    }

    fn read<T: DeserializeOwned>(&self, key: &str) -> Result<Option<T>, StoreError> {
        let value = self.keyspace.get(key).map_err(from_fjall)?;
        value.map(|value| parse(key.as_bytes(), &value)).transpose()
    }

    fn write<T: Serialize>(&self, key: &str, record: &T) -> Result<(), StoreError> {
        let value = serde_json::to_vec(record).map_err(|error| StoreError::Io(error.to_string()))?;
        let mut batch = self.db.batch().durability(Some(PersistMode::Buffer));
        batch.insert(&self.keyspace, Bytes::copy_from_slice(key.as_bytes()), value);
        batch.commit().map_err(from_fjall)
    }

    fn remove(&self, key: &str) -> Result<(), StoreError> {
        let mut batch = self.db.batch().durability(Some(PersistMode::Buffer));
        batch.remove(&self.keyspace, Bytes::copy_from_slice(key.as_bytes()));
        batch.commit().map_err(from_fjall)
    }
}

fn parse<T: DeserializeOwned>(key: &[u8], value: &[u8]) -> Result<T, StoreError> {
    serde_json::from_slice(value)
        .map_err(|error| StoreError::Corrupt(format!("the record {} is damaged: {error}", to_text(key))))
}
