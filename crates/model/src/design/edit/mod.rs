//! A `design.toml` that is changed part by part: what a change is not about stays as it is, byte for byte.

mod error;
mod families;
mod find;
mod laid;
mod parts;
mod regroup;
#[cfg(test)]
mod tests;

use std::fmt;

use toml_edit::DocumentMut;

use super::{CostName, Design, DesignError, Table, TableStatistics, items};
use crate::document::syntax_problem;
use crate::workload;

pub use error::EditError;

/// A family by its columns, as a decider gives it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FamilyColumns {
    /// The family's name.
    pub name: String,
    /// Its columns; a column in two families is stored twice.
    pub columns: Vec<String>,
}

/// A `design.toml`, open for changes. Every change leaves it valid, or leaves it alone.
#[derive(Clone, Debug)]
pub struct DesignFile {
    document: DocumentMut,
}

impl DesignFile {
    /// A new file for a workload, without any table.
    pub fn new(workload: &str) -> Self {
        let design = Design { workload: workload.to_owned(), ..Design::default() };
        Self { document: items::document(&design) }
    }

    /// A file as it is.
    pub fn parse(text: &str) -> Result<Self, DesignError> {
        Design::parse(text)?;
        let document = text.parse().map_err(|error| DesignError::of(vec![syntax_problem(text, &error)]))?;
        Ok(Self { document })
    }

    /// What the file says.
    pub fn design(&self) -> Result<Design, DesignError> {
        Design::parse(&self.to_string())
    }

    /// Adds a table of the workload with what it gets when nothing was decided, unless its rows are there already.
    pub fn ensure_table(&mut self, table: &workload::Table) -> Result<(), EditError> {
        if find::rows_of(&self.design()?, &table.name).is_ok() {
            return Ok(());
        }
        self.change(|document, _| {
            find::tables_mut(document.as_table_mut(), "table")?
                .push(items::table(&Table::of_workload(table)));
            Ok(())
        })
    }

    /// Says which cost the design was decided by.
    pub fn set_cost(&mut self, cost: &CostName) -> Result<(), EditError> {
        self.change(|document, design| {
            if design.cost.as_ref() != Some(cost) {
                find::replace_value(document.as_table_mut(), "cost", items::cost_name(cost));
            }
            Ok(())
        })
    }

    /// Says what was known of a table of the workload when something was decided for it.
    pub fn set_statistics(&mut self, table: &workload::Table) -> Result<(), EditError> {
        let Some(known) = TableStatistics::of_table(table) else { return Ok(()) };
        self.change(|document, design| {
            let before = design.statistics.iter().position(|before| before.table == known.table);
            if before.is_some_and(|at| design.statistics.get(at) == Some(&known)) {
                return Ok(());
            }
            let all = find::tables_mut(document.as_table_mut(), "statistics")?;
            match before.and_then(|at| all.get_mut(at)) {
                Some(item) => *item = items::statistics(&known),
                None => all.push(items::statistics(&known)),
            }
            Ok(())
        })
    }

    /// Makes a change on a copy, and keeps the copy if it is still a design.
    fn change(
        &mut self,
        change: impl FnOnce(&mut DocumentMut, &Design) -> Result<(), EditError>,
    ) -> Result<(), EditError> {
        let design = self.design()?;
        let mut document = self.document.clone();
        change(&mut document, &design)?;
        // Reading it again gives every table its place in the new order.
        *self = Self::parse(&document.to_string())?;
        Ok(())
    }
}

impl fmt::Display for DesignFile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.document.fmt(f)
    }
}
