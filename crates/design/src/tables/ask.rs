//! What the queries of a workload ask: statements, resolved and checked.

use std::collections::BTreeSet;

use tablesmith_model::design::ColumnOf;
use tablesmith_model::nearest;
use tablesmith_model::workload::{Access, Asks, Query, Touched, Wishes, Workload};
use tablesmith_sql::{
    Amount, Catalog, Dialect, Kind, Need, Operator, Predicate, Statement, Understood, Value, complaint,
    resolve,
};

use super::error::TablesError;

/// Queries that are never made still want a plan: they weigh as little as this.
const RATE_LEAST: f64 = 1e-6;

/// What a query asks.
#[derive(Clone, Debug, PartialEq)]
pub struct Ask {
    /// The query's name.
    pub name: String,
    /// Calls a second, or any weight.
    pub rate: f64,
    /// What the asker wishes.
    pub wishes: Wishes,
    /// What it does.
    pub kind: Kind,
    /// What it needs of each table, in each place where it names one.
    pub needs: Vec<Need>,
    /// Which columns are equal between places.
    pub equalities: Vec<Equality>,
    /// How many rows the answer has at most.
    pub limit: Option<f64>,
    /// Whether it is nothing but inner joins of tables.
    pub is_flat: bool,
    /// Rows that one call touches, where the workload says it.
    pub rows: Option<f64>,
}

/// Columns of two places that are equal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Equality {
    /// One place, and its column.
    pub one: (usize, String),
    /// The other.
    pub two: (usize, String),
}

impl Ask {
    /// Whether it changes something.
    pub fn writes(&self) -> bool {
        self.kind != Kind::Select
    }

    /// A column of a place.
    pub fn column(&self, place: usize, column: &str) -> ColumnOf {
        let table = self.needs.get(place).map(|need| need.table.as_str()).unwrap_or_default();
        ColumnOf::new(table, column)
    }

    /// The place that it writes to.
    pub fn written(&self) -> Option<&Need> {
        self.needs.iter().find(|need| !need.writes.is_empty()).filter(|_| self.writes())
    }

    /// The columns that it adds to what is there, as counters do: `SET n = n + ?`.
    pub fn adds(&self) -> Vec<&str> {
        let Some(need) = self.written().filter(|_| self.kind == Kind::Update) else { return Vec::new() };
        let set = need.written.iter().flatten();
        let adds = set.filter(|(column, value)| *value == Value::Expression && need.reads.contains(column));
        adds.map(|(column, _)| column.as_str()).collect()
    }
}

/// What all queries of a workload ask.
pub fn asks(workload: &Workload) -> Result<Vec<Ask>, TablesError> {
    if workload.tables.is_empty() {
        return Err(TablesError::NoTables);
    }
    if workload.queries.is_empty() {
        return Err(TablesError::NoQueries);
    }
    circle(workload)?;
    let catalog = Catalog::of_workload(workload);
    workload.queries.iter().map(|query| ask(workload, &catalog, query)).collect()
}

fn ask(workload: &Workload, catalog: &Catalog, query: &Query) -> Result<Ask, TablesError> {
    let statement = match &query.asks {
        Asks::Columns(touched) => of_columns(workload, touched),
        Asks::Sql(sql) => {
            let statement = resolve(sql, catalog, Dialect::default())
                .map_err(|source| TablesError::Statement { query: query.name.clone(), source })?;
            check(workload, query, &statement)?;
            statement
        }
    };
    Ok(Ask {
        name: query.name.clone(),
        rate: query.rate.max(RATE_LEAST),
        wishes: query.wishes,
        kind: statement.kind,
        equalities: equalities(&statement.needs),
        limit: statement.limit.and_then(Amount::rows).map(|rows| rows as f64),
        is_flat: statement.is_flat,
        needs: statement.needs,
        rows: query.rows.map(|rows| rows as f64),
    })
}

