//! A query: what is asked, how often, and what the asker wishes.

use super::Table;

/// A kind of call that the application makes.
#[derive(Clone, Debug, PartialEq)]
pub struct Query {
    /// The name, unique in the workload.
    pub name: String,
    /// What it asks.
    pub asks: Asks,
    /// Rows that one call touches, where that is known.
    pub rows: Option<u64>,
    /// Calls a second, or any weight: only the ratio between queries counts.
    pub rate: f64,
    /// What the asker wishes.
    pub wishes: Wishes,
}

/// What a query asks: a statement, or just the columns that it touches.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Asks {
    /// A statement in SQL. It is resolved elsewhere.
    Sql(String),
    /// The columns of one table that a call touches.
    Columns(Touched),
}

/// The columns of one table that a call touches.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Touched {
    /// The table.
    pub table: String,
    /// The columns that are read.
    pub reads: Vec<String>,
    /// The columns that are written.
    pub writes: Vec<String>,
    /// How rows are found, where that is said; see [`Touched::access_in`].
    pub access: Option<Access>,
}

/// How a call finds its rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    /// By key.
    Get,
    /// By reading on from a place.
    Scan,
}

/// What the asker wishes of every call.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Wishes {
    /// The longest time that a call may take, in milliseconds.
    pub max_ms: Option<f64>,
    /// Answered by one call to the store.
    pub one_call: bool,
    /// Seen or written all at once.
    pub atomic: bool,
    /// No copy that lags behind.
    pub fresh: bool,
}

impl Query {
    /// A statement with a rate and no wishes.
    pub fn sql(name: impl Into<String>, sql: impl Into<String>, rate: f64) -> Self {
        let asks = Asks::Sql(sql.into());
        Self { name: name.into(), asks, rows: None, rate, wishes: Wishes::default() }
    }
}

impl Touched {
    /// How rows are found: as the query says, else by key when the table has one, else by a scan.
    pub fn access_in(&self, table: &Table) -> Access {
        self.access.unwrap_or(if table.key.is_empty() { Access::Scan } else { Access::Get })
    }
}

impl Access {
    /// Both ways.
    pub const ALL: [Self; 2] = [Self::Get, Self::Scan];

    /// The name in files.
    pub fn name(self) -> &'static str {
        match self {
            Self::Get => "get",
            Self::Scan => "scan",
        }
    }

    /// The way of a name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|access| access.name() == name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_found_by_key_when_there_is_one_and_nothing_else_is_said() {
        let mut table = Table::default();
        let mut touched = Touched { table: "t".into(), reads: vec![], writes: vec![], access: None };
        assert_eq!(touched.access_in(&table), Access::Scan);
        table.key = vec!["id".into()];
        assert_eq!(touched.access_in(&table), Access::Get);
        touched.access = Some(Access::Scan);
        assert_eq!(touched.access_in(&table), Access::Scan);
    }
}
