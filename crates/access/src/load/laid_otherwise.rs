//! Whether rows lie in a store as a design says, as far as loads know.

use tablesmith_store::Store;

use super::progress::Kept;
use super::{all, readings};
use crate::error::AccessError;
use crate::write::Writer;

/// What is said of a table whose rows do not.
pub const LAID_OTHERWISE: &str =
    "holds rows that were loaded with another key or other cells than the design has now";

impl Writer {
    /// The tables of the store that hold rows with other keys or other cells than they would be written with now, as far as
    /// loads know: queries would not find them.
    pub async fn laid_otherwise(&self, store: &dyn Store) -> Result<Vec<String>, AccessError> {
        let mut otherwise = Vec::new();
        for table in self.workload.tables.iter().map(|table| &table.name) {
            let (tables, name) = match (self.readings_of(table), self.places_of(table)) {
                (Some(stored), _) => (vec![stored.name.clone()], readings::load_name(stored, table, "")),
                (None, Ok(places)) => (
                    places.iter().map(|place| place.name.clone()).collect(),
                    all::load_name(&places, table, ""),
                ),
                (None, Err(_)) => continue,
            };
            let mut have_rows = true;
            for table in &tables {
                have_rows &= store.table_exists(table).await? && all::has_rows(store, table).await?;
            }
            if Kept::is_laid_otherwise(store, name, have_rows).await? {
                otherwise.extend(tables.iter().map(ToString::to_string));
            }
        }
        Ok(otherwise)
    }
}
