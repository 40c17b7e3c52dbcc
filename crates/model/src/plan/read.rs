//! What is read, and what is done with the rows that come back.

use super::{Condition, KeyRange, Strand};
use crate::value::Value;

/// A read of one table.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Read {
    /// Which rows.
    pub which: Which,
    /// The families and what of them.
    pub families: Vec<FamilyRead>,
    /// Whether the rows themselves are all that is wanted: their first cell is enough.
    pub keys_only: bool,
    /// The columns of the answer, in the order of the workload's table.
    pub shown: Vec<Shown>,
    /// What is checked on the rows that come back.
    pub conditions: Vec<Condition>,
}

/// Which rows are read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Which {
    /// The rows of these keys; none twice.
    Keys(Vec<Vec<u8>>),
    /// The rows of these ranges, in any order.
    Ranges(Vec<KeyRange>),
    /// The rows of these strands, merged into the order of their ids.
    Strands(Vec<Strand>),
}

/// What is read of a family.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FamilyRead {
    /// The family.
    pub family: String,
    /// The columns of it; none: all that it has.
    pub columns: Option<Vec<String>>,
}

/// A column of the answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shown {
    /// The column.
    pub column: String,
    /// Where its value comes from.
    pub origin: Origin,
}

/// Where the value of a column comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Origin {
    /// The row key.
    Key,
    /// The qualifier of the record's cell, where one row holds many.
    Qualifier,
    /// A cell of this family.
    Cell(String),
    /// The statement itself: every row that is found has this value.
    Statement(Value),
}

impl Default for Which {
    fn default() -> Self {
        Self::Ranges(vec![KeyRange::ALL])
    }
}

impl Which {
    /// Whether every row of the table is read.
    pub fn is_all(&self) -> bool {
        matches!(self, Self::Ranges(ranges) if ranges.iter().any(KeyRange::is_all))
    }

    /// How it is said in a few words.
    pub fn words(&self) -> String {
        match self {
            Self::Keys(keys) => match keys.len() {
                1 => "get".to_owned(),
                count => format!("{count} gets"),
            },
            Self::Ranges(_) if self.is_all() => "full scan".to_owned(),
            Self::Ranges(ranges) => match ranges.len() {
                1 => "scan".to_owned(),
                count => format!("{count} scans"),
            },
            Self::Strands(strands) => match strands.len() {
                1 => "scan".to_owned(),
                count => format!("{count} scans, merged"),
            },
        }
    }
}
