//! A batch of rows: the bytes of their fields, and where each field begins and ends.

use std::ops::Range;

/// What a field is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// No value.
    Null,
    /// A value whose type is to be seen from its text.
    Plain,
    /// A value that the format marks as text.
    Quoted,
}

/// A field: its kind and the place of its bytes.
#[derive(Clone, Copy, Debug)]
pub struct Field {
    /// What it is.
    pub kind: Kind,
    start: u32,
    end: u32,
}

/// Rows in file order. Offsets have 32 bits: a batch ends long before.
#[derive(Debug)]
pub struct Batch {
    data: Vec<u8>,
    fields: Vec<Field>,
    lines: Vec<u64>,
    rows: usize,
    columns: usize,
    /// Whether all bytes are ASCII, so that nobody needs to look again.
    pub ascii: bool,
}

/// A batch has at most so many rows …
const ROWS: usize = 1_024;
/// … and is full when it has so many bytes, …
const BYTES: usize = 1 << 20;
/// … or so many fields.
const FIELDS: usize = 1 << 17;

impl Field {
    /// A field without a value.
    pub const NULL: Self = Self { kind: Kind::Null, start: 0, end: 0 };
}

impl Batch {
    /// An empty batch for rows of so many columns.
    pub fn of_rows(columns: usize) -> Self {
        Self { data: Vec::new(), fields: Vec::new(), lines: Vec::new(), rows: 0, columns, ascii: true }
    }

    /// The number of rows.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// The number of columns.
    pub fn columns(&self) -> usize {
        self.columns
    }

    /// Whether it is time to hand it on.
    pub fn is_full(&self) -> bool {
        self.rows >= ROWS || self.data.len() >= BYTES || self.fields.len() >= FIELDS
    }

    /// Bytes of all fields.
    pub fn bytes(&self) -> usize {
        self.data.len()
    }

    /// Takes the bytes behind so many away: those of fields that no row has.
    pub fn split_off(&mut self, bytes: usize) -> Vec<u8> {
        self.data.split_off(bytes.min(self.data.len()))
    }

    /// Copies bytes in, and gives the field that they are.
    pub fn field(&mut self, kind: Kind, bytes: &[u8]) -> Field {
        let start = self.data.len() as u32;
        self.data.extend_from_slice(bytes);
        Field { kind, start, end: self.data.len() as u32 }
    }

    /// Makes room for columns that came up; the rows so far have no value in them.
    pub fn widen(&mut self, columns: usize) {
        if columns <= self.columns {
            return;
        }
        let mut fields = Vec::with_capacity(self.rows * columns);
        for row in self.fields.chunks(self.columns.max(1)) {
            fields.extend_from_slice(row);
            fields.resize(fields.len().next_multiple_of(columns), Field::NULL);
        }
        // Rows without any column have no fields to copy.
        fields.resize(self.rows * columns, Field::NULL);
        (self.fields, self.columns) = (fields, columns);
    }

    /// Adds a row; columns at its end that it has no field for have no value.
    pub fn push(&mut self, fields: impl IntoIterator<Item = Field>) {
        self.fields.extend(fields);
        self.rows += 1;
        self.fields.resize(self.rows * self.columns, Field::NULL);
    }

    /// Adds a row of texts, one a column. An empty text is no value: CSV has no other way to say so.
    pub fn push_texts<'t>(&mut self, texts: impl Iterator<Item = &'t [u8]>) {
        for text in texts {
            let kind = if text.is_empty() { Kind::Null } else { Kind::Plain };
            let field = self.field(kind, text);
            self.fields.push(field);
        }
        self.push([]);
    }

    /// Says in which line the row begins that was added last; in files without lines, its number.
    pub fn begins_at(&mut self, line: u64) {
        self.lines.push(line);
    }

    /// The lines in which the rows begin.
    pub fn lines(&self) -> impl Iterator<Item = u64> {
        self.lines.iter().copied()
    }

    /// Looks once at all bytes.
    pub fn close(&mut self) {
        self.ascii = self.data.is_ascii();
    }

    /// The fields of a column, in file order; none when the batch does not have it.
    pub fn column(&self, column: usize) -> impl Iterator<Item = (Kind, &[u8])> {
        let rows = if column < self.columns { self.rows } else { 0 };
        let fields = self.fields.iter().skip(column).step_by(self.columns.max(1)).take(rows);
        fields.map(|field| (field.kind, self.data.get(place(field)).unwrap_or_default()))
    }
}

fn place(field: &Field) -> Range<usize> {
    field.start as usize..field.end as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(batch: &Batch, column: usize) -> Vec<Option<&str>> {
        let text = |(kind, bytes)| (kind != Kind::Null).then(|| std::str::from_utf8(bytes).unwrap());
        batch.column(column).map(text).collect()
    }

    #[test]
    fn columns_that_come_up_later_are_empty_before() {
        let mut batch = Batch::of_rows(0);
        batch.push([]);
        batch.widen(2);
        batch.push_texts([&b"a"[..], b""].into_iter());
        batch.widen(3);
        let field = batch.field(Kind::Quoted, b"z");
        batch.push([Field::NULL, Field::NULL, field]);
        assert_eq!(batch.rows(), 3);
        assert_eq!(texts(&batch, 0), [None, Some("a"), None]);
        assert_eq!(texts(&batch, 1), [None; 3]);
        assert_eq!(texts(&batch, 2), [None, None, Some("z")]);
        assert!(texts(&batch, 3).is_empty(), "there is no such column");
    }
}
