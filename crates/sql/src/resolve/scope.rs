//! Which names a place in a statement can see, and what they stand for.

use std::rc::Rc;

use sqlparser::ast::{Ident, ObjectName};

use super::analysis::Analysis;
use super::output::{Column, Output};

/// The sources of one query, inside the scope of the query around it.
#[derive(Default)]
pub(super) struct Scope<'p> {
    pub sources: Vec<Source>,
    /// What the query shows, once that is known: later clauses may name it.
    pub outputs: Vec<Output>,
    pub around: Option<&'p Scope<'p>>,
}

/// Something that a query reads from.
#[derive(Debug, Clone)]
pub(super) struct Source {
    /// The name that columns are qualified with, in lower case.
    pub name: String,
    pub relation: Relation,
}

/// What a source is.
#[derive(Debug, Clone)]
pub(super) enum Relation {
    /// A known table.
    Table(usize),
    /// A query in parentheses or named by `WITH`.
    Query(Rc<[Output]>),
    /// A table that is not known, or a function's rows.
    Unknown,
}

/// What a name stands for.
#[derive(Debug, Clone)]
pub(super) enum Found {
    Output(Output),
    /// A column of something unknown.
    Foreign,
}

impl Scope<'_> {
    pub fn inside<'a>(around: Option<&'a Scope<'a>>) -> Scope<'a> {
        Scope { around, ..Scope::default() }
    }

    /// This scope and those around it, the innermost first.
    fn outwards(&self) -> impl Iterator<Item = &Scope<'_>> {
        std::iter::successors(Some(self), |scope| scope.around)
    }

    /// The source of a name, the innermost first.
    pub fn source(&self, name: &str) -> Option<&Source> {
        self.outwards().find_map(|scope| scope.sources.iter().find(|source| source.name == name))
    }

    /// What a column without a table before it stands for.
    pub fn unqualified(&self, analysis: &Analysis<'_>, name: &str) -> Option<Found> {
        let name = name.to_lowercase();
        self.outwards().find_map(|scope| {
            let known = scope.sources.iter().find_map(|source| source.column(analysis, &name));
            let shown = || scope.outputs.iter().find(|output| output.name.as_deref() == Some(&name));
            let unknown = || scope.sources.iter().any(Source::may_have_more).then_some(Found::Foreign);
            known.or_else(|| shown().cloned().map(Found::Output)).or_else(unknown)
        })
    }

    /// What a name of one or more parts stands for: `column`, `table.column`, `schema.table.column`, or a field of
    /// one of these.
    pub fn find(&self, analysis: &Analysis<'_>, parts: &[Ident]) -> Option<Found> {
        let qualified = |table: &Ident, column: &Ident| {
            let source = self.source(&table.value.to_lowercase())?;
            let found = source.column(analysis, &column.value.to_lowercase());
            found.or_else(|| source.may_have_more().then_some(Found::Foreign))
        };
        match parts {
            [] => None,
            [column] => self.unqualified(analysis, &column.value),
            [.., table, column] => qualified(table, column)
                .or_else(|| {
                    parts.first().zip(parts.get(1)).and_then(|(table, column)| qualified(table, column))
                })
                .or_else(|| parts.first().and_then(|column| self.unqualified(analysis, &column.value))),
        }
    }
}

impl Source {
    pub fn new(name: &str, relation: Relation) -> Self {
        Self { name: name.to_lowercase(), relation }
    }

    /// Whether it may have columns that are not known.
    fn may_have_more(&self) -> bool {
        match &self.relation {
            Relation::Table(_) => false,
            Relation::Query(outputs) => outputs.iter().any(|output| output.is_rest),
            Relation::Unknown => true,
        }
    }

    /// Its column of this name in lower case.
    pub fn column(&self, analysis: &Analysis<'_>, name: &str) -> Option<Found> {
        match &self.relation {
            Relation::Table(need) => {
                let column = analysis.table(*need)?.column_id(name)?;
                Some(Found::Output(Output::of(name, Column { need: *need, column })))
            }
            Relation::Query(outputs) => {
                let named = outputs.iter().find(|output| output.name.as_deref() == Some(name));
                named.cloned().map(Found::Output)
            }
            Relation::Unknown => None,
        }
    }

    /// All its columns.
    pub fn outputs(&self, analysis: &Analysis<'_>) -> Vec<Output> {
        match &self.relation {
            Relation::Table(need) => {
                let names = analysis.table(*need).map(|table| table.columns()).unwrap_or_default();
                names
                    .iter()
                    .zip(analysis.columns(*need))
                    .map(|(name, column)| Output::of(name, column))
                    .collect()
            }
            Relation::Query(outputs) => outputs.to_vec(),
            Relation::Unknown => vec![Output::rest()],
        }
    }

    /// The needs whose rows it is made of.
    pub fn needs(&self) -> Vec<usize> {
        match &self.relation {
            Relation::Table(need) => vec![*need],
            Relation::Query(outputs) => {
                outputs.iter().flat_map(|output| output.uses.iter().map(|column| column.need)).collect()
            }
            Relation::Unknown => Vec::new(),
        }
    }
}

/// The last part of a name, which is the table's without its schema.
pub(super) fn last_part(name: &ObjectName) -> Option<&Ident> {
    name.0.last().and_then(|part| part.as_ident())
}

/// The parts of a name that are identifiers.
pub(super) fn parts(name: &ObjectName) -> Vec<Ident> {
    name.0.iter().filter_map(|part| part.as_ident().cloned()).collect()
}
