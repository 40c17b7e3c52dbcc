//! What was found, for people.

use std::io::{self, Write};
use std::path::Path;

use anstyle::{AnsiColor, Style};
use tablesmith_observe::profile::{CandidateKey, Certainty, ColumnProfile, Profile};

use super::{Found, MeasuredTable, log_text};
use crate::number_text::grouped;
use crate::text_table::{Column, Table};

const TITLE: Style = Style::new().bold();
const WARNING: Style = AnsiColor::Yellow.on_default();
/// More columns than this are in the file only.
const SHOWN_COLUMNS: usize = 30;

/// Writes what was found in each table, and where it was written.
pub fn write(out: &mut dyn Write, found: &Found, output: &Path) -> io::Result<()> {
    for table in &found.tables {
        write_table(out, table)?;
    }
    if let Some((path, log)) = &found.log {
        log_text::write(out, path, log, &found.workload.queries)?;
    }
    writeln!(out, "{TITLE}Written to {}{TITLE:#}: look through it, then go on with it.", output.display())
}

fn write_table(out: &mut dyn Write, table: &MeasuredTable) -> io::Result<()> {
    let MeasuredTable { path, name, profile } = table;
    writeln!(
        out,
        "{TITLE}{name}{TITLE:#} ({}): {} rows, {} columns, {}",
        path.display(),
        grouped(profile.rows),
        grouped(profile.columns.len() as u64),
        key(profile.keys.first())
    )?;
    write_columns(out, &profile.columns)?;
    write_warnings(out, profile)?;
    writeln!(out)
}

fn key(key: Option<&CandidateKey>) -> String {
    let Some(CandidateKey { columns, certainty }) = key else {
        return "no columns were found that identify a row: name them as `key` if you know them".to_owned();
    };
    let sure = match certainty {
        Certainty::Certain => "",
        Certainty::Probable => " (probably: a sample has no two alike)",
    };
    format!("key {}{sure}", columns.join(", "))
}

fn write_columns(out: &mut dyn Write, columns: &[ColumnProfile]) -> io::Result<()> {
    let heads = ["column", "type"].map(Column::words);
    let numbers = ["distinct", "bytes", "nulls"].map(Column::numbers);
    let [name, kind] = heads;
    let [distinct, bytes, nulls] = numbers;
    let mut table = Table::new([name, kind, distinct, bytes, nulls, Column::words("")]);
    for column in columns.iter().take(SHOWN_COLUMNS) {
        let about = if column.distinct.exact { "" } else { "~" };
        table.add(
            Style::new(),
            [
                column.name.clone(),
                column.value_type.name().to_owned(),
                format!("{about}{}", grouped(column.distinct.count)),
                column.mean_bytes.map_or_else(|| "–".to_owned(), |bytes| format!("{bytes:.1}")),
                grouped(column.nulls),
                remarks(column),
            ],
        );
    }
    table.write(out)?;
    match columns.len().saturating_sub(SHOWN_COLUMNS) {
        0 => Ok(()),
        more => writeln!(out, "   … and {more} more"),
    }
}

fn remarks(column: &ColumnProfile) -> String {
    let unique = column.unique.map(|certainty| match certainty {
        Certainty::Certain => "unique".to_owned(),
        Certainty::Probable => "probably unique".to_owned(),
    });
    let rises = column.monotone.then(|| "rises".to_owned());
    let heavy =
        column.heavy.first().map(|heavy| format!("{:.0} % are {:?}", heavy.share * 100.0, heavy.value));
    [unique, rises, heavy].into_iter().flatten().collect::<Vec<_>>().join(", ")
}

fn write_warnings(out: &mut dyn Write, profile: &Profile) -> io::Result<()> {
    if profile.rows == 0 {
        writeln!(
            out,
            "   {WARNING}the file has no rows{WARNING:#}: correct `rows` and the types by hand, or give a file that has some"
        )?;
    }
    if profile.bad_lines > 0 {
        writeln!(out, "   {WARNING}{} left out:{WARNING:#}", lines(profile.bad_lines))?;
        for bad in &profile.first_bad_lines {
            writeln!(out, "   line {}: {}: {}", bad.line, bad.message, bad.text)?;
        }
    }
    for column in profile.columns.iter().filter(|column| column.not_utf8 > 0) {
        writeln!(
            out,
            "   {WARNING}{}{WARNING:#}: {} of its values are not UTF-8",
            column.name,
            grouped(column.not_utf8)
        )?;
    }
    Ok(())
}

fn lines(count: u64) -> String {
    if count == 1 { "1 line was".to_owned() } else { format!("{} lines were", grouped(count)) }
}
