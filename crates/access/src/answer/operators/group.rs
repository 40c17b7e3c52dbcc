//! Rows that agree in some places become one, with what is worked out of them.

use std::collections::HashMap;
use std::sync::Arc;

use async_trait::async_trait;
use tablesmith_model::value::Value;

use super::spill::{Merged, Runs};
use super::state::State;
pub use super::state::Wanted;
use super::{Input, PORTION_ROWS, Row, Rows, at, row_bytes};
use crate::answer::error::AnswerError;

/// Groups of a stream's rows: the values that they agree in, then what is worked out. Without such values there is one group,
/// of nothing when there are no rows. Groups beyond the budget are written, half worked out, to temporary files.
pub struct Group<'i> {
    input: Input<'i>,
    by: Vec<usize>,
    wanted: Vec<Wanted>,
    memory_bytes: usize,
    done: Option<Done>,
}

/// All groups.
enum Done {
    InMemory(std::collections::hash_map::IntoIter<Row, Vec<State>>),
    Spilled(Merged, Option<(Row, Vec<State>)>),
}

impl<'i> Group<'i> {
    /// Groups by places, with so many bytes in memory.
    pub fn new(input: Input<'i>, by: Vec<usize>, wanted: Vec<Wanted>, memory_bytes: usize) -> Self {
        Self { input, by, wanted, memory_bytes, done: None }
    }

    /// Rows that are the same in all their places, once.
    pub fn distinct(input: Input<'i>, places: usize, memory_bytes: usize) -> Self {
        Self::new(input, (0..places).collect(), Vec::new(), memory_bytes)
    }

    fn new_states(&self) -> Vec<State> {
        self.wanted.iter().map(State::new).collect()
    }

    async fn group(&mut self) -> Result<Done, AnswerError> {
        let keys = self.by.len();
        let compare = move |one: &Row, two: &Row| one.iter().take(keys).cmp(two.iter().take(keys));
        let mut runs = Runs::new(Arc::new(compare));
        let (mut groups, mut bytes): (HashMap<Row, Vec<State>>, usize) = (HashMap::new(), 0);
        if self.by.is_empty() {
            groups.insert(Vec::new(), self.new_states());
        }
        loop {
            let portion = self.input.next().await?;
            if portion.is_empty() {
                break;
            }
            portion.iter().for_each(|row| bytes += self.take(row, &mut groups));
            if bytes > self.memory_bytes {
                runs.add(groups.drain().map(written).collect())?;
                bytes = 0;
            }
        }
        if runs.is_empty() {
            return Ok(Done::InMemory(groups.into_iter()));
        }
        Ok(Done::Spilled(runs.finish(groups.into_iter().map(written).collect())?, None))
    }

    /// Takes a row into its group; bytes that groups now take more.
    fn take(&self, row: &Row, groups: &mut HashMap<Row, Vec<State>>) -> usize {
        let key: Row = self.by.iter().map(|place| at(row, *place).clone()).collect();
        let mut more = 0;
        let states = groups.entry(key).or_insert_with_key(|key| {
            more = row_bytes(key) + self.wanted.len() * size_of::<State>();
            self.new_states()
        });
        for (state, wanted) in states.iter_mut().zip(&self.wanted) {
            match wanted.of {
                Some(place) => more += state.add(wanted, at(row, place)),
                None => state.add_row(),
            }
        }
        more
    }

    fn finished(&self, mut key: Row, states: Vec<State>) -> Result<Row, AnswerError> {
        for (state, wanted) in states.into_iter().zip(&self.wanted) {
            key.push(state.finish(wanted)?);
        }
        Ok(key)
    }

    /// A group as it was written.
    fn read(&self, mut row: Row) -> (Row, Vec<State>) {
        let states = row.split_off(self.by.len().min(row.len()));
        let values = states.chunks(State::VALUES).zip(&self.wanted);
        (row, values.map(|(values, wanted)| State::from_values(wanted, values)).collect())
    }

