//! A copy of a store that can be opened without touching the original: for reading a store that must not change.
//!
//! Journals and manifests are small and copied; table files are never written to and linked. The copy leaves out what
//! is damaged: a keyspace whose manifest or table files are not whole, and batches of a journal that cannot be read.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::{self, Read};
use std::path::Path;

use fjall::{Database, KeyspaceCreateOptions};
use lsm_tree::{AbstractTree, Guard, SeqNo, SequenceNumberCounter};
use tempfile::TempDir;

use crate::backup::Backup;
use crate::integrity::inspect::{Inspection, VERSION_CONTENT};
use crate::integrity::journal::{JournalEnd, readable_batches};
use crate::integrity::layout::{CURRENT, KEYSPACES, NAMES_KEYSPACE, TABLES, VERSION};

/// Makes the copy, in a temporary directory that is removed with the value.
pub(crate) fn copy(dir: &Path, inspection: &Inspection, backup: Option<&Backup>) -> io::Result<TempDir> {
    let copy = tempfile::Builder::new().prefix("tablesmith-read-").tempdir()?;
    let original = fs::canonicalize(dir)?;
    fs::write(copy.path().join(VERSION), VERSION_CONTENT)?;
    fs::write(copy.path().join("lock"), [])?;
    for journal in &inspection.journals {
        let to = copy.path().join(format!("{}.jnl", journal.number));
        if matches!(journal.scan.end, JournalEnd::Damaged(_)) || !journal.scan.begins_as_expected {
            fs::write(to, readable_batches(&journal.path)?.0)?;
        } else {
            let mut whole = fs::File::open(&journal.path)?.take(journal.scan.whole_bytes);
            io::copy(&mut whole, &mut fs::File::create(to)?)?;
        }
    }
    if inspection.journals.is_empty() {
        fs::write(copy.path().join("0.jnl"), [])?;
    }
    let damaged: BTreeSet<u64> = inspection.damage.iter().filter_map(|damage| damage.keyspace).collect();
    for (id, _) in inspection.keyspaces.iter().filter(|(id, _)| !damaged.contains(id)) {
        let name = id.to_string();
        let from = original.join(KEYSPACES).join(&name);
        if from.join(CURRENT).exists() {
            copy_tree(&from, &copy.path().join(KEYSPACES).join(name))?;
        }
    }
    if inspection.names.is_none() {
        let names_dir = copy.path().join(KEYSPACES).join(NAMES_KEYSPACE.to_string());
        write_names(&names_dir, backup).map_err(io::Error::other)?;
    }
    Ok(copy)
}

/// Writes the list of keyspaces from the second copy of the records, in place of one that cannot be read.
///
/// Beside its name a keyspace has settings in that list, in a form that only the storage below knows. Reading needs
/// none of them, so all get those of a keyspace that is created for the purpose.
fn write_names(names_dir: &Path, backup: Option<&Backup>) -> Result<(), fjall::Error> {
    const EXAMPLE_ID: u64 = 1;
    let example = tempfile::tempdir()?;
    drop(Database::builder(example.path()).open()?.keyspace("example", KeyspaceCreateOptions::default)?);
    let counter = SequenceNumberCounter::default;
    let example_names = example.path().join(KEYSPACES).join(NAMES_KEYSPACE.to_string());
    let settings = lsm_tree::Config::new(&example_names, counter(), counter()).open()?;
    let settings_prefix = |id: u64| [&b"c"[..], &id.to_be_bytes()].concat();
    let mut entries: BTreeMap<Vec<u8>, Vec<u8>> = BTreeMap::new();
    for (id, name) in backup.iter().flat_map(|backup| &backup.keyspaces) {
        entries.insert([&b"n"[..], &id.to_be_bytes()].concat(), name.clone().into_bytes());
        for guard in settings.prefix(settings_prefix(EXAMPLE_ID), SeqNo::MAX, None) {
            let (key, value) = guard.into_inner()?;
            let setting = key.strip_prefix(&settings_prefix(EXAMPLE_ID)[..]).unwrap_or_default();
            entries.insert([&settings_prefix(*id)[..], setting].concat(), value.to_vec());
        }
    }
    fs::create_dir_all(names_dir)?;
    let names = lsm_tree::Config::new(names_dir, counter(), counter()).open()?;
    let mut ingestion = names.ingestion()?;
    for (key, value) in entries {
        ingestion.write(key, value)?;
    }
    Ok(ingestion.finish()?)
}

/// Copies the files of one keyspace; table files are linked.
pub(crate) fn copy_tree(from: &Path, to: &Path) -> io::Result<()> {
    fs::create_dir_all(to.join(TABLES))?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        if entry.file_type()?.is_file() {
            fs::copy(entry.path(), to.join(entry.file_name()))?;
        }
    }
    for entry in fs::read_dir(from.join(TABLES))? {
        let entry = entry?;
        link(&fs::canonicalize(entry.path())?, &to.join(TABLES).join(entry.file_name()))?;
    }
    Ok(())
}

#[cfg(unix)]
fn link(original: &Path, link: &Path) -> io::Result<()> {
    std::os::unix::fs::symlink(original, link)
}

#[cfg(not(unix))]
fn link(original: &Path, link: &Path) -> io::Result<()> {
    fs::copy(original, link).map(|_| ())
}
