//! The formats of logs, and how they are told apart.

use super::csv::Header;
use super::csv_record::Fields;
use super::plain::{self, Ends};
use super::{mysql, postgres};
use tablesmith_sql::Dialect;

/// The format of a log.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// SQL statements, with or without a time before each; also PostgreSQL's log lines.
    Sql,
    /// JSON lines.
    JsonLines,
    /// CSV with a header; also an export of pg_stat_statements.
    Csv,
    /// PostgreSQL's csvlog.
    PostgresCsv,
    /// MySQL's general log.
    MysqlGeneral,
}

/// A format with what else is needed to read it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Layout {
    Sql(Ends),
    JsonLines,
    Csv(Header),
    PostgresCsv,
    MysqlGeneral,
}

impl Format {
    /// All formats.
    pub const ALL: [Self; 5] = [Self::Sql, Self::JsonLines, Self::Csv, Self::PostgresCsv, Self::MysqlGeneral];

    /// The name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Sql => "sql",
            Self::JsonLines => "jsonl",
            Self::Csv => "csv",
            Self::PostgresCsv => "postgres-csv",
            Self::MysqlGeneral => "mysql-general",
        }
    }

    /// The format of a name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|format| format.name() == name)
    }
}

impl Layout {
    /// What a text that begins so is; `None` for CSV without a column of statements, which only the caller can want.
    pub fn find(sample: &[u8], wanted: Option<Format>) -> Option<Self> {
        let first_line = sample.split(|byte| *byte == b'\n').next().unwrap_or_default().trim_ascii();
        let header = || Header::parse(first_line);
        match wanted {
            Some(Format::Sql) => Some(Self::Sql(plain::ends(sample))),
            Some(Format::JsonLines) => Some(Self::JsonLines),
            Some(Format::Csv) => header().map(Self::Csv),
            Some(Format::PostgresCsv) => Some(Self::PostgresCsv),
            Some(Format::MysqlGeneral) => Some(Self::MysqlGeneral),
            None => Some(Self::guess(sample, header())),
        }
    }

    fn guess(sample: &[u8], header: Option<Header>) -> Self {
        let beginning = sample.trim_ascii_start();
        if beginning.starts_with(b"{") || beginning.starts_with(b"[{") || beginning.starts_with(b"[\n") {
            return Self::JsonLines;
        }
        if let Some(header) = header {
            return Self::Csv(header);
        }
        let mut fields = Fields::default();
        fields.parse(first_record(beginning), b',');
        if postgres::begins_entry(beginning) && postgres::is_csvlog(&fields) {
            return Self::PostgresCsv;
        }
        if mysql::is_general_log(sample) {
            return Self::MysqlGeneral;
        }
        Self::Sql(plain::ends(sample))
    }

    pub fn format(self) -> Format {
        match self {
            Self::Sql(_) => Format::Sql,
            Self::JsonLines => Format::JsonLines,
            Self::Csv(_) => Format::Csv,
            Self::PostgresCsv => Format::PostgresCsv,
            Self::MysqlGeneral => Format::MysqlGeneral,
        }
    }

    /// Whether entries come in the order of time; totals do not.
    pub fn has_order(self) -> bool {
        !matches!(self, Self::Csv(header) if header.is_totals)
    }

    /// The dialect that such a log is likely in.
    pub fn dialect(self, sample: &[u8]) -> Dialect {
        match self {
            Self::PostgresCsv => Dialect::Postgres,
            Self::MysqlGeneral => Dialect::MySql,
            Self::Csv(header) if header.is_totals => Dialect::Generic,
            _ => Dialect::of_text(sample),
        }
    }
}

/// The first record of CSV: lines up to one after which no quotation is open.
fn first_record(text: &[u8]) -> &[u8] {
    let mut quotes = 0;
    let end = text.iter().position(|byte| {
        quotes += usize::from(*byte == b'"');
        *byte == b'\n' && quotes % 2 == 0
    });
    text.get(..end.unwrap_or(text.len())).unwrap_or_default()
}
