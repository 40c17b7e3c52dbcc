//! Rows of two streams that agree: the outer rows of a batch are gathered, and the inner ones are looked up for all of them
//! in one read.
//!
//! Memory holds the outer rows of a batch and one portion of the inner ones, however many of those there are.

use std::collections::HashMap;

use async_trait::async_trait;
use tablesmith_model::plan::{Condition, Test};
use tablesmith_model::value::{Value, ValueType};
use tablesmith_plan::rpc::{BATCH_GROWTH, FIRST_BATCH_ROWS};
use tablesmith_sql::executable::convert;

use super::{Input, PORTION_ROWS, Row, Rows, at};
use crate::answer::error::AnswerError;

/// What finds inner rows.
#[async_trait]
pub trait Lookup<'i>: Send {
    /// The inner rows that meet these conditions, too.
    async fn open(&mut self, conditions: Vec<Condition>) -> Result<Input<'i>, AnswerError>;
}

/// A column in which outer and inner rows agree.
#[derive(Clone, Debug, PartialEq)]
pub struct On {
    /// Its place in outer rows.
    pub outer: usize,
    /// Its place in inner rows.
    pub inner: usize,
    /// What the inner side calls it.
    pub field: String,
    /// Its type there.
    pub value_type: ValueType,
}

/// Outer rows, each with every inner row that agrees.
pub struct Join<'i> {
    outer: Input<'i>,
    lookup: Box<dyn Lookup<'i> + 'i>,
    on: Vec<On>,
    /// Whether an outer row has at most one inner row: then the order of outer rows is kept.
    is_to_one: bool,
    batch_rows: usize,
    batch_rows_max: usize,
    waiting: std::vec::IntoIter<Row>,
    batch: Option<Batch<'i>>,
}

/// The outer rows of a batch, and where the inner ones are.
struct Batch<'i> {
    rows: Vec<Row>,
    /// Outer rows by what they agree in.
    by: HashMap<Row, Vec<usize>>,
    inner: Input<'i>,
    portion: std::vec::IntoIter<Row>,
}

impl<'i> Join<'i> {
    /// Joins in batches of at most so many outer rows.
    pub fn new(
        outer: Input<'i>,
        lookup: Box<dyn Lookup<'i> + 'i>,
        on: Vec<On>,
        is_to_one: bool,
        batch_rows_max: usize,
    ) -> Self {
        let batch_rows = FIRST_BATCH_ROWS.min(batch_rows_max);
        let waiting = Vec::new().into_iter();
        Self { outer, lookup, on, is_to_one, batch_rows, batch_rows_max, waiting, batch: None }
    }

    /// The outer rows of the next batch; none when there are no more.
    async fn gather(&mut self) -> Result<Vec<Row>, AnswerError> {
        let mut rows = Vec::new();
        while rows.len() < self.batch_rows {
            match self.waiting.next() {
                Some(row) => rows.push(row),
                None => {
                    let portion = self.outer.next().await?;
                    if portion.is_empty() {
                        break;
                    }
                    self.waiting = portion.into_iter();
                }
            }
        }
        self.batch_rows = self.batch_rows.saturating_mul(BATCH_GROWTH).min(self.batch_rows_max);
        Ok(rows)
    }

    /// Begins the next batch that has something to look for; false when there is none.
    async fn begin(&mut self) -> Result<bool, AnswerError> {
        loop {
            let rows = self.gather().await?;
            if rows.is_empty() {
                return Ok(false);
            }
            let mut by: HashMap<Row, Vec<usize>> = HashMap::new();
            for (index, row) in rows.iter().enumerate() {
                if let Some(key) = self.key_of(row) {
                    by.entry(key).or_default().push(index);
                }
            }
            if by.is_empty() {
                continue;
            }
            let inner = self.lookup.open(self.conditions(&by)).await?;
            self.batch = Some(Batch { rows, by, inner, portion: Vec::new().into_iter() });
            return Ok(true);
        }
    }

    /// What an outer row agrees in, as the inner side has it; none where nothing can agree.
    fn key_of(&self, row: &Row) -> Option<Row> {
        let value = |on: &On| {
            let value = at(row, on.outer);
            convert(value, on.value_type).filter(|value| !value.is_null())
        };
        self.on.iter().map(value).collect()
    }

    /// What inner rows of a batch meet.
    fn conditions(&self, by: &HashMap<Row, Vec<usize>>) -> Vec<Condition> {
        let condition = |(place, on): (usize, &On)| {
            let mut values: Vec<Value> = by.keys().map(|key| at(key, place).clone()).collect();
            values.sort();
            values.dedup();
            Condition::new(on.field.clone(), Test::In(values))
        };
        self.on.iter().enumerate().map(condition).collect()
    }
}

