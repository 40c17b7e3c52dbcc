//! `query`: reads a statement beside the workload, plans it over the design, and hands out rows as they come.

mod change;
mod plan;

use std::collections::HashSet;
use std::io;
use std::path::PathBuf;
use std::sync::Arc;

use serde::Serialize;
use tablesmith_access::answer::{Database, QueryPlan, Row};
use tablesmith_access::{OTHER_LAYOUT, read_view};
use tablesmith_model::cost::Prices;
use tablesmith_model::nearest;
use tablesmith_model::value::Value;
use tablesmith_model::workload::{Asks, Query as WorkloadQuery, Workload};
use tablesmith_sql::executable::{Parameters, PreparedStatement, Statement};
use tablesmith_sql::{Dialect, template};
use tablesmith_store::Store;

pub use change::{Change, ChangeKind, StatementCost};
pub use plan::{JsonValue, Plan};

use crate::{AppError, Context, calibrate, design_file, open};

/// What is queried.
#[derive(Clone, Debug)]
pub struct QueryOptions {
    /// The design, whose tables the store has.
    pub design: PathBuf,
    /// The statement, or the name of a query of the workload.
    pub statement: String,
    /// Values of parameters by name.
    pub parameters: Vec<(String, String)>,
    /// Parameters that are null.
    pub nulls: Vec<String>,
}

/// Takes rows as they come.
pub trait RowSink: Send {
    /// The names of the columns; before all rows.
    fn columns(&mut self, columns: &[String]) -> io::Result<()>;
    /// The next rows.
    fn rows(&mut self, rows: &[Row]) -> io::Result<()>;
}

/// What came of a statement.
#[derive(Clone, Debug, Serialize)]
#[serde(untagged)]
pub enum QueryResult {
    /// Rows, which the sink has; how they were found.
    Rows {
        /// The plan, with what it took.
        plan: Plan,
    },
    /// `EXPLAIN`: nothing was executed.
    Explained {
        /// The plan.
        plan: Plan,
    },
    /// Rows were changed.
    Changed(Change),
}

/// Executes a statement.
pub async fn run(
    context: &Context,
    options: &QueryOptions,
    sink: &mut dyn RowSink,
) -> Result<QueryResult, AppError> {
    let parameters = parameters(options)?;
    let (design, workload) = design_file::read_both(&options.design)?;
    let workload = Arc::new(workload);
    let sql = statement(&workload, &options.statement)?;
    let wrong = |error| AppError::Statement { sql: sql.to_owned(), error: Box::new(error) };
    let prepared = PreparedStatement::new(sql, &workload, Dialect::Generic).map_err(wrong)?;
    let statement = prepared.bind(&parameters).map_err(wrong)?;
    let prices = calibrate::of_store(context, false).await?.map(|found| found.prices());
    let database = Database::new(Arc::clone(&workload), &design)?;
    let database = database.with_prices(prices.unwrap_or_else(Prices::guessed));
    match &statement {
        Statement::Select(query) => {
            let name = name_of(database.workload(), &options.statement, sql);
            let plan = database.plan_query(name, query)?;
            match prepared.is_explain() {
                true => Ok(QueryResult::Explained { plan: Plan(plan.explain()) }),
                false => select(context, &database, &plan, sink).await,
            }
        }
        change if prepared.is_explain() => {
            Ok(QueryResult::Explained { plan: Plan(change::plan(&database, change)?) })
        }
        change => Ok(QueryResult::Changed(change::run(context, &database, &design, change).await?)),
    }
}

/// The text of a query of the workload, when that is what is named; else the text itself.
fn statement<'w>(workload: &'w Workload, text: &'w str) -> Result<&'w str, AppError> {
    match workload.queries.iter().find(|query| query.name == text).map(|query| &query.asks) {
        None if is_name(text) && !workload.queries.is_empty() => {
            let names = workload.queries.iter().map(|query| query.name.as_str());
            Err(AppError::NoQuery { text: text.to_owned(), expected: nearest::one_of(text, names) })
        }
        None => Ok(text),
        Some(Asks::Sql(sql)) => Ok(sql),
        Some(Asks::Columns(_)) => Err(AppError::ColumnsOnly(text.to_owned())),
    }
}

/// Whether a text cannot be a statement.
fn is_name(text: &str) -> bool {
    const FIRST: [&str; 6] = ["select", "insert", "update", "delete", "explain", "with"];
    let first = text.split_whitespace().next().unwrap_or_default().to_ascii_lowercase();
    !FIRST.contains(&first.as_str()) && first.chars().all(|letter| letter.is_alphanumeric() || letter == '_')
}

fn parameters(options: &QueryOptions) -> Result<Parameters, AppError> {
    let mut seen = HashSet::new();
    let mut names = options.parameters.iter().map(|(name, _)| name).chain(&options.nulls);
    if let Some(twice) = names.find(|name| !seen.insert(*name)) {
        return Err(AppError::ParameterTwice(twice.clone()));
    }
    let texts = options.parameters.iter();
    let texts = texts.fold(Parameters::none(), |parameters, (name, text)| parameters.with_text(name, text));
    Ok(options.nulls.iter().fold(texts, |parameters, name| parameters.with(name, Value::Null)))
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

async fn select(
    context: &Context,
    database: &Database,
    plan: &QueryPlan,
    sink: &mut dyn RowSink,
) -> Result<QueryResult, AppError> {
    let store = open::store(context).await?;
    if let Some(table) = other_layout(database, &*store).await? {
        context.progress.warn(&format!("warning: {table} {OTHER_LAYOUT}: the answer may be wrong"));
    }
    let view = match database.writer() {
        Ok(writer) => writer.read_view(&*store).await,
        Err(_) => read_view(&*store).await,
    }?;
    let mut answer = database.answer(view.store(), plan)?;
    sink.columns(answer.columns()).map_err(AppError::Output)?;
    loop {
        let rows = answer.next().await?;
        if rows.is_empty() {
            return Ok(QueryResult::Rows { plan: Plan(answer.explain()) });
        }
        sink.rows(&rows).map_err(AppError::Output)?;
    }
}

/// A table whose rows lie otherwise than the design says.
async fn other_layout(database: &Database, store: &dyn Store) -> Result<Option<String>, AppError> {
    match database.writer() {
        Ok(writer) => Ok(writer.tables_with_other_layout(store).await?.into_iter().next()),
        Err(_) => Ok(None),
    }
}
