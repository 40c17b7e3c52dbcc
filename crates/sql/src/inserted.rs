//! The rows of an `INSERT … VALUES`, read without a syntax tree: a dump has millions of them.

use std::borrow::Cow;

use crate::dialect::Dialect;
use crate::qualified_name::QualifiedName;
use crate::scan::{Kind, Scanner, Token};

/// Where rows go: the table, and the columns where the statement names them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InsertInto {
    /// The table.
    pub table: QualifiedName,
    /// The columns; empty: all, in their order.
    pub columns: Vec<String>,
}

/// SQLite's shell writes two inside each other at most, for both kinds of line ends.
const REPLACES_MAX: usize = 4;

/// A value of a row: none is null.
pub type InsertedValue<'a> = Option<Cow<'a, [u8]>>;

/// A row, or why it cannot be read.
pub type InsertedRow<'r, 'a> = Result<&'r [InsertedValue<'a>], InsertError>;

/// Why an `INSERT` cannot be read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message} at byte {at} of the statement")]
pub struct InsertError {
    /// Where, in bytes from the statement's beginning.
    pub at: usize,
    /// What is wrong.
    pub message: String,
}

/// Reads the rows of an `INSERT … VALUES`, or of a `REPLACE`, and hands each to `row`; `None` when the text is no `INSERT`. A row that cannot
/// be read is handed over as an error; the others are read all the same.
pub fn inserted<'a>(
    text: &'a [u8],
    dialect: Dialect,
    row: &mut dyn FnMut(&InsertInto, InsertedRow<'_, 'a>),
) -> Option<InsertInto> {
    let mut reader = Reader { scanner: Scanner::new(text, dialect), dialect, next: None };
    reader.advance();
    if !reader.take_word("INSERT") && !reader.take_word("REPLACE") {
        return None;
    }
    if reader.take_word("OR") {
        // What happens to rows that are there already: it is a dump, and there are none.
        reader.advance();
    }
    while reader.take_word("IGNORE") || reader.take_word("LOW_PRIORITY") || reader.take_word("DELAYED") {}
    if !reader.take_word("INTO") {
        return None;
    }
    let into = reader.target()?;
    while reader.next.is_some() && !reader.next_is(Kind::Open) {
        // VALUES, and OVERRIDING SYSTEM VALUE and the like before it.
        if reader.take_word("SELECT") || reader.take_word("SET") {
            return None;
        }
        reader.advance();
    }
    while reader.next_is(Kind::Open) {
        let read = reader.row();
        row(&into, read.as_deref().map_err(Clone::clone));
        if !reader.take(Kind::Comma) {
            break;
        }
    }
    Some(into)
}

struct Reader<'a> {
    scanner: Scanner<'a>,
    dialect: Dialect,
    next: Option<Token>,
}

impl<'a> Reader<'a> {
    fn advance(&mut self) -> Option<Token> {
        let token = self.next;
        self.next = self.scanner.next();
        token
    }

    fn next_is(&self, kind: Kind) -> bool {
        self.next.is_some_and(|token| token.kind == kind)
    }

    fn take(&mut self, kind: Kind) -> bool {
        let is_next = self.next_is(kind);
        if is_next {
            self.advance();
        }
        is_next
    }

    fn take_word(&mut self, word: &str) -> bool {
        let is_next = self.next.is_some_and(|token| {
            token.kind == Kind::Word && self.scanner.bytes(token).eq_ignore_ascii_case(word.as_bytes())
        });
        if is_next {
            self.advance();
        }
        is_next
    }

    /// `schema.table (a, b)`.
    fn target(&mut self) -> Option<InsertInto> {
        let mut parts = vec![self.name()?];
        while self.take(Kind::Dot) {
            parts.push(self.name()?);
        }
        let table = QualifiedName::of_parts(parts);
        let mut columns = Vec::new();
        if self.take(Kind::Open) {
            loop {
                columns.push(self.name()?);
                if !self.take(Kind::Comma) {
                    break;
                }
            }
            if !self.take(Kind::Close) {
                return None;
            }
        }
        Some(InsertInto { table, columns })
    }

