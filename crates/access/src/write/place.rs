//! One place of a design where records lie, and what of tables it is made of.

use std::ops::Range;

use bytes::Bytes;
use tablesmith_model::TableName;
use tablesmith_model::design::{ColumnOf, Record};
use tablesmith_model::key::Part;
use tablesmith_model::value::{CellError, Value};
use tablesmith_model::workload::{Column, Workload};
use tablesmith_store::{Delete, DeleteTarget, Put};

use crate::error::AccessError;
use crate::layout::{LaidColumn, Layout};
use crate::row_writes::{WholeRow, cells_of_row, wide_cell};

/// Room for a short row, so that most are written into memory that is asked for once.
const ROW_BYTES: usize = 128;

/// One place where records lie.
#[derive(Clone, Debug)]
pub(crate) struct Place {
    pub layout: Layout,
    pub name: TableName,
    /// Whether it is the one that all copies of its table are made from.
    pub is_master: bool,
    /// The tables of a record, and where their columns stand in it.
    pub spans: Vec<(String, Range<usize>)>,
}

impl Place {
    pub fn new(layout: Layout, name: TableName, workload: &Workload) -> Self {
        let mut begin = 0;
        let span = |table: &String| {
            let columns = workload.table(table).map_or(0, |table| table.columns.len());
            let span = begin..begin + columns;
            begin = span.end;
            (table.clone(), span)
        };
        let spans = layout.record().tables.iter().map(span).collect();
        Self { layout, name, is_master: false, spans }
    }

    pub fn record(&self) -> &Record {
        self.layout.record()
    }

    /// Whether it holds rows of one table.
    pub fn is_plain(&self) -> bool {
        self.record().joins.is_empty()
    }

    /// Where the columns of a table stand in a record.
    pub fn span(&self, table: &str) -> Option<Range<usize>> {
        self.spans.iter().find(|(name, _)| name == table).map(|(_, span)| span.clone())
    }

    /// Whether what is stored, where it lies, or what it is joined with hangs on a column.
    pub fn hangs_on(&self, column: &ColumnOf) -> bool {
        let field = self.record().field(column);
        field.is_some_and(|field| self.layout.stores(&field)) || self.lies_by(column)
    }

    /// Whether where a record lies, or what it is joined with, hangs on a column.
    pub fn lies_by(&self, column: &ColumnOf) -> bool {
        let is_joined = self.record().joins.iter().any(|join| join.have == *column || join.other == *column);
        let field = self.record().field(column);
        let by_line = |part: &Part| matches!(part, Part::Md5LineMod(_));
        is_joined
            || field.is_some_and(|field| self.layout.is_made_of(&field))
            || self.layout.key.parts.iter().any(by_line)
    }

    /// The key of the row that a record lies in.
    pub fn row_of(&self, values: &[Value], number: u64) -> Result<Bytes, AccessError> {
        let mut bytes = Vec::new();
        self.append_row(values, number, &mut bytes)?;
        Ok(bytes.into())
    }

    fn append_row(&self, values: &[Value], number: u64, bytes: &mut Vec<u8>) -> Result<(), AccessError> {
        let mut row = WholeRow::new(&self.layout, values, number);
        self.layout.codec.encode_into(&mut row, bytes).map_err(|error| self.unfit(error.to_string()))
    }

    /// The qualifier of a record's cell, where a row holds many.
    pub fn qualifier_of(&self, values: &[Value]) -> Result<Option<Bytes>, AccessError> {
        let Some(wide) = &self.layout.wide else { return Ok(None) };
        let qualifier = wide.codec.encode(&mut WholeRow::new(&self.layout, values, 0));
        qualifier.map(|bytes| Some(bytes.into())).map_err(|error| self.unfit(error.to_string()))
    }

