//! What was read of a log, for people.

use std::io::{self, Write};
use std::path::Path;

use crate::terminal::{AnsiColor, Style};
use tablesmith_model::workload::Query;
use tablesmith_observe::log::LogProfile;

use crate::number_text::grouped;
use crate::text_table::{Column, Table};

const TITLE: Style = Style::new().bold();
const WARNING: Style = Style::color(AnsiColor::Yellow);
/// More queries than this are in the file only.
const SHOWN_QUERIES: usize = 10;
/// More places than this are not shown.
const SHOWN_PLACES: usize = 10;

/// Writes how many statements there are, the most frequent queries, and what could not be understood.
pub fn write(out: &mut dyn Write, path: &Path, log: &LogProfile, queries: &[Query]) -> io::Result<()> {
    writeln!(
        out,
        "{TITLE}{}{TITLE:#}: {} statements of {} kinds; those of the training part became {} queries",
        path.display(),
        grouped(log.statements),
        grouped(log.templates.len() as u64),
        grouped(queries.len() as u64)
    )?;
    write_queries(out, queries)?;
    write_left_out(out, log)?;
    writeln!(out)
}

fn write_queries(out: &mut dyn Write, queries: &[Query]) -> io::Result<()> {
    if queries.is_empty() {
        return writeln!(
            out,
            "   {WARNING}No statement of it is about these tables:{WARNING:#} a table has the name of its file"
        );
    }
    let total: f64 = queries.iter().map(|query| query.rate).sum();
    let mut table = Table::new([Column::words("query"), Column::numbers("calls"), Column::numbers("share")]);
    for query in queries.iter().take(SHOWN_QUERIES) {
        let share = format!("{:.1} %", 100.0 * query.rate / total.max(1.0));
        table.add(Style::new(), [query.name.clone(), grouped(query.rate as u64), share]);
    }
    table.write(out)?;
    match queries.len().saturating_sub(SHOWN_QUERIES) {
        0 => Ok(()),
        more => writeln!(out, "   … and {more} more"),
    }
}

fn write_left_out(out: &mut dyn Write, log: &LogProfile) -> io::Result<()> {
    for (count, what) in [
        (log.other_tables, "are about other tables"),
        (log.without_rows, "read and write no rows"),
        (log.rare_statements, "are of kinds too rare to be kept"),
        (log.not_understood, "cannot be understood"),
        (log.too_long, "are too long, and left out"),
    ] {
        if count > 0 {
            writeln!(out, "   {WARNING}{}{WARNING:#} {what}", grouped(count))?;
        }
    }
    let places = [&log.not_understood_places, &log.too_long_places];
    for place in places.into_iter().flat_map(|places| places.iter().take(SHOWN_PLACES)) {
        writeln!(out, "   line {}: {}: {}", place.line, place.why, place.excerpt)?;
    }
    Ok(())
}