    fn name(&mut self) -> Option<String> {
        let is_name = |token: &Token| matches!(token.kind, Kind::Word | Kind::Quoted | Kind::Text);
        let token = self.next.filter(is_name)?;
        self.advance();
        let bytes = self.scanner.bytes(token);
        let bytes = match token.kind {
            Kind::Word => Cow::Borrowed(bytes),
            _ if bytes.first() == Some(&b'[') => {
                Cow::Borrowed(bytes.get(1..bytes.len().saturating_sub(1)).unwrap_or_default())
            }
            _ => unquoted(bytes, Dialect::Sqlite),
        };
        Some(String::from_utf8_lossy(&bytes).into_owned())
    }

    /// `(1, 'two', NULL)`. After an error the reader stands behind the row.
    fn row(&mut self) -> Result<Vec<InsertedValue<'a>>, InsertError> {
        self.advance();
        let (mut values, mut failed, mut depth) = (Vec::new(), None, 1_usize);
        while depth > 0 {
            let Some(token) = self.next else {
                return Err(self.error(None, "the row never ends"));
            };
            if failed.is_some() {
                match token.kind {
                    Kind::Open => depth += 1,
                    Kind::Close => depth -= 1,
                    _ => {}
                }
                self.advance();
                continue;
            }
            match self.value() {
                Ok(value) => values.push(value),
                Err(error) => {
                    failed = Some(error);
                    continue;
                }
            }
            if self.take(Kind::Close) {
                depth = 0;
            } else if !self.take(Kind::Comma) {
                failed = Some(self.error(self.next, "a value is neither a literal nor NULL"));
            }
        }
        failed.map_or(Ok(values), Err)
    }

    /// A literal, with its sign; `TRUE`, `FALSE`, `NULL`.
    fn value(&mut self) -> Result<InsertedValue<'a>, InsertError> {
        self.value_inside(REPLACES_MAX)
    }

    /// A value with at most so many `replace` inside each other.
    fn value_inside(&mut self, replaces: usize) -> Result<InsertedValue<'a>, InsertError> {
        let sign = self.next.filter(|token| {
            token.kind == Kind::Operator && matches!(self.scanner.bytes(*token), b"-" | b"+")
        });
        if sign.is_some() {
            self.advance();
        }
        self.skip_character_set();
        let Some(token) = self.next else { return Err(self.error(None, "a value is missing")) };
        let bytes = self.scanner.bytes(token);
        let value = match token.kind {
            Kind::Number => match sign {
                Some(sign) if self.scanner.bytes(sign) == b"-" => {
                    Some(Cow::Owned([b"-", hex_number(bytes).as_ref()].concat()))
                }
                _ => Some(hex_number(bytes)),
            },
            Kind::Text if sign.is_none() => Some(unquoted(bytes, self.dialect)),
            // What is computed, or was not said, has no value of its own.
            Kind::Word
                if sign.is_none()
                    && (bytes.eq_ignore_ascii_case(b"null") || bytes.eq_ignore_ascii_case(b"default")) =>
            {
                None
            }
            Kind::Word if sign.is_none() && replaces > 0 && bytes.eq_ignore_ascii_case(b"replace") => {
                let before = (self.scanner, self.next);
                self.advance();
                let text = self.replaced(token, replaces - 1);
                if text.is_err() {
                    // What is passed over then begins here, with all its parentheses.
                    (self.scanner, self.next) = before;
                }
                return text.map(|text| Some(Cow::Owned(text)));
            }
            Kind::Word
                if sign.is_none()
                    && (bytes.eq_ignore_ascii_case(b"true") || bytes.eq_ignore_ascii_case(b"false")) =>
            {
                Some(Cow::Owned(bytes.to_ascii_lowercase()))
            }
            _ => return Err(self.error(Some(token), "a value is neither a literal nor NULL")),
        };
        self.advance();
        self.skip_cast();
        Ok(value)
    }

    /// `replace('one\ntwo','\n',char(10))`, as SQLite's shell writes a text of several lines; one may stand inside another.
    fn replaced(&mut self, at: Token, inside: usize) -> Result<Vec<u8>, InsertError> {
        let wrong = |reader: &Self| reader.error(Some(at), "a value is neither a literal nor NULL");
        let begins = self.take(Kind::Open);
        let text = begins.then(|| self.value_inside(inside)).ok_or_else(|| wrong(self))??.unwrap_or_default();
        let from = self
            .take(Kind::Comma)
            .then(|| self.value_inside(0))
            .ok_or_else(|| wrong(self))??
            .unwrap_or_default();
        let is_code = self.take(Kind::Comma) && self.take_word("CHAR") && self.take(Kind::Open);
        let code = is_code.then(|| self.value_inside(0)).ok_or_else(|| wrong(self))??.unwrap_or_default();
        let code = std::str::from_utf8(&code).ok().and_then(|digits| digits.parse::<u8>().ok());
        match (code, self.take(Kind::Close) && self.take(Kind::Close), from.is_empty()) {
            (Some(code), true, false) => Ok(replace(&text, &from, code)),
            _ => Err(wrong(self)),
        }
    }

    /// `_binary` before a text of MySQL says how its bytes are meant; they are the same.
    fn skip_character_set(&mut self) {
        let is_one = |token: &Token| token.kind == Kind::Word && self.scanner.bytes(*token).starts_with(b"_");
        if self.dialect == Dialect::MySql && self.next.as_ref().is_some_and(is_one) {
            self.advance();
        }
    }

    /// `::type` behind a literal says nothing new.
    fn skip_cast(&mut self) {
        let is_cast = |reader: &Self| {
            reader.next.is_some_and(|token| {
                token.kind == Kind::Operator && reader.scanner.bytes(token).starts_with(b"::")
            })
        };
        while is_cast(self) {
            self.advance();
            while matches!(self.next.map(|token| token.kind), Some(Kind::Word | Kind::Quoted | Kind::Dot)) {
                self.advance();
            }
        }
    }

    fn error(&self, token: Option<Token>, message: &str) -> InsertError {
        let at = token.map_or(self.scanner.position(), |token| token.start);
        InsertError { at, message: message.to_owned() }
    }
}

