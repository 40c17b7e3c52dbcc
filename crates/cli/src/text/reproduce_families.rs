//! An experiment for people. The summary of its evidence tells all else.

use std::io::{self, Write};

use crate::terminal::{self, Style};

use tablesmith_app::evidence_files::EvidenceFiles;
use tablesmith_papers::families::Outcome;

use crate::evidence_files;
use crate::text_table::{Column, Table};
use crate::text_width::text_width;

/// Writes the summary, where the designs come from, and where the files are.
pub fn write(out: &mut dyn Write, outcome: &Outcome, files: &EvidenceFiles) -> io::Result<()> {
    let summary = tablesmith_report::summary(&outcome.evidence, text_width(), terminal::paint);
    writeln!(out, "{summary}")?;
    write_origins(out, outcome)?;
    evidence_files::write(out, files)
}

fn write_origins(out: &mut dyn Write, outcome: &Outcome) -> io::Result<()> {
    let mut table = Table::new([Column::words("schema"), Column::words("where it comes from")]);
    for tried in &outcome.tried {
        table.add(Style::new(), [tried.name.clone(), tried.origin.clone()]);
    }
    table.write(out)?;
    writeln!(out)
}
