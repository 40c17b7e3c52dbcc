//! The rows that are there already with the keys of rows that come: many in one call, where their keys say where they lie.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::hash::Hash;

use bytes::Bytes;
use tablesmith_model::plan::{Condition, Origin, Test, Which};
use tablesmith_model::value::Value;
use tablesmith_store::Store;

use super::change::Old;
use super::{Place, Writer};
use crate::error::AccessError;
use crate::records::{Located, RecordRead, Wanted, records};

/// Rows that are looked for in one call.
const BATCH: usize = 256;

/// What tells rows apart that are looked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FindBy {
    /// The key of their table.
    Key,
    /// The same, and nothing is found by it without going through the whole master.
    KeyInAll,
    /// Nothing: each is a row of its own.
    Nothing,
}

impl Writer {
    /// How rows of a table are found before they are written, with this one as an example.
    pub(crate) fn find_by(&self, table: &str, row: &[Value]) -> FindBy {
        let Ok(master) = self.master(table) else { return FindBy::Nothing };
        if self.key(table).is_empty() {
            return FindBy::Nothing;
        }
        let (fields, conditions) = (self.columns(table), self.has_key_of(table, row));
        let wanted = Wanted { fields, conditions, ..Wanted::default() };
        let is_numbered = master.layout.numbers_rows();
        let read = match is_numbered {
            true => master.layout.read(&wanted).map_err(AccessError::from),
            false => self.best(table, &wanted).map(|(_, read)| read),
        };
        let is_found = read.is_ok_and(|read| !read.is_full_scan());
        match (is_found || self.tells_where(table, row).is_some(), is_numbered) {
            (true, _) => FindBy::Key,
            (false, false) => FindBy::KeyInAll,
            (false, true) => FindBy::Nothing,
        }
    }

