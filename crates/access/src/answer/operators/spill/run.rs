//! Rows in a temporary file, written once and read once.
//!
//! ```text
//!   0        4          4 + length
//!   │ length │ row      │ length │ row …     length: big-endian; row: see `codec`
//! ```

use std::fs::File;
use std::io::{BufReader, BufWriter, ErrorKind, Read, Seek, Write};
use std::path::Path;
use std::sync::Arc;

use super::codec::{decode, encode};
use crate::answer::error::AnswerError;
use crate::answer::operators::Row;

/// Rows in a file that goes away with it.
pub struct Run {
    file: BufReader<File>,
    directory: Arc<Path>,
    bytes: Vec<u8>,
}

impl Run {
    /// Writes rows to a new file in a directory.
    pub fn write(
        directory: &Arc<Path>,
        rows: impl Iterator<Item = Result<Row, AnswerError>>,
    ) -> Result<Self, AnswerError> {
        let failed = |source| failed(directory, source);
        let mut file = BufWriter::new(tempfile::tempfile_in(directory).map_err(failed)?);
        let mut bytes = Vec::new();
        for row in rows {
            bytes.clear();
            encode(&row?, &mut bytes);
            let length = u32::try_from(bytes.len()).map_err(|_| failed(too_long()))?;
            file.write_all(&length.to_be_bytes()).and_then(|()| file.write_all(&bytes)).map_err(failed)?;
        }
        let mut file = file.into_inner().map_err(|error| failed(error.into_error()))?;
        file.rewind().map_err(failed)?;
        Ok(Self { file: BufReader::new(file), directory: Arc::clone(directory), bytes })
    }

    /// The next row.
    pub fn next(&mut self) -> Result<Option<Row>, AnswerError> {
        let mut length = [0; 4];
        match self.file.read_exact(&mut length) {
            Err(error) if error.kind() == ErrorKind::UnexpectedEof => return Ok(None),
            read => read.map_err(|source| failed(&self.directory, source))?,
        }
        self.bytes.resize(u32::from_be_bytes(length) as usize, 0);
        self.file.read_exact(&mut self.bytes).map_err(|source| failed(&self.directory, source))?;
        let row = decode(&self.bytes).map(Some);
        row.ok_or_else(|| failed(&self.directory, ErrorKind::InvalidData.into()))
    }
}

fn failed(directory: &Path, source: std::io::Error) -> AnswerError {
    AnswerError::Spill { directory: directory.to_owned(), source }
}

fn too_long() -> std::io::Error {
    std::io::Error::new(ErrorKind::FileTooLarge, "a row has more than 4 GB")
}
