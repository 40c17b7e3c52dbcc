//! `tablesmith check`: rules over a design or over living tables.

use std::path::PathBuf;

use clap::Args;
use tablesmith_app::check;
use tablesmith_design::check::{RULES, rule};
use tablesmith_model::TableName;

use crate::arguments::Global;
use crate::failure::{Failure, Verdict};
use crate::show::show;
use crate::text;

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
        show(global, &check::rules(), text::check::write_rules)?;
        return Ok(Verdict::Yes);
    }
    if let Some(rule) = arguments.explain.and_then(rule) {
        show(global, &check::explain(rule), text::check::write_rule)?;
        return Ok(Verdict::Yes);
    }
    let result = match &arguments.design {
        Some(path) => check::design(path)?,
        None => check::existing(&global.context(), arguments.table.as_ref()).await?,
    };
    show(global, &result, text::check::write)?;
    Ok(Verdict::of(result.findings.is_empty()))
}