/// Refuses what names something that is not declared.
fn check(workload: &Workload, query: &Query, statement: &Statement) -> Result<(), TablesError> {
    let tables = || workload.tables.iter().map(|table| table.name.as_str());
    let columns =
        || workload.tables.iter().flat_map(|table| table.columns.iter().map(|one| one.name.as_str()));
    let unknown = |what: &str, name: &str, known: Option<&str>| TablesError::Unknown {
        query: query.name.clone(),
        name: format!("the {what} {name:?}"),
        known: known.map(|known| format!("{known:?}")),
    };
    if let Some(name) = statement.other_tables.first() {
        return Err(unknown("table", name, nearest::nearest(name, tables())));
    }
    if let Some(name) = statement.unknown_columns.first() {
        let bare = name.rsplit('.').next().unwrap_or(name);
        return Err(unknown("column", name, nearest::nearest(bare, columns())));
    }
    match statement.understood {
        Understood::Parsed if statement.statements > 1 => {
            Err(TablesError::Several { query: query.name.clone(), statements: statement.statements })
        }
        Understood::Parsed => Ok(()),
        Understood::ByNames => {
            let sql = if let Asks::Sql(sql) = &query.asks { sql.as_str() } else { "" };
            let why =
                complaint(sql, Dialect::default()).unwrap_or_else(|| "parts of it are unknown".to_owned());
            Err(TablesError::NotParsed { query: query.name.clone(), why })
        }
    }
}

/// A query that is known by its columns alone: rows by whole keys, or a part of the table.
fn of_columns(workload: &Workload, touched: &Touched) -> Statement {
    let table = workload.table(&touched.table);
    let key = table.map(|table| table.key.clone()).unwrap_or_default();
    let is_get = table.is_some_and(|table| touched.access_in(table) == Access::Get);
    let predicate = |column: &String| Predicate {
        column: column.clone(),
        operator: Operator::Eq,
        value: Value::Parameter,
        more: Vec::new(),
    };
    let need = Need {
        table: touched.table.clone(),
        reads: touched.reads.clone(),
        writes: touched.writes.clone(),
        predicates: if is_get { key.iter().map(predicate).collect() } else { Vec::new() },
        ..Need::default()
    };
    let kind = match (touched.writes.is_empty(), touched.reads.is_empty() && is_get) {
        (true, _) => Kind::Select,
        (false, true) => Kind::Insert,
        (false, false) => Kind::Update,
    };
    Statement {
        kind,
        needs: vec![need],
        understood: Understood::Parsed,
        other_tables: Vec::new(),
        unknown_columns: Vec::new(),
        limit: None,
        is_flat: true,
        statements: 1,
    }
}

/// The equalities between places, each once.
fn equalities(needs: &[Need]) -> Vec<Equality> {
    let mut found: Vec<Equality> = Vec::new();
    for (one, need) in needs.iter().enumerate() {
        for join in &need.joins {
            let meets = |other: &Need| {
                other.table == join.other_table
                    && other.joins.iter().any(|back| {
                        back.column == join.other_column
                            && back.other_table == need.table
                            && back.other_column == join.column
                    })
            };
            let others = needs.iter().enumerate().skip(one + 1).filter(|(_, other)| meets(other));
            found.extend(others.map(|(two, _)| Equality {
                one: (one, join.column.clone()),
                two: (two, join.other_column.clone()),
            }));
        }
    }
    found
}

/// Refuses references that lead round in a circle.
fn circle(workload: &Workload) -> Result<(), TablesError> {
    for table in &workload.tables {
        for reference in &table.references {
            let begin = ColumnOf::new(&table.name, &reference.column);
            let mut seen = BTreeSet::from([begin.clone()]);
            let mut path = vec![begin.to_string()];
            let mut at = ColumnOf::new(&reference.table, &reference.target);
            loop {
                path.push(at.to_string());
                if at == begin {
                    let path = path.join(" → ");
                    return Err(TablesError::Cycle { table: begin.table, column: begin.column, path });
                }
                let next = workload.table(&at.table).and_then(|table| {
                    table.references.iter().find(|reference| reference.column == at.column)
                });
                match next {
                    Some(next) if seen.insert(at.clone()) => at = ColumnOf::new(&next.table, &next.target),
                    _ => break,
                }
            }
        }
    }
    Ok(())
}
