//! From a row of the store to the typed values of an answer.

use std::collections::BTreeMap;

use bytes::Bytes;
use tablesmith_model::bytes_text::to_text;
use tablesmith_model::plan::{Origin, Read, Test};
use tablesmith_model::series::{entry, single};
use tablesmith_model::value::{CellEncoding, CellError, Value, ValueType};
use tablesmith_model::{Cell, TableName};
use tablesmith_store::Row;

use crate::error::AccessError;
use crate::layout::{Layout, Together};

/// Decodes the rows of one read. Its values are overwritten by every row.
pub(crate) struct Decoder<'d> {
    layout: &'d Layout,
    table: &'d TableName,
    /// The values of the row decoded last, in the order of the columns shown.
    values: Vec<Value>,
    types: Vec<ValueType>,
    /// Cells that are wanted, sorted as the cells of a row are.
    cells: Vec<WantedCell>,
    /// Columns that come from the key.
    from_key: Vec<(&'d str, usize)>,
    /// Columns that come from the qualifier of a record's cell.
    from_qualifier: Vec<(&'d str, usize)>,
    /// Conditions, by the place of their column.
    tests: Vec<(usize, &'d Test)>,
}

struct WantedCell {
    family: Bytes,
    qualifier: Bytes,
    encoding: CellEncoding,
    together: Option<Together>,
    place: usize,
}

impl WantedCell {
    /// The value of the column in the cell's bytes.
    fn value(&self, value_type: ValueType, bytes: &[u8], is_wide: bool) -> Result<Value, String> {
        let said = |error: CellError| error.to_string();
        match &self.together {
            Some(Together { encodings, at }) => {
                let (entry, _) =
                    entry::read(encodings, bytes).ok_or("it does not hold its columns together")?;
                let value = entry.value(*at).map(|bytes| self.encoding.decode(value_type, bytes));
                value.transpose().map(|value| value.unwrap_or(Value::Null)).map_err(said)
            }
            None if is_wide => single::decode(self.encoding, value_type, bytes).map_err(said),
            None => self.encoding.decode(value_type, bytes).map_err(said),
        }
    }
}

impl<'d> Decoder<'d> {
    pub fn new(layout: &'d Layout, table: &'d TableName, read: &'d Read) -> Result<Self, AccessError> {
        let place_of = |column: &str| {
            let place = read.shown.iter().position(|shown| shown.column == column);
            place.ok_or_else(|| not_ours(table, column))
        };
        let (mut cells, mut values, mut types) = (Vec::new(), Vec::new(), Vec::new());
        let (mut from_key, mut from_qualifier) = (Vec::new(), Vec::new());
        for (place, shown) in read.shown.iter().enumerate() {
            let foreign = || not_ours(table, &shown.column);
            types.push(layout.type_of(&shown.column).ok_or_else(foreign)?);
            let mut value = Value::Null;
            match &shown.origin {
                Origin::Key => from_key.push((shown.column.as_str(), place)),
                Origin::Qualifier => from_qualifier.push((shown.column.as_str(), place)),
                Origin::Statement(said) => value = said.clone(),
                Origin::Cell(family) => {
                    let family =
                        layout.families().iter().find(|laid| laid.name == *family).ok_or_else(foreign)?;
                    let column = family.column(&shown.column).ok_or_else(foreign)?;
                    let (encoding, qualifier) = (column.encoding, column.qualifier.clone());
                    let (family, together) = (family.name_bytes.clone(), column.together.clone());
                    cells.push(WantedCell { family, qualifier, encoding, together, place });
                }
            }
            values.push(value);
        }
        cells.sort_by(|one, two| (&one.family, &one.qualifier).cmp(&(&two.family, &two.qualifier)));
        let tests =
            read.conditions.iter().map(|condition| Ok((place_of(&condition.column)?, &condition.test)));
        let tests = tests.collect::<Result<_, AccessError>>()?;
        Ok(Self { layout, table, values, types, cells, from_key, from_qualifier, tests })
    }

    /// Decodes a row that is one record; whether it meets all conditions.
    fn decode(&mut self, row: &Row) -> Result<bool, AccessError> {
        if !self.decode_key(row)? {
            return Ok(false);
        }
        self.decode_cells(row)?;
        Ok(self.meets_all())
    }

    /// Hands over the records of a row that meet all conditions: the values of the columns shown.
    pub fn each(&mut self, row: &Row, mut take: impl FnMut(&[Value])) -> Result<(), AccessError> {
        let Some(wide) = &self.layout.wide else {
            if self.decode(row)? {
                take(&self.values);
            }
            return Ok(());
        };
        if !self.decode_key(row)? {
            return Ok(());
        }
        let mut records: BTreeMap<&Bytes, Vec<&Cell>> = BTreeMap::new();
        row.cells.iter().for_each(|cell| records.entry(&cell.qualifier).or_default().push(cell));
        for (qualifier, cells) in records {
            if !self.from_qualifier.is_empty() {
                let fields = wide.codec.decode_fields(qualifier);
                let fields = fields.map_err(|error| self.foreign(row, error.to_string()))?;
                fill(&mut self.values, &self.from_qualifier, fields);
            }
            for wanted in &self.cells {
                let cell = cells.iter().find(|cell| cell.family == wanted.family);
                let value_type = self.types.get(wanted.place).copied().unwrap_or(ValueType::Bytes);
                let value = cell.map(|cell| wanted.value(value_type, &cell.value, true));
                let value = value.transpose().map_err(|reason| self.foreign(row, reason))?;
                if let Some(slot) = self.values.get_mut(wanted.place) {
                    *slot = value.unwrap_or(Value::Null);
                }
            }
            if self.meets_all() {
                take(&self.values);
            }
        }
        Ok(())
    }

    /// Takes the columns that come from a row's key; whether it is a row of this layout.
    fn decode_key(&mut self, row: &Row) -> Result<bool, AccessError> {
        if self.from_key.is_empty() && !self.layout.is_mixed {
            return Ok(true);
        }
        match self.layout.codec.decode_fields(&row.row) {
            Ok(fields) => {
                fill(&mut self.values, &self.from_key, fields);
                Ok(true)
            }
            // Rows of another kind are in the same families, and have another constant in their keys.
            Err(_) if self.layout.is_mixed => Ok(false),
            Err(error) => Err(self.foreign(row, error.to_string())),
        }
    }

    fn meets_all(&self) -> bool {
        self.tests.iter().all(|(place, test)| test.holds(self.values.get(*place).unwrap_or(&Value::Null)))
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
                    let value = wanted.value(value_type, &cell.value, false);
                    value.map_err(|reason| self.foreign(row, reason))?
                }
                _ => Value::Null,
            };
            if let Some(slot) = self.values.get_mut(wanted.place) {
                *slot = value;
            }
        }
        Ok(())
    }

    fn foreign(&self, row: &Row, reason: String) -> AccessError {
        AccessError::Foreign { table: self.table.to_string(), row: to_text(&row.row), reason }
    }
}

/// Puts decoded fields into their places.
fn fill(values: &mut [Value], places: &[(&str, usize)], fields: Vec<(String, Value)>) {
    for (name, value) in fields {
        for (column, place) in places {
            if *column == name
                && let Some(slot) = values.get_mut(*place)
            {
                slot.clone_from(&value);
            }
        }
    }
}

fn not_ours(table: &TableName, column: &str) -> AccessError {
    AccessError::OtherLayout { table: table.to_string(), column: column.to_owned() }
}
