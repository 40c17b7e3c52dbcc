//! Evidence in files: as JSON, and as a page with pictures.

use std::path::PathBuf;

use tablesmith_model::evidence::Evidence;

use crate::{AppError, output_file};

/// Where evidence is written.
#[derive(Clone, Debug, Default)]
pub struct EvidenceFiles {
    /// The file for all of it, as JSON.
    pub evidence: Option<PathBuf>,
    /// The file for a page with pictures, as HTML.
    pub report: Option<PathBuf>,
}

impl EvidenceFiles {
    /// Refuses files that cannot be written, before anything is measured.
    pub fn check(&self) -> Result<(), AppError> {
        [&self.evidence, &self.report]
            .into_iter()
            .flatten()
            .try_for_each(|path| output_file::check_place(path))
    }

    /// Writes the files that are wanted.
    pub fn write(&self, evidence: &Evidence) -> Result<(), AppError> {
        if let Some(path) = &self.evidence {
            let json = serde_json::to_string(evidence).map_err(|error| AppError::Output(error.into()))?;
            output_file::write(path, &format!("{json}\n"))?;
        }
        if let Some(path) = &self.report {
            output_file::write(path, &tablesmith_report::page(evidence))?;
        }
        Ok(())
    }
}
