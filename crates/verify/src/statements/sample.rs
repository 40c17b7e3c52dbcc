//! Rows drawn from data: where the values of calls come from that nobody logged.

use std::collections::HashMap;

use tablesmith_model::source_row::SourceRow;
use tablesmith_model::value::Value;
use tablesmith_model::workload::Table;

/// So many rows are kept of a table, which bounds memory.
const ROWS: usize = 10_000;

/// Where samples come from: asked once for a table, and only when values of it are wanted.
pub type Source<'a> = Box<dyn FnMut(&Table) -> Result<Sample, String> + 'a>;

/// Samples of some tables, as far as they were wanted.
pub(super) struct Samples<'a> {
    source: Source<'a>,
    known: HashMap<String, Result<Sample, String>>,
}

/// Rows of one table.
#[derive(Clone, Debug, Default)]
pub struct Sample {
    rows: Vec<Vec<Value>>,
    seen: u64,
}

impl<'a> Samples<'a> {
    pub fn new(source: Source<'a>) -> Self {
        Self { source, known: HashMap::new() }
    }

    /// The sample of a table.
    pub fn of(&mut self, table: &Table) -> Result<&Sample, String> {
        let source = &mut self.source;
        let known = self.known.entry(table.name.clone()).or_insert_with(|| source(table));
        known.as_ref().map_err(Clone::clone)
    }
}

impl Sample {
    /// Draws rows of a table, each with the same chance (Waterman's reservoir; Knuth, "Seminumerical Algorithms", 3.4.2,
    /// algorithm R).
    pub fn draw(rows: impl Iterator<Item = SourceRow>, seed: u64) -> Self {
        let mut random = fastrand::Rng::with_seed(seed);
        let mut sample = Self::default();
        for row in rows {
            sample.seen += 1;
            if sample.rows.len() < ROWS {
                sample.rows.push(row.values);
            } else if let Some(place) = sample.rows.get_mut(random.u64(..sample.seen) as usize) {
                *place = row.values;
            }
        }
        sample
    }

    /// A row of it.
    pub fn row(&self, random: &mut fastrand::Rng) -> Option<&[Value]> {
        let place = random.usize(..self.rows.len().max(1));
        self.rows.get(place).map(Vec::as_slice)
    }

    /// The value of a column that comes a share of all rows after another one in the order of values: where a range begins with
    /// that, it ends with this. None where the sample has no later one.
    pub fn value_after(&self, column: usize, from: &Value, share: f64) -> Option<Value> {
        let mut values: Vec<&Value> = self.rows.iter().filter_map(|row| row.get(column)).collect();
        values.retain(|value| !value.is_null());
        values.sort();
        let at = values.partition_point(|value| *value < from);
        let more = (share * values.len() as f64).round().max(1.0) as usize;
        values.get((at + more).min(values.len().checked_sub(1)?)).map(|value| (*value).clone())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_from_everywhere_are_drawn() {
        let rows = |count| (0..count).map(|line| SourceRow { line, values: vec![Value::Int(line as i64)] });
        let sample = Sample::draw(rows(100_000), 1);
        assert_eq!((sample.rows.len(), sample.seen), (ROWS, 100_000));
        let late = sample.rows.iter().filter(|row| row[0] >= Value::Int(50_000)).count();
        assert!((4_700..5_300).contains(&late), "{late} of 10,000 from the second half");
        let mut random = fastrand::Rng::with_seed(1);
        assert!(Sample::draw(rows(3), 1).row(&mut random).is_some());
        assert_eq!(Sample::default().row(&mut random), None);
    }

    #[test]
    fn a_range_has_its_share_of_the_rows() {
        let rows = (0..100).map(|line| SourceRow { line, values: vec![Value::Int(line as i64)] });
        let sample = Sample::draw(rows, 1);
        let after = |from: i64, share: f64| sample.value_after(0, &Value::Int(from), share);
        assert_eq!(after(10, 0.25), Some(Value::Int(35)));
        assert_eq!(after(90, 0.25), Some(Value::Int(99)), "no later one is known");
        assert_eq!(after(10, 0.0), Some(Value::Int(11)), "a range is not empty");
        assert_eq!(Sample::default().value_after(0, &Value::Int(1), 0.5), None);
    }
}
