//! Reads a `design.toml`, or opens it for changes.

use std::path::{Path, PathBuf};

use tablesmith_model::design::{Design, DesignFile};
use tablesmith_model::workload::Workload;

use crate::AppError;
use crate::input_file::{self, InputKind};
use crate::{relative_path, workload_file};

/// The design in a file.
pub fn read(path: &Path) -> Result<Design, AppError> {
    let text = text(path)?;
    Design::parse(&text).map_err(|error| workload_file::problems(path, &text, &error.problems))
}

/// The design in a file, which must go with a workload.
pub fn read_for(path: &Path, workload: &Workload) -> Result<Design, AppError> {
    let text = text(path)?;
    Design::parse_for(&text, workload).map_err(|error| workload_file::problems(path, &text, &error.problems))
}

/// The design in a file, and the workload that it names, which it must go with.
pub fn read_both(path: &Path) -> Result<(Design, Workload), AppError> {
    let workload = workload_file::read(&workload_path(path, &read(path)?))?;
    Ok((read_for(path, &workload)?, workload))
}

/// Where the workload of a design lies.
pub fn workload_path(path: &Path, design: &Design) -> PathBuf {
    path.parent().unwrap_or(Path::new("")).join(&design.workload)
}

/// The design in a file, held against its workload where that is at hand.
pub fn read_with_workload(path: &Path) -> Result<Design, AppError> {
    let design = read(path)?;
    let workload = workload_path(path, &design);
    if workload.is_file() { read_for(path, &workload_file::read(&workload)?) } else { Ok(design) }
}

/// The design in a file, or a new one for a workload when it is not there.
pub fn open(path: &Path, workload_path: &Path) -> Result<DesignFile, AppError> {
    if !path.exists() {
        let directory = path.parent().unwrap_or(Path::new(""));
        return Ok(DesignFile::new(&relative_path::from(directory, workload_path)));
    }
    let text = text(path)?;
    DesignFile::parse(&text).map_err(|error| workload_file::problems(path, &text, &error.problems))
}

/// Refuses a file that is something else than a design: it is not written over. A pipe or a device is: there is nothing
/// in it to lose, and reading it may never end.
pub fn check_replaced(path: &Path) -> Result<(), AppError> {
    if path.metadata().is_ok_and(|existing| !existing.is_file()) {
        return Ok(());
    }
    let is_design = match input_file::read(path, InputKind::Design) {
        Ok(text) => {
            text.is_empty() || str::from_utf8(&text).is_ok_and(|text| DesignFile::parse(text).is_ok())
        }
        // No design is as long.
        Err(AppError::TooLong { .. }) => false,
        // What cannot be read is no reason: whether it can be written shows when it is.
        Err(_) => true,
    };
    if is_design {
        return Ok(());
    }
    Err(AppError::NoDesign(path.to_owned()))
}

fn text(path: &Path) -> Result<String, AppError> {
    input_file::read_text(path, InputKind::Design)
}

#[cfg(unix)]
#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_device_is_not_read_before_it_is_written() {
        check_replaced(Path::new("/dev/zero")).unwrap();
    }
}
