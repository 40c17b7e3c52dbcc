//! The columns that a query hands on, and what they are made of.

/// A column of a table in one of the places where the statement names it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Column {
    /// Which need of the analysis.
    pub need: usize,
    /// Which column of its table.
    pub column: usize,
}

/// A column of a query's answer. Its columns are read only when somebody wants it.
#[derive(Debug, Clone, Default)]
pub(super) struct Output {
    /// Its name in lower case.
    pub name: Option<String>,
    /// The columns that it is made of.
    pub uses: Vec<Column>,
    /// The column that it is, where a condition on it is a condition on that column.
    pub is: Option<Column>,
    /// Stands for all columns of a table that is not known.
    pub is_rest: bool,
}

impl Output {
    /// A column handed on as it is.
    pub fn of(name: &str, column: Column) -> Self {
        Self { name: Some(name.to_lowercase()), uses: vec![column], is: Some(column), is_rest: false }
    }

    /// Whatever columns an unknown table has.
    pub fn rest() -> Self {
        Self { is_rest: true, ..Self::default() }
    }
}
