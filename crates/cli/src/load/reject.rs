//! The file of rows that did not go in.

use std::fs::{File, OpenOptions};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use crate::failure::Failure;

/// A file that comes to be with the first row that does not go in: file, line, how many rows, reason.
pub struct Rejects {
    path: PathBuf,
    file: Option<BufWriter<File>>,
    failed: Option<io::Error>,
}

impl Rejects {
    pub fn to(path: &Path) -> Self {
        Self { path: path.to_owned(), file: None, failed: None }
    }

    /// Adds a row. What an earlier load that broke off has written stays.
    pub fn add(&mut self, file: &str, line: u64, rows: u64, reason: &str) {
        let written = self.open().and_then(|out| writeln!(out, "{file}\t{line}\t{rows}\t{reason}"));
        if let Err(error) = written {
            self.failed.get_or_insert(error);
        }
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
    pub fn end(&mut self) -> Result<(), Failure> {
        self.save();
        match self.failed.take() {
            None => Ok(()),
            Some(error) => Err(Failure::CannotWrite { path: self.path.clone(), error }),
        }
    }
}
