//! Replaces the families of a table.

use std::collections::BTreeSet;

use toml_edit::{ArrayOfTables, DocumentMut, Item, Table as TomlTable};

use super::super::{Design, Family, Reason, Rows, items};
use super::regroup::regrouped;
use super::{DesignFile, EditError, FamilyColumns, find};
use crate::name::check_family;

impl DesignFile {
    /// Puts the columns of a workload's table into these families, and gives the reasons, which are about
    /// `TABLE.family` or something below it.
    ///
    /// Families that stay keep their settings. Families that other rows or cells need stay too; the others go, and with
    /// them the plans that read them.
    pub fn set_families(
        &mut self,
        table: &str,
        families: &[FamilyColumns],
        reasons: &[Reason],
    ) -> Result<(), EditError> {
        check(table, families)?;
        self.change(|document, design| {
            let place = find::plain_rows_of(design, table)?;
            replace(document, design, place, families)
        })?;
        self.set_reasons(&format!("{table}.family"), reasons)
    }
}

fn check(table: &str, families: &[FamilyColumns]) -> Result<(), EditError> {
    if families.is_empty() {
        return Err(EditError::NoFamilies(table.to_owned()));
    }
    let mut names = BTreeSet::new();
    for FamilyColumns { name, columns } in families {
        check_family(name.as_bytes()).map_err(|source| EditError::BadName { name: name.clone(), source })?;
        if columns.is_empty() {
            return Err(EditError::NoColumns(name.clone()));
        }
        if !names.insert(name) {
            return Err(EditError::FamilyTwice(name.clone()));
        }
    }
    Ok(())
}

fn replace(
    document: &mut DocumentMut,
    design: &Design,
    (table_index, rows_index): (usize, usize),
    families: &[FamilyColumns],
) -> Result<(), EditError> {
    let Some(table) = design.tables.get(table_index) else { return Ok(()) };
    let Some(rows) = table.rows.get(rows_index) else { return Ok(()) };
    let cells = regrouped(rows, families);
    let others =
        table.rows.iter().enumerate().filter(|(index, _)| *index != rows_index).map(|(_, rows)| rows);
    let names = needed(families, &cells, others);
    let item = find::table_mut(document.as_table_mut(), "table", table_index)?;
    if !table.families.iter().map(|family| &family.name).eq(&names) {
        replace_families(item, &names)?;
    }
    if cells != rows.cells {
        let rows = find::table_mut(item, "rows", rows_index)?;
        find::replace_value(rows, "cells", items::cells(&cells));
    }
    remove_stale_plans(document, design, &table.name, &names)
}

/// The names of all families that the table needs: those given, and those that other cells are in.
fn needed<'d>(
    families: &[FamilyColumns],
    cells: &'d [super::super::Cells],
    others: impl Iterator<Item = &'d Rows>,
) -> Vec<String> {
    let mut names: Vec<String> = families.iter().map(|family| family.name.clone()).collect();
    for cells in cells.iter().chain(others.flat_map(|rows| &rows.cells)) {
        if !names.contains(&cells.family) {
            names.push(cells.family.clone());
        }
    }
    names
}

/// Puts families of these names in the place of those there are; what stays keeps its section as it is written.
pub(super) fn replace_families(item: &mut TomlTable, names: &[String]) -> Result<(), EditError> {
    let old: Vec<TomlTable> = std::mem::take(find::tables_mut(item, "family")?).into_iter().collect();
    let name_of = |section: &TomlTable| section.get("name").and_then(Item::as_str).map(str::to_owned);
    let mut new = ArrayOfTables::new();
    for name in names {
        let kept = old.iter().find(|section| name_of(section).as_ref() == Some(name));
        let mut section = kept.cloned().unwrap_or_else(|| items::family(&Family::new(name)));
        // Without a place of its own, a section stands where its turn is.
        section.set_position(None);
        new.push(section);
    }
    *find::tables_mut(item, "family")? = new;
    Ok(())
}

/// Removes plans that read a family of a table that is gone.
pub(super) fn remove_stale_plans(
    document: &mut DocumentMut,
    design: &Design,
    table: &str,
    names: &[String],
) -> Result<(), EditError> {
    let is_stale = |query: &super::super::QueryPlan| {
        let steps = query.plan.iter().filter(|step| step.table == table);
        steps.flat_map(|step| &step.families).any(|family| !names.contains(family))
    };
    let stale: Vec<bool> = design.queries.iter().map(is_stale).collect();
    if !stale.contains(&true) {
        return Ok(());
    }
    let mut stale = stale.into_iter();
    find::tables_mut(document.as_table_mut(), "query")?.retain(|_| !stale.next().unwrap_or(false));
    Ok(())
}
