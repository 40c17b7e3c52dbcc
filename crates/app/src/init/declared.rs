//! What a dump declares, joined with what was measured.

use std::path::PathBuf;

use tablesmith_model::value::ValueType;
use tablesmith_model::workload::Table;
use tablesmith_observe::dump::Dump;

/// The files to measure, with the names of their tables: those that were named, then those that the dump's rows were written
/// to. A file that is named after a declared table is its data, however the name is spelled.
pub fn files(named: Vec<(String, PathBuf)>, dump: Option<&Dump>) -> Vec<(String, PathBuf)> {
    let Some(dump) = dump else { return named };
    let spelled = |name: String| find(&dump.tables, &name).map(|table| table.name.clone()).unwrap_or(name);
    let mut files: Vec<(String, PathBuf)> =
        named.into_iter().map(|(name, path)| (spelled(name), path)).collect();
    for (table, path, _) in &dump.files {
        if !files.iter().any(|(name, _)| name == table) {
            files.push((table.clone(), path.clone()));
        }
    }
    files
}

/// The types of a table's columns, where they are declared.
pub fn types(declared: &[Table], name: &str) -> Vec<(String, ValueType)> {
    let columns = find(declared, name).map(|table| table.columns.as_slice()).unwrap_or_default();
    columns.iter().map(|column| (column.name.clone(), column.value_type)).collect()
}

/// Adds keys, references and columns that only the dump knows, and the tables that have no rows; the order is that of the
/// dump.
pub fn join(measured: &mut Vec<Table>, declared: &[Table]) {
    let mut joined: Vec<Table> = Vec::with_capacity(measured.len());
    for table in declared {
        match measured.iter().position(|found| found.name == table.name) {
            Some(at) => joined.push(together(measured.remove(at), table)),
            None => joined.push(table.clone()),
        }
    }
    joined.append(measured);
    *measured = joined;
}

fn together(mut measured: Table, declared: &Table) -> Table {
    measured.key.clone_from(&declared.key);
    measured.called.clone_from(&declared.called);
    measured.references.clone_from(&declared.references);
    for column in &declared.columns {
        if measured.column(&column.name).is_none() {
            measured.columns.push(column.clone());
        }
    }
    measured
}

fn find<'t>(tables: &'t [Table], name: &str) -> Option<&'t Table> {
    tables.iter().find(|table| table.name.eq_ignore_ascii_case(name))
}
