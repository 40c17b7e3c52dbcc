//! What was loaded.

use std::io::{self, Write};

use tablesmith_app::load::{FileResult, LoadResult};

/// Writes what became of each file's rows.
pub fn write(out: &mut dyn Write, result: &LoadResult) -> io::Result<()> {
    for FileResult { table, file, rows, before, replaced, rejected, seconds } in &result.files {
        let now = rows.saturating_sub(*before);
        let rate = now as f64 / seconds.max(1e-3);
        match before {
            0 => writeln!(out, "{table}: {rows} rows from {file} in {seconds:.1} s ({rate:.0} a second)")?,
            _ => writeln!(
                out,
                "{table}: {now} rows from {file} in {seconds:.1} s; {before} were loaded before"
            )?,
        }
        if *replaced > 0 {
            writeln!(out, "  {replaced} rows took the place of others with their key: the last one stays")?;
        }
        if *rejected > 0 && result.reject.exists() {
            writeln!(out, "  {rejected} rows did not go in: see {}", result.reject.display())?;
        } else if *rejected > 0 {
            writeln!(
                out,
                "  {rejected} rows did not go in when the file was loaded; to try them again: --again"
            )?;
        }
    }
    if result.joined.rows > 0 {
        writeln!(
            out,
            "joined copies: made from {} rows in {:.1} s",
            result.joined.rows, result.joined.seconds
        )?;
    }
    Ok(())
}
