//! From the values of a row to the cells that are written.

use std::ops::Range;

use bytes::Bytes;
use tablesmith_model::key::{KeyInput, Part};
use tablesmith_model::series::{entry, single};
use tablesmith_model::source_row::line_of;
use tablesmith_model::value::{CellError, Value};
use tablesmith_store::Put;

use crate::layout::{LaidColumn, LaidFamily, Layout};

/// The qualifier of the cell that says that a row is there: see [`Layout`].
pub(crate) const MARKER: &str = "";

/// The values of a row, behind what stood before them, and of each cell the family, the column (none for the marker) and
/// where its bytes stand.
pub(crate) struct CellsOfRow<'l> {
    pub bytes: Vec<u8>,
    pub cells: Vec<(&'l LaidFamily, Option<&'l LaidColumn>, Range<usize>)>,
}

impl<'l> CellsOfRow<'l> {
    /// The put of them, into the row whose key stands before them. All bytes share one allocation: many rows are made on one
    /// thread and let go on another.
    pub fn into_put(self, key_bytes: usize) -> Put {
        let bytes = Bytes::from(self.bytes);
        let cell = |(family, column, span): (&LaidFamily, Option<&LaidColumn>, Range<usize>)| {
            let qualifier = column.map_or_else(Bytes::new, |column| column.qualifier.clone());
            (family.name_bytes.clone(), qualifier, None, bytes.slice(span))
        };
        let cells = self.cells.into_iter().map(cell).collect();
        Put { cells, ..Put::new(bytes.slice(..key_bytes)) }
    }
}

/// All cells of a row, their bytes behind those that are given. `values` are in the order of the table's columns; what is
/// missing is null. An error is told with its column.
pub(crate) fn cells_of_row<'l>(
    layout: &'l Layout,
    values: &[Value],
    mut bytes: Vec<u8>,
) -> Result<CellsOfRow<'l>, (&'l str, CellError)> {
    let mut all = Vec::with_capacity(values.len() + 1);
    bytes.reserve(16 * values.len());
    for family in layout.families() {
        let (mut cells, mut lacks_expected) = (0, false);
        for column in &family.columns {
            if let Some(together) = &column.together {
                if together.at == 0 {
                    cells += 1;
                    let from = bytes.len();
                    bytes.extend(shared_cell(family, column, values)?);
                    all.push((family, Some(column), from..bytes.len()));
                }
                continue;
            }
            let (from, value) = (bytes.len(), values.get(column.index).unwrap_or(&Value::Null));
            let appended = column.encoding.append(value, &mut bytes);
            if appended.map_err(|source| (column.name.as_str(), source))? {
                cells += 1;
                all.push((family, Some(column), from..bytes.len()));
            } else {
                lacks_expected |= layout.is_in_every_row(&column.name);
            }
        }
        if lacks_expected || cells == 0 {
            all.push((family, None, 0..0));
        }
    }
    Ok(CellsOfRow { bytes, cells: all })
}

/// The bytes of a cell that several columns share, from the first of them on.
fn shared_cell<'l>(
    family: &'l LaidFamily,
    first: &LaidColumn,
    values: &[Value],
) -> Result<Vec<u8>, (&'l str, CellError)> {
    let Some(together) = &first.together else { return Ok(Vec::new()) };
    let columns = family.columns.iter().skip_while(|column| column.name != first.name);
    let mut encoded = Vec::with_capacity(together.encodings.len());
    for column in columns.take(together.encodings.len()) {
        let value = values.get(column.index).unwrap_or(&Value::Null);
        encoded.push(column.encoding.encode(value).map_err(|source| (column.name.as_str(), source))?);
    }
    let mut bytes = Vec::new();
    entry::write(&together.encodings, &encoded, &mut bytes);
    Ok(bytes)
}

/// The bytes of a family's cell of a record, where a row holds many.
pub(crate) fn wide_cell<'l>(
    family: &'l LaidFamily,
    values: &[Value],
) -> Result<Vec<u8>, (&'l str, CellError)> {
    match family.columns.first() {
        None => Ok(Vec::new()),
        Some(first) if first.together.is_some() => shared_cell(family, first, values),
        Some(column) => {
            let value = values.get(column.index).unwrap_or(&Value::Null);
            single::encode(column.encoding, value).map_err(|source| (column.name.as_str(), source))
        }
    }
}

/// A whole row as what a key is made of.
pub(crate) struct WholeRow<'r> {
    pub layout: &'r Layout,
    pub values: &'r [Value],
    pub number: u64,
    /// How many random numbers were asked for.
    pub asked: u64,
    /// Its values as a line, where the key is made of it.
    line: Option<Vec<u8>>,
}

impl<'r> WholeRow<'r> {
    pub fn new(layout: &'r Layout, values: &'r [Value], number: u64) -> Self {
        let needs_line = layout.key.parts.iter().any(|part| matches!(part, Part::Md5LineMod(_)));
        Self { layout, values, number, asked: 0, line: needs_line.then(|| line_of(values)) }
    }
}

impl KeyInput for WholeRow<'_> {
    fn value(&self, field: &str) -> Option<&Value> {
        let index = self.layout.columns.get(field)?;
        Some(self.values.get(*index).unwrap_or(&Value::Null))
    }

    fn line(&self) -> Option<&[u8]> {
        self.line.as_deref()
    }

    fn row_number(&self) -> Option<u64> {
        Some(self.number)
    }

    /// The same row gets the same number in every run.
    fn random_below(&mut self, bound: u64) -> Option<u64> {
        self.asked += 1;
        let seed = xxhash_rust::xxh3::xxh3_64_with_seed(&self.number.to_be_bytes(), self.asked);
        seed.checked_rem(bound)
    }
}
