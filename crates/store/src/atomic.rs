//! Writes to several rows of several tables that happen together or not at all. Not every store has them: HBase writes
//! one row at a time.

use std::collections::HashMap;

use bytes::Bytes;
use tablesmith_model::{TableName, row};

use crate::{Condition, Mutation, StoreError};

/// Writes to several rows of several tables, all or nothing.
///
/// Mutations see their rows as they were before the batch. One that deletes and one that writes the same cell of a row
/// have the same timestamp unless they say otherwise, and then the delete wins.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct AtomicBatch {
    /// What must hold; else nothing is written.
    pub checks: Vec<RowCheck>,
    /// The tables, each with its mutations.
    pub writes: Vec<(TableName, Vec<Mutation>)>,
}

/// A row that must be as expected.
#[derive(Clone, Debug, PartialEq)]
pub struct RowCheck {
    /// The table.
    pub table: TableName,
    /// The row.
    pub row: Bytes,
    /// What must hold in it.
    pub condition: Condition,
}

/// All mutations of one row in a batch, in their order.
#[derive(Clone, Debug, PartialEq)]
pub struct RowOfBatch {
    /// The table.
    pub table: TableName,
    /// The row.
    pub row: Bytes,
    /// Its mutations.
    pub mutations: Vec<Mutation>,
}

impl AtomicBatch {
    /// Whether the request makes sense at all, whatever the tables are.
    pub fn check(&self) -> Result<(), StoreError> {
        self.checks.iter().try_for_each(|check| row::check(&check.row))?;
        self.writes.iter().flat_map(|(_, mutations)| mutations).try_for_each(Mutation::check)?;
        Ok(())
    }

    /// The rows that are written, each once, in the order in which they come first.
    pub fn into_rows(self) -> Vec<RowOfBatch> {
        let mut rows: Vec<RowOfBatch> = Vec::new();
        let mut places: HashMap<(TableName, Bytes), usize> = HashMap::new();
        for (table, mutations) in self.writes {
            for mutation in mutations {
                let row = mutation.row().clone();
                let place = *places.entry((table.clone(), row.clone())).or_insert(rows.len());
                match rows.get_mut(place) {
                    Some(known) => known.mutations.push(mutation),
                    None => rows.push(RowOfBatch { table: table.clone(), row, mutations: vec![mutation] }),
                }
            }
        }
        rows
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Delete, Put};

    #[test]
    fn mutations_of_one_row_come_together() {
        let put = |row: &'static str| Mutation::Put(Put::new(row).add("f", "q", "v"));
        let delete = |row: &'static str| Mutation::Delete(Delete::row(row));
        let (one, two): (TableName, TableName) = ("one".parse().unwrap(), "two".parse().unwrap());
        let writes = vec![
            (one.clone(), vec![put("a"), put("b")]),
            (two.clone(), vec![put("a")]),
            (one.clone(), vec![delete("a")]),
        ];
        let rows = AtomicBatch { writes, ..AtomicBatch::default() }.into_rows();
        let row = |table: &TableName, row: &'static str, mutations| RowOfBatch {
            table: table.clone(),
            row: row.into(),
            mutations,
        };
        assert_eq!(
            rows,
            [
                row(&one, "a", vec![put("a"), delete("a")]),
                row(&one, "b", vec![put("b")]),
                row(&two, "a", vec![put("a")]),
            ]
        );
    }
}
