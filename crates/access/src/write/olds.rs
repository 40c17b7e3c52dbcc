//! The rows that are there already with the keys of rows that come: many in one call, where their keys say where they lie.

use std::collections::{BTreeSet, HashMap};

use tablesmith_model::plan::{Condition, Origin, Test, Which};
use tablesmith_model::value::Value;
use tablesmith_store::Store;

use super::change::Old;
use super::{Place, Writer};
use crate::error::AccessError;
use crate::records::{Located, RecordRead, Wanted, records};

/// Rows that are looked for in one call.
const BATCH: usize = 256;

impl Writer {
    /// What there is with the key of each row.
    pub(crate) async fn rows_with_keys_of(
        &self,
        store: &dyn Store,
        table: &str,
        rows: &[Vec<Value>],
    ) -> Result<Vec<Old>, AccessError> {
        let master = self.master(table)?;
        let mut found = Vec::with_capacity(rows.len());
        for rows in rows.chunks(BATCH) {
            let reads = rows.iter().map(|row| self.read_by_key(master, table, row));
            match together(reads.collect::<Result<Vec<_>, _>>()?) {
                Some(read) => found.extend(self.look(store, table, master, &read, rows).await?),
                None => {
                    for row in rows {
                        let conditions = self.has_key_of(table, row);
                        let there = self.rows_where(store, table, &conditions).await?.into_iter().next();
                        found.push(there.map_or(Old::Absent, |(row, values)| Old::Row(row, values)));
                    }
                }
            }
        }
        Ok(found)
    }

    /// Whether the row with the key of this one is found without going through a whole table.
    pub(crate) fn is_found_by_key(&self, table: &str, row: &[Value]) -> bool {
        let (fields, conditions) = (self.columns(table), self.has_key_of(table, row));
        let wanted = Wanted { fields, conditions, ..Wanted::default() };
        let read = self.master(table).and_then(|master| match master.layout.numbers_rows() {
            true => Ok(master.layout.read(&wanted)?),
            false => self.best(table, &wanted).map(|(_, read)| read),
        });
        !self.key(table).is_empty() && read.is_ok_and(|read| !read.is_full_scan())
    }

    fn read_by_key(&self, master: &Place, table: &str, row: &[Value]) -> Result<RecordRead, AccessError> {
        let (fields, conditions) = (self.columns(table), self.has_key_of(table, row));
        Ok(master.layout.read(&Wanted { fields, conditions, ..Wanted::default() })?)
    }

    /// The conditions that a row with the key of this one meets.
    fn has_key_of(&self, table: &str, row: &[Value]) -> Vec<Condition> {
        let values = self.key(table).iter().zip(self.key_of(table, row));
        let equals = |(column, value): (&String, Value)| {
            let test = if value.is_null() { Test::IsNull } else { Test::equals(value) };
            Condition::new(column.clone(), test)
        };
        values.map(equals).collect()
    }

    /// The values of a row's key.
    pub(super) fn key_of(&self, table: &str, row: &[Value]) -> Vec<Value> {
        let columns = self.columns(table);
        let at = |column: &String| columns.iter().position(|name| name == column);
        let values = self.key(table).iter().filter_map(at).filter_map(|at| row.get(at).cloned());
        values.collect()
    }

    /// Reads many rows at once, and gives each row that comes the one that it meets.
    async fn look(
        &self,
        store: &dyn Store,
        table: &str,
        master: &Place,
        read: &RecordRead,
        rows: &[Vec<Value>],
    ) -> Result<Vec<Old>, AccessError> {
        let mut there = HashMap::new();
        let mut stream = records(store, &master.layout, &master.name, read).await?;
        while let Some(Located { row, values }) = stream.next_located().await? {
            there.insert(self.key_of(table, &values), (row, values));
        }
        let old = |row: &Vec<Value>| match there.get(&self.key_of(table, row)) {
            Some((row, values)) => Old::Row(row.clone(), values.clone()),
            None => Old::Absent,
        };
        Ok(rows.iter().map(old).collect())
    }
}

/// Reads of single rows as one; none where they are not such, or where the statement says a value that no cell has. What
/// comes too much is told apart by its key.
fn together(reads: Vec<RecordRead>) -> Option<RecordRead> {
    let is_said =
        |read: &RecordRead| read.read.shown.iter().any(|shown| matches!(shown.origin, Origin::Statement(_)));
    let (mut rows, mut cells) = (BTreeSet::new(), BTreeSet::new());
    for read in &reads {
        let Which::Keys(keys) = &read.read.which else { return None };
        rows.extend(keys.iter().cloned());
        match &read.qualifiers {
            Some(Which::Keys(keys)) => cells.extend(keys.iter().cloned()),
            Some(_) => return None,
            None => {}
        }
        if is_said(read) {
            return None;
        }
    }
    let mut read = reads.into_iter().next()?;
    read.read.which = Which::Keys(rows.into_iter().collect());
    read.read.conditions.clear();
    read.qualifiers = read.qualifiers.map(|_| Which::Keys(cells.into_iter().collect()));
    Some(read)
}
