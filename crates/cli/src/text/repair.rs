//! What a repair found.

use std::io::{self, Write};

use tablesmith_app::repair::RepairResult;

use crate::number_text::grouped;

/// Writes what is missing, different or too much.
pub fn write(out: &mut dyn Write, result: &RepairResult) -> io::Result<()> {
    if result.moves > 0 {
        let (rows, are) = if result.moves == 1 { ("row", "was") } else { ("rows", "were") };
        writeln!(
            out,
            "{} {rows} {are} being moved to another key when a client stopped; queries see the old ones",
            grouped(result.moves)
        )?;
    }
    for copy in result.copies.iter().filter(|copy| !copy.is_consistent()) {
        writeln!(
            out,
            "{} (from {}): {} of {} records missing, {} different, {} too much",
            copy.table,
            copy.from.join(", "),
            copy.missing,
            copy.records,
            copy.different,
            copy.dangling
        )?;
    }
    match (result.is_consistent(), result.mended) {
        (true, _) => writeln!(out, "all {} copies say what their rows say", result.copies.len()),
        (false, false) => writeln!(out, "\nnothing is mended yet; to mend it: --yes"),
        (false, true) => writeln!(out, "mended"),
    }
}
