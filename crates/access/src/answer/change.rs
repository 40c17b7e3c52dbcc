//! Statements that change rows: the rows are found through the planner where their keys are not said, then all their copies
//! are written by [`Writer`].

use std::collections::BTreeMap;

use tablesmith_model::plan::{Condition, Test};
use tablesmith_model::value::Value;
use tablesmith_sql::executable::{
    Assigned, Assignment, Column, Delete, Expr, Insert, OutputColumn, Query, Update, convert,
};
use tablesmith_store::Store;

use super::error::AnswerError;
use super::operators::{Row, Total};
use super::plan::Conditions;
use super::{Database, Explain};
use crate::error::AccessError;
use crate::write::{SetTo, Writer, Written, out_of_range};

/// Keys that one write looks for at a time.
const KEYS_AT_A_TIME: usize = 500;

impl Database {
    /// Adds rows; a row whose key is there already is replaced.
    pub async fn insert(&self, store: &dyn Store, insert: &Insert) -> Result<Written, AnswerError> {
        let writer = self.writer()?;
        writer.continue_numbers(store).await?;
        Ok(writer.insert(store, &insert.table, insert.rows.clone()).await?)
    }

    /// Changes rows.
    pub async fn update(&self, store: &dyn Store, update: &Update) -> Result<Written, AnswerError> {
        let writer = self.writer()?;
        let plain = update.set.iter().map(set_to).collect::<Option<Vec<_>>>();
        let found = self.found(store, &update.table, &update.rows()).await?;
        if let (Some(set), [conditions]) = (&plain, found.as_slice()) {
            return Ok(writer.update(store, &update.table, set, conditions).await?);
        }
        // All at once, so that no row is changed when one is refused.
        let change = |old: &[Value]| self.changed(writer, update, old);
        Ok(writer.update_by(store, &update.table, &found, change).await?)
    }

    /// Removes rows.
    pub async fn delete(&self, store: &dyn Store, delete: &Delete) -> Result<Written, AnswerError> {
        let writer = self.writer()?;
        let mut written = Written::default();
        for conditions in self.found(store, &delete.table, &delete.rows()).await? {
            written.rows += writer.delete(store, &delete.table, &conditions).await?.rows;
        }
        Ok(written)
    }

    /// How the rows of a change are found.
    pub fn explain_change(&self, table: &str, rows: &Query) -> Result<Explain, AnswerError> {
        Ok(self.plan_query(None, &self.with_keys(table, rows))?.explain())
    }

    /// The table of the design in which an update is one increment and nothing else.
    pub fn counter_of(&self, update: &Update) -> Option<String> {
        let writer = self.writer().ok()?;
        let set = update.set.iter().map(set_to).collect::<Option<Vec<_>>>()?;
        let conditions = Conditions::of(&update.rows());
        let is_plain = conditions.left.is_empty() && !conditions.is_never;
        let tests = conditions.tests.into_iter().map(|(column, test)| Condition::new(column.name, test));
        let tests: Vec<Condition> = tests.collect();
        let is_rows = is_plain && writer.readings_of(&update.table).is_none();
        let counting = is_rows.then(|| writer.counting(&update.table, &set, &tests).ok().flatten())?;
        counting.map(|counting| counting.name.to_string())
    }

    /// The tables of the design that hold rows of a table, alone or joined: the master first.
    pub fn copies(&self, table: &str) -> Vec<String> {
        let Ok(writer) = self.writer() else { return Vec::new() };
        let mut places: Vec<_> = writer.layouts().filter(|(layout, _)| layout.record().has(table)).collect();
        places.sort_by_key(|(_, is_master)| !is_master);
        let readings = writer.readings_of(table).map(|stored| stored.name.to_string());
        places.into_iter().map(|(layout, _)| layout.table().to_owned()).chain(readings).collect()
    }

