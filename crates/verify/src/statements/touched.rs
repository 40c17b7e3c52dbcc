//! Statements of queries that are known only by the columns that they touch.

use tablesmith_model::value::Value;
use tablesmith_model::workload::{Access, Table, Touched, Workload};
use tablesmith_sql::executable::{
    Assigned, Assignment, Column, Comparison, Expr, Insert, Order, OutputColumn, Predicate, Query, Source,
    Statement, Update,
};

use super::sample::Samples;

/// What a query that touches these columns does, and the values that were drawn, for people. Rows are found by the table's
/// key; a scan reads `rows` rows from a place on in the order of the key, or all. What is written goes to the same rows; a
/// table without a key gets new ones.
pub(super) fn statements(
    touched: &Touched,
    rows: Option<u64>,
    workload: &Workload,
    samples: &mut Samples<'_>,
    random: &mut fastrand::Rng,
) -> Result<(Vec<Statement>, String), String> {
    let table = workload.table(&touched.table);
    let table = table.ok_or_else(|| format!("the workload has no table {:?}", touched.table))?;
    let unknown = touched.reads.iter().chain(&touched.writes).find(|name| table.column(name).is_none());
    if let Some(column) = unknown {
        return Err(format!("the table {:?} has no column {column:?}", table.name));
    }
    let count = usize::try_from(rows.unwrap_or(1)).unwrap_or(usize::MAX).max(1);
    let touching = Touching { touched, table };
    let is_scan = touched.writes.is_empty() && touched.access_in(table) == Access::Scan;
    if is_scan && rows.is_none() {
        return Ok((vec![Statement::Select(touching.query(&touched.reads))], String::new()));
    }
    let mut drawn = Vec::with_capacity(count);
    for _ in 0..if is_scan { 1 } else { count } {
        let row = samples.of(table)?.row(random).map(<[Value]>::to_vec);
        drawn.push(row.ok_or_else(|| format!("the data of the table {:?} has no row", table.name))?);
    }
    let told = drawn.iter().map(|row| touching.told(row)).collect::<Vec<_>>().join("; ");
    let statements = if table.key.is_empty() && !touched.writes.is_empty() {
        vec![touching.insert(&drawn)]
    } else if is_scan {
        let from = drawn.first().map(Vec::as_slice).unwrap_or_default();
        vec![touching.read_on(from, rows.unwrap_or(1))]
    } else {
        touching.by_key(&drawn)
    };
    Ok((statements, told))
}

struct Touching<'t> {
    touched: &'t Touched,
    table: &'t Table,
}

impl Touching<'_> {
    /// Some columns of all rows.
    fn query<'c>(&self, columns: impl IntoIterator<Item = &'c String>) -> Query {
        let mut outputs: Vec<OutputColumn> = Vec::new();
        for name in columns {
            if let Some(column) = self.column(name)
                && outputs.iter().all(|output| output.name != *name)
            {
                outputs.push(OutputColumn { name: name.clone(), expr: Expr::Column(column) });
            }
        }
        let name = self.table.name.clone();
        Query { sources: vec![Source { table: name.clone(), alias: name }], outputs, ..Query::default() }
    }

    /// So many rows from a row on, in the order of the key. With its key a row of the answer is the same on every design.
    fn read_on(&self, from: &[Value], rows: u64) -> Statement {
        let key = &self.table.key;
        let order = key.iter().filter_map(|name| self.column(name));
        let order =
            order.map(|column| Order { by: Expr::Column(column), descending: false, nulls_first: true });
        let query = self.query(self.touched.reads.iter().chain(key));
        let filter = self.at_or_after(key, from);
        Statement::Select(Query { filter, order: order.collect(), limit: Some(rows), ..query })
    }

    /// What rows meet that come at or after one in the order of these columns: `a >= 1 AND (a > 1 OR (a = 1 AND …))`.
    fn at_or_after(&self, columns: &[String], from: &[Value]) -> Vec<Predicate> {
        let Some((name, rest)) = columns.split_first() else { return Vec::new() };
        let Some(column) = self.column(name).map(Expr::Column) else { return Vec::new() };
        let value = || Expr::Value(self.value(name, from));
        let mut all = vec![Predicate::Compare(column.clone(), Comparison::Ge, value())];
        let mut after = self.at_or_after(rest, from);
        if !after.is_empty() {
            let greater = Predicate::Compare(column.clone(), Comparison::Gt, value());
            after.insert(0, Predicate::Compare(column, Comparison::Eq, value()));
            all.push(Predicate::Or(vec![greater, Predicate::And(after)]));
        }
        all
    }

    /// Reads and writes rows that are known by their keys.
    fn by_key(&self, rows: &[Vec<Value>]) -> Vec<Statement> {
        let (reads, writes) = (&self.touched.reads, &self.touched.writes);
        let mut statements = Vec::new();
        for row in rows {
            let filter: Vec<Predicate> =
                self.table.key.iter().filter_map(|name| self.equals(name, row)).collect();
            if !reads.is_empty() {
                let query = self.query(reads.iter().chain(&self.table.key));
                statements.push(Statement::Select(Query { filter: filter.clone(), ..query }));
            }
            let set = writes.iter().filter(|name| !self.table.key.contains(name));
            let set: Vec<Assignment> = set
                .map(|name| Assignment { column: name.clone(), to: Assigned::Value(self.value(name, row)) })
                .collect();
            if !set.is_empty() {
                statements.push(Statement::Update(Update { table: self.table.name.clone(), set, filter }));
            }
        }
        statements
    }

    fn insert(&self, rows: &[Vec<Value>]) -> Statement {
        let written = |row: &Vec<Value>| {
            let columns = self.table.columns.iter().zip(row);
            let value = columns.map(|(column, value)| match self.touched.writes.contains(&column.name) {
                true => value.clone(),
                false => Value::Null,
            });
            value.collect()
        };
        Statement::Insert(Insert { table: self.table.name.clone(), rows: rows.iter().map(written).collect() })
    }

    fn equals(&self, name: &str, row: &[Value]) -> Option<Predicate> {
        let value = Expr::Value(self.value(name, row));
        Some(Predicate::Compare(Expr::Column(self.column(name)?), Comparison::Eq, value))
    }

    fn column(&self, name: &str) -> Option<Column> {
        let column = self.table.column(name)?;
        Some(Column { source: 0, name: name.to_owned(), value_type: column.value_type })
    }

    fn value(&self, name: &str, row: &[Value]) -> Value {
        self.table.column_index(name).and_then(|at| row.get(at)).cloned().unwrap_or(Value::Null)
    }

    fn told(&self, row: &[Value]) -> String {
        let named = self.table.key.iter().map(|name| format!("{name} = {}", self.value(name, row)));
        named.collect::<Vec<_>>().join(", ")
    }
}
