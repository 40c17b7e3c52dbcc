//! Rows of the write stream, many at once.

use std::ops::Range;

use tablesmith_model::value::Value;

/// A row of the write stream.
#[derive(Clone, Copy, Debug)]
pub struct Row<'r> {
    /// The values of [`super::super::Setup::columns`], in that order.
    pub values: &'r [Value],
    /// The whole line that it was read from, when there is one.
    pub line: Option<&'r [u8]>,
    /// What it takes in the table, in bytes.
    pub bytes: u64,
}

/// Rows of the write stream, in their order, in few allocations.
#[derive(Clone, Debug, Default)]
pub struct Batch {
    width: usize,
    values: Vec<Value>,
    lines: Vec<u8>,
    /// Where each row's line begins and ends among the lines; none for a row without one.
    lines_at: Vec<Option<(usize, usize)>>,
    bytes: Vec<u64>,
}

impl Batch {
    /// A batch of rows with so many values each.
    pub fn new(width: usize) -> Self {
        Self { width, ..Self::default() }
    }

    /// Adds a row; values that are missing are null, values that are too many are left out.
    pub fn push(&mut self, row: &Row<'_>) {
        let given = row.values.iter().take(self.width).cloned();
        self.values.extend(given.chain(std::iter::repeat(Value::Null)).take(self.width));
        let begin = self.lines.len();
        self.lines.extend_from_slice(row.line.unwrap_or_default());
        self.lines_at.push(row.line.map(|_| (begin, self.lines.len())));
        self.bytes.push(row.bytes);
    }

    /// How many rows it has.
    pub fn len(&self) -> usize {
        self.bytes.len()
    }

    /// Whether it has none.
    pub fn is_empty(&self) -> bool {
        self.bytes.is_empty()
    }

    /// Forgets its rows and keeps their room.
    pub fn clear(&mut self) {
        self.values.clear();
        self.lines.clear();
        self.lines_at.clear();
        self.bytes.clear();
    }

    /// One of its rows.
    pub fn row(&self, index: usize) -> Option<Row<'_>> {
        let bytes = *self.bytes.get(index)?;
        Some(Row { values: self.values(index), line: self.line(index), bytes })
    }

    /// The values of a row.
    #[inline]
    pub(super) fn values(&self, index: usize) -> &[Value] {
        let begin = index * self.width;
        self.values.get(begin..begin + self.width).unwrap_or_default()
    }

    /// The line of a row.
    #[inline]
    pub(super) fn line(&self, index: usize) -> Option<&[u8]> {
        let (begin, end) = (*self.lines_at.get(index)?)?;
        self.lines.get(begin..end)
    }

    /// The bytes of some rows.
    pub(super) fn bytes(&self, rows: Range<usize>) -> &[u64] {
        self.bytes.get(rows).unwrap_or_default()
    }

    /// Whether some of these rows have no line.
    pub(super) fn lacks_lines(&self, rows: Range<usize>) -> bool {
        self.lines_at.get(rows).unwrap_or_default().iter().any(Option::is_none)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_come_back_as_they_were() {
        let mut batch = Batch::new(2);
        let rows: [(&[Value], Option<&[u8]>); 4] = [
            (&[Value::Int(1), Value::Null], Some(b"one")),
            (&[Value::Int(2)], None),
            (&[Value::Int(3), Value::Int(4), Value::Int(5)], Some(b"")),
            (&[Value::Int(6), Value::Int(7)], Some(b"four")),
        ];
        rows.iter().for_each(|(values, line)| batch.push(&Row { values, line: *line, bytes: 9 }));
        assert_eq!(batch.len(), 4);
        let lines: Vec<_> = (0..4).map(|index| batch.row(index).unwrap().line).collect();
        assert_eq!(lines, [Some(&b"one"[..]), None, Some(&b""[..]), Some(&b"four"[..])]);
        assert_eq!(batch.row(1).unwrap().values, [Value::Int(2), Value::Null]);
        assert_eq!(batch.row(2).unwrap().values, [Value::Int(3), Value::Int(4)]);
        assert!(batch.row(4).is_none());
        batch.clear();
        assert!(batch.is_empty());
    }
}
