//! What is done with rows above the store: streams of portions, each made of another.
//!
//! Every operator holds a portion or two, except those that must see everything first (`sort`, `group`): they keep to a
//! budget and write what is beyond it to temporary files ([`spill`]).

mod filter;
mod generated;
mod group;
mod join;
mod limit;
mod project;
mod sort;
mod spill;
mod state;
mod total;

use async_trait::async_trait;
use tablesmith_model::value::Value;

use super::error::AnswerError;
pub(super) use filter::Filter;
pub(super) use generated::{Generated, Out};
pub(super) use group::{Group, Wanted as WantedAggregate};
pub(super) use join::{Join, Lookup, On};
pub(super) use limit::Limit;
pub(super) use project::{Place, Project};
pub(super) use sort::{Sort, SortBy};
pub(super) use total::Total;

/// A row on its way to the answer.
pub type Row = Vec<Value>;

/// Rows that one call hands on, about.
pub(super) const PORTION_ROWS: usize = 1_024;

/// A stream of rows.
#[async_trait]
pub(super) trait Rows: Send {
    /// The next portion; empty when there are no more rows.
    async fn next(&mut self) -> Result<Vec<Row>, AnswerError>;
}

/// A stream of rows that something else is made of.
pub(super) type Input<'i> = Box<dyn Rows + 'i>;

/// The value in a place of a row.
pub(super) fn at(row: &Row, place: usize) -> &Value {
    row.get(place).unwrap_or(&Value::Null)
}

/// Bytes that a row takes in memory, about.
pub(super) fn row_bytes(row: &[Value]) -> usize {
    let heap = |value: &Value| match value {
        Value::String(text) => text.len(),
        Value::Bytes(bytes) => bytes.len(),
        // A decimal has a byte a digit; most have fewer than these.
        Value::Decimal(_) => 24,
        _ => 0,
    };
    size_of::<Row>() + row.iter().map(|value| size_of::<Value>() + heap(value)).sum::<usize>()
}

#[cfg(test)]
pub(super) mod testing {
    //! Streams of rows that tests make.

    use super::*;

    /// Rows in portions of a few.
    pub struct Given(pub std::collections::VecDeque<Vec<Row>>);

    impl Given {
        pub fn rows(rows: Vec<Row>, portion: usize) -> Input<'static> {
            Box::new(Self(rows.chunks(portion.max(1)).map(<[Row]>::to_vec).collect()))
        }
    }

    #[async_trait]
    impl Rows for Given {
        async fn next(&mut self) -> Result<Vec<Row>, AnswerError> {
            Ok(self.0.pop_front().unwrap_or_default())
        }
    }

    pub async fn all(mut rows: impl Rows) -> Vec<Row> {
        let mut all = Vec::new();
        loop {
            let portion = rows.next().await.unwrap();
            if portion.is_empty() {
                return all;
            }
            all.extend(portion);
        }
    }

    pub fn ints(numbers: &[i64]) -> Row {
        numbers.iter().copied().map(Value::Int).collect()
    }
}
