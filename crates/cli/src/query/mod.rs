//! Answers statements: reads them beside the workload, plans them over the design, and prints rows as they come.

mod change;
mod json;
mod rows;
mod told;

use std::io::{self, Write};
use std::path::Path;
use std::sync::Arc;

use tablesmith_access::answer::{Answer, Database, Explain, QueryPlan};
use tablesmith_access::{OTHER_LAYOUT, read_view};
use tablesmith_model::cost::Prices;
use tablesmith_model::nearest;
use tablesmith_model::value::Value;
use tablesmith_model::workload::{Asks, Query as WorkloadQuery, Workload};
use tablesmith_sql::executable::{Parameters, PreparedStatement, Statement};
use tablesmith_sql::{Dialect, template};
use tablesmith_store::Store;

use crate::arguments::{Format, Global};
use crate::commands::query::QueryArguments;
use crate::failure::Failure;
use crate::load::opened::failed;
use crate::terminal;
use crate::{calibrate, design_file, open, workload_file};
use change::Change;
use rows::Printer;

/// Answers the statement of the command line.
pub async fn run(global: &Global, arguments: &QueryArguments) -> Result<(), Failure> {
    let path = &arguments.design;
    let design = design_file::read(path)?;
    let workload = path.parent().unwrap_or(Path::new("")).join(&design.workload);
    let workload = Arc::new(workload_file::read(&workload)?);
    let design = design_file::read_for(path, &workload)?;
    let sql = statement(&workload, &arguments.statement)?;
    let prepared = PreparedStatement::new(sql, &workload, Dialect::Generic);
    let prepared = prepared.map_err(|error| told::at_position(sql, &error))?;
    let statement = prepared.bind(&parameters(arguments)).map_err(|error| told::at_position(sql, &error))?;
    let prices = calibrate::of_store(global, false).await?.map(|found| found.prices());
    let database = Database::new(Arc::clone(&workload), &design).map_err(told::failure)?;
    let database = database.with_prices(prices.unwrap_or_else(Prices::guessed));
    match &statement {
        Statement::Select(query) => {
            let name = name_of(database.workload(), &arguments.statement, sql);
            let plan = database.plan_query(name, query).map_err(told::failure)?;
            match prepared.is_explain() {
                true => print_plan(global, &plan.explain()).map_err(Failure::Output),
                false => select(global, arguments, &database, &plan).await,
            }
        }
        change => {
            let change = Change::of(change);
            if prepared.is_explain() {
                change.explain(global, &database)
            } else {
                change.run(global, &database, &design, arguments.explain).await
            }
        }
    }
}

/// The text of a query of the workload, when that is what is named; else the text itself.
fn statement<'w>(workload: &'w Workload, text: &'w str) -> Result<&'w str, Failure> {
    match workload.queries.iter().find(|query| query.name == text).map(|query| &query.asks) {
        None if is_name(text) && !workload.queries.is_empty() => {
            let names = workload.queries.iter().map(|query| query.name.as_str());
            Err(Failure::BadFile(format!(
                "{text:?} is neither SQL nor a query of the workload: expected {}",
                nearest::one_of(text, names)
            )))
        }
        None => Ok(text),
        Some(Asks::Sql(sql)) => Ok(sql),
        Some(Asks::Columns(_)) => Err(Failure::BadFile(format!(
            "the query {text:?} of the workload only says which columns it touches: write SQL"
        ))),
    }
}

/// Whether a text cannot be a statement.
fn is_name(text: &str) -> bool {
    const FIRST: [&str; 6] = ["select", "insert", "update", "delete", "explain", "with"];
    let first = text.split_whitespace().next().unwrap_or_default().to_ascii_lowercase();
    !FIRST.contains(&first.as_str()) && first.chars().all(|letter| letter.is_alphanumeric() || letter == '_')
}

fn parameters(arguments: &QueryArguments) -> Parameters {
    let texts = arguments.parameters.iter();
    let texts = texts.fold(Parameters::none(), |parameters, (name, text)| parameters.with_text(name, text));
    arguments.nulls.iter().fold(texts, |parameters, name| parameters.with(name, Value::Null))
}

/// The query of the workload that a statement is an execution of: the one that is named, or the one that differs in values
/// alone.
fn name_of<'w>(workload: &'w Workload, asked: &str, sql: &str) -> Option<&'w str> {
    let folded = |sql: &str| template(explained(sql), Dialect::Generic);
    let wanted = folded(sql);
    let is_same = |query: &&WorkloadQuery| match &query.asks {
        Asks::Sql(sql) => query.name == asked || folded(sql) == wanted,
        Asks::Columns(_) => false,
    };
    workload.queries.iter().find(is_same).map(|query| query.name.as_str())
}

/// A statement without `EXPLAIN` in front of it.
fn explained(sql: &str) -> &str {
    let sql = sql.trim_start();
    match sql.get(..7) {
        Some(word) if word.eq_ignore_ascii_case("explain") => sql.get(7..).unwrap_or_default(),
        _ => sql,
    }
}

fn print_plan(global: &Global, plan: &Explain) -> io::Result<()> {
    let mut out = terminal::stdout();
    match global.format {
        Format::Text => write!(out, "{plan}"),
        Format::Json => writeln!(out, "{}", serde_json::json!({"plan": json::plan(plan)})),
    }
}

async fn select(
    global: &Global,
    arguments: &QueryArguments,
    database: &Database,
    plan: &QueryPlan,
) -> Result<(), Failure> {
    let store = open::store(global).await?;
    if let Some(table) = other_layout(database, &*store).await? {
        let _ = writeln!(terminal::stderr(), "warning: {table} {OTHER_LAYOUT}: the answer may be wrong");
    }
    let view = match database.writer() {
        Ok(writer) => writer.read_view(&*store).await,
        Err(_) => read_view(&*store).await,
    };
    let view = view.map_err(failed)?;
    let mut answer = database.answer(view.store(), plan).map_err(told::failure)?;
    print_rows(global, arguments, &mut answer).await
}

/// A table whose rows lie otherwise than the design says.
async fn other_layout(database: &Database, store: &dyn Store) -> Result<Option<String>, Failure> {
    match database.writer() {
        Ok(writer) => Ok(writer.tables_with_other_layout(store).await.map_err(failed)?.into_iter().next()),
        Err(_) => Ok(None),
    }
}

async fn print_rows(
    global: &Global,
    arguments: &QueryArguments,
    answer: &mut Answer<'_>,
) -> Result<(), Failure> {
    let mut printer = Printer::new(global.format, answer.columns().to_vec());
    loop {
        let rows = answer.next().await.map_err(told::failure)?;
        if rows.is_empty() {
            break;
        }
        printer.print(&rows).map_err(Failure::Output)?;
    }
    printer.finish(&answer.explain(), arguments.explain).map_err(Failure::Output)
}