impl Batch<'_> {
    /// The next rows; none when the batch is done.
    async fn next(&mut self, on: &[On]) -> Result<Vec<Row>, AnswerError> {
        let mut joined = Vec::new();
        while joined.len() < PORTION_ROWS {
            let Some(inner) = self.portion.next() else {
                let portion = self.inner.next().await?;
                if portion.is_empty() {
                    break;
                }
                self.portion = portion.into_iter();
                continue;
            };
            for outer in self.outers(&inner, on) {
                joined.push(outer.iter().chain(&inner).cloned().collect());
            }
        }
        Ok(joined)
    }

    /// All rows, in the order of the outer ones, each of which has at most one inner row.
    async fn in_order(&mut self, on: &[On]) -> Result<Vec<Row>, AnswerError> {
        let mut found: Vec<Option<Row>> = vec![None; self.rows.len()];
        loop {
            let portion = self.inner.next().await?;
            if portion.is_empty() {
                break;
            }
            for inner in portion {
                for index in self.indices(&inner, on) {
                    found.get_mut(*index).into_iter().for_each(|slot| *slot = Some(inner.clone()));
                }
            }
        }
        let rows = std::mem::take(&mut self.rows).into_iter().zip(found);
        Ok(rows.filter_map(|(outer, inner)| Some(outer.into_iter().chain(inner?).collect())).collect())
    }

    fn indices(&self, inner: &Row, on: &[On]) -> &[usize] {
        let key: Row = on.iter().map(|on| at(inner, on.inner).clone()).collect();
        self.by.get(&key).map(Vec::as_slice).unwrap_or_default()
    }

    fn outers(&self, inner: &Row, on: &[On]) -> impl Iterator<Item = &Row> {
        self.indices(inner, on).iter().filter_map(|index| self.rows.get(*index))
    }
}

#[async_trait]
impl Rows for Join<'_> {
    async fn next(&mut self) -> Result<Vec<Row>, AnswerError> {
        loop {
            if self.batch.is_none() && !self.begin().await? {
                return Ok(Vec::new());
            }
            let Some(batch) = &mut self.batch else { return Ok(Vec::new()) };
            let rows = if self.is_to_one {
                let rows = batch.in_order(&self.on).await?;
                self.batch = None;
                rows
            } else {
                let rows = batch.next(&self.on).await?;
                if rows.is_empty() {
                    self.batch = None;
                }
                rows
            };
            if !rows.is_empty() {
                return Ok(rows);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{Given, all, ints};
    use super::*;

    /// Inner rows in memory, and how often they were looked for.
    struct Table {
        rows: Vec<Row>,
        opened: std::sync::Arc<std::sync::atomic::AtomicUsize>,
    }

    #[async_trait]
    impl Lookup<'static> for Table {
        async fn open(&mut self, conditions: Vec<Condition>) -> Result<Input<'static>, AnswerError> {
            self.opened.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
            let meets = |row: &&Row| conditions.iter().all(|condition| condition.test.holds(&row[0]));
            Ok(Given::rows(self.rows.iter().filter(meets).cloned().collect(), 7))
        }
    }

    fn on(value_type: ValueType) -> Vec<On> {
        vec![On { outer: 1, inner: 0, field: "id".into(), value_type }]
    }

    fn expected(outer: &[Row], inner: &[Row]) -> Vec<Row> {
        let pairs = outer.iter().flat_map(|one| inner.iter().map(move |two| (one, two)));
        pairs.filter(|(one, two)| one[1] == two[0]).map(|(one, two)| [&one[..], two].concat()).collect()
    }

    #[tokio::test]
    async fn every_outer_row_meets_every_inner_row_that_agrees() {
        let mut outer: Vec<Row> = (0..500).map(|number| ints(&[number, number * 7 % 90])).collect();
        outer.push(vec![Value::Int(1), Value::Null]);
        let inner: Vec<Row> = (0..300).map(|number| ints(&[number % 120, number])).collect();
        let opened = std::sync::Arc::default();
        let table = Table { rows: inner.clone(), opened: std::sync::Arc::clone(&opened) };
        let join = Join::new(Given::rows(outer.clone(), 33), Box::new(table), on(ValueType::Int), false, 200);
        let mut joined = all(join).await;
        joined.sort();
        let mut expected = expected(&outer, &inner);
        expected.sort();
        assert_eq!(joined, expected);
        assert_eq!(opened.load(std::sync::atomic::Ordering::Relaxed), 4, "32, 128, 200 and 141 outer rows");
    }

    #[tokio::test]
    async fn a_join_to_one_keeps_the_order() {
        let outer: Vec<Row> = (0..300).map(|number| ints(&[number, number * 7 % 90])).collect();
        let inner: Vec<Row> = (0..60).rev().map(|number| ints(&[number, number + 1])).collect();
        let table = Table { rows: inner.clone(), opened: std::sync::Arc::default() };
        let join = Join::new(Given::rows(outer.clone(), 50), Box::new(table), on(ValueType::Int), true, 100);
        assert_eq!(all(join).await, expected(&outer, &inner));
    }

    #[tokio::test]
    async fn numbers_of_different_types_agree_when_they_are_equal() {
        let outer = vec![vec![Value::Int(0), Value::Float(2.0)], vec![Value::Int(1), Value::Float(2.5)]];
        let table = Table { rows: vec![ints(&[2, 9])], opened: std::sync::Arc::default() };
        let join = Join::new(Given::rows(outer, 5), Box::new(table), on(ValueType::Int), true, 100);
        assert_eq!(all(join).await, [vec![Value::Int(0), Value::Float(2.0), Value::Int(2), Value::Int(9)]]);
    }
}
