//! How many rows belong together where queries join tables over columns that are the key of neither.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use tablesmith_model::design::ColumnOf;
use tablesmith_model::workload::{Asks, Join, Table, Workload};
use tablesmith_observe::profile::{self, ProfileError, Progress};
use tablesmith_sql::{Catalog, Dialect, resolve};

/// Measures the joins of a workload's queries, as far as the tables' files are known.
pub fn measure(
    workload: &Workload,
    files: &[(String, PathBuf)],
    progress: &mut dyn FnMut(&Path, Progress),
) -> Result<Vec<Join>, ProfileError> {
    let file = |of: &ColumnOf| files.iter().find(|(table, _)| *table == of.table).map(|(_, path)| path);
    let mut joins = Vec::new();
    for (one, other) in joined(workload) {
        let (Some(one_file), Some(other_file)) = (file(&one), file(&other)) else { continue };
        let pairs =
            profile::joined_rows((one_file, &one.column), (other_file, &other.column), progress)?.count;
        joins.push(Join { one, other, rows: pairs });
    }
    Ok(joins)
}

/// Columns that queries join tables over, where more than one row can lie on both sides: where one side is the key, averages
/// say it already.
fn joined(workload: &Workload) -> BTreeSet<(ColumnOf, ColumnOf)> {
    let catalog = Catalog::of_workload(workload);
    let statements = workload.queries.iter().filter_map(|query| match &query.asks {
        Asks::Sql(sql) => resolve(sql, &catalog, Dialect::default()).ok(),
        Asks::Columns(_) => None,
    });
    let is_key = |table: &Table, column: &str| matches!(table.key.as_slice(), [only] if only == column);
    let is_wanted = |of: &ColumnOf| workload.table(&of.table).is_some_and(|table| !is_key(table, &of.column));
    let mut found = BTreeSet::new();
    for need in statements.flat_map(|statement| statement.needs) {
        for join in &need.joins {
            let one = ColumnOf::new(&need.table, &join.column);
            let other = ColumnOf::new(&join.other_table, &join.other_column);
            if one.table < other.table && is_wanted(&one) && is_wanted(&other) {
                found.insert((one, other));
            }
        }
    }
    found
}
