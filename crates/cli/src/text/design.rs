//! A design for people: tables, the questions that each answers, plans, and what was weighed.

use std::io::{self, Write};
use std::path::Path;

use crate::terminal::Style;
use tablesmith_app::design::DesignResult;
use tablesmith_design::tables::{Answered, Decided, Drawn};

use super::{design_query, design_table};
use crate::number_text::{bytes, grouped};
use crate::text_table::{Column, Table};

/// Writes all that was decided, or what is to be told of one query.
pub fn write(out: &mut dyn Write, result: &DesignResult, output: Option<&Path>) -> io::Result<()> {
    write_decided(out, result)?;
    if let Some(path) = output {
        writeln!(out, "the design is in {}", path.display())?;
    }
    match &result.before {
        Some(before) => writeln!(out, "the one that was there before is in {}", before.display()),
        None => Ok(()),
    }
}

fn write_decided(out: &mut dyn Write, answer: &DesignResult) -> io::Result<()> {
    let decided = &answer.decided;
    if let Some(name) = &answer.explain {
        let mut asked = decided.queries.iter().filter(|query| query.name == *name);
        return asked.try_for_each(|query| design_query::query(out, query, decided.total_cost));
    }
    head(out, decided)?;
    for drawn in &decided.tables {
        table(out, answer, drawn)?;
    }
    plans(out, decided)?;
    crashes(out, decided)?;
    absences(out, decided)?;
    for note in &decided.notes {
        writeln!(out, "note: {note}")?;
    }
    Ok(())
}

fn head(out: &mut dyn Write, decided: &Decided) -> io::Result<()> {
    let cost = decided.design.cost.as_ref();
    let prices = cost.map(|cost| match &cost.calibration {
        Some(id) => format!("{} (calibration {id})", cost.name),
        None => format!("{} (guessed)", cost.name),
    });
    let proof = if decided.is_proven {
        "proven: no other set of them costs less".to_owned()
    } else {
        let gap = 100.0 * (decided.total_cost - decided.bound) / decided.total_cost.max(f64::MIN_POSITIVE);
        format!("the time was over: none costs less than {:.1}, a gap of {gap:.1} %", decided.bound)
    };
    writeln!(
        out,
        "{} for {}, chosen of {}; {proof}\ncost {:.1} ms of all calls, by the prices {}\n",
        counted(decided.tables.len(), "table", "tables"),
        counted(decided.queries.len(), "query", "queries"),
        grouped(decided.candidates as u64),
        decided.total_cost,
        prices.unwrap_or_default()
    )
}

fn counted(count: usize, one: &str, many: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { many })
}

fn table(out: &mut dyn Write, answer: &DesignResult, drawn: &Drawn) -> io::Result<()> {
    let bold = Style::new().bold();
    let role = match drawn.base_of.as_slice() {
        [] => "a copy".to_owned(),
        of => format!("holds all of {}", of.join(", ")),
    };
    let designed = answer.decided.design.table(&drawn.name);
    let regions = designed.map_or(1, |table| table.splits.len() + 1);
    writeln!(
        out,
        "{bold}{}{bold:#}  {}, {role}; {} rows, {}, {regions} {}",
        drawn.name,
        drawn.shape,
        grouped(drawn.rows.round() as u64),
        bytes(drawn.bytes as u64),
        if regions == 1 { "region" } else { "regions" }
    )?;
    if let Some(designed) = designed {
        design_table::table(out, answer, designed)?;
    }
    let dimmed = Style::new().dimmed();
    for (number, question) in drawn.questions.iter().enumerate() {
        writeln!(out, "   {}. {} {bold}{}{bold:#}", number + 1, question.question, question.answer)?;
        writeln!(out, "      {dimmed}{}{dimmed:#}", question.reason)?;
    }
    let settings = designed.into_iter().flat_map(|table| &table.families).map(|family| {
        let all: Vec<String> =
            family.settings.iter().map(|(name, value)| format!("{name} = {}", value.text())).collect();
        format!("{}: {}", family.name, all.join(", "))
    });
    writeln!(out, "   settings: {}\n", settings.collect::<Vec<_>>().join("; "))
}

fn plans(out: &mut dyn Write, decided: &Decided) -> io::Result<()> {
    let mut table = Table::new([
        Column::words("query"),
        Column::words("plan"),
        Column::numbers("calls"),
        Column::numbers("rows"),
        Column::numbers("bytes"),
        Column::numbers("ms"),
    ]);
    for query in &decided.queries {
        let plan: Vec<String> =
            query.steps.iter().map(|step| format!("{} of {}", step.words, step.table)).collect();
        let (rows, size) = touched(query);
        table.add(
            Style::new(),
            [
                query.name.clone(),
                plan.join(", then "),
                format!("{:.0}", query.operations.calls),
                grouped(rows.ceil() as u64),
                bytes(size as u64),
                format!("{:.3}", query.cost_ms),
            ],
        );
    }
    table.write(out)?;
    writeln!(out)
}

/// Rows and bytes that a call reads and writes.
fn touched(query: &Answered) -> (f64, f64) {
    let operations = &query.operations;
    (operations.rows + operations.puts, operations.bytes + operations.bytes_written)
}

fn crashes(out: &mut dyn Write, decided: &Decided) -> io::Result<()> {
    let told = decided.queries.iter().filter_map(|query| Some((&query.name, query.after_crash.as_ref()?)));
    for (name, crash) in told {
        writeln!(out, "when a client dies during {name:?}: {crash}")?;
    }
    Ok(())
}

fn absences(out: &mut dyn Write, decided: &Decided) -> io::Result<()> {
    for without in &decided.without {
        let Some((query, cost)) = &without.hurts else { continue };
        let now = decided.queries.iter().find(|one| one.name == *query).map_or(0.0, |one| one.cost_ms);
        match cost {
            Some(cost) => writeln!(
                out,
                "without {} a call of {query:?} would take {cost:.3} ms instead of {now:.3}",
                without.table
            )?,
            None => writeln!(out, "without {} {query:?} has no answer", without.table)?,
        }
    }
    Ok(())
}
