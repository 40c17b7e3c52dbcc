//! What can stand where the cursor is.

use crate::commands::registry;
use crate::vocabulary;

/// The beginning of the word before byte `at` of a line, and the words it could become; a command with the blank that
/// follows it.
pub fn complete(line: &str, at: usize, tables: &[String]) -> (usize, Vec<String>) {
    let before = line.get(..at).unwrap_or(line);
    if let Some(start) = open_quote(before) {
        let typed = before.get(start..).unwrap_or_default();
        return (start, beginning_with(typed, tables.iter().map(String::as_str)));
    }
    let in_word = |character: char| character.is_ascii_alphanumeric() || character == '_';
    let start = before.rfind(|character| !in_word(character)).map_or(0, |end| end + 1);
    // The character before the word may have several bytes; no word begins inside of it.
    let Some((head, typed)) = before.split_at_checked(start) else { return (at, Vec::new()) };
    let head = head.rsplit(';').next().unwrap_or(head).trim();
    let words = match head {
        "" | "help" => beginning_with(typed, registry::names()).into_iter().map(|name| name + " ").collect(),
        _ if typed.is_empty() => Vec::new(),
        _ => beginning_with(typed, vocabulary::constants()),
    };
    (start, words)
}

fn beginning_with<'a>(typed: &str, words: impl Iterator<Item = &'a str>) -> Vec<String> {
    let mut words: Vec<String> = words.filter(|word| word.starts_with(typed)).map(str::to_owned).collect();
    words.sort_unstable();
    words
}

/// Where the text of an open quote begins.
fn open_quote(before: &str) -> Option<usize> {
    let mut open: Option<(char, usize)> = None;
    let mut escaped = false;
    for (at, character) in before.char_indices() {
        match open {
            Some(_) if escaped => escaped = false,
            Some(_) if character == '\\' => escaped = true,
            Some((quote, _)) if character == quote => open = None,
            None if matches!(character, '\'' | '"') => open = Some((character, at + 1)),
            _ => {}
        }
    }
    open.map(|(_, start)| start)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(line: &str) -> Vec<String> {
        complete(line, line.len(), &["users".to_owned(), "ns:orders".to_owned()]).1
    }

    #[test]
    fn commands_tables_and_constants() {
        assert_eq!(words("sc"), ["scan "]);
        assert_eq!(words("list; trunc"), ["truncate ", "truncate_preserve "]);
        assert_eq!(words("help desc"), ["desc ", "describe ", "describe_namespace "]);
        assert_eq!(words("scan 'u"), ["users"]);
        assert_eq!(words("scan \"ns:"), ["ns:orders"]);
        assert_eq!(words("scan 'users', {STOP"), ["STOPROW"]);
        assert_eq!(words("scan 'users', "), Vec::<String>::new());
        assert_eq!(complete("scan 'us", 8, &[]).0, 6);
    }

    #[test]
    fn no_line_is_a_problem() {
        for line in ["é", "'é", "scan é", "\"\\\"é", ""] {
            for at in 0..=line.len() {
                complete(line, at, &["é".to_owned()]);
            }
        }
    }
}
