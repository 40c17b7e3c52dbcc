//! What a key names, or an element of it: a value, a table or several tables, with its place.

use std::ops::Range;

use toml_edit::{ArrayOfTables, Item, Key, TableLike, Value};

use super::{Reader, Section};

/// What a key names, or one element of an array.
#[derive(Clone)]
pub struct Entry<'a> {
    reader: &'a Reader<'a>,
    key: &'a str,
    in_array: bool,
    key_span: Range<usize>,
    span: Range<usize>,
    node: Node<'a>,
}

#[derive(Clone, Copy)]
enum Node<'a> {
    Value(&'a Value),
    Table(&'a dyn TableLike),
    Tables(&'a ArrayOfTables),
}

impl<'a> Entry<'a> {
    /// The entry of a key; `around` is the place of its section, for items that have no place of their own.
    pub(super) fn of_item(
        reader: &'a Reader<'a>,
        key: &'a Key,
        item: &'a Item,
        around: &Range<usize>,
    ) -> Option<Self> {
        let key_span = key.span().unwrap_or_else(|| around.clone());
        let span = item.span().unwrap_or_else(|| key_span.clone());
        let node = match item {
            Item::None => return None,
            Item::Value(value) => Node::Value(value),
            Item::Table(table) => Node::Table(table),
            Item::ArrayOfTables(tables) => Node::Tables(tables),
        };
        Some(Self { reader, key: key.get(), in_array: false, key_span, span, node })
    }

    /// The key.
    pub fn key(&self) -> &'a str {
        self.key
    }

    /// Where the key stands.
    pub fn key_span(&self) -> Range<usize> {
        self.key_span.clone()
    }

    /// Where the value stands.
    pub fn span(&self) -> Range<usize> {
        self.span.clone()
    }

    /// Notes a problem with the value.
    pub fn note(&self, message: impl Into<String>, expected: impl Into<String>) {
        self.reader.note(self.span.clone(), message, expected);
    }

    /// Notes a problem with the key.
    pub fn note_key(&self, message: impl Into<String>, expected: impl Into<String>) {
        self.reader.note(self.key_span.clone(), message, expected);
    }

    /// Notes a problem with a string from its byte `offset` on; with all of it where escapes move the bytes.
    pub fn note_inside(&self, offset: usize, message: impl Into<String>, expected: impl Into<String>) {
        const QUOTE: usize = 1;
        let start = self.span.start.saturating_add(QUOTE);
        let content = self.value().and_then(Value::as_str).unwrap_or_default();
        let as_written = self.reader.text().get(start..).is_some_and(|text| text.starts_with(content));
        let end = start.saturating_add(content.len());
        let span = if as_written { start.saturating_add(offset).min(end)..end } else { self.span.clone() };
        self.reader.note(span, message, expected);
    }

    /// Whether it is a table of any kind, so that a key with two shapes can choose.
    pub fn is_table(&self) -> bool {
        self.table().is_some()
    }

    /// The value as it stands, when it is neither a table nor several.
    pub fn value(&self) -> Option<&'a Value> {
        match self.node {
            Node::Value(value) if value.as_inline_table().is_none() => Some(value),
            _ => None,
        }
    }

    /// The string.
    pub fn string(&self) -> Option<&'a str> {
        self.expect("a string", self.value().and_then(Value::as_str))
    }

    /// The whole number.
    pub fn integer(&self) -> Option<i64> {
        self.expect("a whole number", self.value().and_then(Value::as_integer))
    }

    /// The whole number, which must not be negative.
    pub fn unsigned(&self) -> Option<u64> {
        let number = self.integer()?;
        let unsigned = u64::try_from(number).ok();
        if unsigned.is_none() {
            self.note(format!("`{}` is {number}", self.key), "a whole number from 0");
        }
        unsigned
    }

    /// The number, whole or not, which must be finite.
    pub fn number(&self) -> Option<f64> {
        let value = self.value();
        let number =
            value.and_then(|value| value.as_float().or_else(|| value.as_integer().map(|n| n as f64)));
        let number = self.expect("a number", number)?;
        if !number.is_finite() {
            self.note(format!("`{}` is {number}", self.key), "a finite number");
            return None;
        }
        Some(number)
    }

    /// True or false.
    pub fn boolean(&self) -> Option<bool> {
        self.expect("true or false", self.value().and_then(Value::as_bool))
    }

    /// The elements of an array.
    pub fn elements(&self) -> Vec<Entry<'a>> {
        let array = self.value().and_then(Value::as_array);
        let elements = self.expect("an array", array).map(|array| array.iter()).into_iter().flatten();
        elements
            .map(|value| Self {
                in_array: true,
                span: value.span().unwrap_or_else(|| self.span.clone()),
                node: Node::Value(value),
                ..self.clone()
            })
            .collect()
    }

    /// The strings of an array.
    pub fn strings(&self) -> Vec<String> {
        self.elements().iter().filter_map(Self::string).map(str::to_owned).collect()
    }

    /// The table.
    pub fn section(&self) -> Option<Section<'a>> {
        let table = self.expect("a table", self.table())?;
        let place = if self.in_array { format!("[[{}]]", self.key) } else { format!("[{}]", self.key) };
        Some(Section::new(self.reader, place, table, self.first_line(&self.span)))
    }

    /// The tables: `[[key]]` or an array of inline tables.
    pub fn sections(&self) -> Vec<Section<'a>> {
        match self.node {
            Node::Tables(tables) => {
                let place = || format!("[[{}]]", self.key);
                let span = |span: Option<Range<usize>>| self.first_line(&span.unwrap_or(self.span()));
                tables
                    .iter()
                    .map(|table| Section::new(self.reader, place(), table, span(table.span())))
                    .collect()
            }
            Node::Value(Value::Array(_)) => self.elements().iter().filter_map(Self::section).collect(),
            _ => {
                let expected = format!("an array of tables, as in [[{}]]", self.key);
                self.note(self.what_it_is(), expected);
                Vec::new()
            }
        }
    }

    fn table(&self) -> Option<&'a dyn TableLike> {
        match self.node {
            Node::Table(table) => Some(table),
            Node::Value(value) => value.as_inline_table().map(|table| table as &dyn TableLike),
            Node::Tables(_) => None,
        }
    }

    fn expect<T>(&self, expected: &str, found: Option<T>) -> Option<T> {
        if found.is_none() {
            self.note(self.what_it_is(), expected);
        }
        found
    }

    fn what_it_is(&self) -> String {
        let kind = match self.node {
            Node::Value(value) => with_article(value.type_name()),
            Node::Table(_) => "a table".to_owned(),
            Node::Tables(_) => "an array of tables".to_owned(),
        };
        let element = if self.in_array { "an element of " } else { "" };
        format!("{element}`{}` is {kind}", self.key)
    }

    /// The part of a table's span in its first line: its header, which is what a message points at.
    fn first_line(&self, span: &Range<usize>) -> Range<usize> {
        let text = self.reader.text().get(span.clone()).unwrap_or_default();
        let length = text.find('\n').unwrap_or(text.len());
        span.start..span.start.saturating_add(length)
    }
}

fn with_article(name: &str) -> String {
    let article = if name.starts_with(['a', 'i']) { "an" } else { "a" };
    format!("{article} {name}")
}
