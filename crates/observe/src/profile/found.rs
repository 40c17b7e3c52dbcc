//! What was found in a data file.

use tablesmith_model::value::ValueType;
use tablesmith_model::workload::{Column, Heavy, Table};

/// What was found in the data of one table.
#[derive(Clone, Debug, PartialEq)]
pub struct Profile {
    /// How many rows were measured.
    pub rows: u64,
    /// The columns, in the order of the file.
    pub columns: Vec<ColumnProfile>,
    /// The columns that alone or together identify a row, the best first.
    pub keys: Vec<CandidateKey>,
    /// How many lines were left out because they do not fit.
    pub bad_lines: u64,
    /// The first of them.
    pub first_bad_lines: Vec<BadLine>,
}

/// What was found in one column.
#[derive(Clone, Debug, PartialEq)]
pub struct ColumnProfile {
    /// Its name.
    pub name: String,
    /// The narrowest type that all its values have.
    pub value_type: ValueType,
    /// How many different values it has.
    pub distinct: Count,
    /// Bytes of a value as text, on average; `None` when there is no value.
    pub mean_bytes: Option<f64>,
    /// Rows without a value.
    pub nulls: u64,
    /// Whether values never fall in the order of the file, and rise at least once.
    pub monotone: bool,
    /// Whether no two rows have the same value; `None` when they do, or when a row has none.
    pub unique: Option<Certainty>,
    /// Values that are far more frequent than others, with their share of the rows, the most frequent first.
    pub heavy: Vec<Heavy>,
    /// The least value, as text; `None` when there is none that can be told in a line.
    pub min: Option<String>,
    /// The greatest value, as text.
    pub max: Option<String>,
    /// Values that are not UTF-8.
    pub not_utf8: u64,
}

/// A number of different things.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Count {
    /// How many.
    pub count: u64,
    /// Whether it was counted (up to the chance of two equal 64-bit hashes) rather than estimated.
    pub exact: bool,
}

/// How sure it is that values are unique.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Certainty {
    /// All rows were compared.
    Certain,
    /// A sample of the values, chosen by their hash, has no two alike.
    Probable,
}

/// Columns that identify a row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CandidateKey {
    /// One column or several, these in the order of the file.
    pub columns: Vec<String>,
    /// How sure that is.
    pub certainty: Certainty,
}

/// A line that was left out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BadLine {
    /// The line, from 1.
    pub line: u64,
    /// Why it does not fit.
    pub message: String,
    /// The beginning of the line.
    pub text: String,
}

impl Profile {
    /// The table that a workload says about this data. A probable key is taken too: a person can see and change it.
    pub fn to_table(&self, name: &str, data: &str) -> Table {
        Table {
            name: name.to_owned(),
            data: Some(data.to_owned()),
            rows: Some(self.rows),
            key: self.keys.first().map(|key| key.columns.clone()).unwrap_or_default(),
            columns: self.columns.iter().map(|column| column.to_column(self.rows)).collect(),
            ..Table::default()
        }
    }
}

impl ColumnProfile {
    fn to_column(&self, rows: u64) -> Column {
        let share = |part: u64| if rows == 0 { 0.0 } else { rounded(part as f64 / rows as f64) };
        Column {
            distinct: Some(self.distinct.count),
            bytes: self.mean_bytes.map(|bytes| (bytes * 100.0).round() / 100.0),
            nulls: (self.nulls > 0).then(|| share(self.nulls)),
            min: self.min.clone(),
            max: self.max.clone(),
            monotone: self.monotone,
            heavy: self
                .heavy
                .iter()
                .map(|heavy| Heavy { value: heavy.value.clone(), share: rounded(heavy.share) })
                .collect(),
            ..Column::new(&self.name, self.value_type)
        }
    }
}

/// A share as people read it; never 0 for what is there.
fn rounded(share: f64) -> f64 {
    let rounded = (share * 10_000.0).round() / 10_000.0;
    if rounded == 0.0 { share } else { rounded }
}
