//! Shows the result of a command: as text for people, or as one line of JSON, both from the same value.

use std::io::{self, Write};

use serde::Serialize;

use crate::arguments::{Format, Global};
use crate::failure::Failure;
use crate::terminal;

/// Writes a result in the format that was asked for.
pub fn show<R: Serialize>(
    global: &Global,
    result: &R,
    text: impl FnOnce(&mut dyn Write, &R) -> io::Result<()>,
) -> Result<(), Failure> {
    let mut out = terminal::stdout();
    match global.format {
        Format::Json => write_json(&mut out, result),
        Format::Text => text(&mut out, result),
    }
    .map_err(Failure::output)
}

fn write_json(out: &mut dyn Write, result: &impl Serialize) -> io::Result<()> {
    writeln!(out, "{}", serde_json::to_string(result)?)
}
