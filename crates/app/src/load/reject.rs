//! The file of rows that did not go in.

use std::collections::HashSet;
use std::fs::{File, OpenOptions};
use std::hash::{BuildHasher, BuildHasherDefault, DefaultHasher};
use std::io::{self, BufRead, BufReader, BufWriter, Write};
use std::path::{Path, PathBuf};

use crate::AppError;

/// A file that comes to be with the first row that does not go in: file, line, how many rows, reason.
pub struct Rejects {
    path: PathBuf,
    file: Option<BufWriter<File>>,
    /// The lines of an earlier load, as numbers: what it repeats after it broke off is not written twice.
    before: HashSet<u64>,
    failed: Option<io::Error>,
}

impl Rejects {
    pub fn to(path: &Path) -> Self {
        Self { path: path.to_owned(), file: None, before: HashSet::new(), failed: None }
    }

    /// Adds a row. What an earlier load that broke off has written stays.
    pub fn add(&mut self, file: &str, line: u64, rows: u64, reason: &str) {
        let reason = reason.replace(['\n', '\r'], " ");
        if let Err(error) = self.write(&format!("{file}\t{line}\t{rows}\t{reason}")) {
            self.failed.get_or_insert(error);
        }
    }

    fn write(&mut self, line: &str) -> io::Result<()> {
        if self.file.is_none() {
            self.before = lines_of(&self.path)?;
        }
        let is_new = !self.before.contains(&number(line.as_bytes()));
        let out = self.open()?;
        if is_new { writeln!(out, "{line}") } else { Ok(()) }
    }

    fn open(&mut self) -> io::Result<&mut BufWriter<File>> {
        let file = match self.file.take() {
            Some(file) => file,
            None => BufWriter::new(OpenOptions::new().create(true).append(true).open(&self.path)?),
        };
        Ok(self.file.insert(file))
    }

    /// Writes what was added, so that a program that is killed has not lost it.
    pub fn save(&mut self) {
        if let Err(error) = self.file.as_mut().map_or(Ok(()), Write::flush) {
            self.failed.get_or_insert(error);
        }
    }

    /// Whether all that was added is in the file.
    pub fn end(&mut self) -> Result<(), AppError> {
        self.save();
        match self.failed.take() {
            None => Ok(()),
            Some(error) => Err(AppError::Unwritable { path: self.path.clone(), error }),
        }
    }
}

/// The lines of a file, if there is one.
fn lines_of(path: &Path) -> io::Result<HashSet<u64>> {
    match File::open(path) {
        Ok(file) => BufReader::new(file).split(b'\n').map(|line| Ok(number(&line?))).collect(),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(HashSet::new()),
        Err(error) => Err(error),
    }
}

fn number(line: &[u8]) -> u64 {
    BuildHasherDefault::<DefaultHasher>::default().hash_one(line)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_that_is_repeated_after_a_crash_stands_there_once() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("bad.tsv");
        for lines in [&[3, 7][..], &[7, 9]] {
            let mut rejects = Rejects::to(&path);
            lines.iter().for_each(|line| rejects.add("a.csv", *line, 1, "it is\nbad"));
            rejects.end().unwrap();
        }
        let text = std::fs::read_to_string(&path).unwrap();
        assert_eq!(text, "a.csv\t3\t1\tit is bad\na.csv\t7\t1\tit is bad\na.csv\t9\t1\tit is bad\n");
    }
}
