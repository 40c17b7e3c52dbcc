//! Files that commands read as a whole, up to a limit for each kind. What is longer is another kind of file, or a device
//! without an end, and would only fill the memory.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use crate::failure::Failure;

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
}

impl InputKind {
    /// The longest that is read, in MiB.
    fn mebibytes_max(self) -> u64 {
        match self {
            Self::Script => 256,
            Self::Workload | Self::Design | Self::Evidence => 64,
            Self::Calibration => 1,
        }
    }

    fn name(self) -> &'static str {
        match self {
            Self::Script => "scripts",
            Self::Workload => "workloads",
            Self::Design => "designs",
            Self::Evidence => "evidence",
            Self::Calibration => "calibrations",
        }
    }

    /// What to do about a file that is too long.
    fn advice(self) -> &'static str {
        match self {
            Self::Script => {
                "divide it into several files, which run in one session when they are named together"
            }
            Self::Workload | Self::Design | Self::Evidence | Self::Calibration => {
                "is it the file that you meant?"
            }
        }
    }
}

/// The bytes of a file.
pub fn read(path: &Path, kind: InputKind) -> Result<Vec<u8>, Failure> {
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
pub fn read_text(path: &Path, kind: InputKind) -> Result<String, Failure> {
    String::from_utf8(read(path, kind)?).map_err(|_| {
        // As the standard library says it of a file that is read as text.
        let error = io::Error::new(io::ErrorKind::InvalidData, "stream did not contain valid UTF-8");
        cannot_read(path, kind, error)
    })
}

/// All bytes of something that is already open; the path is only for messages.
pub fn read_from(source: impl Read, path: &Path, kind: InputKind) -> Result<Vec<u8>, Failure> {
    read_up_to_limit(source, Vec::new(), path, kind)
}

fn read_up_to_limit(
    source: impl Read,
    mut bytes: Vec<u8>,
    path: &Path,
    kind: InputKind,
) -> Result<Vec<u8>, Failure> {
    let bytes_max = kind.mebibytes_max() << 20;
    let read = source.take(bytes_max + 1).read_to_end(&mut bytes);
    read.map_err(|error| cannot_read(path, kind, error))?;
    if bytes.len() as u64 > bytes_max { Err(too_long(path, kind)) } else { Ok(bytes) }
}

fn cannot_read(path: &Path, kind: InputKind, error: io::Error) -> Failure {
    let path = path.to_owned();
    match kind {
        InputKind::Script => Failure::Script { path, error },
        _ => Failure::Input { path, error },
    }
}

fn too_long(path: &Path, kind: InputKind) -> Failure {
    let (path, name, limit, advice) = (path.display(), kind.name(), kind.mebibytes_max(), kind.advice());
    Failure::BadFile(format!("{path} is longer than {limit} MiB, the limit for {name}: {advice}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_has_no_end_is_refused_at_the_limit() {
        let error = read_from(io::repeat(0), Path::new("x.toml"), InputKind::Calibration).unwrap_err();
        let Failure::BadFile(message) = error else { panic!("{error:?}") };
        assert!(message.contains("x.toml is longer than 1 MiB, the limit for calibrations"), "{message}");
    }

    #[test]
    fn what_is_as_long_as_the_limit_is_read() {
        let whole = io::repeat(b'#').take(1 << 20);
        assert_eq!(read_from(whole, Path::new("x"), InputKind::Calibration).unwrap().len(), 1 << 20);
    }
}
