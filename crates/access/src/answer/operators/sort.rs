//! Rows in an order: all of them, or the first of them.

use std::cmp::Ordering;
use std::sync::Arc;

use async_trait::async_trait;
use tablesmith_sql::executable::in_order;

use super::spill::{Merged, Runs};
use super::{Input, PORTION_ROWS, Row, Rows, at, row_bytes};
use crate::answer::error::AnswerError;

/// One step of an order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SortBy {
    /// The place in a row.
    pub place: usize,
    /// Whether great values come first.
    pub descending: bool,
    /// Whether nulls come first.
    pub nulls_first: bool,
}

/// How two rows sort.
pub type Compare = Arc<dyn Fn(&Row, &Row) -> Ordering + Send + Sync>;

/// The rows of a stream in an order; equal ones in any.
pub struct Sort<'i> {
    input: Input<'i>,
    compare: Compare,
    /// Only the first so many are wanted.
    keep: Option<usize>,
    memory_bytes: usize,
    sorted: Option<Merged>,
}

impl<'i> Sort<'i> {
    /// Sorts with so many bytes in memory; what is beyond goes to temporary files.
    pub fn new(input: Input<'i>, by: Vec<SortBy>, keep: Option<u64>, memory_bytes: usize) -> Self {
        let keep = keep.and_then(|keep| usize::try_from(keep).ok());
        Self { input, compare: comparing(by), keep, memory_bytes, sorted: None }
    }

    async fn sort(&mut self) -> Result<Merged, AnswerError> {
        let mut runs = Runs::new(self.compare.clone());
        let (mut rows, mut bytes): (Vec<Row>, usize) = (Vec::new(), 0);
        loop {
            let portion = self.input.next().await?;
            if portion.is_empty() {
                break;
            }
            bytes += portion.iter().map(|row| row_bytes(row)).sum::<usize>();
            rows.extend(portion);
            if let Some(keep) =
                self.keep.filter(|keep| rows.len() >= keep.saturating_mul(2).max(PORTION_ROWS))
            {
                // Whatever comes, rows behind these are not among the first.
                rows.sort_by(|one, two| (self.compare)(one, two));
                rows.truncate(keep);
                bytes = rows.iter().map(|row| row_bytes(row)).sum();
            }
            if bytes > self.memory_bytes {
                runs.add(std::mem::take(&mut rows))?;
                bytes = 0;
            }
        }
        runs.finish(rows)
    }
}

/// Compares by each step in turn.
pub fn comparing(by: Vec<SortBy>) -> Compare {
    Arc::new(move |one, two| {
        let step = |by: &SortBy| {
            let (one, two) = (at(one, by.place), at(two, by.place));
            match (one.is_null(), two.is_null()) {
                (true, true) => Ordering::Equal,
                (true, false) => {
                    if by.nulls_first {
                        Ordering::Less
                    } else {
                        Ordering::Greater
                    }
                }
                (false, true) => {
                    if by.nulls_first {
                        Ordering::Greater
                    } else {
                        Ordering::Less
                    }
                }
                (false, false) if by.descending => in_order(two, one),
                (false, false) => in_order(one, two),
            }
        };
        by.iter().map(step).find(|ordering| ordering.is_ne()).unwrap_or(Ordering::Equal)
    })
}

#[async_trait]
impl Rows for Sort<'_> {
    async fn next(&mut self) -> Result<Vec<Row>, AnswerError> {
        if self.sorted.is_none() {
            self.sorted = Some(self.sort().await?);
        }
        let Some(sorted) = &mut self.sorted else { return Ok(Vec::new()) };
        sorted.take(PORTION_ROWS).collect()
    }
}

#[cfg(test)]
mod tests {
    use tablesmith_model::value::Value;

    use super::super::testing::{Given, all, ints};
    use super::*;

    fn by(place: usize, descending: bool) -> SortBy {
        SortBy { place, descending, nulls_first: !descending }
    }

    /// Rows in an order that is none.
    fn mixed(count: i64) -> Vec<Row> {
        (0..count).map(|number| ints(&[number * 7_919 % count, number % 5])).collect()
    }

    #[tokio::test]
    async fn rows_beyond_memory_are_sorted_too() {
        let rows = mixed(5_000);
        let mut expected = rows.clone();
        expected.sort_by_key(|row| match row[..] {
            [Value::Int(one), Value::Int(two)] => (-two, one),
            _ => unreachable!(),
        });
        for memory_bytes in [usize::MAX, 40_000, 1] {
            let sort = Sort::new(
                Given::rows(rows.clone(), 100),
                vec![by(1, true), by(0, false)],
                None,
                memory_bytes,
            );
            assert_eq!(all(sort).await, expected, "{memory_bytes} bytes");
        }
    }

    #[tokio::test]
    async fn the_first_rows_need_no_memory_for_the_others() {
        let sort = Sort::new(Given::rows(mixed(100_000), 100), vec![by(0, false)], Some(3), 300_000);
        assert_eq!(
            all(sort).await[..3].iter().map(|row| row[0].clone()).collect::<Vec<_>>(),
            [Value::Int(0), Value::Int(1), Value::Int(2)]
        );
    }

    #[tokio::test]
    async fn nulls_stand_where_they_are_wanted() {
        for (descending, nulls_first, expected) in [
            (false, true, [None, Some(1), Some(2)]),
            (true, false, [Some(2), Some(1), None]),
            (false, false, [Some(1), Some(2), None]),
            (true, true, [None, Some(2), Some(1)]),
        ] {
            let rows = vec![ints(&[2]), vec![Value::Null], ints(&[1])];
            let by = SortBy { place: 0, descending, nulls_first };
            let sorted = all(Sort::new(Given::rows(rows, 2), vec![by], None, 1_000)).await;
            let value = |number: Option<i64>| vec![number.map_or(Value::Null, Value::Int)];
            assert_eq!(sorted, expected.map(value));
        }
    }
}
