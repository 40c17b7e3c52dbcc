//! Statements that write, on data that stays as it was: what they change is looked at and put back.
//!
//! Without that, a DELETE would find nothing when it is executed again, and a replay would measure data that shrinks. What is
//! read and written here is not measured.

use std::collections::BTreeSet;

use tablesmith_access::answer::{AnswerError, Database, Execution, PlannedStatement};
use tablesmith_model::value::Value;
use tablesmith_model::workload::Table;
use tablesmith_sql::executable::{
    Assignment, Column, Comparison, Delete, Expr, Insert, OutputColumn, Predicate, Query, Source, Statement,
};
use tablesmith_store::Store;

use super::digest::Digest;

/// Rows of a table by their keys, as they were before a statement.
pub(super) struct RowSnapshot<'d> {
    database: &'d Database,
    table: &'d Table,
    /// The keys of rows that the statement may change, none twice.
    keys: BTreeSet<Vec<Value>>,
    /// The rows that were there.
    rows: Vec<Vec<Value>>,
}

impl<'d> RowSnapshot<'d> {
    /// Looks at the rows that a statement is about to change. None where they cannot be put back: rows without a key, or a
    /// statement that changes keys.
    pub async fn look(
        database: &'d Database,
        store: &dyn Store,
        statement: &PlannedStatement,
    ) -> Result<Option<Self>, AnswerError> {
        let (name, query) = match statement {
            PlannedStatement::Select(_) => return Ok(None),
            PlannedStatement::Insert(insert) => (&insert.table, None),
            PlannedStatement::Update(update) => (&update.table, Some(update.rows())),
            PlannedStatement::Delete(delete) => (&delete.table, Some(delete.rows())),
        };
        let Some(table) = database.workload().table(name) else { return Ok(None) };
        let is_key = |set: &Assignment| table.key.contains(&set.column);
        let moves = matches!(statement, PlannedStatement::Update(update) if update.set.iter().any(is_key));
        if table.key.is_empty() || moves {
            return Ok(None);
        }
        let mut before = Self { database, table, keys: BTreeSet::new(), rows: Vec::new() };
        match (query, statement) {
            (Some(query), _) => {
                before.rows = before.answer(store, Query { outputs: before.outputs(), ..query }).await?;
                before.keys = before.rows.iter().map(|row| before.key(row)).collect();
            }
            (None, PlannedStatement::Insert(insert)) => {
                before.keys = insert.rows.iter().map(|row| before.key(row)).collect();
                before.rows = before.now(store).await?;
            }
            (None, _) => {}
        }
        Ok(Some(before))
    }

    /// Rows that the statement is about.
    pub fn touched(&self) -> u64 {
        self.keys.len() as u64
    }

    /// A digest of what the rows are now.
    pub async fn digest(&self, store: &dyn Store) -> Result<(u64, u64), AnswerError> {
        let (mut digest, _) = Digest::of(&Query { outputs: self.outputs(), ..Query::default() });
        self.now(store).await?.iter().for_each(|row| digest.add(row));
        Ok(digest.finish())
    }

    /// Puts everything back.
    pub async fn restore(self, store: &dyn Store) -> Result<(), AnswerError> {
        let kept: BTreeSet<Vec<Value>> = self.rows.iter().map(|row| self.key(row)).collect();
        for key in self.keys.difference(&kept) {
            let delete = Delete { table: self.table.name.clone(), filter: self.equals(key) };
            self.execute(store, Statement::Delete(delete)).await?;
        }
        if !self.rows.is_empty() {
            let insert = Insert { table: self.table.name.clone(), rows: self.rows.clone() };
            self.execute(store, Statement::Insert(insert)).await?;
        }
        Ok(())
    }

    /// The rows of all keys.
    async fn now(&self, store: &dyn Store) -> Result<Vec<Vec<Value>>, AnswerError> {
        let name = self.table.name.clone();
        let query = Query {
            sources: vec![Source { table: name.clone(), alias: name }],
            outputs: self.outputs(),
            ..Query::default()
        };
        let mut rows = Vec::new();
        for key in &self.keys {
            rows.extend(self.answer(store, Query { filter: self.equals(key), ..query.clone() }).await?);
        }
        Ok(rows)
    }

    async fn answer(&self, store: &dyn Store, query: Query) -> Result<Vec<Vec<Value>>, AnswerError> {
        let plan = self.database.plan_query(None, &query)?;
        self.database.answer(store, &plan)?.all().await
    }

    async fn execute(&self, store: &dyn Store, statement: Statement) -> Result<(), AnswerError> {
        let planned = self.database.plan(None, &statement)?;
        match self.database.execute(store, &planned).await? {
            Execution::Rows(_) | Execution::Written(_) => Ok(()),
        }
    }

    fn outputs(&self) -> Vec<OutputColumn> {
        let output =
            |name: &String| Some(OutputColumn { name: name.clone(), expr: Expr::Column(self.column(name)?) });
        self.table.columns.iter().filter_map(|column| output(&column.name)).collect()
    }

    fn column(&self, name: &str) -> Option<Column> {
        let value_type = self.table.column(name)?.value_type;
        Some(Column { source: 0, name: name.to_owned(), value_type })
    }

    fn key(&self, row: &[Value]) -> Vec<Value> {
        let at = self.table.key.iter().filter_map(|name| self.table.column_index(name));
        at.map(|at| row.get(at).cloned().unwrap_or(Value::Null)).collect()
    }

    fn equals(&self, key: &[Value]) -> Vec<Predicate> {
        let equal = |(name, value): (&String, &Value)| {
            let column = Expr::Column(self.column(name)?);
            Some(Predicate::Compare(column, Comparison::Eq, Expr::Value(value.clone())))
        };
        self.table.key.iter().zip(key).filter_map(equal).collect()
    }
}
