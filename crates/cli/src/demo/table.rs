//! Lines of text in aligned columns.

use std::io::{self, Write};

use anstyle::Style;

/// To which side a column's text goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// Words.
    Left,
    /// Numbers.
    Right,
}

/// A table that knows its columns; rows are added one by one.
pub struct Table<const COLUMNS: usize> {
    columns: [(&'static str, Side); COLUMNS],
    rows: Vec<(Style, [String; COLUMNS])>,
}

impl<const COLUMNS: usize> Table<COLUMNS> {
    /// An empty table.
    pub fn new(columns: [(&'static str, Side); COLUMNS]) -> Self {
        Self { columns, rows: Vec::new() }
    }

    /// Adds a row in a style.
    pub fn add(&mut self, style: Style, cells: [String; COLUMNS]) {
        self.rows.push((style, cells));
    }

    /// Writes the head, dimmed, and the rows.
    pub fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        let head = self.columns.map(|(name, _)| name.to_owned());
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
        let mut line = String::new();
        for ((cell, width), (_, side)) in cells.iter().zip(widths).zip(&self.columns) {
            let space = " ".repeat(width.saturating_sub(columns_of(cell)));
            match side {
                Side::Left => line.extend([cell, space.as_str(), "  "]),
                Side::Right => line.extend([space.as_str(), cell, "  "]),
            }
        }
        writeln!(out, "   {style}{}{style:#}", line.trim_end())
    }
}

fn columns_of(text: &str) -> usize {
    text.chars().count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_as_wide_as_their_widest_text() {
        let mut table = Table::new([("name", Side::Left), ("n", Side::Right), ("bar", Side::Left)]);
        table.add(Style::new(), ["a".into(), "10".into(), "██".into()]);
        table.add(Style::new(), ["wide name".into(), "1,000".into(), "".into()]);
        let mut out = Vec::new();
        table.write(&mut out).unwrap();
        let text = anstream::adapter::strip_bytes(&out).into_vec();
        assert_eq!(
            String::from_utf8(text).unwrap(),
            "   name           n  bar\n   a             10  ██\n   wide name  1,000\n"
        );
    }
}
