//! What was applied, or would be.

use std::io::{self, Write};

use tablesmith_access::OTHER_LAYOUT;
use tablesmith_app::apply::ApplyResult;

/// Writes what would be done, what stays, and what is in the way. Steps that were done are told as they are.
pub fn write(out: &mut dyn Write, result: &ApplyResult) -> io::Result<()> {
    if !result.applied {
        result.steps.iter().try_for_each(|step| writeln!(out, "would {step}"))?;
    }
    result.stays.iter().try_for_each(|stays| writeln!(out, "stays as it is: {stays}"))?;
    for table in &result.other_layout {
        writeln!(
            out,
            "warning: {table} {OTHER_LAYOUT}: queries may not find them; empty it (truncate in tablesmith shell) and load \
             again, or give it another name"
        )?;
    }
    match (result.steps.is_empty(), result.applied) {
        (true, _) => writeln!(out, "nothing to do: the store has all tables of the design"),
        (false, false) => writeln!(out, "\nnothing is done yet; to do it: --yes"),
        (false, true) => Ok(()),
    }
}