/// A text with a byte in every place of another text.
fn replace(text: &[u8], from: &[u8], byte: u8) -> Vec<u8> {
    let mut replaced = Vec::with_capacity(text.len());
    let mut rest = text;
    while let Some((first, behind)) = rest.split_first() {
        if let Some(after) = rest.strip_prefix(from) {
            replaced.push(byte);
            rest = after;
        } else {
            replaced.push(*first);
            rest = behind;
        }
    }
    replaced
}

/// MySQL dumps bytes as `0xCAFE`.
fn hex_number(bytes: &[u8]) -> Cow<'_, [u8]> {
    match bytes.strip_prefix(b"0x").and_then(hex_bytes) {
        Some(bytes) => Cow::Owned(bytes),
        None => Cow::Borrowed(bytes),
    }
}

/// The bytes that hexadecimal digits stand for, two each.
pub fn hex_bytes(digits: &[u8]) -> Option<Vec<u8>> {
    let digit = |byte: &u8| char::from(*byte).to_digit(16).map(|digit| digit as u8);
    let byte = |pair: &[u8]| match pair {
        [high, low] => Some(digit(high)? << 4 | digit(low)?),
        _ => None,
    };
    digits.chunks(2).map(byte).collect()
}

/// The bytes of bits, the highest first; none when there are others than 0 and 1, or too many.
fn bit_bytes(bits: &[u8]) -> Option<Vec<u8>> {
    let bits = std::str::from_utf8(bits).ok()?;
    u64::from_str_radix(bits, 2).ok().map(|number| number.to_be_bytes().to_vec())
}

