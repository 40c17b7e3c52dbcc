//! SQL text → what the statement needs of each table.
//!
//! The text is parsed by each likely dialect in turn; the first syntax tree is walked with the names in scope
//! ([`query`] for what reads, [`change`] for what writes). When no dialect knows the text, or it is too long for a
//! tree, the names in it are taken instead ([`crate::names`]).

mod analysis;
mod bare_functions;
mod change;
mod condition;
mod expression;
mod flat;
mod from;
mod output;
mod projection;
mod query;
mod scope;

use sqlparser::ast;

use crate::catalog::Catalog;
use crate::dialect::Dialect;
use crate::error::SqlError;
use crate::names;
use crate::parse;
use crate::statement::{Kind, Statement, Understood};
use crate::template::template;
use analysis::Analysis;
pub(crate) use bare_functions::as_columns;

/// Longer texts are folded first (long lists of values become short), and not parsed when that does not help.
pub(crate) const PARSED_BYTES_MAX: usize = 64 * 1024;

/// A syntax tree is at most half as deep as its text is long; this much stack for each byte holds any walk over it.
const STACK_BYTES_PER_BYTE: usize = 1024;

/// What every statement may use of the stack, however short it is.
const STACK_BYTES_MIN: usize = 1024 * 1024;

/// Deeper parentheses are nobody's query, and parsers try them in more than one way at every level.
pub(crate) const NESTING_MAX: usize = 40;

/// Reads a statement beside the known tables. Several statements in one text count as one that needs what all need.
pub fn resolve(sql: &str, catalog: &Catalog, dialect: Dialect) -> Result<Statement, SqlError> {
    let folded;
    let text = if sql.len() > PARSED_BYTES_MAX {
        folded = template(sql, dialect);
        folded.as_str()
    } else {
        sql
    };
    let by_names = || names::resolve(text, catalog, dialect);
    if text.len() > PARSED_BYTES_MAX || names::nesting(text, dialect) > NESTING_MAX {
        return by_names();
    }
    let bytes = stack_bytes(text);
    let parsed = stacker::maybe_grow(bytes, bytes, || parse_and_walk(text, catalog, dialect));
    match parsed {
        Some(statement) if !statement.needs.is_empty() => Ok(statement),
        Some(statement) if !statement.other_tables.is_empty() => {
            Err(SqlError::OtherTables(statement.other_tables))
        }
        Some(_) | None => by_names(),
    }
}

/// What walking a text's tree may use of the stack.
pub(crate) fn stack_bytes(text: &str) -> usize {
    STACK_BYTES_MIN + text.len() * STACK_BYTES_PER_BYTE
}

/// The needs by the first dialect that parses the text; the tree is dropped here, on the same large stack.
fn parse_and_walk(text: &str, catalog: &Catalog, dialect: Dialect) -> Option<Statement> {
    let mut statements =
        dialect.parsers().into_iter().find_map(|parser| parse::statements(parser, text).ok())?;
    statements.iter_mut().for_each(|statement| as_columns(statement, catalog));
    let mut analysis = Analysis::new(catalog);
    let mut kinds = Vec::new();
    for statement in &statements {
        kinds.extend(analysis.statement(statement)?);
    }
    let kind = kinds.first().copied().unwrap_or(Kind::Select);
    Some(Statement { statements: kinds.len(), ..analysis.finish(kind, Understood::Parsed) })
}

impl Analysis<'_> {
    /// Walks a statement: its kind when it reads or writes rows; the outer `None` when the tree has parts that only
    /// the names can be taken of.
    fn statement(&mut self, statement: &ast::Statement) -> Option<Option<Kind>> {
        use ast::Statement as Tree;
        let kind = match statement {
            Tree::Query(query) => self.top_query(query)?,
            Tree::Insert(insert) => self.insert(insert)?,
            Tree::Update(update) => self.update(update)?,
            Tree::Delete(delete) => self.delete(delete)?,
            Tree::Merge(merge) => self.merge(merge)?,
            Tree::Copy { source, to, .. } => self.copy(source, *to)?,
            Tree::Explain { statement, .. } | Tree::Prepare { statement, .. } => {
                return self.statement(statement);
            }
            Tree::CreateTable(table) => return table.query.as_ref().map(|query| self.top_query(query)),
            Tree::Declare { stmts } => {
                let queries = stmts.iter().filter_map(|declared| declared.for_query.as_ref());
                for query in queries {
                    self.top_query(query)?;
                }
                Kind::Select
            }
            _ => return Some(None),
        };
        Some(Some(kind))
    }
}
