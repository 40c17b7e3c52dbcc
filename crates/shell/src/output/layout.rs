//! Rows of one or two columns, laid out as HBase's shell does it: wrapped to the terminal, or each on one line. What
//! stands in them comes from data and servers, so that they are made printable here.

use tablesmith_model::bytes_text::printable;

/// A layout for a terminal of some width; 0 for output that is no terminal, where nothing is wrapped.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Layout {
    width: usize,
}

impl Layout {
    /// For a terminal of `width` characters.
    pub fn new(width: usize) -> Self {
        Self { width }
    }

    /// A title row.
    pub fn header(self, first: &str, second: &str) -> String {
        self.two_columns(first, second, "", "  ")
    }

    /// A row set off from the title by a space.
    pub fn row(self, first: &str, second: &str) -> String {
        self.two_columns(first, second, " ", " ")
    }

    /// A row of one column.
    pub fn line(self, text: &str) -> String {
        wrap(text, self.width).iter().map(|part| format!("{part}\n")).collect()
    }

    fn two_columns(self, first: &str, second: &str, inset: &str, gap: &str) -> String {
        let first_width = self.width / 4;
        let second_width = self.width.saturating_sub(first_width + 2);
        let (first, second) = (wrap(first, first_width), wrap(second, second_width));
        let mut text = String::new();
        for at in 0..first.len().max(second.len()) {
            let left = first.get(at).map_or("", String::as_str);
            let right = second.get(at).map_or("", String::as_str);
            let line = format!("{inset}{left:first_width$}{gap}{right}");
            text.push_str(if self.width == 0 { &line } else { line.trim_end() });
            text.push('\n');
        }
        text
    }
}

/// Cuts a text into printable pieces of `width` characters; 0 does not cut. An empty text is one empty piece.
fn wrap(text: &str, width: usize) -> Vec<String> {
    let text = printable(text);
    if width == 0 || text.is_empty() {
        return vec![text.into_owned()];
    }
    let characters: Vec<char> = text.chars().collect();
    characters.chunks(width).map(|piece| piece.iter().collect()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn without_a_terminal_nothing_is_wrapped() {
        let layout = Layout::new(0);
        assert_eq!(layout.header("ROW", "COLUMN+CELL"), "ROW  COLUMN+CELL\n");
        assert_eq!(layout.row("r1", "column=f:q"), " r1 column=f:q\n");
        assert_eq!(layout.line("x"), "x\n");
    }

    #[test]
    fn a_terminal_obeys_nothing_in_a_row() {
        let layout = Layout::new(0);
        assert_eq!(layout.row("r\u{1b}[2J", "a\nb"), " r\\x1B[2J a\\x0Ab\n");
        assert_eq!(Layout::new(4).line("a\u{1b}b"), "a\\x1\nBb\n");
    }

    #[test]
    fn a_terminal_has_a_quarter_for_the_first_column() {
        let layout = Layout::new(16);
        assert_eq!(layout.header("ROW", "CELL"), "ROW   CELL\n");
        assert_eq!(layout.row("abcdef", "0123456789abc"), " abcd 0123456789\n ef   abc\n");
        assert_eq!(layout.line("0123456789abcdefgh"), "0123456789abcdef\ngh\n");
    }
}
