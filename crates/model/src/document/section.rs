//! A table of the file: keys that are asked for by name.

use std::cell::RefCell;
use std::ops::Range;

use toml_edit::TableLike;

use super::{Entry, Reader};
use crate::nearest::one_of;

/// A table of the file, whether it has a header, is dotted or stands in a line.
pub struct Section<'a> {
    reader: &'a Reader<'a>,
    place: String,
    table: &'a dyn TableLike,
    span: Range<usize>,
    asked: RefCell<Vec<&'static str>>,
}

impl<'a> Section<'a> {
    /// The section of a table; `place` names it in messages, `span` is where it begins.
    pub(super) fn new(
        reader: &'a Reader<'a>,
        place: String,
        table: &'a dyn TableLike,
        span: Range<usize>,
    ) -> Self {
        Self { reader, place, table, span, asked: RefCell::default() }
    }

    /// What `key` names, if it is there.
    pub fn entry(&self, key: &'static str) -> Option<Entry<'a>> {
        let mut asked = self.asked.borrow_mut();
        if !asked.contains(&key) {
            asked.push(key);
        }
        self.lookup(key)
    }

    /// What `key` names; notes that it is missing when it is not there.
    pub fn required(&self, key: &'static str, expected: &str) -> Option<Entry<'a>> {
        let entry = self.entry(key);
        if entry.is_none() {
            self.note(format!("`{key}` is missing in {}", self.place), expected);
        }
        entry
    }

    /// The tables of `key`: `[[key]]` or an array of inline tables. None when it is not there.
    pub fn sections(&self, key: &'static str) -> Vec<Section<'a>> {
        self.entry(key).map(|entry| entry.sections()).unwrap_or_default()
    }

    /// All keys with what they name, in the order of the file: for tables whose keys are the user's own names.
    pub fn entries(&self) -> Vec<Entry<'a>> {
        self.table.iter().filter_map(|(key, _)| self.lookup(key)).collect()
    }

    /// Notes every key that was never asked for.
    pub fn finish(&self) {
        let asked = self.asked.borrow();
        for (key, _) in self.table.iter().filter(|(key, _)| !asked.contains(key)) {
            let span = self.lookup(key).map_or(self.span.clone(), |entry| entry.key_span());
            let expected = one_of(key, asked.iter().copied());
            self.reader.note(span, format!("unknown key `{key}` in {}", self.place), expected);
        }
    }

    /// Notes a problem with the section as a whole.
    pub fn note(&self, message: impl Into<String>, expected: impl Into<String>) {
        self.reader.note(self.span.clone(), message, expected);
    }

    /// Where the section begins.
    pub fn span(&self) -> Range<usize> {
        self.span.clone()
    }

    /// The reader that collects the problems.
    pub fn reader(&self) -> &'a Reader<'a> {
        self.reader
    }

    fn lookup(&self, key: &str) -> Option<Entry<'a>> {
        let (key, item) = self.table.get_key_value(key)?;
        Entry::of_item(self.reader, key, item, &self.span)
    }
}
