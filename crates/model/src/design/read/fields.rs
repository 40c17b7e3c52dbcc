//! The fields that rows can be made of: the columns of a table of the workload, and of tables joined to it.

use super::super::Cells;
use crate::document::{Entry, Section};
use crate::key::{Key, KeyError, Part};
use crate::nearest;
use crate::value::{KeyEncoding, ValueType};
use crate::workload::{Table, Workload};

/// The tables whose columns rows are made of, the first by plain names, all by `table.column`.
pub(super) struct Fields<'w> {
    from: &'w Table,
    joined: Vec<&'w Table>,
}

impl<'w> Fields<'w> {
    /// The fields of a table and of what its references lead to; notes what does not exist.
    pub(super) fn of(
        workload: &'w Workload,
        from: &str,
        entry: &Entry<'_>,
        join: &[Entry<'_>],
    ) -> Option<Self> {
        let Some(table) = workload.table(from) else {
            let names = workload.tables.iter().map(|table| table.name.as_str());
            entry.note(format!("the workload has no table {from:?}"), nearest::one_of(from, names));
            return None;
        };
        let mut fields = Self { from: table, joined: Vec::new() };
        for element in join {
            let Some(text) = element.string() else { continue };
            match fields.follow(workload, text) {
                Some(table) => fields.joined.push(table),
                None => element.note(
                    format!("{text:?} is no reference of these rows"),
                    nearest::one_of(text, fields.references().iter().map(String::as_str)),
                ),
            }
        }
        Some(fields)
    }

    /// The table that a reference `table.column` leads to.
    fn follow(&self, workload: &'w Workload, text: &str) -> Option<&'w Table> {
        let (table, column) = text.rsplit_once('.')?;
        let table = self.tables().find(|known| known.name == table)?;
        let reference = table.references.iter().find(|reference| reference.column == column)?;
        workload.table(&reference.table)
    }

    fn tables(&self) -> impl Iterator<Item = &'w Table> {
        std::iter::once(self.from).chain(self.joined.iter().copied())
    }

    fn references(&self) -> Vec<String> {
        let all = self.tables().flat_map(|table| table.references.iter().map(move |one| (table, one)));
        all.map(|(table, reference)| format!("{}.{}", table.name, reference.column)).collect()
    }

    /// The type of a field.
    fn type_of(&self, field: &str) -> Option<ValueType> {
        if let Some(column) = self.from.column(field) {
            return Some(column.value_type);
        }
        let (table, column) = field.rsplit_once('.')?;
        let table = self.tables().find(|known| known.name == table)?;
        table.column(column).map(|column| column.value_type)
    }

    fn names(&self) -> Vec<String> {
        let own = self.from.columns.iter().map(|column| column.name.clone());
        let joined = self
            .joined
            .iter()
            .flat_map(|table| table.columns.iter().map(|column| format!("{}.{}", table.name, column.name)));
        own.chain(joined).collect()
    }

    /// Notes a part whose fields do not exist or are of a type that it does not take.
    pub(super) fn check_part(&self, part: &Part, entry: &Entry<'_>) {
        let key = Key { parts: vec![part.clone()], encoding: KeyEncoding::Binary };
        match key.codec(|field| self.type_of(field)) {
            Ok(_) => {}
            Err(KeyError::UnknownField { field, .. }) => self.note_unknown(&field, entry),
            Err(error) => entry.note(error.to_string(), "a part that goes with the field's type"),
        }
    }

    /// Notes cells whose fields do not exist or whose encoding does not take a column's type.
    pub(super) fn check_cells(&self, section: &Section<'_>, cells: &Cells) {
        for element in section.entry("columns").iter().flat_map(Entry::elements) {
            let Some(column) = element.string() else { continue };
            match self.type_of(column) {
                None => self.note_unknown(column, &element),
                Some(value_type) => {
                    if let (Some(encoding), Some(entry)) = (cells.encoding, section.entry("encoding"))
                        && !encoding.takes(value_type)
                    {
                        let message =
                            format!("the column {column:?} is of type {value_type}, not for {encoding}");
                        entry.note(message, "an encoding for the type of every column here");
                    }
                }
            }
        }
        let qualifier = cells.qualifier.as_ref().map(|qualifier| qualifier.field().to_owned());
        for (key, field) in [
            ("version", cells.version.clone()),
            ("qualifier", qualifier),
            ("value", cells.value.clone()),
            ("pack_by", cells.pack_by.clone()),
        ] {
            if let (Some(field), Some(entry)) = (field, section.entry(key))
                && self.type_of(&field).is_none()
            {
                self.note_unknown(&field, &entry);
            }
        }
    }

    fn note_unknown(&self, field: &str, entry: &Entry<'_>) {
        let names = self.names();
        let expected = nearest::one_of(field, names.iter().map(String::as_str));
        entry.note(format!("the table {:?} has no column {field:?}", self.from.name), expected);
    }
}
