//! The answers for people: what the readings are like, a table of layouts, and the recommendation with its reasons.

use std::io::{self, Write};
use std::time::Duration;

use crate::terminal::{AnsiColor, Style};
use tablesmith_app::time::{TableTime, TimeResult, facts_text, key_text, settings};
use tablesmith_design::time::Candidate;

use crate::number_text::{grouped, time};
use crate::text_table::{Column, Table};

const TITLE: Style = Style::new().bold();
const BEST: Style = Style::color(AnsiColor::Green).bold();
const WARNING: Style = Style::color(AnsiColor::Yellow);
const PLAIN: Style = Style::new();
/// Layouts that are shown at least; JSON has all.
const SHOWN: usize = 12;

/// Writes everything.
pub fn write(out: &mut dyn Write, result: &TimeResult) -> io::Result<()> {
    result.tables.iter().try_for_each(|answer| write_table(out, answer))?;
    writeln!(out, "seed {}", result.seed)
}

fn write_table(out: &mut dyn Write, answer: &TableTime) -> io::Result<()> {
    writeln!(out, "{TITLE}{}{TITLE:#}: {}", answer.table.name, facts_text(&answer.facts))?;
    if let Some((rows, why)) = &answer.rejected {
        writeln!(out, "   {WARNING}{} rows left out{WARNING:#}, the first: {why}", grouped(*rows))?;
    }
    for note in &answer.notes {
        writeln!(out, "   {WARNING}note:{WARNING:#} {note}")?;
    }
    for difference in &answer.recommendation.differences {
        writeln!(out, "   {WARNING}answers differ:{WARNING:#} {difference}")?;
    }
    writeln!(out)?;
    write_layouts(out, answer)?;
    for rejected in &answer.recommendation.rejected {
        writeln!(out, "   {} is left out: {}", rejected.layouts, rejected.reason)?;
    }
    writeln!(out)?;
    write_best(out, answer)
}

fn write_layouts(out: &mut dyn Write, answer: &TableTime) -> io::Result<()> {
    let candidates = &answer.recommendation.choice.candidates;
    let mut table = Table::new([
        Column::words("layout"),
        Column::numbers("depth"),
        Column::numbers("predicted"),
        Column::numbers("measured"),
        Column::numbers("bytes a reading"),
        Column::numbers("stored"),
    ]);
    let measured = candidates.iter().filter(|candidate| candidate.observed.is_some()).count();
    for (place, candidate) in candidates.iter().take(SHOWN.max(measured)).enumerate() {
        table.add(if place == 0 { BEST } else { PLAIN }, row(candidate));
    }
    table.write(out)?;
    let left = candidates.len().saturating_sub(SHOWN.max(measured));
    if left > 0 {
        writeln!(
            out,
            "   … and {} more, which are predicted to be slower (--format json has all)",
            grouped(left as u64)
        )?;
    }
    let prices = &answer.prices;
    let calibration = prices.calibration.as_ref().map(|id| format!(", calibration {id}")).unwrap_or_default();
    writeln!(
        out,
        "   times are for the calls of a second, by the rates of the workload; prices: {}{calibration}",
        prices.name
    )?;
    writeln!(out, "   depth: readings of a row (versions of a cell); stored: {}", settings(answer))
}

fn row(candidate: &Candidate) -> [String; 6] {
    let ms = |ms: f64| time(Duration::from_secs_f64((ms / 1e3).clamp(0.0, 1e9)));
    let dash = || "–".to_owned();
    let observed = candidate.observed.as_ref();
    [
        candidate.layout.name(),
        grouped(candidate.prediction.row_readings.ceil() as u64),
        ms(candidate.prediction.cost_ms),
        observed.map_or_else(dash, |observed| ms(observed.cost_ms)),
        format!("{:.0}", candidate.prediction.reading_bytes),
        observed.and_then(|observed| observed.reading_bytes).map_or_else(dash, |bytes| format!("{bytes:.1}")),
    ]
}

fn write_best(out: &mut dyn Write, answer: &TableTime) -> io::Result<()> {
    let choice = &answer.recommendation.choice;
    let Some(best) = choice.best() else {
        return writeln!(out, "   no layout can hold these readings");
    };
    let key = key_text(&best.layout, &answer.table).join(", ");
    writeln!(out, "   {BEST}{}{BEST:#}: key = [{key}]", best.layout.name())?;
    for reason in &choice.reasons {
        writeln!(out, "   {reason}")?;
    }
    for limit in &choice.limits {
        writeln!(out, "   limit: {limit}")?;
    }
    writeln!(out)
}
