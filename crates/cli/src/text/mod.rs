//! Results of commands as text for people, one file for each command.

pub mod apply;
pub mod calibrate;
pub mod check;
pub mod demo;
mod demo_next;
pub mod design;
mod design_query;
mod design_table;
pub mod families;
pub mod init;
mod init_log;
pub mod keys;
pub mod load;
pub mod query;
pub mod repair;
pub mod report;
pub mod reproduce_families;
pub mod reproduce_follows;
pub mod reproduce_keys;
pub mod reproduce_time;
pub mod time;
pub mod verify;

use std::io::{self, Write};
use std::path::PathBuf;

use tablesmith_app::evidence_files::EvidenceFiles;
use tablesmith_model::evidence::Evidence;

use crate::text_width::text_width;
use crate::{evidence_files, terminal};

/// Writes the summary of an experiment, its seed, and where its files are.
pub fn write_evidence(out: &mut dyn Write, evidence: &Evidence, files: &EvidenceFiles) -> io::Result<()> {
    let summary = tablesmith_report::summary(evidence, text_width(), terminal::paint);
    writeln!(out, "{summary}from seed {}", evidence.seed)?;
    evidence_files::write(out, files)
}

/// Says where files are that were asked for.
pub fn write_files(out: &mut dyn Write, files: &[(&str, &Option<PathBuf>)]) -> io::Result<()> {
    for (what, path) in files {
        if let Some(path) = path {
            writeln!(out, "the {what} is in {}", path.display())?;
        }
    }
    Ok(())
}
