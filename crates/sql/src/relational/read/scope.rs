//! The names that a statement can use: tables, aliases, columns, parameters.

use std::cell::RefCell;
use std::collections::HashMap;
use std::ops::ControlFlow;
use std::rc::Rc;

use sqlparser::ast::{self, Expr, Ident, ObjectName, visit_expressions};
use sqlparser::tokenizer::Location;
use tablesmith_model::nearest::nearest;
use tablesmith_model::workload::{self, Workload};

use super::super::error::{Problem, SourcePosition, StatementError};
use super::super::given::{Parameter, ParameterColumn};
use super::super::{Column, Given, Source};
use super::literals::Expected;
use super::{Reading, place};
use crate::catalog::Catalog;

/// What names mean.
pub(super) struct Scope<'s> {
    pub workload: &'s Workload,
    pub given: &'s Given,
    pub catalog: Catalog,
    pub sources: Vec<Source>,
    /// The numbers of plain `?` by where they stand.
    numbers: HashMap<Location, usize>,
    /// The parameters met so far; scopes beside other tables share them.
    parameters: Rc<RefCell<Vec<Parameter>>>,
}

/// The parameters of a statement, as they are written, and where.
fn placeholders(statement: &ast::Statement) -> Vec<(String, Location)> {
    let mut found = Vec::new();
    let _ = visit_expressions(statement, |expression| {
        if let Expr::Value(value) = expression
            && let ast::Value::Placeholder(text) = &value.value
        {
            found.push((text.clone(), value.span.start));
        }
        ControlFlow::<()>::Continue(())
    });
    found
}

impl<'s> Scope<'s> {
    /// No table is named yet.
    pub fn new(
        workload: &'s Workload,
        catalog: Catalog,
        given: &'s Given,
        statement: &ast::Statement,
    ) -> Self {
        let mut places = placeholders(statement);
        places.retain(|(text, _)| text == "?");
        places.sort_by_key(|(_, at)| *at);
        let numbers = places.into_iter().map(|(_, at)| at).zip(1..).collect();
        Self { workload, given, catalog, sources: Vec::new(), numbers, parameters: Rc::default() }
    }

    /// Refuses a value for a parameter that the statement does not have: a name that was mistyped.
    pub fn knows_all_given(&self, statement: &ast::Statement) -> Reading<()> {
        let known: Vec<String> =
            placeholders(statement).iter().map(|(text, at)| self.parameter(text, *at)).collect();
        match self.given.names().find(|name| !known.iter().any(|known| known == name)) {
            None => Ok(()),
            Some(name) => {
                let nearest = nearest(name, known.iter().map(String::as_str)).map(str::to_owned);
                let problem = Problem::NoParameter { name: name.to_owned(), nearest };
                Err(StatementError::new(problem, None))
            }
        }
    }

    /// The same names beside other tables.
    pub fn with_sources(&self, sources: Vec<Source>) -> Self {
        Self {
            workload: self.workload,
            given: self.given,
            catalog: self.catalog.clone(),
            sources,
            numbers: self.numbers.clone(),
            parameters: Rc::clone(&self.parameters),
        }
    }

    /// What a value that meets a column is read as; `row` numbers the rows of an INSERT.
    pub fn expected(&self, column: &Column, row: usize) -> Expected {
        let table = self.sources.get(column.source).map(|source| source.table.clone()).unwrap_or_default();
        let met = ParameterColumn { table, source: column.source, column: column.name.clone(), row };
        Expected { value_type: column.value_type, name: column.name.clone(), column: Some(met) }
    }

    /// Notes a parameter and the column that it meets.
    pub fn note_parameter(&self, name: &str, column: Option<&ParameterColumn>) {
        let mut parameters = self.parameters.borrow_mut();
        match parameters.iter_mut().find(|known| known.name == name) {
            Some(known) => known.column = known.column.take().or_else(|| column.cloned()),
            None => parameters.push(Parameter { name: name.to_owned(), column: column.cloned() }),
        }
    }

