//! The files of a store, and which of them changed.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// The files of a store and what is in them.
pub type Files = BTreeMap<PathBuf, Vec<u8>>;

/// Files that differ. Manifests that `current` no longer names hold nothing: the storage below removes them as it goes
/// from keyspace to keyspace, until it comes to one that it cannot open.
pub fn changed_files(before: &Files, after: &Files) -> Vec<PathBuf> {
    let is_old_manifest = |path: &Path| {
        let number = path.file_name().and_then(|name| name.to_str()?.strip_prefix('v')?.parse::<u64>().ok());
        let current = before.get(&path.with_file_name("current")).and_then(|current| current.first_chunk());
        number.is_some() && current.is_some_and(|current| number != Some(u64::from_le_bytes(*current)))
    };
    let paths: BTreeSet<&PathBuf> = before.keys().chain(after.keys()).collect();
    let changed = paths.into_iter().filter(|path| before.get(*path) != after.get(*path));
    changed.filter(|path| !is_old_manifest(path) || after.contains_key(*path)).cloned().collect()
}

/// The files of a store and what is in them.
pub fn files_of(dir: &Path) -> Files {
    let mut files = BTreeMap::new();
    let mut dirs = vec![dir.to_owned()];
    while let Some(next) = dirs.pop() {
        for entry in fs::read_dir(next).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                dirs.push(path);
            } else {
                let content = fs::read(&path).unwrap();
                // The zeros of a new journal are not worth keeping.
                let used = content.iter().rposition(|byte| *byte != 0).map_or(0, |last| last + 1);
                let keep = if content.len() >= 64 << 20 { used } else { content.len() };
                files.insert(path.strip_prefix(dir).unwrap().to_owned(), content[..keep].to_vec());
            }
        }
    }
    files
}
