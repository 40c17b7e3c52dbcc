//! Which names a place in a statement can see, and what they stand for.

use std::rc::Rc;

use sqlparser::ast::{Ident, ObjectName};

use super::Resolver;
use crate::resolved::{ColumnRef, DerivedColumn, Found};

/// The relations of one query, inside the scope of the query around it.
#[derive(Default)]
pub(super) struct Scope<'p> {
    pub relations: Vec<Relation>,
    /// The output columns of the query, once they are known: later clauses may name them.
    pub outputs: Vec<DerivedColumn>,
    pub around: Option<&'p Scope<'p>>,
}

/// Something that a query reads from.
#[derive(Debug, Clone)]
pub(super) struct Relation {
    /// The name that columns are qualified with, in lower case.
    pub name: String,
    pub columns: Columns,
}

/// The columns that a relation has.
#[derive(Debug, Clone)]
pub(super) enum Columns {
    /// Those of a known table: which mention of it.
    Table(usize),
    /// Those of a query.
    Derived(Rc<[DerivedColumn]>),
    /// Those of a table that is not known, or of a function's rows.
    Unknown,
}

impl Scope<'_> {
    pub fn inside<'a>(around: Option<&'a Scope<'a>>) -> Scope<'a> {
        Scope { around, ..Scope::default() }
    }

    /// This scope and those around it, the innermost first.
    fn outwards(&self) -> impl Iterator<Item = &Scope<'_>> {
        std::iter::successors(Some(self), |scope| scope.around)
    }

    /// The relation of a name, the innermost first.
    pub fn relation(&self, name: &str) -> Option<&Relation> {
        let name = name.to_lowercase();
        self.outwards().find_map(|scope| scope.relations.iter().find(|relation| relation.name == name))
    }

    fn unqualified(&self, resolver: &Resolver<'_>, name: &str) -> Option<Found> {
        let name = name.to_lowercase();
        self.outwards().find_map(|scope| {
            let of_relation = scope.relations.iter().find_map(|relation| relation.column(resolver, &name));
            let output =
                || scope.outputs.iter().find(|output| output.name.as_deref() == Some(&name)).cloned();
            let unknown = || scope.relations.iter().any(Relation::may_have_more).then_some(Found::Foreign);
            of_relation.or_else(output).map(Found::Column).or_else(unknown)
        })
    }

    fn qualified(&self, resolver: &Resolver<'_>, table: &Ident, column: &Ident) -> Option<Found> {
        let relation = self.relation(&table.value)?;
        let found = relation.column(resolver, &column.value.to_lowercase()).map(Found::Column);
        found.or_else(|| relation.may_have_more().then_some(Found::Foreign))
    }

    /// What a name of one or more parts stands for: `column`, `table.column`, `schema.table.column`, or a field of one of
    /// these.
    pub fn find(&self, resolver: &Resolver<'_>, parts: &[&Ident]) -> Option<Found> {
        match parts {
            [] => None,
            [column] => self.unqualified(resolver, &column.value),
            [first, second, ..] => {
                let (table, column) = match parts {
                    [.., table, column] => (table, column),
                    _ => (first, second),
                };
                self.qualified(resolver, table, column)
                    .or_else(|| self.qualified(resolver, first, second))
                    .or_else(|| self.unqualified(resolver, &first.value))
            }
        }
    }

    /// How many relations of this scope alone have the column of a name.
    pub fn candidates(&self, resolver: &Resolver<'_>, parts: &[&Ident]) -> usize {
        let (table, column) = match parts {
            [.., table, column] => (Some(table.value.to_lowercase()), column),
            [column] => (None, column),
            [] => return 0,
        };
        let column = column.value.to_lowercase();
        let has = |relation: &&Relation| {
            table.as_ref().is_none_or(|table| relation.name == *table)
                && relation.column(resolver, &column).is_some()
        };
        self.relations.iter().filter(has).count()
    }
}

impl Relation {
    pub fn new(name: &str, columns: Columns) -> Self {
        Self { name: name.to_lowercase(), columns }
    }

    /// Whether it may have columns that are not known.
    fn may_have_more(&self) -> bool {
        match &self.columns {
            Columns::Table(_) => false,
            Columns::Derived(columns) => columns.iter().any(|column| column.is_rest),
            Columns::Unknown => true,
        }
    }

    /// Its column of this name in lower case.
    pub fn column(&self, resolver: &Resolver<'_>, name: &str) -> Option<DerivedColumn> {
        match &self.columns {
            Columns::Table(table) => {
                let column = resolver.table(*table)?.column_id(name)?;
                Some(DerivedColumn::of(name, ColumnRef { table: *table, column }))
            }
            Columns::Derived(columns) => {
                columns.iter().find(|column| column.name.as_deref() == Some(name)).cloned()
            }
            Columns::Unknown => None,
        }
    }

    /// All its columns.
    pub fn all_columns(&self, resolver: &Resolver<'_>) -> Vec<DerivedColumn> {
        match &self.columns {
            Columns::Table(table) => {
                let names = resolver.table(*table).map(|table| table.columns()).unwrap_or_default();
                let column = |(column, name): (usize, &String)| {
                    DerivedColumn::of(name, ColumnRef { table: *table, column })
                };
                names.iter().enumerate().map(column).collect()
            }
            Columns::Derived(columns) => columns.to_vec(),
            Columns::Unknown => vec![DerivedColumn::rest()],
        }
    }

    /// The table that it is, by its name.
    pub fn table(&self) -> Option<usize> {
        match self.columns {
            Columns::Table(table) => Some(table),
            Columns::Derived(_) | Columns::Unknown => None,
        }
    }

    /// The tables whose rows it is made of.
    pub fn tables(&self) -> Vec<usize> {
        match &self.columns {
            Columns::Table(table) => vec![*table],
            Columns::Derived(columns) => {
                columns.iter().flat_map(|column| column.uses.iter().map(|column| column.table)).collect()
            }
            Columns::Unknown => Vec::new(),
        }
    }
}

/// The last part of a name, which is the table's without its schema.
pub(super) fn last_part(name: &ObjectName) -> Option<&Ident> {
    name.0.last().and_then(|part| part.as_ident())
}

/// The parts of a name that are identifiers.
pub(super) fn parts(name: &ObjectName) -> Vec<&Ident> {
    name.0.iter().filter_map(|part| part.as_ident()).collect()
}
