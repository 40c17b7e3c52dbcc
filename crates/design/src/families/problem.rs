//! A table and what is asked of it, as far as the grouping of its columns matters.

use super::ColumnSet;

/// A table whose columns are to be grouped.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Problem {
    /// The table's name.
    pub table: String,
    /// How many rows it has.
    pub rows: u64,
    /// Bytes of a row key, on average. HBase stores it in every cell.
    pub key_bytes: f64,
    /// Its columns, in the order in which the user has them.
    pub columns: Vec<Column>,
    /// What is asked. Asks of the same shape are one, their rates added up.
    pub asks: Vec<Ask>,
    /// How many families there may be.
    pub limit: FamilyLimit,
    /// The grouping that the table has at present.
    pub current: Option<Vec<ColumnSet>>,
}

/// A column.
#[derive(Clone, Debug, PartialEq)]
pub struct Column {
    /// Its name.
    pub name: String,
    /// Bytes of a value that is there, on average.
    pub bytes: f64,
    /// The share of rows that have a value, from 0 to 1.
    pub filled: f64,
}

/// A query, as far as columns matter.
#[derive(Clone, Debug, PartialEq)]
pub struct Ask {
    /// What the user calls it; the first name of several that were alike.
    pub name: String,
    /// How rows are found.
    pub access: Access,
    /// The columns that it needs, or writes.
    pub columns: ColumnSet,
    /// Rows that one call touches, on average.
    pub rows: f64,
    /// Calls a second, or any weight.
    pub rate: f64,
}

/// How an ask touches its rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Access {
    /// Reads rows by their key.
    Get,
    /// Reads rows that lie side by side.
    Scan,
    /// Writes rows.
    Write,
}

/// How many families there may be.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum FamilyLimit {
    /// As many as there are columns.
    #[default]
    None,
    /// At most so many. HBase flushes all families of a region together, which makes many of them dear.
    AtMost(usize),
    /// So many and no other number, as the paper's s03 and s05 have.
    Exactly(usize),
}

impl FamilyLimit {
    /// The most families that it allows in a table with so many columns.
    pub fn most(self, columns: usize) -> usize {
        match self {
            Self::None => columns,
            Self::AtMost(limit) | Self::Exactly(limit) => limit.min(columns),
        }
    }

    /// The fewest families that it allows in a table with so many columns.
    pub fn fewest(self, columns: usize) -> usize {
        match self {
            Self::None | Self::AtMost(_) => columns.min(1),
            Self::Exactly(limit) => limit.min(columns),
        }
    }
}

impl Problem {
    /// Whether a grouping has every column, no family twice or empty, and as many families as allowed.
    pub fn allows(&self, families: &[ColumnSet]) -> bool {
        let mut all = ColumnSet::new();
        families.iter().for_each(|family| all.unite(family));
        let columns = self.columns.len();
        let mut sorted: Vec<&ColumnSet> = families.iter().collect();
        sorted.sort_unstable();
        let is_there_twice = sorted.windows(2).any(|pair| pair.first() == pair.last());
        all == ColumnSet::first(columns)
            && !is_there_twice
            && families.iter().all(|family| !family.is_empty())
            && (self.limit.fewest(columns)..=self.limit.most(columns)).contains(&families.len())
    }

    /// All columns in one family.
    pub fn one_family(&self) -> Vec<ColumnSet> {
        if self.columns.is_empty() { Vec::new() } else { vec![ColumnSet::first(self.columns.len())] }
    }

    /// Every column in a family of its own.
    pub fn each_alone(&self) -> Vec<ColumnSet> {
        (0..self.columns.len()).map(|column| ColumnSet::from_iter([column])).collect()
    }

    /// Reading asks.
    pub fn reads(&self) -> impl Iterator<Item = &Ask> {
        self.asks.iter().filter(|ask| ask.access != Access::Write)
    }
}
