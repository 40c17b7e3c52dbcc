//! Where the pages of the demo go.

use std::path::{Path, PathBuf};

use crate::temporary::private_directory;
use crate::{AppError, data_directory, output_file};

/// The files of both pages.
pub struct Pages {
    /// About the designed tables.
    pub designs: PathBuf,
    /// About the column families of a wide table.
    pub families: PathBuf,
}

impl Pages {
    /// The files that were named, else files in a directory of the user's own: names in a directory that all users share
    /// could be somebody else's. A place that cannot be written to is refused before anything is measured.
    pub fn of(designs: Option<&Path>, families: Option<&Path>) -> Result<Self, AppError> {
        let own = match (designs, families) {
            (Some(_), Some(_)) => PathBuf::new(),
            _ => own_directory()?,
        };
        let file = |named: Option<&Path>, usual: &str| named.map_or_else(|| own.join(usual), Path::to_owned);
        let designs = file(designs, "tablesmith-demo-designs.html");
        let families = file(families, "tablesmith-demo.html");
        output_file::check_place(&designs)?;
        output_file::check_place(&families)?;
        Ok(Self { designs, families })
    }
}

/// The user's own directory for pages, or a new temporary one where there is none.
fn own_directory() -> Result<PathBuf, AppError> {
    data_directory::demo().or_else(|_| {
        let created = private_directory("tablesmith-demo-pages-", &std::env::temp_dir());
        let directory = created.map_err(AppError::System)?;
        Ok(directory.keep())
    })
}