/// What a text literal says: without its quotes, doubled marks once, escapes as what they stand for.
fn unquoted(literal: &[u8], dialect: Dialect) -> Cow<'_, [u8]> {
    let mark = literal.iter().position(|byte| matches!(byte, b'\'' | b'"' | b'`' | b'$')).unwrap_or(0);
    let (prefix, quoted) = literal.split_at_checked(mark).unwrap_or((&[], literal));
    if quoted.first() == Some(&b'$') {
        let tag = quoted.iter().skip(1).position(|byte| *byte == b'$').map_or(0, |at| at + 2);
        let end = quoted.len().saturating_sub(tag);
        return Cow::Borrowed(quoted.get(tag..end).unwrap_or_default());
    }
    let quote = quoted.first().copied().unwrap_or(b'\'');
    let inside = quoted.get(1..quoted.len().saturating_sub(1)).unwrap_or_default();
    if dialect == Dialect::MySql
        && matches!(prefix, b"b" | b"B")
        && let Some(bytes) = bit_bytes(inside)
    {
        return Cow::Owned(bytes);
    }
    if matches!(prefix, b"x" | b"X")
        && let Some(bytes) = hex_bytes(inside)
    {
        return Cow::Owned(bytes);
    }
    let escapes = dialect == Dialect::MySql || matches!(prefix, b"e" | b"E");
    if !inside.iter().any(|byte| *byte == quote || (escapes && *byte == b'\\')) {
        return Cow::Borrowed(inside);
    }
    let mut text = Vec::with_capacity(inside.len());
    let mut bytes = inside.iter().copied().peekable();
    while let Some(byte) = bytes.next() {
        match byte {
            b'\\' if escapes => match bytes.next() {
                Some(b'n') => text.push(b'\n'),
                Some(b't') => text.push(b'\t'),
                Some(b'r') => text.push(b'\r'),
                Some(b'b') => text.push(8),
                Some(b'0') if dialect == Dialect::MySql => text.push(0),
                Some(b'Z') if dialect == Dialect::MySql => text.push(26),
                Some(other) => text.push(other),
                None => text.push(b'\\'),
            },
            _ if byte == quote => {
                text.push(quote);
                bytes.next_if_eq(&quote);
            }
            _ => text.push(byte),
        }
    }
    Cow::Owned(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(sql: &str, dialect: Dialect) -> (Option<InsertInto>, Vec<Result<Vec<String>, String>>) {
        let mut rows = Vec::new();
        let into = inserted(sql.as_bytes(), dialect, &mut |_, row| {
            let text = |value: &InsertedValue<'_>| match value {
                Some(bytes) => String::from_utf8_lossy(bytes).into_owned(),
                None => "∅".to_owned(),
            };
            rows.push(match row {
                Ok(values) => Ok(values.iter().map(text).collect()),
                Err(error) => Err(error.to_string()),
            });
        });
        (into, rows)
    }

    #[test]
    fn rows_of_a_mysql_dump() {
        let sql =
            r#"INSERT INTO `t` VALUES (1,'it\'s \"a\"\n',NULL,-2.5e3),(2,_binary 'two''s',0x4A6F,TRUE);"#;
        let (into, rows) = read(sql, Dialect::MySql);
        assert_eq!(into.unwrap(), InsertInto { table: "t".into(), columns: vec![] });
        assert_eq!(rows[0].clone().unwrap(), ["1", "it's \"a\"\n", "∅", "-2.5e3"]);
        assert_eq!(rows[1].clone().unwrap(), ["2", "two's", "Jo", "true"]);
    }

    #[test]
    fn rows_of_a_postgres_dump_with_columns() {
        let sql = r#"INSERT INTO public.t (a, "B") OVERRIDING SYSTEM VALUE VALUES ('a\b', E'c\td'::text), ($$x$$, NULL)"#;
        let (into, rows) = read(sql, Dialect::Postgres);
        assert_eq!(into.unwrap().columns, ["a", "B"]);
        assert_eq!(rows[0].clone().unwrap(), ["a\\b", "c\td"]);
        assert_eq!(rows[1].clone().unwrap(), ["x", "∅"]);
    }

    #[test]
    fn rows_of_a_sqlite_dump_with_lines_in_their_texts() {
        let sql =
            r"INSERT INTO 'it''s' VALUES(1,replace(replace('a\r\nb\n','\r',char(13)),'\n',char(10)),'C:\')";
        let (into, rows) = read(sql, Dialect::Sqlite);
        assert_eq!(into.unwrap().table.name, "it's");
        assert_eq!(rows[0].clone().unwrap(), ["1", "a\r\nb\n", "C:\\"]);
        let (_, rows) = read(
            "INSERT INTO t VALUES (replace('a', 'b'), 1), (replace('a','',char(1)), 2), (3, 4)",
            Dialect::Sqlite,
        );
        assert!(rows[0].is_err() && rows[1].is_err() && rows[2].is_ok(), "{rows:?}");
        assert_eq!(
            read("REPLACE INTO t VALUES (1, DEFAULT)", Dialect::MySql).1[0].clone().unwrap(),
            ["1", "∅"]
        );
    }

    #[test]
    fn a_row_that_is_computed_is_told_and_the_next_is_read() {
        let (_, rows) = read("INSERT INTO t VALUES (1, now(), 2), (3, 4, 5)", Dialect::Generic);
        assert!(rows[0].clone().unwrap_err().contains("neither a literal nor NULL at byte 25"), "{rows:?}");
        assert_eq!(rows[1].clone().unwrap(), ["3", "4", "5"]);
        assert_eq!(read("SELECT 1", Dialect::Generic).0, None);
        assert_eq!(read("INSERT INTO t VALUES (1, 'x", Dialect::Generic).1.len(), 1);
    }
}
