//! `--evidence FILE` and `--report FILE`: what was measured as JSON, and as a page with pictures.

use std::io::{self, Write};
use std::path::PathBuf;

use clap::Args;
use tablesmith_app::evidence_files::EvidenceFiles;

/// Where evidence is written.
#[derive(Debug, Args)]
pub struct EvidenceArguments {
    /// Writes everything that was measured into this file, as JSON
    #[arg(long, value_name = "FILE")]
    evidence: Option<PathBuf>,
    /// Writes a page with pictures into this file, as HTML
    #[arg(long, value_name = "FILE")]
    report: Option<PathBuf>,
}

impl EvidenceArguments {
    /// The files.
    pub fn files(&self) -> EvidenceFiles {
        EvidenceFiles { evidence: self.evidence.clone(), report: self.report.clone() }
    }
}

/// Says where the files are.
pub fn write(out: &mut dyn Write, files: &EvidenceFiles) -> io::Result<()> {
    for (what, path) in [("evidence", &files.evidence), ("page", &files.report)] {
        if let Some(path) = path {
            writeln!(out, "The {what} is in {}", path.display())?;
        }
    }
    Ok(())
}
