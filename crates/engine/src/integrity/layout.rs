//! The names in a store's directory, and what does not belong there.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use tablesmith_store::StoreError;

pub(crate) const VERSION: &str = "version";
pub(crate) const KEYSPACES: &str = "keyspaces";
pub(crate) const CURRENT: &str = "current";
pub(crate) const TABLES: &str = "tables";
pub(crate) const ORPHANS: &str = "orphans";
const JOURNAL_EXTENSION: &str = "jnl";

/// The keyspace in which fjall keeps the names of the others.
pub(crate) const NAMES_KEYSPACE: u64 = 0;

/// What a store's directory has in it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Layout {
    /// Journals by number, oldest first.
    pub journals: Vec<(u64, PathBuf)>,
    /// Keyspaces by id.
    pub keyspaces: Vec<(u64, PathBuf)>,
    pub has_version: bool,
}

impl Layout {
    /// Lists a directory. Names that the storage below would stumble over are errors that name the path.
    pub fn read(dir: &Path) -> Result<Self, StoreError> {
        let mut layout = Self::default();
        for entry in list(dir)? {
            let Some(name) = entry.name else { return Err(stranger(&entry.path)) };
            let path = Path::new(&name);
            if path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case(JOURNAL_EXTENSION)) {
                let number = name.strip_suffix(".jnl").and_then(number);
                match number {
                    Some(number) if entry.kind.is_file() => layout.journals.push((number, entry.path)),
                    _ => return Err(stranger(&entry.path)),
                }
            } else if name == VERSION {
                layout.has_version = true;
            }
        }
        for entry in list(&dir.join(KEYSPACES))?.into_iter().filter(|entry| !entry.kind.is_file()) {
            match entry.name.as_deref().and_then(number) {
                Some(id) => layout.keyspaces.push((id, entry.path)),
                None => return Err(stranger(&entry.path)),
            }
        }
        layout.journals.sort();
        layout.keyspaces.sort();
        Ok(layout)
    }
}

/// The table files of a keyspace, by number.
pub(crate) fn table_files(keyspace: &Path) -> Result<Vec<(u64, PathBuf)>, StoreError> {
    let mut tables = Vec::new();
    for entry in list(&keyspace.join(TABLES))? {
        let name = entry.name.as_deref();
        // What macOS leaves in directories, and the storage below passes over.
        if name.is_some_and(|name| name == ".DS_Store" || name.starts_with("._")) {
            continue;
        }
        match name.and_then(number) {
            Some(number) if !entry.kind.is_dir() => tables.push((number, entry.path)),
            _ => return Err(stranger(&entry.path)),
        }
    }
    Ok(tables)
}

struct Entry {
    path: PathBuf,
    /// `None` when it is not UTF-8.
    name: Option<String>,
    kind: fs::FileType,
}

/// The entries of a directory; none where there is no directory.
fn list(dir: &Path) -> Result<Vec<Entry>, StoreError> {
    let entries = match fs::read_dir(dir) {
        Ok(entries) => entries,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(cannot_read(dir, &error)),
    };
    let entry = |entry: io::Result<fs::DirEntry>| {
        let entry = entry?;
        let name = entry.file_name().into_string().ok();
        Ok(Entry { path: entry.path(), name, kind: entry.file_type()? })
    };
    entries.map(|found| entry(found).map_err(|error| cannot_read(dir, &error))).collect()
}

/// A decimal number as the storage below writes it.
fn number(text: &str) -> Option<u64> {
    text.parse().ok().filter(|number: &u64| number.to_string() == text)
}

fn stranger(path: &Path) -> StoreError {
    StoreError::Io(format!(
        "{} does not belong to the store: move it elsewhere, then open the store again (nothing was changed)",
        path.display()
    ))
}

pub(crate) fn cannot_read(path: &Path, error: &io::Error) -> StoreError {
    StoreError::Io(format!("cannot read {}: {error}", path.display()))
}
