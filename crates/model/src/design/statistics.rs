//! What was known of the data when the design was made: it travels with the design, so that whoever plans a query, checks or
//! measures the design sees what its decider saw.

use std::collections::BTreeMap;

use schemars::JsonSchema;

use crate::workload::{Column, Table, Workload};

/// Statistics of the rows of a table of the workload.
#[derive(Clone, Debug, PartialEq, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct TableStatistics {
    /// The table of the workload.
    #[schemars(length(min = 1))]
    pub table: String,
    /// How many rows it has.
    pub rows: Option<u64>,
    /// What is known of its columns.
    #[schemars(default, with = "BTreeMap<String, Column>", extend("minProperties" = 1))]
    pub columns: Vec<Column>,
}

impl TableStatistics {
    /// The statistics of all tables of which anything is known.
    pub fn of_workload(workload: &Workload) -> Vec<Self> {
        workload.tables.iter().filter_map(Self::of_table).collect()
    }

    /// The statistics of a table; none where nothing is known.
    pub fn of_table(table: &Table) -> Option<Self> {
        let columns: Vec<Column> = table.columns.iter().filter(|column| is_known(column)).cloned().collect();
        let is_known = table.rows.is_some() || !columns.is_empty();
        is_known.then(|| Self { table: table.name.clone(), rows: table.rows, columns })
    }

    /// A workload with these statistics in place of its own. A column that has another type now keeps what the workload says.
    pub fn fill_in(all: &[Self], workload: &mut Workload) {
        for statistics in all {
            let table = workload.tables.iter_mut().find(|table| table.name == statistics.table);
            let Some(table) = table else { continue };
            table.rows = statistics.rows.or(table.rows);
            for known in &statistics.columns {
                let columns = table.columns.iter_mut();
                let mut same = columns
                    .filter(|column| column.name == known.name && column.value_type == known.value_type);
                if let Some(column) = same.next() {
                    column.clone_from(known);
                }
            }
        }
    }
}

/// Whether more than its type is known of a column.
fn is_known(column: &Column) -> bool {
    *column != Column::new(column.name.clone(), column.value_type)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::design::Design;

    const WORKLOAD: &str = "version = 1\n[[table]]\nname = 't'\nrows = 5\n[table.columns]\n\
        id = { type = 'int', distinct = 5, bytes = 1.5, nulls = 0.25, min = '-1', max = '7', monotone = true }\n\
        'odd name' = { type = 'string', heavy = [{ value = \"a'b\", share = 0.5 }] }\nplain = { type = 'bytes' }\n\
        [[table]]\nname = 'u'\n[table.columns]\nid = { type = 'int' }\n";

    #[test]
    fn statistics_travel_with_a_design() {
        let measured = Workload::parse(WORKLOAD).unwrap();
        let design = Design { statistics: TableStatistics::of_workload(&measured), ..Design::default() };
        let text = design.to_toml();
        let read = Design::parse_for(&text, &measured).unwrap();
        assert_eq!(read, design, "{text}");
        let mut bare = measured.clone();
        for table in &mut bare.tables {
            table.rows = None;
            table.columns =
                table.columns.iter().map(|it| Column::new(it.name.clone(), it.value_type)).collect();
        }
        TableStatistics::fill_in(&read.statistics, &mut bare);
        assert_eq!(bare, measured);
    }

    #[test]
    fn statistics_of_another_type_are_not_used() {
        let measured = Workload::parse(WORKLOAD).unwrap();
        let mut changed = Workload::parse(&WORKLOAD.replace("type = 'bytes'", "type = 'string'")).unwrap();
        let before = changed.clone();
        let mut statistics = TableStatistics::of_workload(&measured);
        statistics[0].columns.push(Column { distinct: Some(9), ..measured.tables[0].columns[2].clone() });
        TableStatistics::fill_in(&statistics, &mut changed);
        assert_eq!(changed, before);
    }

    #[test]
    fn unknown_tables_are_pointed_at() {
        let workload = Workload::parse(WORKLOAD).unwrap();
        let text = "version = 1\n[[statistics]]\ntable = 'v'\nrows = 1\n";
        let error = Design::parse_for(text, &workload).unwrap_err();
        assert!(error.problems[0].message.contains("no table \"v\""), "{:?}", error.problems);
    }
}
