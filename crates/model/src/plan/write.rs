//! What is written to a row.

/// A write to one row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RowWrite {
    /// The row's key.
    pub key: Vec<u8>,
    /// What happens to it.
    pub change: Change,
}

/// What happens to a row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Change {
    /// These cells are written or removed, all at once.
    Cells(Vec<CellWrite>),
    /// The row is removed.
    Remove,
}

/// A cell that is written or removed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CellWrite {
    /// The family.
    pub family: String,
    /// The qualifier.
    pub qualifier: String,
    /// The bytes; none: the cell is removed, which is how null is written.
    pub value: Option<Vec<u8>>,
}
