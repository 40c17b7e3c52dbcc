//! `--evidence FILE` and `--report FILE`: what was measured as JSON, and as a page with pictures.

use std::io::{self, Write};
use std::path::PathBuf;

use clap::Args;
use tablesmith_model::evidence::Evidence;

use crate::failure::Failure;
use crate::output_file;

/// Where evidence is written.
#[derive(Debug, Args)]
pub struct EvidenceFiles {
    /// Writes everything that was measured into this file, as JSON
    #[arg(long, value_name = "FILE")]
    evidence: Option<PathBuf>,
    /// Writes a page with pictures into this file, as HTML
    #[arg(long, value_name = "FILE")]
    report: Option<PathBuf>,
}

impl EvidenceFiles {
    /// Refuses places that cannot be written to, before anything is measured.
    pub fn check(&self) -> Result<(), Failure> {
        [&self.evidence, &self.report]
            .into_iter()
            .flatten()
            .try_for_each(|path| output_file::check_place(path))
    }

    /// Writes the files that are wanted.
    pub fn write(&self, evidence: &Evidence) -> Result<(), Failure> {
        if let Some(path) = &self.evidence {
            let json = serde_json::to_string(evidence).map_err(|error| Failure::Output(error.into()))?;
            output_file::write(path, &format!("{json}\n"))?;
        }
        if let Some(path) = &self.report {
            output_file::write(path, &tablesmith_report::page(evidence))?;
        }
        Ok(())
    }

    /// Says where they are.
    pub fn tell(&self, out: &mut dyn Write) -> io::Result<()> {
        for (what, path) in [("evidence", &self.evidence), ("page", &self.report)] {
            if let Some(path) = path {
                writeln!(out, "The {what} is in {}", path.display())?;
            }
        }
        Ok(())
    }
}
