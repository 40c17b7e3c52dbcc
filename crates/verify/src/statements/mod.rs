//! The statements of a replay, from a log or from the queries of a workload.
//!
//! Logged statements bring their values along. Where there are none (a query with parameters, one that is only known by its
//! columns) they are drawn by seed from rows of the data.

mod draw;
mod sample;
mod touched;

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fmt;
use std::sync::Arc;

use tablesmith_model::workload::{Asks, Query, Touched, Workload};
use tablesmith_sql::executable::{PreparedStatement, Statement};
use tablesmith_sql::{Dialect, template};

use self::sample::Samples;
pub use self::sample::{Sample, Source};
use crate::replay::{Entry, Script};

/// A statement with the values of its parameters.
#[derive(Clone, Debug)]
pub struct BoundStatement {
    /// The query of the workload.
    pub query: Arc<str>,
    /// What is executed: one statement, or one that reads and one that writes where a query is known by its columns.
    pub statements: Vec<Statement>,
    /// The statement as it was logged, or the query and the values that were drawn.
    pub text: Arc<str>,
}

impl fmt::Display for BoundStatement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl BoundStatement {
    /// Whether it writes.
    pub fn writes(&self) -> bool {
        self.statements.iter().any(|statement| !matches!(statement, Statement::Select(_)))
    }

    /// The tables of the workload that it is about.
    pub fn tables(&self) -> BTreeSet<&str> {
        self.statements.iter().flat_map(tables_of).collect()
    }
}

fn tables_of(statement: &Statement) -> Vec<&str> {
    match statement {
        Statement::Select(query) => query.sources.iter().map(|source| source.table.as_str()).collect(),
        Statement::Insert(insert) => vec![&insert.table],
        Statement::Update(update) => vec![&update.table],
        Statement::Delete(delete) => vec![&delete.table],
    }
}

/// Gathers the statements of a script.
pub struct Statements<'a> {
    workload: Arc<Workload>,
    samples: Samples<'a>,
    random: fastrand::Rng,
    dialect: Dialect,
    /// The names of queries by their templates.
    names: HashMap<String, Arc<str>>,
    places: HashMap<Arc<str>, usize>,
    script: Script<BoundStatement>,
    left_out: BTreeMap<String, u64>,
    drawn: u64,
}

impl<'a> Statements<'a> {
    /// No statement yet. The names of queries come from the workload, values that are not known from `source`.
    pub fn new(workload: Arc<Workload>, dialect: Dialect, source: Source<'a>, seed: u64) -> Self {
        let name = |query: &Query| match &query.asks {
            Asks::Sql(sql) => Some((template(sql, dialect), query.name.as_str().into())),
            Asks::Columns(_) => None,
        };
        Self {
            names: workload.queries.iter().filter_map(name).collect(),
            workload,
            samples: Samples::new(source),
            random: fastrand::Rng::with_seed(seed),
            dialect,
            places: HashMap::new(),
            script: Script { queries: Vec::new(), calls: Vec::new() },
            left_out: BTreeMap::new(),
            drawn: 0,
        }
    }

    /// Adds a statement with its values, or with values from the data where it has parameters. A statement whose template is
    /// that of a query of the workload has the query's name, any other has its template as its name.
    pub fn statement(&mut self, sql: &str) {
        let template = template(sql, self.dialect);
        let name = self.names.get(&template).cloned().unwrap_or_else(|| template.into());
        let rows = self.workload.queries.iter().find(|query| *query.name == *name);
        let rows = rows.and_then(|query| query.rows);
        self.draw(&name, sql, rows);
    }

    /// Adds a query that is known by the columns that it touches.
    pub fn touched(&mut self, name: &str, touched: &Touched, rows: Option<u64>) {
        match touched::statements(touched, rows, &self.workload, &mut self.samples, &mut self.random) {
            Ok((statements, values)) => {
                self.drawn += u64::from(!values.is_empty());
                let text = if values.is_empty() { name.to_owned() } else { format!("{name} with {values}") };
                self.add(name, statements, text.into());
            }
            Err(why) => self.leave_out(name, &why),
        }
    }

    /// Adds so many executions of queries, each as often as its rate says, in an order drawn by seed.
    pub fn queries(&mut self, queries: &[Query], executions: usize) {
        let queries: Vec<&Query> = queries.iter().filter(|query| query.rate > 0.0).collect();
        let total: f64 = queries.iter().map(|query| query.rate).sum();
        for _ in 0..executions {
            let mut point = self.random.f64() * total;
            let drawn = queries.iter().find(|query| {
                point -= query.rate;
                point < 0.0
            });
            match drawn.or(queries.last()) {
                Some(Query { name, asks: Asks::Sql(sql), rows, .. }) => self.draw(name, sql, *rows),
                Some(Query { name, asks: Asks::Columns(touched), rows, .. }) => {
                    self.touched(name, touched, *rows)
                }
                None => {}
            }
        }
    }

    /// The script, and what a reader should know about it.
    pub fn finish(self) -> (Script<BoundStatement>, Vec<String>) {
        let mut notes: Vec<String> = self
            .left_out
            .into_iter()
            .map(|(why, count)| format!("{count} statements are left out: {why}"))
            .collect();
        if self.drawn > 0 {
            notes.push(format!(
                "{} of {} statements have values that were drawn from the data",
                self.drawn,
                self.script.calls.len()
            ));
        }
        (self.script, notes)
    }

    /// Adds a statement with values for its parameters, if it has any.
    fn draw(&mut self, name: &str, sql: &str, rows: Option<u64>) {
        match self.bind(sql, rows) {
            Ok((statement, values)) if values.is_empty() => self.add(name, vec![statement], sql.into()),
            Ok((statement, values)) => {
                self.drawn += 1;
                self.add(name, vec![statement], format!("{sql} with {values}").into());
            }
            Err(why) => self.leave_out(name, &why),
        }
    }

    /// A statement, and the values that were drawn for its parameters, for people.
    fn bind(&mut self, sql: &str, rows: Option<u64>) -> Result<(Statement, String), String> {
        let drawing = draw::Drawing { workload: &self.workload, rows };
        let prepared = PreparedStatement::new(sql, &self.workload, self.dialect);
        let prepared = prepared.map_err(|error| error.to_string())?;
        let (values, drawn) = drawing.values(prepared.parameters(), &mut self.samples, &mut self.random)?;
        Ok((prepared.bind(&values).map_err(|error| error.to_string())?, drawn))
    }

    fn add(&mut self, name: &str, statements: Vec<Statement>, text: Arc<str>) {
        let places = self.places.len();
        let query = *self.places.entry(name.into()).or_insert_with(|| {
            self.script.queries.push(name.to_owned());
            places
        });
        let call = BoundStatement { query: name.into(), statements, text };
        self.script.calls.push(Entry { query, writes: call.writes(), call });
    }

    fn leave_out(&mut self, name: &str, why: &str) {
        *self.left_out.entry(format!("query `{name}`: {why}")).or_default() += 1;
    }
}
