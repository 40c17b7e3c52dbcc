//! Rows in the making: a record, a key, maybe a qualifier, and the columns that somebody reads there.

use std::collections::BTreeMap;

use tablesmith_model::design::{Cells, ColumnOf, Qualifier, Record, Rows};
use tablesmith_model::key::{Key, Part};
use tablesmith_model::value::KeyEncoding;
use tablesmith_model::workload::Workload;
use tablesmith_plan::StoredRows;

/// The family of a table that has one.
pub const FAMILY: &str = "f";

/// Drafts by what tells them apart, in the order in which they came.
#[derive(Default)]
pub struct Drafts {
    places: BTreeMap<String, usize>,
    pub all: Vec<Draft>,
}

/// Rows in the making.
#[derive(Clone)]
pub struct Draft {
    pub from: String,
    pub join: Vec<String>,
    pub record: Record,
    pub key: Vec<Part>,
    /// Not empty: the rows are wide.
    pub qualifier: Vec<Part>,
    /// The columns that are read there.
    pub reads: Vec<ColumnOf>,
}

impl Drafts {
    /// Adds a draft; one of the same shape reads the columns of both.
    pub fn add(&mut self, draft: Draft) {
        let text = |parts: &[Part]| parts.iter().map(ToString::to_string).collect::<Vec<_>>().join(",");
        let id = format!(
            "{}|{}|{}|{}",
            draft.from,
            draft.join.join(","),
            text(&draft.key),
            text(&draft.qualifier)
        );
        let place = *self.places.entry(id).or_insert(self.all.len());
        match self.all.get_mut(place) {
            Some(known) => {
                let new: Vec<ColumnOf> =
                    draft.reads.into_iter().filter(|column| !known.reads.contains(column)).collect();
                known.reads.extend(new);
            }
            None => self.all.push(draft),
        }
    }
}

impl Draft {
    /// The entry with the columns that are read; none where it cannot be.
    pub fn with_reads(&self, workload: &Workload) -> Option<StoredRows> {
        let fields = self.reads.iter().filter_map(|column| self.record.field(&self.record.same_as(column)));
        self.entry(fields.collect(), workload)
    }

    /// The entry with every column of its table; none for what is joined of several.
    pub fn with_all(&self, workload: &Workload) -> Option<StoredRows> {
        self.join.is_empty().then(|| self.entry(self.record.fields(), workload)).flatten()
    }

    fn entry(&self, fields: Vec<String>, workload: &Workload) -> Option<StoredRows> {
        let given: Vec<&str> = self.key.iter().chain(&self.qualifier).filter_map(Part::gives_back).collect();
        let mut columns: Vec<String> = Vec::new();
        // In the order of the workload, each once, and nothing that the key gives back.
        for field in self.record.fields() {
            if fields.contains(&field) && !given.contains(&field.as_str()) {
                columns.push(field);
            }
        }
        let cells =
            if self.qualifier.is_empty() { tall(columns, &self.key) } else { wide(columns, &self.qualifier) };
        let key = Key { parts: self.key.clone(), encoding: KeyEncoding::Binary };
        let rows = Rows { from: self.from.clone(), join: self.join.clone(), key, cells: vec![cells] };
        StoredRows::new(rows, workload)
    }
}

/// Cells of a tall row; where the key has all columns one of them is in a cell too, for a row must have one.
fn tall(mut columns: Vec<String>, key: &[Part]) -> Cells {
    if columns.is_empty() {
        let last = key.iter().rev().find_map(|part| part.fields().first().cloned());
        columns.extend(last);
    }
    Cells { family: FAMILY.to_owned(), columns, ..Cells::default() }
}

/// The cell of a record in a wide row: its value is nothing, one column, or several together.
pub fn wide(columns: Vec<String>, qualifier: &[Part]) -> Cells {
    let qualifier = match qualifier {
        [Part::Field(field)] => Qualifier::Field(field.clone()),
        parts => Qualifier::Parts(parts.to_vec()),
    };
    let base = Cells { family: FAMILY.to_owned(), qualifier: Some(qualifier), ..Cells::default() };
    match columns.as_slice() {
        [] => base,
        [only] => Cells { value: Some(only.clone()), ..base },
        _ => Cells { columns, together: true, ..base },
    }
}
