//! Files that commands read as a whole, up to a limit for each kind. What is longer is another kind of file, or a device
//! without an end, and would only fill the memory.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use crate::AppError;

/// What a file is read as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InputKind {
    /// Commands for the shell.
    Script,
    /// A `workload.toml`. One of 100,000 queries has about 10 MB.
    Workload,
    /// A `design.toml`.
    Design,
    /// What was measured, as JSON.
    Evidence,
    /// Unit costs of a store.
    Calibration,
    /// Rows, which are read one by one.
    Data,
}

impl InputKind {
    /// The longest that is read, in MiB.
    pub(crate) fn mebibytes_max(self) -> u64 {
        match self {
            Self::Script => 256,
            Self::Workload | Self::Design | Self::Evidence => 64,
            Self::Calibration => 1,
            Self::Data => u64::MAX >> 20,
        }
    }

    /// What a file of it is called in messages.
    pub(crate) fn article(self) -> &'static str {
        if self == Self::Script { "the script " } else { "" }
    }

    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Script => "scripts",
            Self::Workload => "workloads",
            Self::Design => "designs",
            Self::Evidence => "evidence",
            Self::Calibration => "calibrations",
            Self::Data => "data",
        }
    }

    /// What to do about a file that is too long.
    pub(crate) fn advice(self) -> &'static str {
        match self {
            Self::Script => {
                "divide it into several files, which run in one session when they are named together"
            }
            Self::Workload | Self::Design | Self::Evidence | Self::Calibration | Self::Data => {
                "is it the file that you meant?"
            }
        }
    }
}

/// The bytes of a file.
pub fn read(path: &Path, kind: InputKind) -> Result<Vec<u8>, AppError> {
    let file = File::open(path).map_err(|error| cannot_read(path, kind, error))?;
    // Devices and pipes have no length; how long they are shows when they are read.
    let bytes = file.metadata().map(|metadata| metadata.len()).unwrap_or(0);
    if bytes > kind.mebibytes_max() << 20 {
        return Err(too_long(path, kind));
    }
    // Read at once, a file takes no more memory than it has bytes.
    read_up_to_limit(file, Vec::with_capacity(usize::try_from(bytes).unwrap_or(0)), path, kind)
}

/// The text of a file.
pub fn read_text(path: &Path, kind: InputKind) -> Result<String, AppError> {
    String::from_utf8(read(path, kind)?).map_err(|_| {
        // As the standard library says it of a file that is read as text.
        let error = io::Error::new(io::ErrorKind::InvalidData, "stream did not contain valid UTF-8");
        cannot_read(path, kind, error)
    })
}

/// All bytes of something that is already open; the path is only for messages.
pub fn read_from(source: impl Read, path: &Path, kind: InputKind) -> Result<Vec<u8>, AppError> {
    read_up_to_limit(source, Vec::new(), path, kind)
}

fn read_up_to_limit(
    source: impl Read,
    mut bytes: Vec<u8>,
    path: &Path,
    kind: InputKind,
) -> Result<Vec<u8>, AppError> {
    let bytes_max = kind.mebibytes_max() << 20;
    let read = source.take(bytes_max + 1).read_to_end(&mut bytes);
    read.map_err(|error| cannot_read(path, kind, error))?;
    if bytes.len() as u64 > bytes_max { Err(too_long(path, kind)) } else { Ok(bytes) }
}

fn cannot_read(path: &Path, kind: InputKind, error: io::Error) -> AppError {
    AppError::Unreadable { kind, path: path.to_owned(), error }
}

fn too_long(path: &Path, kind: InputKind) -> AppError {
    AppError::TooLong { kind, path: path.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_has_no_end_is_refused_at_the_limit() {
        let error = read_from(io::repeat(0), Path::new("x.toml"), InputKind::Calibration).unwrap_err();
        let message = error.to_string();
        assert!(message.contains("x.toml is longer than 1 MiB, the limit for calibrations"), "{message}");
    }

    #[test]
    fn what_is_as_long_as_the_limit_is_read() {
        let whole = io::repeat(b'#').take(1 << 20);
        assert_eq!(read_from(whole, Path::new("x"), InputKind::Calibration).unwrap().len(), 1 << 20);
    }
}
