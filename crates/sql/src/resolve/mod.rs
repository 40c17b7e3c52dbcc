//! From the parser's tree to the resolved statement: the one place where names are looked up.
//!
//! [`query`] resolves what reads, [`change`] what writes, [`from`] relations and joins, [`expression`] predicates and
//! expressions. [`clauses`] notes the parts that are not executed.

mod change;
mod clauses;
mod expression;
mod from;
mod query;
mod scope;

use std::ops::ControlFlow;
use std::rc::Rc;

use sqlparser::ast::{self, Expr, FunctionArguments, ObjectNamePart, visit_expressions_mut};

use crate::catalog::{Catalog, TableColumns};
use crate::executable::StatementError;
use crate::resolved::{DerivedColumn, ResolvedStatement, ResolvedText, StatementBody};

/// What has been resolved so far, and the names that queries further in can see.
struct Resolver<'c> {
    catalog: &'c Catalog,
    text: ResolvedText,
    /// Queries named by `WITH`, the innermost last.
    named_queries: Vec<(String, Rc<[DerivedColumn]>)>,
}

/// Resolves the statements of a text.
pub(crate) fn resolve(mut statements: Vec<ast::Statement>, catalog: &Catalog) -> ResolvedText {
    let mut resolver = Resolver { catalog, text: ResolvedText::default(), named_queries: Vec::new() };
    for statement in &mut statements {
        bare_functions_as_columns(statement, catalog);
        let resolved = resolver.statement(statement);
        resolver.text.statements.push(resolved);
    }
    resolver.text
}

/// Names that a dialect takes for functions without parentheses, such as `user`, are columns where a table has one of that
/// name.
fn bare_functions_as_columns(statement: &mut ast::Statement, catalog: &Catalog) {
    let _ = visit_expressions_mut(statement, |expression| {
        if let Expr::Function(function) = expression
            && matches!(function.args, FunctionArguments::None)
            && let [ObjectNamePart::Identifier(name)] = function.name.0.as_slice()
            && catalog.tables().iter().any(|table| table.column(&name.value).is_some())
        {
            *expression = Expr::Identifier(name.clone());
        }
        ControlFlow::<()>::Continue(())
    });
}

impl<'c> Resolver<'c> {
    /// The table of a mention.
    fn table(&self, mention: usize) -> Option<&'c TableColumns> {
        self.text.tables.get(mention).and_then(|id| self.catalog.tables().get(*id))
    }

    fn other_table(&mut self, name: String) {
        if !self.text.other_tables.contains(&name) {
            self.text.other_tables.push(name);
        }
    }

    fn unknown_column(&mut self, name: String) {
        if !self.text.unknown_columns.contains(&name) {
            self.text.unknown_columns.push(name);
        }
    }

    fn statement(&mut self, statement: &ast::Statement) -> ResolvedStatement {
        use ast::Statement as Tree;
        let mut refused = None;
        let body = match statement {
            Tree::Query(query) => {
                let body = self.top_query(query);
                refused = clauses::of_query(query).filter(|_| matches!(body, StatementBody::Opaque));
                body
            }
            Tree::Insert(insert) => {
                let (body, why) = self.insert(insert);
                refused = why;
                body
            }
            Tree::Update(update) => StatementBody::Update(self.update(update)),
            Tree::Delete(delete) => StatementBody::Delete(self.delete(delete)),
            Tree::Explain { statement, analyze: false, format: None, options: None, .. } => {
                return ResolvedStatement { is_explain: true, ..self.statement(statement) };
            }
            other => {
                refused = Some(not_executed(other));
                self.not_executed(other)
            }
        };
        ResolvedStatement { body, refused, is_explain: false }
    }

    /// Statements of kinds that are not executed.
    fn not_executed(&mut self, statement: &ast::Statement) -> StatementBody {
        use ast::Statement as Tree;
        match statement {
            Tree::Merge(merge) => StatementBody::Merge(self.merge(merge)),
            Tree::Copy { source, to, .. } => self.copy(source, *to),
            Tree::Explain { statement, .. } | Tree::Prepare { statement, .. } => {
                self.statement(statement).body
            }
            Tree::CreateTable(table) => match &table.query {
                Some(query) => self.top_query(query),
                None => StatementBody::Opaque,
            },
            Tree::Declare { stmts } => {
                let queries = stmts.iter().filter_map(|declared| declared.for_query.as_ref());
                StatementBody::Cursors(queries.map(|query| self.query(query, None)).collect())
            }
            _ => StatementBody::NoRows,
        }
    }
}

fn not_executed(statement: &ast::Statement) -> StatementError {
    let text = statement.to_string();
    let words: Vec<&str> = text.split_whitespace().take(2).collect();
    let instead = "SELECT, INSERT, UPDATE, DELETE and EXPLAIN are carried out";
    StatementError::unsupported(words.join(" "), instead, None)
}