    /// Conditions that together name the rows of a change: those of the statement where each is a test of one column, else
    /// the keys of the rows that are found.
    async fn found(
        &self,
        store: &dyn Store,
        table: &str,
        rows: &Query,
    ) -> Result<Vec<Vec<Condition>>, AnswerError> {
        let conditions = Conditions::of(rows);
        if conditions.is_never {
            return Ok(Vec::new());
        }
        if conditions.left.is_empty() {
            let condition = |(column, test): (Column, Test)| Condition::new(column.name, test);
            return Ok(vec![conditions.tests.into_iter().map(condition).collect()]);
        }
        let query = self.with_keys(table, rows);
        if query.outputs.is_empty() {
            return Err(AnswerError::NoKey(table.to_owned()));
        }
        let plan = self.plan_query(None, &query)?;
        let store = self.writer()?.statement(store).await?;
        let keys = self.answer(&store, &plan)?.all().await?;
        Ok(of_keys(&query, keys))
    }

    /// The query for the keys of rows.
    fn with_keys(&self, table: &str, rows: &Query) -> Query {
        let known = self.workload.table(table);
        let key = known.map(|table| table.key.as_slice()).unwrap_or_default();
        let output = |name: &String| {
            let value_type = known?.column(name)?.value_type;
            let column = Column { source: 0, name: name.clone(), value_type };
            Some(OutputColumn { name: name.clone(), expr: Expr::Column(column) })
        };
        Query { outputs: key.iter().filter_map(output).collect(), ..rows.clone() }
    }

    /// A row after the update.
    fn changed(&self, writer: &Writer, update: &Update, old: &[Value]) -> Result<Vec<Value>, AccessError> {
        let mut new = old.to_vec();
        let place = |name: &str| self.workload.table(&update.table)?.column_index(name);
        let value = |name: &str| place(name).and_then(|at| old.get(at)).unwrap_or(&Value::Null);
        for Assignment { column, to } in &update.set {
            let to = match to {
                Assigned::Value(value) => value.clone(),
                Assigned::Column(other) => value(other).clone(),
                Assigned::Plus(amount) => plus(value(column), amount)
                    .map_err(|reason| writer.refused(&update.table, column, old, &reason))?,
            };
            if let Some(slot) = place(column).and_then(|at| new.get_mut(at)) {
                *slot = to;
            }
        }
        Ok(new)
    }
}

/// What the writer itself can set; none where another column is needed.
fn set_to(Assignment { column, to }: &Assignment) -> Option<(String, SetTo)> {
    let to = match to {
        Assigned::Value(value) => SetTo::Value(value.clone()),
        Assigned::Plus(Value::Int(amount)) => SetTo::Plus(*amount),
        Assigned::Plus(_) | Assigned::Column(_) => return None,
    };
    Some((column.clone(), to))
}

/// The sum of two numbers of one type; null when one is.
fn plus(old: &Value, amount: &Value) -> Result<Value, String> {
    let Some(value_type) = old.value_type().filter(|_| !amount.is_null()) else { return Ok(Value::Null) };
    if let (Value::Int(old), Value::Int(amount)) = (old, amount) {
        let sum = old.checked_add(*amount).map(Value::Int);
        return sum.ok_or_else(|| out_of_range(*old, *amount));
    }
    let mut total = Total::default();
    total.add(old);
    total.add(amount);
    let sum = total.sum().map_err(|error| error.to_string())?;
    convert(&sum, value_type).ok_or_else(|| format!("{sum} is no value of type {value_type}"))
}

/// Conditions for rows of these keys: rows that differ only in the last column of the key are named together.
fn of_keys(query: &Query, keys: Vec<Row>) -> Vec<Vec<Condition>> {
    let mut together: BTreeMap<Row, Vec<Value>> = BTreeMap::new();
    for mut key in keys {
        if let Some(last) = key.pop() {
            together.entry(key).or_default().push(last);
        }
    }
    let mut all = Vec::new();
    for (first, last) in together {
        for last in last.chunks(KEYS_AT_A_TIME) {
            let values = first.iter().map(|value| vec![value.clone()]).chain([last.to_vec()]);
            let condition = |(output, values): (&OutputColumn, Vec<Value>)| {
                Condition::new(output.name.clone(), Test::In(values))
            };
            all.push(query.outputs.iter().zip(values).map(condition).collect());
        }
    }
    all
}