    /// The next group of what was written: its parts follow each other.
    fn next_spilled(
        &self,
        merged: &mut Merged,
        last: &mut Option<(Row, Vec<State>)>,
    ) -> Result<Option<Row>, AnswerError> {
        for row in merged {
            let (key, states) = self.read(row?);
            if let Some((own, have)) = last
                && *own == key
            {
                let parts = have.iter_mut().zip(&self.wanted).zip(states);
                parts.for_each(|((state, wanted), other)| state.merge(wanted, other));
            } else if let Some((key, states)) = last.replace((key, states)) {
                return self.finished(key, states).map(Some);
            }
        }
        last.take().map(|(key, states)| self.finished(key, states)).transpose()
    }
}

/// A group as a row: its key, then its states.
fn written((mut key, states): (Row, Vec<State>)) -> Row {
    states.iter().for_each(|state| key.extend::<[Value; State::VALUES]>(state.to_values()));
    key
}

#[async_trait]
impl Rows for Group<'_> {
    async fn next(&mut self) -> Result<Vec<Row>, AnswerError> {
        let mut done = match self.done.take() {
            Some(done) => done,
            None => self.group().await?,
        };
        let mut rows = Vec::new();
        while rows.len() < PORTION_ROWS {
            let next = match &mut done {
                Done::InMemory(groups) => {
                    groups.next().map(|(key, states)| self.finished(key, states)).transpose()?
                }
                Done::Spilled(merged, last) => self.next_spilled(merged, last)?,
            };
            match next {
                Some(row) => rows.push(row),
                None => break,
            }
        }
        self.done = Some(done);
        Ok(rows)
    }
}

#[cfg(test)]
mod tests {
    use tablesmith_sql::executable::Function;

    use super::super::testing::{Given, all, ints};
    use super::*;

    fn wanted(function: Function, of: Option<usize>, distinct: bool) -> Wanted {
        Wanted { function, of, distinct }
    }

    #[tokio::test]
    async fn groups_beyond_memory_are_worked_out_too() {
        let mut rows: Vec<Row> = (0..3_000).map(|number| ints(&[number % 700, number % 11])).collect();
        rows.push(vec![Value::Int(3), Value::Null]);
        let functions = vec![
            wanted(Function::Count, None, false),
            wanted(Function::Count, Some(1), false),
            wanted(Function::Sum, Some(1), false),
            wanted(Function::Min, Some(1), false),
            wanted(Function::Max, Some(1), false),
            wanted(Function::Count, Some(1), true),
        ];
        let mut answers = Vec::new();
        for memory_bytes in [usize::MAX, 10_000, 1] {
            let group = Group::new(Given::rows(rows.clone(), 64), vec![0], functions.clone(), memory_bytes);
            let mut groups = all(group).await;
            groups.sort();
            answers.push(groups);
        }
        let three: Vec<i64> =
            (0..3_000).filter(|number| number % 700 == 3).map(|number| number % 11).collect();
        let (least, most) = (*three.iter().min().unwrap(), *three.iter().max().unwrap());
        assert_eq!(answers[0][3], ints(&[3, 6, 5, three.iter().sum(), least, most, 5]));
        assert_eq!(answers[0].len(), 700);
        assert!(answers.iter().all(|groups| *groups == answers[0]));
    }

    #[tokio::test]
    async fn nothing_is_a_group_of_its_own_only_without_keys() {
        let functions = vec![
            wanted(Function::Count, None, false),
            wanted(Function::Sum, Some(0), false),
            wanted(Function::Avg, Some(0), true),
        ];
        let total = Group::new(Given::rows(Vec::new(), 1), Vec::new(), functions.clone(), 1_000);
        assert_eq!(all(total).await, [vec![Value::Int(0), Value::Null, Value::Null]]);
        let grouped = Group::new(Given::rows(Vec::new(), 1), vec![0], functions, 1_000);
        assert!(all(grouped).await.is_empty());
    }

    #[tokio::test]
    async fn distinct_rows_are_handed_out_once_nulls_too() {
        let rows = vec![ints(&[1]), vec![Value::Null], ints(&[1]), vec![Value::Null], ints(&[2])];
        let mut distinct = all(Group::distinct(Given::rows(rows, 2), 1, 1_000)).await;
        distinct.sort();
        assert_eq!(distinct, [vec![Value::Null], ints(&[1]), ints(&[2])]);
    }
}
