//! What rules found, and the rules themselves.

use std::io::{self, Write};

use tablesmith_app::check::{CheckResult, FindingResult, RuleResult, RulesResult};
use tablesmith_design::check::{RULES, Severity};

use crate::terminal::{AnsiColor, Style};

/// Writes the findings.
pub fn write(out: &mut dyn Write, result: &CheckResult) -> io::Result<()> {
    if result.findings.is_empty() {
        return writeln!(out, "nothing found by {} rules", RULES.len());
    }
    for FindingResult { rule, severity, at, message, fix } in &result.findings {
        let style = style(*severity);
        writeln!(out, "{style}{}{style:#} {at}: {message}", severity.name())?;
        writeln!(out, "    {fix} ({rule})")?;
    }
    writeln!(out, "\n{} found; why: tablesmith check --explain RULE", result.findings.len())
}

fn style(severity: Severity) -> Style {
    let colour = match severity {
        Severity::Error => AnsiColor::Red,
        Severity::Warning => AnsiColor::Yellow,
        Severity::Hint => AnsiColor::Cyan,
    };
    Style::color(colour).bold()
}

/// Lists the rules.
pub fn write_rules(out: &mut dyn Write, result: &RulesResult) -> io::Result<()> {
    for rule in &result.rules {
        writeln!(out, "{:<22} {:<8} {}", rule.rule, rule.severity.name(), rule.what)?;
    }
    Ok(())
}

/// Explains a rule.
pub fn write_rule(out: &mut dyn Write, rule: &RuleResult) -> io::Result<()> {
    writeln!(out, "{} ({})\n\n{}\n\n{}\n", rule.rule, rule.severity.name(), rule.what, rule.why)?;
    let Some(example) = &rule.example else { return Ok(()) };
    writeln!(out, "It finds something in this workload:\n\n{}", indented(&example.workload))?;
    write!(out, "with this design:\n\n{}", indented(&example.design))
}

fn indented(text: &str) -> String {
    text.lines().map(|line| format!("    {line}\n")).collect()
}
