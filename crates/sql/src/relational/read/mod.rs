//! From a text to a statement that is understood whole.
//!
//! `from.rs` and `scope.rs` find the tables and columns, `literals.rs` and `scalars.rs` give values their types,
//! `conditions.rs` reads what rows meet, `items.rs` and `aggregates.rs` what is shown, `tail.rs` order and limits,
//! `changes.rs` what is written. `clauses.rs` refuses by name what is in the text and not carried out.

mod aggregates;
mod changes;
mod clauses;
mod conditions;
mod from;
mod items;
mod literals;
mod place;
mod scalars;
mod scope;
mod select;
mod tail;

use sqlparser::ast;
use sqlparser::parser::ParserError;
use sqlparser::tokenizer::Location;
use tablesmith_model::workload::Workload;

use super::error::{Problem, SourcePosition, StatementError};
use super::given::Parameter;
use super::{Asked, Given, Statement};
use crate::catalog::Catalog;
use crate::dialect::Dialect;
use crate::names;
use crate::parse;
use crate::parse::{NESTING_MAX, PARSED_BYTES_MAX, on_large_stack};
use crate::resolve::bare_functions_as_columns as as_columns;
use scope::Scope;

/// What can go wrong while reading.
type Reading<T> = Result<T, StatementError>;

/// Reads one statement beside the tables of a workload, with the values of its parameters.
pub fn read(sql: &str, workload: &Workload, dialect: Dialect, given: &Given) -> Reading<Asked> {
    read_noting(sql, workload, dialect, given).map(|(asked, _)| asked)
}

/// The parameters of a statement, each with the column that it meets, in the order of their first use.
pub fn parameters(sql: &str, workload: &Workload, dialect: Dialect) -> Reading<Vec<Parameter>> {
    read_noting(sql, workload, dialect, &Given::anything()).map(|(_, parameters)| parameters)
}

fn read_noting(
    sql: &str,
    workload: &Workload,
    dialect: Dialect,
    given: &Given,
) -> Reading<(Asked, Vec<Parameter>)> {
    let instead = "write a shorter statement";
    if sql.len() > PARSED_BYTES_MAX {
        let construct = format!("a statement of more than {PARSED_BYTES_MAX} bytes");
        return Err(StatementError::unsupported(construct, instead, None));
    }
    if names::nesting(sql, dialect) > NESTING_MAX {
        let construct = format!("nesting deeper than {NESTING_MAX} parentheses");
        return Err(StatementError::unsupported(construct, instead, None));
    }
    on_large_stack(sql.len(), || parse_and_read(sql, workload, dialect, given))
}

/// The tree is dropped here, on the same large stack.
fn parse_and_read(
    sql: &str,
    workload: &Workload,
    dialect: Dialect,
    given: &Given,
) -> Reading<(Asked, Vec<Parameter>)> {
    let mut statements = parse(sql, dialect)?;
    let count = statements.len();
    let (Some(mut statement), 1) = (statements.pop(), count) else {
        return Err(StatementError::new(Problem::Statements(count), None));
    };
    let catalog = Catalog::of_workload(workload);
    as_columns(&mut statement, &catalog);
    let scope = Scope::new(workload, catalog, given, &statement);
    let asked = statement_of(&scope, &statement)?;
    scope.knows_all_given(&statement)?;
    Ok((asked, scope.parameters()))
}

fn statement_of(scope: &Scope<'_>, statement: &ast::Statement) -> Reading<Asked> {
    use ast::Statement as Tree;
    let read = match statement {
        Tree::Explain { statement, analyze: false, format: None, options: None, .. } => {
            return Ok(Asked { explains: true, ..statement_of(scope, statement)? });
        }
        Tree::Query(query) => Statement::Select(scope.query(query)?),
        Tree::Insert(insert) => Statement::Insert(scope.insert(insert)?),
        Tree::Update(update) => Statement::Update(scope.update(update)?),
        Tree::Delete(delete) => Statement::Delete(scope.delete(delete)?),
        other => {
            let text = other.to_string();
            let words: Vec<&str> = text.split_whitespace().take(2).collect();
            let instead = "SELECT, INSERT, UPDATE, DELETE and EXPLAIN are carried out";
            return Err(StatementError::unsupported(words.join(" "), instead, None));
        }
    };
    Ok(Asked { statement: read, explains: false })
}

/// The tree by the first dialect that takes the text, else what the likeliest says about it.
fn parse(sql: &str, dialect: Dialect) -> Reading<Vec<ast::Statement>> {
    let mut first = None;
    for parser in dialect.parsers() {
        match parse::statements(parser, sql) {
            Ok(statements) => return Ok(statements),
            Err(error) => {
                first.get_or_insert(error);
            }
        }
    }
    let message = match first {
        Some(ParserError::ParserError(message) | ParserError::TokenizerError(message)) => message,
        Some(ParserError::RecursionLimitExceeded) | None => "it is too deep".to_owned(),
    };
    let (message, place) = without_place(message);
    Err(StatementError::new(Problem::NotSql(message), place.or_else(|| end_of(sql))))
}

/// Where the text ends: the parser names no place when it is cut off.
fn end_of(sql: &str) -> Option<SourcePosition> {
    let text = sql.trim_end();
    let line = text.lines().count() as u64;
    let column = text.lines().last().map_or(0, |line| line.chars().count()) as u64;
    place::at(Location { line, column: column.max(1) })
}

/// The parser says the place at the end of its message: ` at Line: 1, Column: 8`.
fn without_place(message: String) -> (String, Option<SourcePosition>) {
    let split = message.rsplit_once(" at Line: ");
    let found = split.and_then(|(text, place)| {
        let (line, column) = place.split_once(", Column: ")?;
        let location = Location { line: line.trim().parse().ok()?, column: column.trim().parse().ok()? };
        Some((text.to_owned(), place::at(location)))
    });
    match found {
        Some((text, place)) => (text, place),
        None => (message, None),
    }
}
