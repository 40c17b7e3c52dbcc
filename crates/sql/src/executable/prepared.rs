//! Prepared statements: parsed and resolved once, bound to values as often as wanted.

use std::ops::ControlFlow;

use sqlparser::ast::{self, Expr, visit_expressions};
use sqlparser::parser::ParserError;
use sqlparser::tokenizer::Location;
use tablesmith_model::nearest::nearest;
use tablesmith_model::workload::Workload;

use super::error::{Problem, SourcePosition, StatementError};
use super::lower::Lowering;
use super::{Parameter, Parameters, Statement};
use crate::catalog::Catalog;
use crate::dialect::Dialect;
use crate::names;
use crate::parse::{self, NESTING_MAX, PARSED_BYTES_MAX, on_large_stack};
use crate::resolve::resolve;
use crate::resolved::ResolvedText;

/// One statement over the tables of a workload, with parameters that have no values yet.
#[derive(Debug)]
pub struct PreparedStatement<'w> {
    workload: &'w Workload,
    catalog: Catalog,
    tree: Tree,
    placeholders: Placeholders,
    parameters: Vec<Parameter>,
}

/// A resolved statement that may be deep.
#[derive(Debug)]
struct Tree {
    resolved: ResolvedText,
    text_bytes: usize,
}

impl Drop for Tree {
    fn drop(&mut self) {
        let resolved = std::mem::take(&mut self.resolved);
        on_large_stack(self.text_bytes, || drop(resolved));
    }
}

/// The parameters of a text and where they are.
#[derive(Debug)]
pub(super) struct Placeholders(Vec<(Location, String)>);

impl<'w> PreparedStatement<'w> {
    /// Parses and resolves one statement; an error names what is wrong with it, or not executed.
    pub fn new(sql: &str, workload: &'w Workload, dialect: Dialect) -> Result<Self, StatementError> {
        let instead = "write a shorter statement";
        if sql.len() > PARSED_BYTES_MAX {
            let construct = format!("a statement of more than {PARSED_BYTES_MAX} bytes");
            return Err(StatementError::unsupported(construct, instead, None));
        }
        if names::nesting(sql, dialect) > NESTING_MAX {
            let construct = format!("nesting deeper than {NESTING_MAX} parentheses");
            return Err(StatementError::unsupported(construct, instead, None));
        }
        on_large_stack(sql.len(), || {
            let statements = parse(sql, dialect)?;
            let [statement] = statements.as_slice() else {
                return Err(StatementError::new(Problem::Statements(statements.len()), None));
            };
            let placeholders = Placeholders::of(statement);
            let catalog = Catalog::of_workload(workload);
            let tree = Tree { resolved: resolve(statements, &catalog), text_bytes: sql.len() };
            let mut prepared = Self { workload, catalog, tree, placeholders, parameters: Vec::new() };
            prepared.parameters = prepared.lower(None)?.1;
            Ok(prepared)
        })
    }

    /// Its parameters, each with the column that it is compared with or written to, in the order of their first use.
    pub fn parameters(&self) -> &[Parameter] {
        &self.parameters
    }

    /// Whether only the plan is wanted: `EXPLAIN …`.
    pub fn is_explain(&self) -> bool {
        self.tree.resolved.statements.iter().any(|statement| statement.is_explain)
    }

    /// The statement with values for its parameters.
    pub fn bind(&self, parameters: &Parameters) -> Result<Statement, StatementError> {
        let (statement, _) = on_large_stack(self.tree.text_bytes, || self.lower(Some(parameters)))?;
        self.placeholders.know_all(parameters)?;
        Ok(statement)
    }

    fn lower(&self, parameters: Option<&Parameters>) -> Result<(Statement, Vec<Parameter>), StatementError> {
        let lowering = Lowering::new(
            self.workload,
            &self.catalog,
            &self.tree.resolved.tables,
            &self.placeholders,
            parameters,
        );
        match self.tree.resolved.statements.first() {
            Some(statement) => lowering.statement(statement),
            None => Err(StatementError::new(Problem::Statements(0), None)),
        }
    }
}

impl Placeholders {
    fn of(statement: &ast::Statement) -> Self {
        let mut found = Vec::new();
        let _ = visit_expressions(statement, |expression| {
            if let Expr::Value(value) = expression
                && let ast::Value::Placeholder(text) = &value.value
            {
                found.push((value.span.start, text.clone()));
            }
            ControlFlow::<()>::Continue(())
        });
        found.sort_by_key(|(at, _)| *at);
        let mut number = 0;
        for (_, text) in &mut found {
            *text = match text.strip_prefix('?') {
                Some("") => {
                    number += 1;
                    number.to_string()
                }
                Some(number) => number.to_owned(),
                None => text.trim_start_matches([':', '$', '@']).to_owned(),
            };
        }
        Self(found)
    }

    /// The name of the parameter at a place of the text: values are bound by it.
    pub fn name(&self, at: Location) -> &str {
        let found = self.0.binary_search_by_key(&at, |(at, _)| *at).ok().and_then(|found| self.0.get(found));
        found.map(|(_, name)| name.as_str()).unwrap_or_default()
    }

    /// Refuses a value for a parameter that the statement does not have: a name that was mistyped.
    fn know_all(&self, parameters: &Parameters) -> Result<(), StatementError> {
        let is_known = |name: &&str| self.0.iter().any(|(_, known)| known == name);
        match parameters.names().find(|name| !is_known(name)) {
            None => Ok(()),
            Some(name) => {
                let known = self.0.iter().map(|(_, known)| known.as_str());
                let nearest = nearest(name, known).map(str::to_owned);
                let problem = Problem::NoParameter { name: name.to_owned(), nearest };
                Err(StatementError::new(problem, None))
            }
        }
    }
}

/// The tree by the first dialect that takes the text, else what the likeliest says about it.
fn parse(sql: &str, dialect: Dialect) -> Result<Vec<ast::Statement>, StatementError> {
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
    let (message, position) = without_position(message);
    Err(StatementError::new(Problem::NotSql(message), position.or_else(|| end_of(sql))))
}

/// Where the text ends: the parser names no position when it is cut off.
fn end_of(sql: &str) -> Option<SourcePosition> {
    let text = sql.trim_end();
    let line = text.lines().count() as u64;
    let column = text.lines().last().map_or(0, |line| line.chars().count()) as u64;
    SourcePosition::at(Location { line, column: column.max(1) })
}

/// The parser says the position at the end of its message: ` at Line: 1, Column: 8`.
fn without_position(message: String) -> (String, Option<SourcePosition>) {
    let split = message.rsplit_once(" at Line: ");
    let found = split.and_then(|(text, position)| {
        let (line, column) = position.split_once(", Column: ")?;
        let location = Location { line: line.trim().parse().ok()?, column: column.trim().parse().ok()? };
        Some((text.to_owned(), SourcePosition::at(location)))
    });
    found.unwrap_or((message, None))
}
