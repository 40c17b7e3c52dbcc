//! Whether the files of one keyspace are whole: `current`, the manifest it names, and the table files that one names.
//!
//! ```text
//! current   manifest number u64   xxh3-128 of the manifest u128   0
//! manifest  an archive; its section `tables`: levels u8, runs u8, table files u32, for each:
//!           number u64   0   xxh3-128 of the file u128   sequence number u64
//! ```

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::Path;

use tablesmith_store::StoreError;
use xxhash_rust::xxh3::{Xxh3, xxh3_128};

use super::Damage;
use super::layout::{CURRENT, TABLES, cannot_read, table_files};

const CURRENT_BYTES: usize = 8 + 16 + 1;

/// How far table files are looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Depth {
    /// They are there. Their blocks have checksums of their own, which every read checks.
    Quick,
    /// Every byte is as it was written.
    Full,
}

/// Whether a keyspace was completely created and its removal was not begun.
pub(crate) fn is_initialized(dir: &Path) -> bool {
    dir.join(CURRENT).exists()
}

/// Finds what is damaged in a keyspace.
pub(crate) fn check(id: u64, dir: &Path, depth: Depth) -> Result<Vec<Damage>, StoreError> {
    let tables = match read_manifest(id, dir)? {
        Ok(tables) => tables,
        Err(damage) => return Ok(vec![damage]),
    };
    let existing: BTreeSet<u64> = table_files(dir)?.into_iter().map(|(number, _)| number).collect();
    let mut damages = Vec::new();
    for (number, checksum) in tables {
        let path = dir.join(TABLES).join(number.to_string());
        if !existing.contains(&number) {
            damages.push(Damage::of_keyspace(id, &path, "the table file is missing"));
        } else if depth == Depth::Full {
            match file_checksum(&path) {
                Ok(found) if found == checksum => {}
                Ok(_) => damages.push(Damage::of_keyspace(
                    id,
                    &path,
                    "the checksum of the table file does not match",
                )),
                Err(error) => {
                    damages.push(Damage::of_keyspace(id, &path, format!("cannot be read: {error}")))
                }
            }
        }
    }
    Ok(damages)
}

/// Number and checksum of every table file that the valid manifest names. The outer error is one of the operating system, the inner one is damage.
fn read_manifest(id: u64, dir: &Path) -> Result<Result<Vec<(u64, u128)>, Damage>, StoreError> {
    let damage = |path: &Path, problem: &str| Ok(Err(Damage::of_keyspace(id, path, problem)));
    let current_path = dir.join(CURRENT);
    let Some(current) = read_small(&current_path)? else {
        return damage(&current_path, "the file is missing");
    };
    let Ok(current): Result<[u8; CURRENT_BYTES], _> = current.try_into() else {
        return damage(&current_path, "the file has the wrong length");
    };
    let (Some(number), Some(checksum)) = (le_u64(current.get(..8)), le_u128(current.get(8..24))) else {
        return damage(&current_path, "the file has the wrong length");
    };
    let path = dir.join(format!("v{number}"));
    let Some(bytes) = read_small(&path)? else {
        return damage(&path, "the manifest is missing (or `current` beside it is damaged)");
    };
    if xxh3_128(&bytes) != checksum || current.last() != Some(&0) {
        return damage(&path, "the checksum of the manifest (or `current` beside it) does not match");
    }
    match manifest_tables(&bytes) {
        Some(tables) => Ok(Ok(tables)),
        None => damage(&path, "the manifest cannot be read"),
    }
}

/// A file that is never large; `None` when it is missing.
fn read_small(path: &Path) -> Result<Option<Vec<u8>>, StoreError> {
    match fs::read(path) {
        Ok(bytes) => Ok(Some(bytes)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(cannot_read(path, &error)),
    }
}

fn manifest_tables(bytes: &[u8]) -> Option<Vec<(u64, u128)>> {
    let archive = sfa::Reader::from_reader(&mut io::Cursor::new(bytes)).ok()?;
    let section = archive.toc().section(b"tables")?;
    let begin = usize::try_from(section.pos()).ok()?;
    let mut rest = bytes.get(begin..begin.checked_add(usize::try_from(section.len()).ok()?)?)?;
    let mut tables = Vec::new();
    let [levels] = array(&mut rest)?;
    for _ in 0..levels {
        let [runs] = array(&mut rest)?;
        for _ in 0..runs {
            let count = u32::from_le_bytes(array(&mut rest)?);
            for _ in 0..count {
                let number = u64::from_le_bytes(array(&mut rest)?);
                let [_checksum_kind] = array(&mut rest)?;
                let checksum = u128::from_le_bytes(array(&mut rest)?);
                let _sequence_number: [u8; 8] = array(&mut rest)?;
                tables.push((number, checksum));
            }
        }
    }
    Some(tables)
}

fn array<const N: usize>(rest: &mut &[u8]) -> Option<[u8; N]> {
    let (first, behind) = rest.split_first_chunk::<N>()?;
    *rest = behind;
    Some(*first)
}

fn le_u64(bytes: Option<&[u8]>) -> Option<u64> {
    bytes?.try_into().ok().map(u64::from_le_bytes)
}

fn le_u128(bytes: Option<&[u8]>) -> Option<u128> {
    bytes?.try_into().ok().map(u128::from_le_bytes)
}

fn file_checksum(path: &Path) -> io::Result<u128> {
    let mut file = File::open(path)?;
    let mut digest = Xxh3::new();
    let mut buffer = vec![0; 256 << 10];
    loop {
        match file.read(&mut buffer)? {
            0 => return Ok(digest.digest128()),
            bytes => digest.update(buffer.get(..bytes).unwrap_or_default()),
        }
    }
}
