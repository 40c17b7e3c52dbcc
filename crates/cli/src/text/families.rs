//! The answers for people: a table of methods, the families drawn, and the reasons.

use std::io::{self, Write};
use std::path::Path;

use crate::terminal::{AnsiColor, Style};
use tablesmith_app::families::write::family_name;
use tablesmith_app::families::{FamiliesResult, TableAnswer, Task};
use tablesmith_design::families::compare::Answer;
use tablesmith_design::families::{ColumnSet, FamilyLimit};

use crate::number_text::{bar, grouped, time};
use crate::text_table::{Column, Table};

const TITLE: Style = Style::new().bold();
const BEST: Style = Style::color(AnsiColor::Green).bold();
const WARNING: Style = Style::color(AnsiColor::Yellow);
const PLAIN: Style = Style::new();
/// Columns of the terminal that a family's bar and its columns' names take.
const BAR_COLUMNS: u64 = 24;
const NAMES_COLUMNS: usize = 92;
/// More columns than this are counted, not named.
const NAMES_MAX: usize = 60;

/// Writes everything.
pub fn write(out: &mut dyn Write, result: &FamiliesResult, output: Option<&Path>) -> io::Result<()> {
    let FamiliesResult { tables: answers, notes, task } = result;
    for note in notes {
        writeln!(out, "{WARNING}note:{WARNING:#} {note}")?;
    }
    for answer in answers {
        write_table(out, answer, task)?;
    }
    if answers.len() > 1 {
        write_totals(out, result)?;
    }
    writeln!(out, "seed {}", task.seed)?;
    match output {
        Some(path) => writeln!(out, "{TITLE}Written to {}{TITLE:#}", path.display()),
        None => writeln!(out, "Write the best grouping into a design with -o design.toml"),
    }
}

fn write_table(out: &mut dyn Write, answer: &TableAnswer, task: &Task) -> io::Result<()> {
    let TableAnswer { problem, comparison, .. } = answer;
    writeln!(
        out,
        "{TITLE}{}{TITLE:#}: {} columns, {} rows, {} kinds of calls; cost {}{}, {}",
        problem.table,
        grouped(problem.columns.len() as u64),
        grouped(problem.rows),
        grouped(problem.asks.len() as u64),
        task.cost.name(),
        unit(task),
        limit(task.limit)
    )?;
    if problem.asks.is_empty() {
        writeln!(
            out,
            "   {WARNING}no query is known{WARNING:#}, so every grouping costs the same: add [[query]] entries or a [log]"
        )?;
    }
    writeln!(out)?;
    write_methods(out, answer)?;
    for (method, why) in &comparison.without {
        writeln!(out, "   {method}: {why}")?;
    }
    let Some(best) = comparison.best() else { return writeln!(out) };
    writeln!(out)?;
    write_families(out, answer, best)?;
    for reason in &answer.reasons.whole {
        writeln!(out, "   {reason}")?;
    }
    write_verdict(out, answer, best)?;
    write_later(out, answer)?;
    writeln!(out)
}

/// Whether the grouping still holds for queries that came later.
fn write_later(out: &mut dyn Write, answer: &TableAnswer) -> io::Result<()> {
    let costs: Vec<String> = (answer.comparison.answers.iter().zip(&answer.validation_costs))
        .filter_map(|(found, later)| later.map(|later| format!("{} {}", found.method, number(later))))
        .collect();
    if costs.is_empty() {
        return Ok(());
    }
    writeln!(out, "   for the validation part of the log, which nobody learnt from: {}", costs.join(", "))
}

/// What one unit of the cost is, and which calibration is behind it.
fn unit(task: &Task) -> String {
    let unit = match task.cost.unit() {
        "" => String::new(),
        unit => format!(" in {unit}"),
    };
    match task.cost.calibration() {
        Some(id) => format!("{unit} a call (calibration {id})"),
        None => unit,
    }
}

fn limit(limit: FamilyLimit) -> String {
    match limit {
        FamilyLimit::None => "any number of families".to_owned(),
        FamilyLimit::AtMost(1) => "one family".to_owned(),
        FamilyLimit::AtMost(most) => format!("at most {most} families"),
        FamilyLimit::Exactly(count) => format!("exactly {count} families"),
    }
}

