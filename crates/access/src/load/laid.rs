//! How rows lie in the tables of a store, as loads have written them: kept beside their progress, so that a design under which
//! they would not be found is noticed.

use bytes::Bytes;
use tablesmith_model::TableName;
use tablesmith_store::{Action, ActionAnswer, Filter, Get, Mutation, Put, ReadOptions, Scan, Store};

use super::progress::{FAMILY, make_progress_table, progress_table};
use crate::error::AccessError;
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
        otherwise(store, &laid).await
    }
}

/// Keeps how records will lie that are written from now on. Where others lie otherwise it is refused.
pub(super) async fn keep(store: &dyn Store, laid: &[Laid]) -> Result<(), AccessError> {
    make_progress_table(store).await?;
    let otherwise = otherwise(store, laid).await?;
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

/// The tables with rows that lie otherwise.
async fn otherwise(store: &dyn Store, laid: &[Laid]) -> Result<Vec<String>, AccessError> {
    let gets = laid.iter().map(|laid| Action::Get(Get::new(laid.row()))).collect();
    let kept = store.batch(&progress_table()?, gets).await?.value;
    let mut otherwise = Vec::new();
    for (laid, kept) in laid.iter().zip(kept) {
        let ActionAnswer::Row(row) = kept? else { continue };
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
