//! An experiment for people. The summary of its evidence tells all else.

use std::io::{self, Write};

use crate::terminal::Style;

use super::Outcome;
use crate::text_table::{Column, Table};

/// Writes where the designs come from.
pub fn write_origins(out: &mut dyn Write, outcome: &Outcome) -> io::Result<()> {
    let mut table = Table::new([Column::words("schema"), Column::words("where it comes from")]);
    for tried in &outcome.tried {
        table.add(Style::new(), [tried.name.clone(), tried.origin.clone()]);
    }
    table.write(out)?;
    writeln!(out)
}