    /// The parameters that were met.
    pub fn parameters(&self) -> Vec<Parameter> {
        self.parameters.borrow().clone()
    }

    /// The name of a parameter, as values are given by it.
    pub fn parameter(&self, text: &str, at: Location) -> String {
        match text.strip_prefix('?') {
            Some("") => self.numbers.get(&at).copied().unwrap_or(1).to_string(),
            Some(number) => number.to_owned(),
            None => text.trim_start_matches([':', '$', '@']).to_owned(),
        }
    }

    /// A table of the workload.
    pub fn table(&self, name: &ObjectName) -> Reading<&'s workload::Table> {
        let text = name.0.iter().filter_map(|part| part.as_ident()).map(|part| part.value.as_str());
        let text = text.collect::<Vec<_>>().join(".");
        let known = self.catalog.table(&text).and_then(|table| self.workload.table(table.name()));
        known.ok_or_else(|| {
            let names = self.workload.tables.iter().map(|table| table.name.as_str());
            let nearest = nearest(&text, names).map(str::to_owned);
            StatementError::new(Problem::NoTable { name: text, nearest }, place::of(name))
        })
    }

    /// The column of a name, alone or behind its table.
    pub fn column(&self, name: &[Ident]) -> Reading<Column> {
        let (last, table) = match name {
            [.., table, last] => (last, Some(table)),
            [last] => (last, None),
            [] => return Err(StatementError::new(Problem::NotSql("a name is empty".to_owned()), None)),
        };
        let at = place_of(name);
        let mut found = Vec::new();
        let mut searched = Vec::new();
        for (index, source) in self.sources.iter().enumerate() {
            if table.is_some_and(|table| !source.alias.eq_ignore_ascii_case(&table.value)) {
                continue;
            }
            searched.push(source);
            found.extend(self.column_of(index, &last.value));
        }
        if let (Some(table), true) = (table, searched.is_empty()) {
            let aliases = self.sources.iter().map(|source| source.alias.as_str());
            let nearest = nearest(&table.value, aliases).map(str::to_owned);
            let problem = Problem::NoTable { name: table.value.clone(), nearest };
            return Err(StatementError::new(problem, at));
        }
        let tables = || searched.iter().map(|source| source.alias.as_str()).collect::<Vec<_>>().join(", ");
        match found.len() {
            0 => {
                let columns = searched.iter().filter_map(|source| self.workload.table(&source.table));
                let columns =
                    columns.flat_map(|table| table.columns.iter().map(|column| column.name.as_str()));
                let nearest = nearest(&last.value, columns).map(str::to_owned);
                let problem = Problem::NoColumn { name: last.value.clone(), tables: tables(), nearest };
                Err(StatementError::new(problem, at))
            }
            1 => found.pop().ok_or_else(|| StatementError::new(Problem::Statements(0), at)),
            _ => {
                let problem = Problem::Ambiguous { name: last.value.clone(), tables: tables() };
                Err(StatementError::new(problem, at))
            }
        }
    }

    /// The column of a source, whatever its case in the text.
    fn column_of(&self, source: usize, name: &str) -> Option<Column> {
        let table = &self.sources.get(source)?.table;
        let declared = self.catalog.table(table)?.column(name)?;
        let column = self.workload.table(table)?.column(declared)?;
        Some(Column { source, name: column.name.clone(), value_type: column.value_type })
    }

    /// All columns of a source.
    pub fn columns(&self, source: usize) -> Vec<Column> {
        let table = self.sources.get(source).and_then(|source| self.workload.table(&source.table));
        let columns = table.map(|table| table.columns.as_slice()).unwrap_or_default();
        let column = |column: &workload::Column| Column {
            source,
            name: column.name.clone(),
            value_type: column.value_type,
        };
        columns.iter().map(column).collect()
    }
}

/// Where a name of several parts stands.
pub(super) fn place_of(name: &[Ident]) -> Option<SourcePosition> {
    let (first, last) = (name.first()?, name.last()?);
    let mut span = first.span;
    span.end = last.span.end;
    place::of_span(span)
}