fn write_methods(out: &mut dyn Write, answer: &TableAnswer) -> io::Result<()> {
    let [families, cost, gap, took, evaluations] =
        ["families", "cost", "gap", "time", "evaluations"].map(Column::numbers);
    let mut table =
        Table::new([Column::words("method"), families, cost, gap, took, evaluations, Column::words("")]);
    let best = answer.comparison.best().map(|best| best.method);
    for found in &answer.comparison.answers {
        let style = if Some(found.method) == best { BEST } else { PLAIN };
        let mut remarks = found.notes.clone();
        if found.out_of_time {
            remarks.insert(0, "time ran out".to_owned());
        }
        if found.proven_optimal {
            remarks.insert(0, "optimal".to_owned());
        }
        table.add(
            style,
            [
                found.method.to_owned(),
                found.families.len().to_string(),
                number(found.cost),
                answer.comparison.gap(found).map_or("–".to_owned(), gap_text),
                time(found.took),
                grouped(found.evaluations),
                remarks.join("; "),
            ],
        );
    }
    table.write(out)
}

/// Enough digits to tell methods apart.
fn number(cost: f64) -> String {
    if cost.abs() >= 1e6 {
        grouped(cost.round() as u64)
    } else if cost.abs() >= 1.0 {
        format!("{cost:.3}")
    } else {
        format!("{cost:.6}")
    }
}

fn gap_text(gap: f64) -> String {
    if gap == 0.0 { "0 %".to_owned() } else { format!("{:.2} %", gap * 100.0) }
}

/// Each family with its width, who reads it, and its columns.
fn write_families(out: &mut dyn Write, answer: &TableAnswer, best: &Answer) -> io::Result<()> {
    let problem = &answer.problem;
    let width = |family: &ColumnSet| -> f64 {
        family
            .iter()
            .filter_map(|column| problem.columns.get(column))
            .map(|column| column.bytes * column.filled)
            .sum()
    };
    let widest = best.families.iter().map(width).fold(0.0, f64::max) as u64;
    for (index, family) in best.families.iter().enumerate() {
        let bytes = width(family);
        let drawn = bar(bytes as u64, widest, BAR_COLUMNS);
        let padded = drawn.chars().count() as u64;
        let space = " ".repeat(BAR_COLUMNS.saturating_sub(padded) as usize);
        let name = family_name(index);
        writeln!(
            out,
            "   {BEST}{name}{BEST:#} {drawn}{space} {} columns, {bytes:.0} bytes a row",
            family.len()
        )?;
        for line in names(answer, family) {
            writeln!(out, "     {line}")?;
        }
        if let Some(reason) = answer.reasons.families.get(index) {
            writeln!(out, "     {reason}")?;
        }
    }
    Ok(())
}

/// The names of a family's columns in lines that fit a terminal.
fn names(answer: &TableAnswer, family: &ColumnSet) -> Vec<String> {
    let mut lines = vec![String::new()];
    let shown = family.iter().take(NAMES_MAX).filter_map(|column| answer.problem.columns.get(column));
    let more = family.len().saturating_sub(NAMES_MAX);
    let rest = (more > 0).then(|| format!("and {more} more"));
    for name in shown.map(|column| column.name.clone()).chain(rest) {
        let full = lines.last().is_some_and(|line| {
            !line.is_empty() && line.chars().count() + name.chars().count() > NAMES_COLUMNS
        });
        if full {
            lines.push(String::new());
        }
        if let Some(line) = lines.last_mut() {
            if !line.is_empty() {
                line.push_str("  ");
            }
            line.push_str(&name);
        }
    }
    lines
}

fn write_verdict(out: &mut dyn Write, answer: &TableAnswer, best: &Answer) -> io::Result<()> {
    let method = best.method;
    match (best.proven_optimal, answer.comparison.gap(best)) {
        (true, _) => {
            writeln!(out, "   {BEST}{method} is optimal: it is proven that nothing costs less{BEST:#}")
        }
        (false, Some(gap)) => {
            writeln!(
                out,
                "   {method} is the best found; the optimum costs at most {:.2} % less",
                100.0 * (1.0 - 1.0 / (1.0 + gap))
            )
        }
        (false, None) => {
            writeln!(out, "   {method} is the best found; run --method exact to know how good that is")
        }
    }
}

fn write_totals(out: &mut dyn Write, result: &FamiliesResult) -> io::Result<()> {
    let FamiliesResult { tables: answers, task, .. } = result;
    writeln!(out, "{TITLE}All {} tables together{TITLE:#}{}", answers.len(), unit(task))?;
    let mut table = Table::new([Column::words("method"), Column::numbers("cost")]);
    for (method, cost) in result.totals() {
        table.add(PLAIN, [method.to_owned(), number(cost)]);
    }
    table.write(out)?;
    writeln!(out)
}
