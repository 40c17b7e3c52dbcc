//! What was found, for people.

use std::io::{self, Write};
use std::path::Path;

use crate::terminal::{AnsiColor, Style};
use tablesmith_app::init::{InitResult, MeasuredTable};
use tablesmith_model::workload::Workload;
use tablesmith_observe::dump::Dump;
use tablesmith_observe::profile::{CandidateKey, Certainty, ColumnProfile, Profile};

use super::init_log;
use crate::number_text::grouped;
use crate::text_table::{Column, Table};

const TITLE: Style = Style::new().bold();
const WARNING: Style = Style::color(AnsiColor::Yellow);
/// More columns than this are in the file only.
const SHOWN_COLUMNS: usize = 30;

/// Writes what was found in each table, and where it was written.
pub fn write(out: &mut dyn Write, result: &InitResult) -> io::Result<()> {
    let InitResult { found, output } = result;
    for table in &found.tables {
        write_table(out, table, &found.workload)?;
    }
    if let Some((path, dump)) = &found.dump {
        write_dump(out, path, dump)?;
    }
    if let Some((path, log)) = &found.log {
        init_log::write(out, path, log, &found.workload.queries)?;
        write_unanswerable(out, &found.unanswerable)?;
    }
    write_joins(out, &found.workload)?;
    writeln!(out, "{TITLE}Written to {}{TITLE:#}: look through it, then go on with it.", output.display())
}

/// Queries that nothing can answer.
fn write_unanswerable(out: &mut dyn Write, queries: &[(String, String)]) -> io::Result<()> {
    let Some((query, column)) = queries.first() else { return Ok(()) };
    let count = counted(queries.len() as u64, "statement");
    writeln!(
        out,
        "   {WARNING}{count} left out:{WARNING:#} no table has a column that is named there, as {column:?} in {query:?}\n"
    )
}

/// What belongs together, beside what averages would say.
fn write_joins(out: &mut dyn Write, workload: &Workload) -> io::Result<()> {
    for join in &workload.joins {
        let pairs = counted(join.rows, "pair");
        writeln!(out, "{TITLE}{} = {}{TITLE:#}: {pairs} of rows belong together", join.one, join.other)?;
    }
    if workload.joins.is_empty() { Ok(()) } else { writeln!(out) }
}

/// Tables of a dump that have no rows, and what of it was left out.
fn write_dump(out: &mut dyn Write, path: &Path, dump: &Dump) -> io::Result<()> {
    writeln!(
        out,
        "{TITLE}{}{TITLE:#}: {} declared",
        path.display(),
        counted(dump.tables.len() as u64, "table")
    )?;
    for (table, file, rows) in &dump.files {
        writeln!(out, "   {table}: {} written to {}", counted(*rows, "row"), file.display())?;
    }
    for note in &dump.notes {
        writeln!(out, "   {WARNING}note:{WARNING:#} {note}")?;
    }
    if dump.left_out > 0 {
        let left_out = counted(dump.left_out, "statement or row");
        writeln!(out, "   {WARNING}{left_out} left out:{WARNING:#}")?;
        for (line, why) in &dump.reasons {
            writeln!(out, "   line {line}: {why}")?;
        }
    }
    writeln!(out)
}

fn counted(count: u64, one: &str) -> String {
    if count == 1 { format!("1 {one}") } else { format!("{} {one}s", grouped(count)) }
}

fn write_table(out: &mut dyn Write, table: &MeasuredTable, workload: &Workload) -> io::Result<()> {
    let MeasuredTable { path, name, profile } = table;
    let declared = workload.table(name).map(|table| table.key.join(", ")).unwrap_or_default();
    writeln!(
        out,
        "{TITLE}{name}{TITLE:#} ({}): {} rows, {} columns, {}",
        path.display(),
        grouped(profile.rows),
        grouped(profile.columns.len() as u64),
        key(profile.keys.first(), &declared)
    )?;
    write_columns(out, &profile.columns)?;
    write_warnings(out, profile)?;
    writeln!(out)
}

fn key(key: Option<&CandidateKey>, declared: &str) -> String {
    let Some(CandidateKey { columns, certainty }) = key else {
        if !declared.is_empty() {
            return format!("key {declared} (declared)");
        }
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
