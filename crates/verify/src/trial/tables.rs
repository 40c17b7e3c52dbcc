//! The tables of a trial: made anew, loaded, and removed.
//!
//! They lie in a namespace of their own, which nobody else uses: what is in it was made here, so that it may be made anew
//! and removed, and no other table is ever touched.

use tablesmith_access::{apply, load};
use tablesmith_model::TableName;
use tablesmith_model::evidence::Loaded;
use tablesmith_model::source_row::{RowError, SourceRow};
use tablesmith_store::{Store, StoreError};

use super::{Laid, LaidError, LaidReadings};

/// The namespace of all tables that trials make.
pub const NAMESPACE: &str = "tablesmith_verify";

/// A table of the store, and how rows lie in it.
#[derive(Clone, Debug)]
pub struct Placed {
    /// How rows lie in it.
    pub laid: Laid,
    /// The table.
    pub name: TableName,
}

/// Makes a table of the trial's namespace; one that an earlier trial left is removed first.
pub async fn make(store: &dyn Store, laid: impl Into<Laid>) -> Result<Placed, LaidError> {
    let laid = laid.into();
    let name = free_name(store, laid.design(), laid.source().name.as_str()).await?;
    match &laid {
        Laid::Rows(layout) => apply(store, layout, &name).await?,
        Laid::Readings(LaidReadings { series, table, .. }) => {
            let splits = table.splits.iter().map(|split| split.clone().into()).collect();
            series.create(store, &name, splits).await?
        }
    }
    Ok(Placed { laid, name })
}

/// The name of a table in the trial's namespace that is not there: one that an earlier trial left is removed.
pub async fn free_name(store: &dyn Store, design: &str, table: &str) -> Result<TableName, StoreError> {
    match store.create_namespace(NAMESPACE).await {
        Ok(()) | Err(StoreError::NamespaceExists(_)) => {}
        Err(error) => return Err(error),
    }
    let name = table_name(design, table)?;
    if store.table_exists(&name).await? {
        drop_table(store, &name).await?;
    }
    Ok(name)
}

impl Placed {
    /// Loads rows, and tells `progress` now and then how many there are.
    pub async fn load(
        &mut self,
        store: &dyn Store,
        rows: impl Iterator<Item = Result<SourceRow, RowError>>,
        progress: &mut (dyn FnMut(u64) + Send),
    ) -> Result<Loaded, LaidError> {
        match &mut self.laid {
            Laid::Rows(layout) => Ok(load(store, layout, &self.name, rows, progress).await?),
            Laid::Readings(readings) => readings.load(store, &self.name, rows, progress).await,
        }
    }
}

/// Removes tables that [`make`] made, and the namespace when it was the last. The first failure is told, and what can be
/// removed is.
pub async fn remove(
    store: &dyn Store,
    tables: impl IntoIterator<Item = TableName>,
) -> Result<(), StoreError> {
    let mut outcome = Ok(());
    for name in tables.into_iter().filter(|name| name.namespace() == NAMESPACE) {
        match drop_table(store, &name).await {
            // One that is gone does not come back for the others.
            Err(error) if error.is_store_failure() => return Err(error),
            removed => outcome = outcome.and(removed),
        }
    }
    match store.drop_namespace(NAMESPACE).await {
        // Others are still in it, or it is gone already.
        Ok(()) | Err(StoreError::Constraint(_) | StoreError::NamespaceNotFound(_)) => outcome,
        Err(error) => outcome.and(Err(error)),
    }
}

async fn drop_table(store: &dyn Store, name: &TableName) -> Result<(), StoreError> {
    if store.is_enabled(name).await? {
        store.disable_table(name).await?;
    }
    store.drop_table(name).await
}

/// A table's name from those of a design and a table of the workload: what a store does not take becomes `_`.
fn table_name(design: &str, table: &str) -> Result<TableName, StoreError> {
    let is_fine = |letter: char| letter.is_ascii_alphanumeric() || matches!(letter, '_' | '-' | '.');
    let fine = |text: &str| -> String {
        text.chars().map(|letter| if is_fine(letter) { letter } else { '_' }).collect()
    };
    let (design, table) = (fine(design), fine(table));
    Ok(TableName::new(NAMESPACE, &format!("{}_{table}", design.trim_start_matches(['.', '-'])))?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_what_a_store_takes() {
        let name = |design, table| table_name(design, table).unwrap().to_string();
        assert_eq!(name("s05", "ads"), "tablesmith_verify:s05_ads");
        assert_eq!(name("-my design é", "ads"), "tablesmith_verify:my_design___ads");
    }
}
