//! Which format a file has: its first bytes say it, or its name where they do not.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use super::super::ProfileError;
use super::super::error::Misfit;

/// A format of data files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// Separated values with a header.
    Csv,
    /// One JSON object a line.
    JsonLines,
    /// Columns in pages.
    Parquet,
}

/// The format of a file. Refuses what is no file, is empty, or is text in another encoding.
pub fn of(path: &Path) -> Result<Format, ProfileError> {
    let read = |error| ProfileError::Read { path: path.to_owned(), error };
    if std::fs::metadata(path).map_err(read)?.is_dir() {
        return Err(ProfileError::Directory(path.to_owned()));
    }
    let mut first = Vec::new();
    File::open(path).map_err(read)?.take(FIRST_BYTES).read_to_end(&mut first).map_err(read)?;
    if first.trim_ascii().is_empty() {
        return Err(ProfileError::Empty(path.to_owned()));
    }
    if first.starts_with(b"PAR1") {
        return Ok(Format::Parquet);
    }
    if first.starts_with(&[0xFF, 0xFE]) || first.starts_with(&[0xFE, 0xFF]) {
        return Err(refused(path, "this text is UTF-16", "UTF-8: save the file in that encoding"));
    }
    // gzip, Zstandard, zip, bzip2, xz.
    let magics: [&[u8]; 5] = [b"\x1F\x8B", b"\x28\xB5\x2F\xFD", b"PK\x03\x04", b"BZh", b"\xFD7zXZ"];
    if magics.iter().any(|magic| first.starts_with(magic)) {
        return Err(refused(path, "this file is compressed", "CSV, JSON lines or Parquet: unpack it first"));
    }
    if has_ending(path, &["parquet"]) {
        return Err(refused(path, "this is not a Parquet file", "a file that begins with PAR1"));
    }
    if first.contains(&0) {
        return Err(refused(path, "this is a binary file", "CSV, JSON lines or Parquet"));
    }
    Ok(match first_character(&first) {
        Some(b'{') if !has_ending(path, &["csv", "tsv", "txt"]) => Format::JsonLines,
        Some(b'[') if has_ending(path, JSON_ENDINGS) => {
            return Err(refused(
                path,
                "this is one JSON array",
                "JSON lines: one object a line, without [ ] around them",
            ));
        }
        _ if has_ending(path, JSON_ENDINGS) => Format::JsonLines,
        _ => Format::Csv,
    })
}

const JSON_ENDINGS: &[&str] = &["jsonl", "ndjson", "json"];

fn first_character(first: &[u8]) -> Option<u8> {
    let text = first.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(first);
    text.trim_ascii_start().first().copied()
}

fn has_ending(path: &Path, endings: &[&str]) -> bool {
    let ending = path.extension().map(|ending| ending.to_string_lossy().to_lowercase()).unwrap_or_default();
    endings.contains(&ending.as_str())
}

/// As much as is looked at.
const FIRST_BYTES: u64 = 4_096;

fn refused(path: &Path, message: &str, expected: &str) -> ProfileError {
    let misfit = Misfit {
        line: 1,
        column: 1,
        text: String::new(),
        message: message.to_owned(),
        expected: expected.to_owned(),
    };
    ProfileError::Shape { path: path.to_owned(), misfit: Box::new(misfit) }
}
