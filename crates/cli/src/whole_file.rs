//! Writes files that are there as a whole or not at all.

use std::io::Write;
use std::path::Path;

use tempfile::NamedTempFile;

use crate::failure::Failure;

/// Writes a text; what was in the file before is kept until all of it is there.
pub fn write(path: &Path, text: &str) -> Result<(), Failure> {
    let failed = |error| Failure::CannotWrite { path: path.to_owned(), error };
    let directory = path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let mut file = NamedTempFile::with_prefix_in(".tablesmith-", directory).map_err(failed)?;
    file.write_all(text.as_bytes()).map_err(failed)?;
    file.persist(path).map_err(|error| failed(error.error))?;
    Ok(())
}
