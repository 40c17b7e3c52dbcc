//! Lines of text in aligned columns.

use std::io::{self, Write};

use crate::terminal::Style;

/// Columns between two columns.
const GAP: usize = 2;

/// A column: its head, to which side its text goes, and its own style.
#[derive(Clone, Copy, Debug)]
pub struct Column {
    head: &'static str,
    side: Side,
    style: Option<Style>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Side {
    Left,
    Right,
}

impl Column {
    /// A column of words.
    pub fn words(head: &'static str) -> Self {
        Self { head, side: Side::Left, style: None }
    }

    /// A column of numbers.
    pub fn numbers(head: &'static str) -> Self {
        Self { head, side: Side::Right, style: None }
    }

    /// The same column in a style of its own, whatever its row has.
    pub fn styled(self, style: Style) -> Self {
        Self { style: Some(style), ..self }
    }
}

/// A table that knows its columns; rows are added one by one.
pub struct Table<const COLUMNS: usize> {
    columns: [Column; COLUMNS],
    rows: Vec<(Style, [String; COLUMNS])>,
}

impl<const COLUMNS: usize> Table<COLUMNS> {
    /// An empty table.
    pub fn new(columns: [Column; COLUMNS]) -> Self {
        Self { columns, rows: Vec::new() }
    }

    /// Adds a row in a style.
    pub fn add(&mut self, style: Style, cells: [String; COLUMNS]) {
        self.rows.push((style, cells));
    }

    /// Writes the head, dimmed, and the rows.
    pub fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        let head = self.columns.map(|column| column.head.to_owned());
        let mut widths = head.each_ref().map(|name| columns_of(name));
        for (_, cells) in &self.rows {
            for (width, cell) in widths.iter_mut().zip(cells) {
                *width = columns_of(cell).max(*width);
            }
        }
        self.write_line(out, Style::new().dimmed(), &head, &widths)?;
        self.rows.iter().try_for_each(|(style, cells)| self.write_line(out, *style, cells, &widths))
    }

    fn write_line(
        &self,
        out: &mut dyn Write,
        style: Style,
        cells: &[String; COLUMNS],
        widths: &[usize; COLUMNS],
    ) -> io::Result<()> {
        // Space is written only before something that follows it, so that no line ends in spaces.
        let mut space = 3;
        for ((cell, width), column) in cells.iter().zip(widths).zip(&self.columns) {
            let missing = width.saturating_sub(columns_of(cell));
            let style = column.style.unwrap_or(style);
            if column.side == Side::Right {
                space += missing;
            }
            if !cell.is_empty() {
                write!(out, "{}{style}{cell}{style:#}", " ".repeat(space))?;
                space = 0;
            }
            space += GAP + if column.side == Side::Left { missing } else { 0 };
        }
        writeln!(out)
    }
}

fn columns_of(text: &str) -> usize {
    text.chars().count()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::terminal::Guarded;

    #[test]
    fn columns_are_as_wide_as_their_widest_text() {
        let mut table = Table::new([Column::words("name"), Column::numbers("n"), Column::words("bar")]);
        table.add(Style::new(), ["a".into(), "10".into(), "██".into()]);
        table.add(Style::new(), ["wide name".into(), "1,000".into(), "".into()]);
        table.add(Style::new(), ["".into(), "".into(), "█".into()]);
        let mut out = Vec::new();
        table.write(&mut Guarded::new(&mut out)).unwrap();
        let text = anstream::adapter::strip_bytes(&out).into_vec();
        assert_eq!(
            String::from_utf8(text).unwrap(),
            "   name           n  bar\n   a             10  ██\n   wide name  1,000\n                     █\n"
        );
    }
}
