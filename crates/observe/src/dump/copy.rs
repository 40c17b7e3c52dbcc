//! Rows behind PostgreSQL's `COPY … FROM stdin`: a line each, tabs between values, `\N` for null, backslash escapes.

use std::borrow::Cow;

use tablesmith_sql::{InsertedValue, QualifiedName};

/// `COPY schema.table (a, b) FROM stdin`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Head {
    pub table: QualifiedName,
    /// The columns; empty: all, in their order.
    pub columns: Vec<String>,
}

impl Head {
    /// Reads a statement; none when it is no `COPY … FROM stdin` in the text format.
    pub fn of(statement: &[u8]) -> Option<Self> {
        let text = std::str::from_utf8(statement).ok()?.trim().trim_end_matches(';').trim_end();
        let rest = strip_word(text, "COPY")?;
        let from = rest.to_ascii_uppercase().rfind("FROM STDIN")?;
        let (place, options) = rest.split_at_checked(from)?;
        if options.len() > "FROM STDIN".len() {
            return None;
        }
        let (name, columns) = match find_unquoted(place, '(') {
            Some(at) => (place.get(..at)?, place.get(at + 1..)?.trim_end().trim_end_matches(')')),
            None => (place, ""),
        };
        let table = QualifiedName::of_parts(split_unquoted(name, '.'));
        let columns = split_unquoted(columns, ',').into_iter().filter(|column| !column.is_empty()).collect();
        Some(Self { table, columns })
    }
}

fn strip_word<'t>(text: &'t str, word: &str) -> Option<&'t str> {
    let (head, rest) = text.split_at_checked(word.len())?;
    (head.eq_ignore_ascii_case(word) && rest.starts_with(char::is_whitespace)).then(|| rest.trim_start())
}

/// Where a mark stands first outside of quotes.
fn find_unquoted(text: &str, mark: char) -> Option<usize> {
    let mut is_quoted = false;
    text.char_indices().find_map(|(at, letter)| {
        is_quoted ^= letter == '"';
        (letter == mark && !is_quoted).then_some(at)
    })
}

/// Names between marks, without their quotes: marks inside quotes are letters.
fn split_unquoted(text: &str, mark: char) -> Vec<String> {
    let (mut parts, mut rest) = (Vec::new(), text);
    while let Some((part, after)) =
        find_unquoted(rest, mark).and_then(|at| Some((rest.get(..at)?, rest.get(at + 1..)?)))
    {
        parts.push(unquoted(part));
        rest = after;
    }
    parts.push(unquoted(rest));
    parts
}

fn unquoted(name: &str) -> String {
    let name = name.trim();
    match name.strip_prefix('"').and_then(|name| name.strip_suffix('"')) {
        Some(inside) => inside.replace("\"\"", "\""),
        None => name.to_owned(),
    }
}

/// The values of a row.
pub(super) fn values(line: &[u8]) -> Vec<InsertedValue<'_>> {
    line.split(|byte| *byte == b'\t').map(|field| (field != b"\\N").then(|| unescaped(field))).collect()
}

fn unescaped(field: &[u8]) -> Cow<'_, [u8]> {
    if !field.contains(&b'\\') {
        return Cow::Borrowed(field);
    }
    let (mut text, mut bytes) = (Vec::with_capacity(field.len()), field.iter().copied());
    while let Some(byte) = bytes.next() {
        let byte = match byte {
            b'\\' => match bytes.next() {
                Some(b'n') => b'\n',
                Some(b't') => b'\t',
                Some(b'r') => b'\r',
                Some(b'b') => 8,
                Some(b'f') => 12,
                Some(b'v') => 11,
                Some(other) => other,
                None => b'\\',
            },
            other => other,
        };
        text.push(byte);
    }
    Cow::Owned(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn heads_name_table_and_columns() {
        let head = Head::of(b"COPY public.\"Users\" (id, \"name\") FROM stdin;").unwrap();
        let table = QualifiedName { schema: Some("public".into()), name: "Users".into() };
        assert_eq!(head, Head { table, columns: vec!["id".into(), "name".into()] });
        assert_eq!(Head::of(b"COPY \"a.b\" FROM stdin;").unwrap().table.name, "a.b");
        assert_eq!(Head::of(b"copy t from STDIN").unwrap().columns, Vec::<String>::new());
        let odd =
            Head::of(b"COPY public.\"t (old), \"\"x\"\"\" (id, \"last, first\", \"5\"\" disk\") FROM stdin;")
                .unwrap();
        assert_eq!(
            (odd.table.name.as_str(), odd.columns),
            ("t (old), \"x\"", vec!["id".into(), "last, first".into(), "5\" disk".into()])
        );
        assert_eq!(Head::of(b"COPY t TO stdout"), None);
        assert_eq!(Head::of(b"COPY t FROM stdin WITH CSV"), None);
    }

    #[test]
    fn values_lose_their_escapes_and_null_is_null() {
        let found = values(b"1\t\\N\ta\\tb\\\\c\t");
        let text: Vec<Option<&[u8]>> = found.iter().map(|value| value.as_deref()).collect();
        assert_eq!(text, [Some(&b"1"[..]), None, Some(b"a\tb\\c"), Some(b"")]);
    }
}
