//! What a statement needs, by the names of tables and columns in its text: for text that no parser knows.

use std::collections::BTreeSet;

use crate::catalog::{Catalog, TableColumns};
use crate::dialect::Dialect;
use crate::error::SqlError;
use crate::scan::{Kind as TokenKind, Scanner};
use crate::statement::{Kind, Need, Statement, Understood};

/// Statements that begin so neither read nor write rows of a table.
const NO_ROWS: &str = "alter analyze analyse attach begin change checkpoint close cluster comment commit connect create \
    deallocate desc describe detach discard drop end execute fetch flush grant kill listen lock notify \
    optimize pragma quit refresh reindex release rename reset revoke rollback savepoint set show \
    shutdown start truncate unlisten unlock use vacuum xa";

/// A word or quoted name of the text, in lower case and without quotes, and what stands around it.
struct Name {
    text: String,
    /// An assignment's target: `name =` before `WHERE`.
    is_assigned: bool,
}

/// What the text names.
#[derive(Default)]
struct Names {
    names: Vec<Name>,
    /// A `*` that stands for all columns.
    all_columns: bool,
}

/// The needs of the known tables that the text names.
pub(crate) fn resolve(sql: &str, catalog: &Catalog, dialect: Dialect) -> Result<Statement, SqlError> {
    let found = names(sql, dialect);
    let first = found.names.first().map(|name| name.text.as_str()).unwrap_or_default();
    if first.is_empty() || NO_ROWS.split(' ').any(|word| word == first) {
        return Err(SqlError::NotAStatement(beginning(sql)));
    }
    let kind = kind(first, &found);
    let mut tables: Vec<&TableColumns> = Vec::new();
    for name in &found.names {
        if let Some(table) = catalog.table(&name.text)
            && !tables.iter().any(|seen| seen.name() == table.name())
        {
            tables.push(table);
        }
    }
    if tables.is_empty() {
        return Err(no_table(sql, dialect, first));
    }
    let needs = tables.iter().enumerate().map(|(at, table)| need(table, at == 0, kind, &found)).collect();
    Ok(Statement {
        kind,
        needs,
        understood: Understood::ByNames,
        other_tables: Vec::new(),
        unknown_columns: Vec::new(),
        limit: None,
        is_flat: false,
        statements: 1,
    })
}

/// The first words of a text.
fn beginning(sql: &str) -> String {
    const CHARS_MAX: usize = 40;
    let words: Vec<&str> = sql.split_whitespace().take(3).collect();
    words.join(" ").chars().take(CHARS_MAX).collect()
}

/// The deepest nesting of parentheses, brackets and `CASE`.
pub(crate) fn nesting(sql: &str, dialect: Dialect) -> usize {
    let mut scanner = Scanner::new(sql.as_bytes(), dialect);
    let (mut depth, mut deepest) = (0_usize, 0);
    while let Some(token) = scanner.next() {
        match (token.kind, scanner.bytes(token)) {
            (TokenKind::Open, _) | (TokenKind::Operator, b"[" | b"{") => depth += 1,
            (TokenKind::Close, _) | (TokenKind::Operator, b"]" | b"}") => depth = depth.saturating_sub(1),
            (TokenKind::Word, word) if word.eq_ignore_ascii_case(b"case") => depth += 1,
            (TokenKind::Word, word) if word.eq_ignore_ascii_case(b"end") => depth = depth.saturating_sub(1),
            _ => {}
        }
        deepest = deepest.max(depth);
    }
    deepest
}

fn kind(first: &str, found: &Names) -> Kind {
    let of = |word: &str| match word {
        "insert" | "replace" | "upsert" | "load" => Some(Kind::Insert),
        "update" | "merge" => Some(Kind::Update),
        "delete" => Some(Kind::Delete),
        "select" => Some(Kind::Select),
        _ => None,
    };
    // `WITH …` and wrappers: what the statement does comes later.
    let later = || found.names.iter().find_map(|name| of(&name.text).filter(|kind| *kind != Kind::Select));
    of(first).or_else(later).unwrap_or(Kind::Select)
}

