//! Whose SQL a text is: how strings, comments and names are quoted, and which parser is tried first.

use sqlparser::dialect as parser;

use crate::scan::{Kind, Scanner};

/// A dialect of SQL.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Dialect {
    /// Not known: what the dialects share, and the likelier reading where they differ.
    #[default]
    Generic,
    /// PostgreSQL: `"name"`, `'a backslash is \ '`, `$tag$text$tag$`.
    Postgres,
    /// MySQL and MariaDB: `` `name` ``, `"text"`, `'it\'s'`, `# comment`.
    MySql,
    /// SQLite: a backslash is a letter, names in any quotes.
    Sqlite,
}

impl Dialect {
    /// The parsers worth trying, the likeliest first.
    pub(crate) fn parsers(self) -> [&'static dyn parser::Dialect; 4] {
        let generic: &dyn parser::Dialect = &parser::GenericDialect {};
        let postgres: &dyn parser::Dialect = &parser::PostgreSqlDialect {};
        let mysql: &dyn parser::Dialect = &parser::MySqlDialect {};
        let sqlite: &dyn parser::Dialect = &parser::SQLiteDialect {};
        let microsoft: &dyn parser::Dialect = &parser::MsSqlDialect {};
        match self {
            Self::Generic => [generic, postgres, mysql, microsoft],
            Self::Postgres => [postgres, generic, mysql, microsoft],
            Self::MySql => [mysql, generic, postgres, microsoft],
            Self::Sqlite => [sqlite, generic, postgres, mysql],
        }
    }

    /// Whose SQL a text is, by the look of its beginning: what databases write at the head of a dump, else how names are
    /// quoted. What stands in texts and comments says nothing.
    pub fn of_text(sample: &[u8]) -> Self {
        if let Some(dialect) = of_head(sample) {
            return dialect;
        }
        // A text may end at another place for MySQL; a name in backticks comes before the first one that does.
        let mut scanner = Scanner::new(sample, Self::Generic);
        while let Some(token) = scanner.next() {
            let bytes = scanner.bytes(token);
            match token.kind {
                Kind::Quoted if bytes.first() == Some(&b'`') => return Self::MySql,
                Kind::Word if bytes.eq_ignore_ascii_case(b"engine") => return Self::MySql,
                Kind::Word if bytes.eq_ignore_ascii_case(b"pg_catalog") => return Self::Postgres,
                _ => {}
            }
        }
        Self::Generic
    }
}

/// Lines at the head of a dump that are looked at.
const HEAD_LINES: usize = 40;

/// Whose dump it is, by what stands at its head.
fn of_head(sample: &[u8]) -> Option<Dialect> {
    let lines = sample.split(|byte| *byte == b'\n').take(HEAD_LINES).map(<[u8]>::trim_ascii);
    let heads: [(&[u8], Dialect); 7] = [
        (b"-- MySQL dump", Dialect::MySql),
        (b"-- MariaDB dump", Dialect::MySql),
        (b"/*!40", Dialect::MySql),
        (b"/*M!", Dialect::MySql),
        (b"-- PostgreSQL database", Dialect::Postgres),
        (b"PRAGMA foreign_keys", Dialect::Sqlite),
        (b"COPY ", Dialect::Postgres),
    ];
    lines
        .into_iter()
        .find_map(|line| heads.iter().find(|(head, _)| line.starts_with(head)).map(|(_, dialect)| *dialect))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_texts_say_is_no_sign_of_a_dialect() {
        assert_eq!(Dialect::of_text(b"INSERT INTO \"A\" VALUES ('use `ls`', 'ENGINE=x')"), Dialect::Generic);
        assert_eq!(Dialect::of_text(b"-- `a`\nSELECT 1"), Dialect::Generic);
        assert_eq!(Dialect::of_text(b"CREATE TABLE `t` (a int)"), Dialect::MySql);
        assert_eq!(Dialect::of_text(b"CREATE TABLE t (a int) ENGINE=InnoDB"), Dialect::MySql);
        assert_eq!(Dialect::of_text(b"--\n-- PostgreSQL database dump\n--\nSELECT '`'"), Dialect::Postgres);
        assert_eq!(Dialect::of_text(b"PRAGMA foreign_keys=OFF;\nCREATE TABLE `t` (a)"), Dialect::Sqlite);
    }
}
