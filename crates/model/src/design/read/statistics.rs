//! Reads `[[statistics]]`: what was known of the data.

use super::super::TableStatistics;
use super::{note_twice, required_string};
use crate::document::Section;
use crate::nearest;
use crate::workload::{Workload, read_columns};

/// All statistics.
pub(super) fn statistics(root: &Section<'_>, workload: Option<&Workload>) -> Vec<TableStatistics> {
    let sections = root.sections("statistics");
    let all: Vec<(TableStatistics, &Section<'_>)> =
        sections.iter().filter_map(|section| Some((of_table(section, workload)?, section))).collect();
    note_twice(all.iter().map(|(table, section)| (table.table.as_str(), section.span())), "the table", root);
    all.into_iter().map(|(table, _)| table).collect()
}

fn of_table(section: &Section<'_>, workload: Option<&Workload>) -> Option<TableStatistics> {
    let table = required_string(section, "table");
    if let (Some(workload), Some(name), Some(entry)) = (workload, &table, section.entry("table"))
        && workload.table(name).is_none()
    {
        let names = workload.tables.iter().map(|table| table.name.as_str());
        entry.note(format!("the workload has no table {name:?}"), nearest::one_of(name, names));
    }
    let rows = section.entry("rows").and_then(|entry| entry.unsigned());
    let columns = section.entry("columns").and_then(|entry| entry.section());
    let columns = columns.map(|columns| read_columns(&columns)).unwrap_or_default();
    section.finish();
    Some(TableStatistics { table: table?, rows, columns })
}
