//! A workload whose statistics are filled in from its data files where nobody declared them.

use std::path::Path;

use tablesmith_model::value::ValueType;
use tablesmith_model::workload::{Column, Table, Workload};
use tablesmith_observe::profile;

use crate::AppError;
use crate::{Context, workload_file};

/// Reads the workload in a file, and measures what it does not say of tables that have data. What is declared stays.
pub fn read(context: &Context, path: &Path) -> Result<Workload, AppError> {
    let mut workload = workload_file::read(path)?;
    let directory = path.parent().unwrap_or(Path::new(""));
    for table in workload.tables.iter_mut().filter(|table| lacks(table)) {
        let Some(file) = table.data.as_ref().map(|data| directory.join(data)).filter(|file| file.exists())
        else {
            continue;
        };
        let types: Vec<(String, ValueType)> =
            table.columns.iter().map(|column| (column.name.clone(), column.value_type)).collect();
        let mut reading = context.read_file("measuring", &file);
        let measured =
            profile::columns_of_types(&file, &types, &mut |now| reading.read(now.bytes, now.total));
        fill(table, &measured?.to_table("", ""));
    }
    Ok(workload)
}

/// Whether something is not declared that deciders ask for.
fn lacks(table: &Table) -> bool {
    let lacks = |column: &Column| column.distinct.is_none() || column.bytes.is_none();
    table.rows.is_none() || table.columns.iter().any(lacks)
}

/// Fills in what is not declared. Where more rows are declared than the file has, it is a sample: what is different in most
/// of its rows is as different in all.
fn fill(table: &mut Table, measured: &Table) {
    let seen = measured.rows.unwrap_or_default();
    if seen == 0 {
        return;
    }
    let rows = *table.rows.get_or_insert(seen);
    for column in &mut table.columns {
        let Some(found) = measured.column(&column.name) else { continue };
        let of_all = |distinct: u64| match distinct * 2 > seen && rows > seen {
            true => (distinct as f64 / seen as f64 * rows as f64) as u64,
            false => distinct.min(rows),
        };
        column.distinct = column.distinct.or_else(|| found.distinct.map(of_all));
        column.bytes = column.bytes.or(found.bytes);
        column.nulls = column.nulls.or(found.nulls);
        if rows <= seen {
            column.min = column.min.take().or_else(|| found.min.clone());
            column.max = column.max.take().or_else(|| found.max.clone());
        }
        if column.heavy.is_empty() {
            column.heavy.clone_from(&found.heavy);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table(rows: Option<u64>, columns: Vec<Column>) -> Table {
        Table { name: "t".into(), rows, columns, ..Table::default() }
    }

    #[test]
    fn what_is_declared_stays_and_a_sample_stands_for_all() {
        let column = |name: &str, distinct, bytes| Column {
            distinct,
            bytes,
            ..Column::new(name.to_owned(), ValueType::String)
        };
        let measured = table(
            Some(100),
            vec![
                column("id", Some(100), Some(8.0)),
                column("kind", Some(3), Some(4.0)),
                column("n", Some(9), None),
            ],
        );
        let mut declared = table(
            Some(1_000_000),
            vec![column("id", None, None), column("kind", None, Some(7.0)), column("n", Some(5), None)],
        );
        fill(&mut declared, &measured);
        let found: Vec<_> = declared.columns.iter().map(|column| (column.distinct, column.bytes)).collect();
        assert_eq!(found, [(Some(1_000_000), Some(8.0)), (Some(3), Some(7.0)), (Some(5), None)]);
        let mut silent = table(None, vec![column("id", None, None)]);
        assert!(lacks(&silent));
        fill(&mut silent, &measured);
        assert_eq!((silent.rows, silent.columns[0].distinct), (Some(100), Some(100)));
    }
}
