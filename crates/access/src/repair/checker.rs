//! Holds records as they should be against what is stored, in batches.

use std::collections::HashSet;

use bytes::Bytes;
use tablesmith_model::value::Value;
use tablesmith_store::{Action, ActionAnswer, Columns, Get, Put, ReadOptions, Row, Store};
use xxhash_rust::xxh3::xxh3_128;

use super::{MOST_KEPT, Repair, Repaired};
use crate::error::AccessError;
use crate::write::{Batch, Place, Writer};

/// Records that are looked at in one call.
const BATCH: usize = 256;

/// Holds records against what is stored.
pub(crate) struct Checker<'c> {
    store: &'c dyn Store,
    place: &'c Place,
    how: Repair,
    /// Which part of all records, of how many.
    part: (u64, u64),
    waiting: Vec<(Put, Vec<Value>)>,
    kept: HashSet<u128>,
    counted: Repaired,
}

impl<'c> Checker<'c> {
    pub fn new(store: &'c dyn Store, place: &'c Place, how: Repair, part: (u64, u64)) -> Self {
        let (kept, counted) = (HashSet::new(), Repaired::default());
        Self { store, place, how, part, waiting: Vec::new(), kept, counted }
    }

    /// Whether there are more records in this part than are kept.
    pub fn is_full(&self) -> bool {
        self.kept.len() > MOST_KEPT
    }

    /// Adds what was counted; where records lie, or `None` when they were too many.
    pub fn finish(self, repaired: &mut Repaired) -> Option<HashSet<u128>> {
        if self.is_full() {
            return None;
        }
        repaired.records += self.counted.records;
        repaired.missing += self.counted.missing;
        repaired.different += self.counted.different;
        Some(self.kept)
    }

    /// Takes a record that should be there.
    pub async fn take(&mut self, writer: &Writer, values: Vec<Value>) -> Result<(), AccessError> {
        let rows = match self.place.layout.numbers_rows() {
            true => writer.rows_that_hold(self.store, self.place, &values).await?,
            false => vec![self.place.row_of(&values, 0)?],
        };
        let row = match rows.into_iter().next() {
            Some(row) => row,
            None => self.place.new_row(&values)?,
        };
        let number = place_number(&row, self.place.qualifier_of(&values)?.as_deref());
        if is_of(number, self.part) && self.kept.insert(number) {
            self.counted.records += 1;
            self.waiting.push((self.place.put(row, &values)?, values));
        }
        if self.waiting.len() >= BATCH { self.send(writer).await } else { Ok(()) }
    }

    /// Looks at the records that wait, and mends them.
    pub async fn send(&mut self, writer: &Writer) -> Result<(), AccessError> {
        let waiting = std::mem::take(&mut self.waiting);
        if waiting.is_empty() {
            return Ok(());
        }
        let gets = waiting.iter().map(|(put, _)| Action::Get(self.get(put))).collect();
        let answers = self.store.batch(&self.place.name, gets).await?.value;
        let (mut removed, mut written) = (Vec::new(), Vec::new());
        for ((put, values), answer) in waiting.into_iter().zip(answers) {
            let ActionAnswer::Row(row) = answer? else { continue };
            if says_the_same(&put, &row) {
                continue;
            }
            if row.cells.is_empty() {
                self.counted.missing += 1;
            } else {
                self.counted.different += 1;
                removed.push(self.place.delete(put.row.clone(), &values)?);
            }
            written.push(put);
        }
        if self.how == Repair::Look {
            return Ok(());
        }
        let mut batch = Batch::new(self.store, &self.place.name, &writer.recent);
        for delete in removed {
            batch.delete(delete).await?;
        }
        batch.send().await?;
        for put in written {
            batch.put(put).await?;
        }
        batch.send().await
    }

    /// Reads all that a record has in its row.
    fn get(&self, put: &Put) -> Get {
        let mut columns = Columns::all();
        for family in self.place.layout.families() {
            match self.place.layout.is_wide() {
                true => put.cells.iter().filter(|(of, ..)| *of == family.name_bytes).for_each(
                    |(of, qualifier, ..)| {
                        columns.add_column(of.clone(), qualifier.clone());
                    },
                ),
                false => columns.add_family(family.name_bytes.clone()),
            }
        }
        Get { row: put.row.clone(), read: ReadOptions { columns, ..ReadOptions::default() } }
    }
}

/// Whether a row has the cells of a record and no others. The cell that only says that a row is there says nothing else.
fn says_the_same(put: &Put, row: &Row) -> bool {
    let mut wanted: Vec<(&Bytes, &Bytes, &Bytes)> =
        put.cells.iter().map(|(family, qualifier, _, value)| (family, qualifier, value)).collect();
    wanted.sort();
    let there: Vec<(&Bytes, &Bytes, &Bytes)> =
        row.cells.iter().map(|cell| (&cell.family, &cell.qualifier, &cell.value)).collect();
    let speaks = |cell: &&(&Bytes, &Bytes, &Bytes)| !cell.1.is_empty();
    let has_family = |family: &Bytes| there.iter().any(|(of, ..)| *of == family);
    wanted.iter().filter(speaks).eq(there.iter().filter(speaks))
        && wanted.iter().all(|(family, ..)| has_family(family))
}

/// Where a record lies, as a number.
pub(crate) fn place_number(row: &[u8], qualifier: Option<&[u8]>) -> u128 {
    let mut bytes = Vec::with_capacity(row.len() + 16);
    bytes.extend((row.len() as u64).to_be_bytes());
    bytes.extend(row);
    bytes.extend(qualifier.unwrap_or_default());
    xxh3_128(&bytes)
}

/// Whether a number is of a part.
pub(super) fn is_of(number: u128, (part, parts): (u64, u64)) -> bool {
    number.checked_rem(u128::from(parts)) == Some(u128::from(part))
}