/// No known table occurs: the names after `FROM`, `JOIN`, `INTO` and `UPDATE` are those of others.
fn no_table(sql: &str, dialect: Dialect, first: &str) -> SqlError {
    let mut scanner = Scanner::new(sql.as_bytes(), dialect);
    let mut others: BTreeSet<String> = BTreeSet::new();
    let mut is_table = false;
    while let Some(token) = scanner.next() {
        let text = unquoted(scanner.bytes(token), token.kind);
        match token.kind {
            TokenKind::Word if matches!(text.as_str(), "from" | "join" | "into" | "update" | "call") => {
                is_table = true
            }
            TokenKind::Word | TokenKind::Quoted if is_table => {
                others.insert(text);
                is_table = false;
            }
            _ => is_table = false,
        }
    }
    let reads_rows =
        ["select", "insert", "update", "delete", "with", "replace", "upsert", "merge"].contains(&first);
    if others.is_empty() && !reads_rows {
        return SqlError::NotSql(beginning(sql));
    }
    SqlError::OtherTables(others.into_iter().collect())
}

fn need(table: &TableColumns, is_first: bool, kind: Kind, found: &Names) -> Need {
    let named = |wanted: &dyn Fn(&Name) -> bool| {
        let ids: BTreeSet<usize> = found
            .names
            .iter()
            .filter(|name| wanted(name))
            .filter_map(|name| table.column_id(&name.text))
            .collect();
        ids.into_iter().filter_map(|id| table.columns().get(id).cloned()).collect::<Vec<String>>()
    };
    let every = || table.columns().to_vec();
    let or_every = |columns: Vec<String>| if columns.is_empty() { every() } else { columns };
    let (reads, writes) = match (kind, is_first) {
        (Kind::Insert, true) => (Vec::new(), or_every(named(&|_| true))),
        (Kind::Update, true) => (named(&|name| !name.is_assigned), or_every(named(&|name| name.is_assigned))),
        (Kind::Delete, true) => (named(&|_| true), every()),
        _ if found.all_columns => (every(), Vec::new()),
        _ => (named(&|_| true), Vec::new()),
    };
    Need { table: table.name().to_owned(), reads, writes, ..Need::default() }
}

fn names(sql: &str, dialect: Dialect) -> Names {
    let mut scanner = Scanner::new(sql.as_bytes(), dialect);
    let mut found = Names::default();
    let mut before_where = true;
    // `TABLE t` is short for `SELECT * FROM t`.
    found.all_columns = sql.trim_start().get(..6).is_some_and(|word| word.eq_ignore_ascii_case("table "));
    // What stands before: a `*` after these is a wildcard, after anything else a multiplication.
    let mut opens_list = false;
    while let Some(token) = scanner.next() {
        let bytes = scanner.bytes(token);
        match token.kind {
            TokenKind::Word | TokenKind::Quoted => {
                let text = unquoted(bytes, token.kind);
                before_where &= text != "where";
                opens_list = matches!(text.as_str(), "select" | "distinct" | "all");
                found.names.push(Name { text, is_assigned: false });
                continue;
            }
            TokenKind::Operator if bytes == b"=" && before_where => {
                if let Some(name) = found.names.last_mut() {
                    name.is_assigned = true;
                }
                opens_list = false;
            }
            TokenKind::Operator if bytes == b"*" => found.all_columns |= opens_list,
            TokenKind::Comma | TokenKind::Dot => opens_list = true,
            _ => opens_list = false,
        }
    }
    found
}

/// A name in lower case, without its quotes.
fn unquoted(bytes: &[u8], kind: TokenKind) -> String {
    let inner = match kind {
        TokenKind::Quoted => bytes.get(1..bytes.len().saturating_sub(1)).unwrap_or_default(),
        _ => bytes,
    };
    String::from_utf8_lossy(inner).to_lowercase()
}
