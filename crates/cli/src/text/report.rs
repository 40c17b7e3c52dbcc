//! What was written of evidence.

use std::io::{self, Write};

use tablesmith_app::report::ReportResult;

use crate::terminal;
use crate::text_width::text_width;

/// Writes a summary, and where the page and the pictures are.
pub fn write(out: &mut dyn Write, result: &ReportResult) -> io::Result<()> {
    write!(out, "{}", tablesmith_report::summary(&result.evidence, text_width(), terminal::paint))?;
    writeln!(out, "\nthe page is in {}", result.page.display())?;
    for picture in &result.pictures {
        writeln!(out, "a picture is in {}", picture.display())?;
    }
    Ok(())
}
