//! Puts the best groupings into a `design.toml`.

use std::path::Path;

use tablesmith_design::families::{ColumnSet, Problem};
use tablesmith_model::design::{CostName, Design, DesignFile, EditError, FamilyColumns, Reason};
use tablesmith_model::workload::Workload;

use super::{TableAnswer, Task};
use crate::{AppError, design_file, output_file};

/// Families have short names, since HBase stores them in every cell: a, b, …, z, aa, ….
pub fn family_name(index: usize) -> String {
    let letter = char::from(b'a' + (index % 26) as u8);
    if index < 26 { letter.to_string() } else { format!("{}{letter}", family_name(index / 26 - 1)) }
}

/// Replaces the families of the tables that were decided; everything else in the file stays as it is. A file that is not
/// there is begun.
pub fn into_design(
    path: &Path,
    workload_path: &Path,
    workload: &Workload,
    answers: &[TableAnswer],
    task: &Task,
) -> Result<(), AppError> {
    let mut file = design_file::open(path, workload_path)?;
    let refused = AppError::in_file::<EditError>(path);
    let calibration = task.cost.calibration().map(str::to_owned);
    file.set_cost(&CostName { name: task.cost.name().to_owned(), calibration }).map_err(&refused)?;
    for answer in answers {
        let Some(table) = workload.table(&answer.problem.table) else { continue };
        let Some(best) = answer.comparison.best() else { continue };
        file.ensure_table(table).map_err(&refused)?;
        let families = columns(&answer.problem, &best.families, &table.key);
        file.set_families(&table.name, &families, &reasons(answer, &families)).map_err(&refused)?;
        file.set_statistics(table).map_err(&refused)?;
    }
    output_file::write(path, &file.to_string())
}

/// A design of one table with these families, and nothing else decided.
pub fn design_of(workload: &Workload, problem: &Problem, families: &[ColumnSet]) -> Result<Design, AppError> {
    let mut file = DesignFile::new("workload.toml");
    if let Some(table) = workload.table(&problem.table) {
        file.ensure_table(table).map_err(AppError::about(&problem.table))?;
        let families = columns(problem, families, &table.key);
        file.set_families(&table.name, &families, &[]).map_err(AppError::about(&problem.table))?;
    }
    file.design().map_err(AppError::about(&problem.table))
}

/// The families by name. Columns of the key are in the row key already, and come back from it.
fn columns(problem: &Problem, families: &[ColumnSet], key: &[String]) -> Vec<FamilyColumns> {
    let names = |family: &ColumnSet| -> Vec<String> {
        let named =
            family.iter().filter_map(|column| problem.columns.get(column)).map(|column| column.name.clone());
        named.filter(|name| !key.contains(name)).collect()
    };
    let grouped = families.iter().map(names).filter(|columns| !columns.is_empty());
    grouped.enumerate().map(|(index, columns)| FamilyColumns { name: family_name(index), columns }).collect()
}

/// The reasons, each with what it is about.
fn reasons(answer: &TableAnswer, families: &[FamilyColumns]) -> Vec<Reason> {
    let table = &answer.problem.table;
    let reason = |at: String, text: &String| Reason { at, text: text.clone() };
    let of_family =
        |(family, text): (&FamilyColumns, &String)| reason(format!("{table}.family.{}", family.name), text);
    let own = families.iter().zip(&answer.reasons.families).map(of_family);
    own.chain(answer.reasons.whole.iter().map(|text| reason(format!("{table}.family"), text))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_short_and_do_not_run_out() {
        let names = [0, 1, 25, 26, 27, 51, 52, 701, 702].map(family_name);
        assert_eq!(names, ["a", "b", "z", "aa", "ab", "az", "ba", "zz", "aaa"]);
    }
}
