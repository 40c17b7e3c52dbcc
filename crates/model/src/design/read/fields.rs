//! The fields that rows can be made of: the columns of a table of the workload, and of tables joined to it.

use super::super::{Cells, Record, RecordError};
use crate::document::{Entry, Section};
use crate::key::{Key, KeyError, Part};
use crate::nearest;
use crate::value::{KeyEncoding, ValueType};
use crate::workload::Workload;

/// The record whose fields rows are made of.
pub(super) struct Fields<'w> {
    workload: &'w Workload,
    record: Record,
}

impl<'w> Fields<'w> {
    /// The fields of a table and of what its references lead to; notes what does not exist.
    pub(super) fn of(
        workload: &'w Workload,
        from: &str,
        entry: &Entry<'_>,
        join: &[Entry<'_>],
    ) -> Option<Self> {
        let Ok(record) = Record::begin(from, workload) else {
            let names = workload.tables.iter().map(|table| table.name.as_str());
            entry.note(format!("the workload has no table {from:?}"), nearest::one_of(from, names));
            return None;
        };
        let mut fields = Self { workload, record };
        for element in join {
            let Some(text) = element.string() else { continue };
            match fields.record.follow(text, workload) {
                Ok(()) => {}
                Err(RecordError::NoReference(_)) => element.note(
                    format!("{text:?} is no reference of these rows"),
                    nearest::one_of(text, fields.references().iter().map(String::as_str)),
                ),
                Err(error) => element.note(error.to_string(), "a reference that can be followed here"),
            }
        }
        Some(fields)
    }

    /// The references that can be followed: those of the record's tables, and those that meet them.
    fn references(&self) -> Vec<String> {
        let all = self
            .workload
            .tables
            .iter()
            .flat_map(|table| table.references.iter().map(move |one| (table, one)));
        let names = all.map(|(table, reference)| format!("{}.{}", table.name, reference.column));
        names.filter(|name| self.record.clone().follow(name, self.workload).is_ok()).collect()
    }

    /// The type of a field.
    fn type_of(&self, field: &str) -> Option<ValueType> {
        let column = self.record.column(field)?;
        self.workload.table(&column.table)?.column(&column.column).map(|column| column.value_type)
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
        for (key, field) in [
            ("version", cells.version.as_deref()),
            ("value", cells.value.as_deref()),
            ("pack_by", cells.pack_by.as_deref()),
        ] {
            if let (Some(field), Some(entry)) = (field, section.entry(key))
                && self.type_of(field).is_none()
            {
                self.note_unknown(field, &entry);
            }
        }
        self.check_qualifier(section, cells);
    }

    fn check_qualifier(&self, section: &Section<'_>, cells: &Cells) {
        let (Some(qualifier), Some(entry)) = (&cells.qualifier, section.entry("qualifier")) else { return };
        match qualifier.parts() {
            Some(parts) => parts.iter().for_each(|part| self.check_part(part, &entry)),
            None => {
                let fields = qualifier.fields().into_iter();
                fields
                    .filter(|field| self.type_of(field).is_none())
                    .for_each(|field| self.note_unknown(field, &entry));
            }
        }
    }

    fn from(&self) -> &str {
        self.record.tables.first().map(String::as_str).unwrap_or_default()
    }

    fn note_unknown(&self, field: &str, entry: &Entry<'_>) {
        let names = self.record.fields();
        let expected = nearest::one_of(field, names.iter().map(String::as_str));
        entry.note(format!("the table {:?} has no column {field:?}", self.from()), expected);
    }
}