    /// The cell that is there, and not empty, exactly when a record with the same key is; none where no single one is. A
    /// store takes an empty cell for one that is not there.
    pub fn tells_by(&self, values: &[Value]) -> Result<Option<(Bytes, Bytes)>, AccessError> {
        let source = self.layout.source();
        let mut others = source.columns.iter().filter(|column| !source.key.contains(&column.name));
        let lies_by = |column: &Column| self.lies_by(&ColumnOf::new(&source.name, &column.name));
        if source.key.is_empty() || self.layout.numbers_rows() || others.any(lies_by) {
            return Ok(None);
        }
        let qualifier = self.qualifier_of(values)?;
        let is_sure = |column: &&LaidColumn| match (&column.together, &qualifier) {
            (Some(together), _) => together.at == 0,
            (None, Some(_)) => column.encoding.is_never_empty(),
            (None, None) => false,
        };
        let found = self.layout.families().iter().find_map(|family| {
            let column = family.columns.iter().find(is_sure)?;
            let qualifier = qualifier.clone().unwrap_or_else(|| column.qualifier.clone());
            Some((family.name_bytes.clone(), qualifier))
        });
        Ok(found)
    }

    /// What writes a record into a row.
    pub fn put(&self, row: Bytes, values: &[Value]) -> Result<Put, AccessError> {
        let mut put = Put::new(row);
        if let Some(qualifier) = self.qualifier_of(values)? {
            for family in self.layout.families() {
                let bytes = wide_cell(family, values).map_err(|error| self.misfit(error))?;
                put = put.add(family.name_bytes.clone(), qualifier.clone(), bytes);
            }
            return Ok(put);
        }
        put.cells = cells_of_row(&self.layout, values, Vec::new())
            .map_err(|error| self.misfit(error))?
            .into_put(0)
            .cells;
        Ok(put)
    }

    /// What adds a record that is new.
    pub fn put_new(&self, values: &[Value]) -> Result<Put, AccessError> {
        if self.layout.is_wide() {
            return self.put(self.new_row(values)?, values);
        }
        let mut bytes = Vec::with_capacity(ROW_BYTES);
        self.append_row(values, self.new_number(), &mut bytes)?;
        let key_bytes = bytes.len();
        Ok(cells_of_row(&self.layout, values, bytes).map_err(|error| self.misfit(error))?.into_put(key_bytes))
    }

    /// The key of a row that is added.
    pub fn new_row(&self, values: &[Value]) -> Result<Bytes, AccessError> {
        self.row_of(values, self.new_number())
    }

    fn new_number(&self) -> u64 {
        if self.layout.numbers_rows() { self.layout.next_row_number() } else { 0 }
    }

    /// What removes a record from its row, and leaves alone what else is there.
    pub fn delete(&self, row: Bytes, values: &[Value]) -> Result<Delete, AccessError> {
        let qualifier = self.qualifier_of(values)?;
        let target = |family: &Bytes| match &qualifier {
            Some(qualifier) => DeleteTarget::Column(family.clone(), qualifier.clone(), None),
            None => DeleteTarget::Family(family.clone(), None),
        };
        let families = self.layout.families().iter();
        Ok(families.fold(Delete::row(row), |delete, family| delete.target(target(&family.name_bytes))))
    }

    /// What removes the cells of columns that are null now, in a row that had values there, or may have had.
    pub fn delete_nulls(&self, row: Bytes, old: Option<&[Value]>, new: &[Value]) -> Option<Delete> {
        if self.layout.is_wide() {
            return None;
        }
        let was_there =
            |index: usize| old.is_none_or(|old| old.get(index).is_some_and(|value| !value.is_null()));
        let is_null = |index: usize| new.get(index).is_none_or(Value::is_null);
        let mut delete = Delete::row(row);
        for family in self.layout.families() {
            let alone = family.columns.iter().filter(|column| column.together.is_none());
            for column in alone.filter(|column| is_null(column.index) && was_there(column.index)) {
                let (family, qualifier) = (family.name_bytes.clone(), column.qualifier.clone());
                delete = delete.target(DeleteTarget::Column(family, qualifier, None));
            }
        }
        (!delete.targets.is_empty()).then_some(delete)
    }

    fn misfit(&self, (column, error): (&str, CellError)) -> AccessError {
        self.unfit(format!("the column {column:?}: {error}"))
    }

    pub fn unfit(&self, reason: String) -> AccessError {
        let from = self.record().tables.first().cloned().unwrap_or_default();
        AccessError::Unfit { from, table: self.layout.table().to_owned(), reason }
    }
}
