//! Reading a TOML file that a person edits: every value knows its place, and all problems are told at once.
//!
//! A [`Reader`] collects problems while [`Section`]s (tables) and [`Entry`]s (what a key names) are asked for what
//! they hold. Asking never fails: a wrong type is noted and reads as absent, so that reading goes on to the end of
//! the file. A section that is closed by [`Section::finish`] notes every key that nobody asked for.

mod entry;
mod section;

use std::cell::RefCell;
use std::ops::Range;

use toml_edit::Document;

pub use entry::Entry;
pub use section::Section;

use crate::problem::Problem;

/// A text that is being read, and what was found wrong with it so far.
#[derive(Debug)]
pub struct Reader<'t> {
    text: &'t str,
    problems: RefCell<Vec<Problem>>,
}

impl<'t> Reader<'t> {
    /// Notes a problem with the bytes `span` of the text.
    pub fn note(&self, span: Range<usize>, message: impl Into<String>, expected: impl Into<String>) {
        self.problems.borrow_mut().push(Problem::at(self.text, span, message, expected));
    }

    /// Whether something was noted already.
    pub fn has_problems(&self) -> bool {
        !self.problems.borrow().is_empty()
    }

    /// The text that is read.
    pub fn text(&self) -> &'t str {
        self.text
    }
}

/// Reads `text` as TOML and hands its root to `read`. Gives what `read` made, or every problem in the order of the
/// text. `read` may give `None` only after it has noted a problem.
pub fn read<T>(text: &str, read: impl FnOnce(&Section<'_>) -> Option<T>) -> Result<T, Vec<Problem>> {
    let document = Document::parse(text).map_err(|error| vec![syntax_problem(text, &error)])?;
    let reader = Reader { text, problems: RefCell::default() };
    let root = Section::new(&reader, "the file".to_owned(), document.as_table(), 0..0);
    let made = read(&root);
    let mut problems = reader.problems.into_inner();
    problems.sort_by(|one, two| (one.span.start, &one.message).cmp(&(two.span.start, &two.message)));
    // A reader may ask for the same thing twice.
    problems.dedup();
    match made {
        Some(made) if problems.is_empty() => Ok(made),
        _ => Err(problems),
    }
}

/// What TOML itself refuses. Its first line says what is wrong, the others what was expected.
pub(crate) fn syntax_problem(text: &str, error: &toml_edit::TomlError) -> Problem {
    let (message, expected) = error.message().split_once('\n').unwrap_or((error.message(), ""));
    let expected = expected.trim().trim_start_matches("expected ").replace('\n', ", ");
    Problem::at(text, error.span().unwrap_or(0..0), format!("this is not TOML: {message}"), expected)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn problems(text: &str) -> Vec<String> {
        let told = read(text, |root| {
            root.required("name", "a string").and_then(|name| name.string());
            for table in root.sections("table") {
                table.required("rows", "a whole number").and_then(|rows| rows.integer());
                for column in table.entry("columns").iter().flat_map(Entry::elements) {
                    column.string();
                }
                table.finish();
            }
            root.finish();
            Some(())
        });
        told.err().unwrap_or_default().iter().map(Problem::to_string).collect()
    }

    #[test]
    fn all_problems_are_told_in_the_order_of_the_text() {
        let text = "name = 7\n[[table]]\nrows = 'x'\ncolumns = ['a', 1]\n[[table]]\ncolour = 'red'\n";
        assert_eq!(
            problems(text),
            [
                "line 1, column 8: `name` is an integer; expected a string",
                "line 3, column 8: `rows` is a string; expected a whole number",
                "line 4, column 17: an element of `columns` is an integer; expected a string",
                "line 5, column 1: `rows` is missing in [[table]]; expected a whole number",
                "line 6, column 1: unknown key `colour` in [[table]]; expected one of rows, columns",
            ]
        );
    }

    #[test]
    fn a_text_that_is_not_toml_says_where() {
        let told = problems("name = 'x'\nrows 7\n");
        assert_eq!(told.len(), 1, "{told:?}");
        assert!(told[0].starts_with("line 2, column "), "{told:?}");
        assert!(told[0].contains("not TOML"), "{told:?}");
    }

    #[test]
    fn what_is_missing_in_the_root_stands_at_the_beginning() {
        assert_eq!(problems("\n\n"), ["line 1, column 1: `name` is missing in the file; expected a string"]);
    }

    #[test]
    fn inline_tables_are_sections_too() {
        assert_eq!(
            problems("name = 'x'\ntable = [{ rows = 1 }, { rows = 1, a.b = 2 }, 3]\n"),
            [
                "line 2, column 36: unknown key `a` in [[table]]; expected one of rows, columns",
                "line 2, column 47: an element of `table` is an integer; expected a table",
            ]
        );
    }
}
