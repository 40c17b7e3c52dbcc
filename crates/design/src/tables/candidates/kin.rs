//! A parent and its children, as a pattern joins them: what nested and mixed tables are made of.

use tablesmith_model::design::ColumnOf;
use tablesmith_model::key::Part;
use tablesmith_model::workload::{Reference, Table};
use tablesmith_plan::AccessPattern;

use super::Ground;
use super::tall::push;

/// A parent and its children.
pub struct Kin<'w> {
    /// The table of the parents.
    pub parent: &'w Table,
    /// The column that identifies one.
    pub key: &'w str,
    /// The table of the children.
    pub child: &'w Table,
    /// The column that says whose child it is.
    pub reference: &'w str,
    /// What tells the children of a parent apart, in the order that is wanted of them. Never empty.
    pub rest: Vec<Part>,
}

/// The parents and children among the two tables of a pattern.
pub fn kin<'w>(ground: &Ground<'w>, pattern: &AccessPattern) -> Vec<Kin<'w>> {
    let [one, two] = pattern.tables.as_slice() else { return Vec::new() };
    let pairs = [(one, two), (two, one)];
    let tables = pairs
        .into_iter()
        .filter_map(|(parent, child)| Some((ground.workload.table(parent)?, ground.workload.table(child)?)));
    tables.filter_map(|(parent, child)| of(pattern, parent, child)).collect()
}

fn of<'w>(pattern: &AccessPattern, parent: &'w Table, child: &'w Table) -> Option<Kin<'w>> {
    let [key] = parent.key.as_slice() else { return None };
    let joins = |reference: &&Reference| {
        reference.table == parent.name
            && reference.target == *key
            && pattern
                .are_equal(&ColumnOf::new(&child.name, &reference.column), &ColumnOf::new(&parent.name, key))
    };
    let reference = child.references.iter().find(joins)?;
    let same_type = parent.column(key)?.value_type == child.column(&reference.column)?.value_type;
    if !same_type || child.key.is_empty() {
        return None;
    }
    let mut rest: Vec<Part> = Vec::new();
    for (column, falls) in pattern.order.iter().filter(|(column, _)| column.table == child.name) {
        let field = column.column.clone();
        push(&mut rest, if *falls { Part::Desc(field) } else { Part::Field(field) });
    }
    for field in child.key.iter().filter(|field| **field != reference.column) {
        push(&mut rest, Part::Field(field.clone()));
    }
    let kin = Kin { parent, key, child, reference: &reference.column, rest };
    (!kin.rest.is_empty()).then_some(kin)
}

impl Kin<'_> {
    /// The columns of a parent that its key does not have; the key itself where there are no others, for a row must have a
    /// cell.
    pub fn parent_columns(&self) -> Vec<String> {
        let own = columns(self.parent, &[self.key]);
        if own.is_empty() { vec![self.key.to_owned()] } else { own }
    }

    /// The columns of a child that neither its parent's key nor the rest have.
    pub fn child_columns(&self) -> Vec<String> {
        let rest = self.rest.iter().flat_map(Part::fields).map(String::as_str);
        columns(self.child, &rest.chain([self.reference]).collect::<Vec<_>>())
    }
}

fn columns(table: &Table, without: &[&str]) -> Vec<String> {
    let names = table.columns.iter().map(|column| column.name.clone());
    names.filter(|name| !without.contains(&name.as_str())).collect()
}