    /// What there is already of each row.
    pub(crate) async fn rows_there(
        &self,
        store: &dyn Store,
        table: &str,
        by: FindBy,
        rows: &[Vec<Value>],
    ) -> Result<Vec<Old>, AccessError> {
        match by {
            FindBy::Key => self.rows_with_keys_of(store, table, rows).await,
            FindBy::KeyInAll => self.rows_among_all(store, table, rows).await,
            FindBy::Nothing => Ok(vec![Old::Absent; rows.len()]),
        }
    }

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
            let reads = reads.collect::<Result<Vec<_>, _>>()?;
            let is_full_scan = reads.first().is_some_and(RecordRead::is_full_scan);
            let other = rows.first().filter(|_| is_full_scan).and_then(|row| self.tells_where(table, row));
            match (together(reads), other) {
                (Some(read), _) => found.extend(self.look(store, table, master, &read, rows).await?),
                (None, Some(other)) => found.extend(self.look_through(store, table, other, rows).await?),
                (None, None) if is_full_scan => found.extend(self.rows_among_all(store, table, rows).await?),
                (None, None) => {
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

    /// The columns that say where a row of a table lies in the master.
    fn place_columns(&self, table: &str, master: &Place) -> Vec<String> {
        self.columns(table).into_iter().filter(|column| master.layout.is_made_of(column)).collect()
    }

    /// A place that finds rows by their key and says where they lie in the master, as it does not have all of them.
    fn tells_where(&self, table: &str, row: &[Value]) -> Option<&Place> {
        let master = self.master(table).ok().filter(|master| !master.layout.numbers_rows())?;
        let fields = self.place_columns(table, master);
        let is_plain = |place: &&Place| place.is_plain() && !place.is_master && place.record().has(table);
        self.places.iter().filter(is_plain).find(|place| {
            let has_all = fields.iter().chain(self.key(table)).all(|field| place.layout.stores(field));
            has_all && self.read_by_key(place, table, row).is_ok_and(|read| !read.is_full_scan())
        })
    }

    /// What there is with the key of each row, where another place says where that lies.
    async fn look_through(
        &self,
        store: &dyn Store,
        table: &str,
        other: &Place,
        rows: &[Vec<Value>],
    ) -> Result<Vec<Old>, AccessError> {
        let master = self.master(table)?;
        let reads = rows.iter().map(|row| self.read_by_key(other, table, row));
        let reads = reads.collect::<Result<Vec<_>, _>>()?;
        let reads = together(reads.clone()).map_or(reads, |read| vec![read]);
        let mut places = Vec::new();
        for read in reads {
            let mut stream = records(store, &other.layout, &other.name, &read).await?;
            while let Some(values) = stream.next().await? {
                places.push(values);
            }
        }
        let known = self.known_of(other, table);
        let whole = |values: Vec<Value>| {
            let mut row = vec![Value::Null; self.columns(table).len()];
            for (at, value) in known.iter().zip(values) {
                if let Some(slot) = row.get_mut(*at) {
                    *slot = value;
                }
            }
            row
        };
        let places: Vec<Vec<Value>> = places.into_iter().map(whole).collect();
        let there = self.at_places(store, table, master, &places).await?;
        let there: HashMap<_, _> =
            there.into_iter().map(|(row, values)| (self.key_of(table, &values), (row, values))).collect();
        Ok(rows.iter().map(|row| old_in(&there, &self.key_of(table, row))).collect())
    }

    /// What there is with the key of each row, found by going through the master once for all of them.
    async fn rows_among_all(
        &self,
        store: &dyn Store,
        table: &str,
        rows: &[Vec<Value>],
    ) -> Result<Vec<Old>, AccessError> {
        if rows.is_empty() {
            return Ok(Vec::new());
        }
        let master = self.master(table)?;
        let columns = self.key_columns(table);
        let key_of = |row: &[Value]| -> Vec<Value> {
            columns.iter().filter_map(|column| row.get(*column).cloned()).collect()
        };
        let wanted: HashSet<Vec<Value>> = rows.iter().map(|row| key_of(row)).collect();
        let read = master.layout.read(&Wanted { fields: self.columns(table), ..Wanted::default() })?;
        let mut stream = records(store, &master.layout, &master.name, &read).await?;
        let mut there = HashMap::new();
        while let Some(Located { row, values }) = stream.next_located().await? {
            let key = key_of(&values);
            if wanted.contains(&key) {
                there.insert(key, (row, values));
            }
        }
        Ok(rows.iter().map(|row| old_in(&there, &key_of(row))).collect())
    }

    /// The rows of the master that lie where these would.
    async fn at_places(
        &self,
        store: &dyn Store,
        table: &str,
        master: &Place,
        rows: &[Vec<Value>],
    ) -> Result<Vec<(Bytes, Vec<Value>)>, AccessError> {
        let columns = self.place_columns(table, master);
        let read = |row: &Vec<Value>| {
            let (fields, conditions) = (self.columns(table), self.equal_in(table, &columns, row));
            master.layout.read(&Wanted { fields, conditions, ..Wanted::default() })
        };
        let reads = rows.iter().map(read).collect::<Result<Vec<_>, _>>()?;
        let reads = together(reads.clone()).map_or(reads, |read| vec![read]);
        let mut there = Vec::new();
        for read in reads {
            let mut stream = records(store, &master.layout, &master.name, &read).await?;
            while let Some(Located { row, values }) = stream.next_located().await? {
                there.push((row, values));
            }
        }
        Ok(there)
    }

    fn read_by_key(&self, place: &Place, table: &str, row: &[Value]) -> Result<RecordRead, AccessError> {
        let columns = self.columns(table);
        let fields =
            self.known_of(place, table).into_iter().filter_map(|at| columns.get(at).cloned()).collect();
        let conditions = self.has_key_of(table, row);
        Ok(place.layout.read(&Wanted { fields, conditions, ..Wanted::default() })?)
    }

    /// The columns of a table that a place stores.
    fn known_of(&self, place: &Place, table: &str) -> Vec<usize> {
        let columns = self.columns(table).into_iter().enumerate();
        columns.filter(|(_, column)| place.layout.stores(column)).map(|(at, _)| at).collect()
    }

    /// The conditions that a row with the key of this one meets.
    fn has_key_of(&self, table: &str, row: &[Value]) -> Vec<Condition> {
        self.equal_in(table, self.key(table), row)
    }

    /// The conditions that a row meets which is equal in some columns.
    fn equal_in(&self, table: &str, columns: &[String], row: &[Value]) -> Vec<Condition> {
        let table = self.workload.table(table);
        let at = |column: &String| table.and_then(|table| table.column_index(column));
        let values = columns.iter().filter_map(|column| Some((column, row.get(at(column)?)?)));
        let equals = |(column, value): (&String, &Value)| {
            let test = if value.is_null() { Test::IsNull } else { Test::equals(value.clone()) };
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
        Ok(rows.iter().map(|row| old_in(&there, &self.key_of(table, row))).collect())
    }
}

/// The row that was found under something.
fn old_in<K: Hash + Eq>(there: &HashMap<K, (Bytes, Vec<Value>)>, under: &K) -> Old {
    match there.get(under) {
        Some((row, values)) => Old::Row(row.clone(), values.clone()),
        None => Old::Absent,
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
