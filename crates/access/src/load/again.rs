//! A file that was loaded is loaded once more, because what did not go in would now.

use tablesmith_store::Store;

use super::progress::{Checkpoint, Progress};
use crate::error::AccessError;
use crate::state::StoredLayout;
use crate::write::Writer;

impl Writer {
    /// Lets the next load of a file begin at its beginning. Rows that cannot be told from others would be there twice: that is
    /// refused.
    pub async fn load_again(&self, store: &dyn Store, table: &str, file: &str) -> Result<(), AccessError> {
        let layouts: Vec<StoredLayout> = match self.readings_of(table) {
            Some(stored) => stored.stored_layouts(),
            None if self.key(table).is_empty() => {
                return Err(AccessError::Data(format!(
                    "rows of {table:?} have no key, so that they would be there twice: empty the table first (truncate in \
                     tablesmith shell)"
                )));
            }
            None => self.places_of(table)?.iter().map(|place| place.stored_layout()).collect(),
        };
        let kept = Checkpoint::open(store, table, &layouts, file).await?;
        match kept.begin(true).await? {
            // Numbers of rows go on: what has one keeps it.
            Some(Progress { numbers, .. }) => kept.write(&Progress { numbers, ..Progress::default() }).await,
            None => Ok(()),
        }
    }
}
