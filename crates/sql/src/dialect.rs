//! Whose SQL a text is: how strings, comments and names are quoted, and which parser is tried first.

use sqlparser::dialect as parser;

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
}

impl Dialect {
    /// The parsers worth trying, the likeliest first.
    pub(crate) fn parsers(self) -> [&'static dyn parser::Dialect; 4] {
        let generic: &dyn parser::Dialect = &parser::GenericDialect {};
        let postgres: &dyn parser::Dialect = &parser::PostgreSqlDialect {};
        let mysql: &dyn parser::Dialect = &parser::MySqlDialect {};
        let microsoft: &dyn parser::Dialect = &parser::MsSqlDialect {};
        match self {
            Self::Generic => [generic, postgres, mysql, microsoft],
            Self::Postgres => [postgres, generic, mysql, microsoft],
            Self::MySql => [mysql, generic, postgres, microsoft],
        }
    }
}
