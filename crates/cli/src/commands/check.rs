//! `tablesmith check`: rules over a design or over living tables.

use std::io::{self, Write};
use std::path::PathBuf;

use crate::terminal::{AnsiColor, Style};
use clap::Args;
use serde_json::json;
use tablesmith_design::check::{Finding, RULES, Rule, Severity, rule};
use tablesmith_model::TableName;

use crate::arguments::{Format, Global};
use crate::check;
use crate::failure::{Failure, Verdict};
use crate::terminal;

const EXAMPLES: &str = "\
Examples:
  tablesmith check design.toml
  tablesmith check --store hbase://localhost:16000 --table stations
  tablesmith check --rules
  tablesmith check --explain monotone-key

Exit code 0 when nothing was found, 1 when something was.";

/// Says what will go wrong with a design, or with tables that are there, and what to do
///
/// Every rule looks for one thing that is known to be slow, uneven or lossy in wide-column stores. A design is checked
/// together with the workload that it names; without a design, the tables of the store are
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct CheckArguments {
    /// The design; without it, the tables of the store are checked
    #[arg(value_name = "DESIGN.toml")]
    design: Option<PathBuf>,
    /// Only this table of the store
    #[arg(long, value_name = "TABLE", conflicts_with = "design")]
    table: Option<TableName>,
    /// Lists the rules
    #[arg(long, conflicts_with_all = ["design", "table", "explain"])]
    rules: bool,
    /// Explains a rule: what it finds, why that is bad, and an example
    #[arg(long, value_name = "RULE", value_parser = rule_of, conflicts_with_all = ["design", "table"])]
    explain: Option<&'static str>,
}

fn rule_of(id: &str) -> Result<&'static str, String> {
    let known = || RULES.iter().map(|rule| rule.id).collect::<Vec<_>>().join(", ");
    rule(id).map(|rule| rule.id).ok_or_else(|| format!("there is no such rule; there are {}", known()))
}

pub async fn run(global: &Global, arguments: &CheckArguments) -> Result<Verdict, Failure> {
    if arguments.rules {
        list(global).map_err(Failure::Output)?;
        return Ok(Verdict::Yes);
    }
    if let Some(rule) = arguments.explain.and_then(rule) {
        explain(global, rule).map_err(Failure::Output)?;
        return Ok(Verdict::Yes);
    }
    let findings = match &arguments.design {
        Some(path) => check::design(path)?,
        None => check::living(global, arguments.table.as_ref()).await?,
    };
    print(global, &findings).map_err(Failure::Output)?;
    Ok(if findings.is_empty() { Verdict::Yes } else { Verdict::No })
}

fn print(global: &Global, findings: &[Finding]) -> io::Result<()> {
    let mut out = terminal::stdout();
    if global.format == Format::Json {
        let finding = |finding: &Finding| {
            json!({
                "rule": finding.rule,
                "severity": finding.severity.name(),
                "at": finding.at,
                "message": finding.message,
                "fix": finding.fix,
            })
        };
        return writeln!(out, "{}", json!({"findings": findings.iter().map(finding).collect::<Vec<_>>()}));
    }
    if findings.is_empty() {
        return writeln!(out, "nothing found by {} rules", RULES.len());
    }
    for Finding { rule, severity, at, message, fix } in findings {
        let style = style(*severity);
        writeln!(out, "{style}{}{style:#} {at}: {message}", severity.name())?;
        writeln!(out, "    {fix} ({rule})")?;
    }
    writeln!(out, "\n{} found; why: tablesmith check --explain RULE", findings.len())
}

fn style(severity: Severity) -> Style {
    let colour = match severity {
        Severity::Error => AnsiColor::Red,
        Severity::Warning => AnsiColor::Yellow,
        Severity::Hint => AnsiColor::Cyan,
    };
    Style::color(colour).bold()
}

fn list(global: &Global) -> io::Result<()> {
    let mut out = terminal::stdout();
    if global.format == Format::Json {
        let rule = |rule: &Rule| json!({"rule": rule.id, "severity": rule.severity.name(), "what": rule.what, "why": rule.why});
        return writeln!(out, "{}", json!({"rules": RULES.iter().map(rule).collect::<Vec<_>>()}));
    }
    for rule in RULES {
        writeln!(out, "{:<22} {:<8} {}", rule.id, rule.severity.name(), rule.what)?;
    }
    Ok(())
}

fn explain(global: &Global, rule: &Rule) -> io::Result<()> {
    let mut out = terminal::stdout();
    let Rule { id, severity, what, why, example, .. } = rule;
    if global.format == Format::Json {
        let example = json!({"workload": example.workload_toml(), "design": example.design_toml()});
        let value =
            json!({"rule": id, "severity": severity.name(), "what": what, "why": why, "example": example});
        return writeln!(out, "{value}");
    }
    writeln!(out, "{id} ({})\n\n{what}\n\n{why}\n", severity.name())?;
    writeln!(out, "It finds something in this workload:\n\n{}", indented(&example.workload_toml()))?;
    write!(out, "with this design:\n\n{}", indented(&example.design_toml()))
}

fn indented(text: &str) -> String {
    text.lines().map(|line| format!("    {line}\n")).collect()
}
