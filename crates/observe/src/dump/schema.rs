//! What a dump declares, put together: tables with columns, keys and references.

use tablesmith_model::workload::{Column, Reference, Table};
use tablesmith_sql::Declared;

/// The tables so far, and what can only be said when all are known.
#[derive(Debug, Default)]
pub(super) struct Schema {
    tables: Vec<Table>,
    unique: Vec<(String, Vec<String>)>,
    references: Vec<Pointing>,
}

/// Columns that point to another table, whose key may come later.
#[derive(Debug)]
struct Pointing {
    table: String,
    columns: Vec<String>,
    other: String,
    targets: Vec<String>,
}

impl Schema {
    /// Adds what a statement declares. A table that is declared again is another one.
    pub fn add(&mut self, declared: Declared) {
        match declared {
            Declared::Table { table, columns } => {
                let columns = columns.into_iter().map(|(name, value_type)| Column::new(name, value_type));
                let declared = Table { name: table, columns: columns.collect(), ..Table::default() };
                self.tables.retain(|other| other.name != declared.name);
                self.tables.push(declared);
            }
            Declared::Column { table, column, value_type } => {
                if let Some(table) = self.table_mut(&table) {
                    table.columns.push(Column::new(column, value_type));
                }
            }
            Declared::Key { table, columns, is_primary: true } => {
                if let Some(table) = self.table_mut(&table) {
                    table.key = columns;
                }
            }
            Declared::Key { table, columns, is_primary: false } => self.unique.push((table, columns)),
            Declared::Reference { table, columns, other, targets } => {
                self.references.push(Pointing { table, columns, other, targets });
            }
        }
    }

    /// The table of this name, however it is spelled: unquoted names have no case.
    pub fn table(&self, name: &str) -> Option<&Table> {
        let exact = self.tables.iter().find(|table| table.name == name);
        exact.or_else(|| self.tables.iter().find(|table| table.name.eq_ignore_ascii_case(name)))
    }

    fn table_mut(&mut self, name: &str) -> Option<&mut Table> {
        let name = self.table(name)?.name.clone();
        self.tables.iter_mut().find(|table| table.name == name)
    }

    /// The tables, with references to keys that are known by now. Where there is no primary key, unique columns identify a row.
    pub fn finish(mut self) -> Vec<Table> {
        for (name, columns) in std::mem::take(&mut self.unique) {
            if let Some(table) = self.table_mut(&name).filter(|table| table.key.is_empty()) {
                table.key = columns;
            }
        }
        for pointing in std::mem::take(&mut self.references) {
            let Some(other) = self.table(&pointing.other) else { continue };
            let targets = if pointing.targets.is_empty() { other.key.clone() } else { pointing.targets };
            let other = other.name.clone();
            if let Some(table) = self.table_mut(&pointing.table) {
                let pairs = pointing.columns.into_iter().zip(targets);
                table.references.extend(pairs.map(|(column, target)| Reference {
                    column,
                    table: other.clone(),
                    target,
                }));
            }
        }
        self.tables
    }
}
