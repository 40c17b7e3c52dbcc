//! How the cells of a read are printed as text.

use std::collections::BTreeMap;

use bytes::Bytes;
use tablesmith_model::Cell;

use crate::error::ShellError;

use super::Converter;

/// How keys and values are printed, and how much of them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CellView {
    /// For keys, and for values of columns that have no converter of their own.
    pub converter: Converter,
    /// Converters of single columns.
    pub columns: BTreeMap<(Bytes, Bytes), Converter>,
    /// At most so many characters of each cell.
    pub max_length: Option<usize>,
}

impl CellView {
    /// A row's key.
    pub fn row(&self, row: &[u8]) -> Result<String, ShellError> {
        self.converter.apply(row)
    }

    /// `family:qualifier`
    pub fn column(&self, cell: &Cell) -> Result<String, ShellError> {
        Ok(format!("{}:{}", self.converter.apply(&cell.family)?, self.converter.apply(&cell.qualifier)?))
    }

    /// `timestamp=…, value=…`; markers have a type in place of the value.
    pub fn cell(&self, cell: &Cell) -> Result<String, ShellError> {
        let text = if cell.kind.is_marker() {
            format!("timestamp={}, type={}", cell.timestamp, cell.kind.name())
        } else {
            let column = (cell.family.clone(), cell.qualifier.clone());
            let converter = self.columns.get(&column).copied().unwrap_or(self.converter);
            format!("timestamp={}, value={}", cell.timestamp, converter.apply(&cell.value)?)
        };
        Ok(match self.max_length {
            Some(length) => text.chars().take(length).collect(),
            None => text,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tablesmith_model::CellType;

    #[test]
    fn cells_print_with_their_converter() {
        let cell = Cell::put("r", "f", "q", 5, 7_i64.to_be_bytes().to_vec());
        let mut view = CellView::default();
        assert_eq!(view.cell(&cell).unwrap(), "timestamp=5, value=\\x00\\x00\\x00\\x00\\x00\\x00\\x00\\x07");
        view.columns.insert(("f".into(), "q".into()), Converter::Long);
        assert_eq!(view.cell(&cell).unwrap(), "timestamp=5, value=7");
        view.max_length = Some(9);
        assert_eq!(view.cell(&cell).unwrap(), "timestamp");
        let marker = Cell { kind: CellType::DeleteColumn, value: Bytes::new(), ..cell };
        assert_eq!(CellView::default().cell(&marker).unwrap(), "timestamp=5, type=DeleteColumn");
        assert_eq!(view.column(&marker).unwrap(), "f:q");
    }
}
