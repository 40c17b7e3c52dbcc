//! From a row of the store to the typed values of an answer.

use bytes::Bytes;
use tablesmith_model::TableName;
use tablesmith_model::bytes_text::to_text;
use tablesmith_model::plan::{Origin, Read, Test};
use tablesmith_model::value::{CellEncoding, Value, ValueType};
use tablesmith_store::Row;

use crate::error::AccessError;
use crate::layout::Layout;

/// Decodes the rows of one read. Its values are overwritten by every row.
pub(super) struct Decoder<'d> {
    layout: &'d Layout,
    table: &'d TableName,
    /// The values of the row decoded last, in the order of the columns shown.
    values: Vec<Value>,
    types: Vec<ValueType>,
    /// Cells that are wanted, sorted as the cells of a row are.
    cells: Vec<WantedCell>,
    /// Columns that come from the key.
    from_key: Vec<(&'d str, usize)>,
    /// Conditions, by the place of their column.
    tests: Vec<(usize, &'d Test)>,
    /// The places of the columns that the order of the answer goes by.
    order: Vec<usize>,
}

struct WantedCell {
    family: Bytes,
    qualifier: Bytes,
    encoding: CellEncoding,
    place: usize,
}

impl<'d> Decoder<'d> {
    pub fn new(layout: &'d Layout, table: &'d TableName, read: &'d Read) -> Result<Self, AccessError> {
        let place_of = |column: &str| {
            let place = read.shown.iter().position(|shown| shown.column == column);
            place.ok_or_else(|| not_ours(table, column))
        };
        let (mut cells, mut from_key, mut values, mut types) =
            (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        for (place, shown) in read.shown.iter().enumerate() {
            let foreign = || not_ours(table, &shown.column);
            types.push(layout.type_of(&shown.column).ok_or_else(foreign)?);
            let mut value = Value::Null;
            match &shown.origin {
                Origin::Key => from_key.push((shown.column.as_str(), place)),
                Origin::Statement(said) => value = said.clone(),
                Origin::Cell(family) => {
                    let family =
                        layout.families().iter().find(|laid| laid.name == *family).ok_or_else(foreign)?;
                    let column = family.column(&shown.column).ok_or_else(foreign)?;
                    let (encoding, qualifier) = (column.encoding, column.qualifier.clone());
                    cells.push(WantedCell { family: family.name_bytes.clone(), qualifier, encoding, place });
                }
            }
            values.push(value);
        }
        cells.sort_by(|one, two| (&one.family, &one.qualifier).cmp(&(&two.family, &two.qualifier)));
        let tests =
            read.conditions.iter().map(|condition| Ok((place_of(&condition.column)?, &condition.test)));
        let tests = tests.collect::<Result<_, AccessError>>()?;
        let order = read.place.iter().flat_map(|place| &place.columns).map(|column| place_of(column));
        let order = order.collect::<Result<_, _>>()?;
        Ok(Self { layout, table, values, types, cells, from_key, tests, order })
    }

    /// Decodes a row; whether it meets all conditions.
    pub fn decode(&mut self, row: &Row) -> Result<bool, AccessError> {
        if !self.from_key.is_empty() {
            let fields = self.layout.codec.decode_fields(&row.row);
            for (name, value) in fields.map_err(|error| self.foreign(row, error.to_string()))? {
                for (column, place) in &self.from_key {
                    if *column == name
                        && let Some(slot) = self.values.get_mut(*place)
                    {
                        slot.clone_from(&value);
                    }
                }
            }
        }
        self.decode_cells(row)?;
        Ok(self.tests.iter().all(|(place, test)| test.holds(self.values.get(*place).unwrap_or(&Value::Null))))
    }

    /// Walks through the cells and what is wanted of them side by side: both are sorted.
    fn decode_cells(&mut self, row: &Row) -> Result<(), AccessError> {
        let mut cells = row.cells.iter().peekable();
        for wanted in &self.cells {
            let key = (&wanted.family, &wanted.qualifier);
            while cells.next_if(|cell| (&cell.family, &cell.qualifier) < key).is_some() {}
            let value = match cells.peek() {
                Some(cell) if (&cell.family, &cell.qualifier) == key => {
                    let value_type = self.types.get(wanted.place).copied().unwrap_or(ValueType::Bytes);
                    let value = wanted.encoding.decode(value_type, &cell.value);
                    value.map_err(|error| self.foreign(row, error.to_string()))?
                }
                _ => Value::Null,
            };
            if let Some(slot) = self.values.get_mut(wanted.place) {
                *slot = value;
            }
        }
        Ok(())
    }

    /// The values of the row decoded last, with their types.
    pub fn values(&self) -> impl Iterator<Item = (&Value, ValueType)> {
        self.values.iter().zip(self.types.iter().copied())
    }

    /// Where the row decoded last stands in the order of the answer.
    pub fn place(&self) -> Vec<Value> {
        self.order.iter().filter_map(|place| self.values.get(*place).cloned()).collect()
    }

    fn foreign(&self, row: &Row, reason: String) -> AccessError {
        AccessError::Foreign { table: self.table.to_string(), row: to_text(&row.row), reason }
    }
}

fn not_ours(table: &TableName, column: &str) -> AccessError {
    AccessError::OtherLayout { table: table.to_string(), column: column.to_owned() }
}
