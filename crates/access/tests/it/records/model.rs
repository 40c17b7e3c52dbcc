//! The tables as plain lists, and their joins by looking at every pair.

use tablesmith_model::design::{ColumnOf, Record};
use tablesmith_model::plan::Condition;
use tablesmith_model::value::Value;
use tablesmith_model::workload::Workload;

/// A table's rows.
#[derive(Clone, Debug)]
pub struct Model {
    pub workload: Workload,
    pub tables: Vec<(String, Vec<Vec<Value>>)>,
}

impl Model {
    pub fn new(workload: &Workload) -> Self {
        let tables = workload.tables.iter().map(|table| (table.name.clone(), Vec::new())).collect();
        Self { workload: workload.clone(), tables }
    }

    pub fn rows(&self, table: &str) -> &Vec<Vec<Value>> {
        &self.tables.iter().find(|(name, _)| name == table).unwrap().1
    }

    pub fn rows_mut(&mut self, table: &str) -> &mut Vec<Vec<Value>> {
        &mut self.tables.iter_mut().find(|(name, _)| name == table).unwrap().1
    }

    pub fn index(&self, table: &str, column: &str) -> usize {
        self.workload.table(table).unwrap().column_index(column).unwrap()
    }

    /// The place of each column of the key.
    pub fn key(&self, table: &str) -> Vec<usize> {
        let key = &self.workload.table(table).unwrap().key;
        key.iter().map(|column| self.index(table, column)).collect()
    }

    /// Whether a row meets conditions on its table's columns.
    pub fn meets(&self, table: &str, row: &[Value], conditions: &[Condition]) -> bool {
        conditions.iter().all(|one| one.test.holds(&row[self.index(table, &one.column)]))
    }

    /// The records of a join: values in the order of [`Record::fields`].
    pub fn records(&self, record: &Record) -> Vec<Vec<Value>> {
        let mut records: Vec<Vec<Value>> = self.rows(&record.tables[0]).clone();
        for (at, join) in record.joins.iter().enumerate() {
            let have = self.place(record, &join.have);
            let other = self.index(&join.other.table, &join.other.column);
            assert_eq!(record.tables[at + 1], join.other.table);
            let mut joined = Vec::new();
            for left in &records {
                for right in self.rows(&join.other.table) {
                    if !left[have].is_null() && left[have] == right[other] {
                        joined.push(left.iter().chain(right).cloned().collect());
                    }
                }
            }
            records = joined;
        }
        records
    }

    fn place(&self, record: &Record, column: &ColumnOf) -> usize {
        let field = record.field(column).unwrap();
        record.fields().iter().position(|name| *name == field).unwrap()
    }
}
