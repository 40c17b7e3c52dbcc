//! Templates as the `[[query]]` entries of a workload.

use std::collections::HashMap;

use tablesmith_model::workload::{Asks, Query, Touched, Wishes, Workload};
use tablesmith_sql::{Kind, Operator, Statement, template_keeping_limits};

use super::profile::{Asked, LogProfile, Template};
use super::rows::RowEstimate;

/// How many columns a name lists.
const NAMED_COLUMNS_MAX: usize = 3;

/// A part of a log, by time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Part {
    /// What deciders see.
    Training,
    /// What picks among parameters.
    Validation,
    /// What is replayed to measure.
    Test,
}

impl Part {
    /// All parts, in the order of time.
    pub const ALL: [Self; 3] = [Self::Training, Self::Validation, Self::Test];
}

impl LogProfile {
    /// The templates of the log's training part as queries; see [`LogProfile::queries_of`].
    pub fn queries(&self, workload: &Workload) -> Vec<Query> {
        self.queries_of(Part::Training, workload)
    }

    /// The templates of a part of the log which say something about the known tables, as queries whose rate is their
    /// number of calls there, the most frequent first. How many rows a call touches is the mean over the sampled calls
    /// of that part, as far as their literals and the workload's tables say it; else what the log says.
    pub fn queries_of(&self, part: Part, workload: &Workload) -> Vec<Query> {
        let mut used: HashMap<String, usize> = HashMap::new();
        // Names are given over the whole log: a template has the same one in all parts.
        let named = self.understood().map(|template| {
            let calls = template.calls_in(part);
            (calls, template, self.query(template, calls, &mut used))
        });
        let mut named: Vec<(u64, &Template, Query)> = named.filter(|(calls, ..)| *calls > 0).collect();
        named.sort_by_key(|(calls, ..)| std::cmp::Reverse(*calls));
        let estimate = RowEstimate::new(workload, self.dialect);
        let with_rows = |(_, template, query): (u64, &Template, Query)| {
            let rows = estimate.of_template(template, part).or(template.rows);
            Query { rows: rows.map(|rows| rows.round().max(0.0) as u64), ..query }
        };
        named.into_iter().map(with_rows).collect()
    }

    fn query(&self, template: &Template, calls: u64, used: &mut HashMap<String, usize>) -> Query {
        let (asks, name) = match &template.asks {
            Asked::Columns(touched) => (Asks::Columns(touched.clone()), name_touched(touched)),
            Asked::Sql { example, statement } => {
                let sql = template_keeping_limits(example, self.dialect);
                (Asks::Sql(sql), statement.as_ref().map(name).unwrap_or_default())
            }
        };
        let times = used.entry(name.clone()).or_default();
        *times += 1;
        let name = if *times == 1 { name } else { format!("{name} ({times})") };
        Query { name, asks, rows: None, rate: calls as f64, wishes: Wishes::default() }
    }
}

/// `read users, orders by id`.
fn name(statement: &Statement) -> String {
    let verb = match statement.kind {
        Kind::Select => "read",
        Kind::Insert => "insert into",
        Kind::Update => "update",
        Kind::Delete => "delete from",
    };
    let mut columns: Vec<&str> = Vec::new();
    let conditions = statement.needs.iter().flat_map(|need| &need.predicates);
    for predicate in conditions.filter(|predicate| predicate.operator != Operator::Other) {
        if !columns.contains(&predicate.column.as_str()) {
            columns.push(&predicate.column);
        }
    }
    let tables = statement.tables().join(", ");
    match columns.as_slice() {
        [] => format!("{verb} {tables}"),
        columns => format!("{verb} {tables} by {}", listed(columns)),
    }
}

/// `get users: name, email`.
fn name_touched(touched: &Touched) -> String {
    let (verb, columns) = match touched.writes.as_slice() {
        [] => ("read", &touched.reads),
        _ => ("write", &touched.writes),
    };
    let columns: Vec<&str> = columns.iter().map(String::as_str).collect();
    format!("{verb} {} of {}", listed(&columns), touched.table)
}

fn listed(columns: &[&str]) -> String {
    let shown: Vec<&str> = columns.iter().copied().take(NAMED_COLUMNS_MAX).collect();
    let more = if columns.len() > NAMED_COLUMNS_MAX { ", …" } else { "" };
    format!("{}{more}", shown.join(", "))
}
