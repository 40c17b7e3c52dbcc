//! How rows lie in the tables of a store, as loads have written them: kept beside their progress, so that a design under which
//! they would not be found is noticed.

use bytes::Bytes;
use tablesmith_model::TableName;
use tablesmith_store::{Action, ActionAnswer, Filter, Get, Mutation, Put, ReadOptions, Row, Scan, Store};

use super::progress::{FAMILY, make_progress_table, progress_table};
use crate::error::AccessError;
use crate::moves;
use crate::series::StoredSeries;
use crate::write::{Place, Writer};

/// What is said of a table whose rows do not lie as a design says.
pub const LAID_OTHERWISE: &str =
    "holds rows that were loaded with another key or other cells than the design has now";

/// The column that says how.
const HOW: &[u8] = b"how";

/// How records lie in a table of the store.
pub(super) struct Laid {
    pub table: TableName,
    /// The tables of the workload that they are made of.
    of: String,
    pub how: String,
}

impl Laid {
    fn row(&self) -> Bytes {
        format!("{} in {} is laid out so", self.of, self.table).into()
    }
}

impl Place {
    /// How its records lie.
    pub(super) fn laid(&self) -> Laid {
        let of = self.record().tables.join(" with ");
        Laid { table: self.name.clone(), of, how: self.layout.laid() }
    }
}

impl StoredSeries {
    /// How its readings lie, and what is fixed of its entities.
    pub(super) fn laid(&self) -> Vec<Laid> {
        let how = format!("{:?}", self.series.layout());
        let readings = Laid { table: self.name.clone(), of: self.from.clone(), how };
        let fixed = self.fixed.as_ref().map(|fixed| fixed.place.laid());
        std::iter::once(readings).chain(fixed).collect()
    }
}

impl Writer {
    /// The tables of the store that hold rows with other keys or other cells than they would be written with now, as far as
    /// loads know: queries would not find them.
    pub async fn laid_otherwise(&self, store: &dyn Store) -> Result<Vec<String>, AccessError> {
        if !store.table_exists(&progress_table()?).await? {
            return Ok(Vec::new());
        }
        let places = self.places.iter().map(Place::laid);
        let laid: Vec<Laid> = places.chain(self.series.iter().flat_map(StoredSeries::laid)).collect();
        // The log of moves is in the same table: the statement that follows has to know it.
        let log = (!store.has_atomic_batches()).then(moves::log_get);
        let gets = laid.iter().map(|laid| Get::new(laid.row())).chain(log);
        let kept = read(store, gets).await?;
        if let Some(log) = kept.get(laid.len()) {
            self.unsettled.note(self.learn(moves::in_row(log)?));
        }
        otherwise(store, &laid, &kept).await
    }
}

/// Keeps how records will lie that are written from now on. Where others lie otherwise it is refused.
pub(super) async fn keep(store: &dyn Store, laid: &[Laid]) -> Result<(), AccessError> {
    make_progress_table(store).await?;
    let kept = read(store, laid.iter().map(|laid| Get::new(laid.row()))).await?;
    let otherwise = otherwise(store, laid, &kept).await?;
    if !otherwise.is_empty() {
        return Err(AccessError::Data(format!(
            "{} {LAID_OTHERWISE}: empty it first (truncate in tablesmith shell), or give it another name in the design",
            otherwise.join(", ")
        )));
    }
    let put = |laid: &Laid| Put::new(laid.row()).add(FAMILY, HOW, laid.how.clone());
    let puts = laid.iter().map(|laid| Action::Mutate(Mutation::Put(put(laid)))).collect();
    for answer in store.batch(&progress_table()?, puts).await?.value {
        answer?;
    }
    Ok(())
}

/// Rows of the progress table.
async fn read(store: &dyn Store, gets: impl Iterator<Item = Get>) -> Result<Vec<Row>, AccessError> {
    let mut rows = Vec::new();
    for answer in store.batch(&progress_table()?, gets.map(Action::Get).collect()).await?.value {
        if let ActionAnswer::Row(row) = answer? {
            rows.push(row);
        }
    }
    Ok(rows)
}

/// The tables with rows that lie otherwise than was kept of them.
async fn otherwise(store: &dyn Store, laid: &[Laid], kept: &[Row]) -> Result<Vec<String>, AccessError> {
    let mut otherwise = Vec::new();
    for (laid, row) in laid.iter().zip(kept) {
        let kept = row.value(FAMILY.as_bytes(), HOW);
        let differs = kept.is_some_and(|how| how != laid.how.as_bytes());
        let name = laid.table.to_string();
        if differs && !otherwise.contains(&name) && has_rows(store, &laid.table).await? {
            otherwise.push(name);
        }
    }
    Ok(otherwise)
}

/// Whether a table is there and has a row.
pub(super) async fn has_rows(store: &dyn Store, table: &TableName) -> Result<bool, AccessError> {
    if !store.table_exists(table).await? {
        return Ok(false);
    }
    let read = ReadOptions { filter: Some(Filter::FirstKeyOnly), ..ReadOptions::default() };
    let mut scanner = store.scan(table, Scan { limit: Some(1), read, ..Scan::default() }).await?;
    Ok(!scanner.next_rows().await?.is_empty())
}
