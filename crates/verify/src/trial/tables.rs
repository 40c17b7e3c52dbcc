//! The namespace of trials.
//!
//! Nobody else uses it: what is in it was created by a trial and may be dropped by the next, and no other table is ever
//! touched.

use tablesmith_model::TableName;
use tablesmith_store::{Store, StoreError};

/// The namespace of all tables that trials make.
pub const NAMESPACE: &str = "tablesmith_verify";

/// The name of a table in the trial's namespace that is not there: one that an earlier trial left is removed.
pub async fn free_name(store: &dyn Store, design: &str, table: &str) -> Result<TableName, StoreError> {
    match store.create_namespace(NAMESPACE).await {
        Ok(()) | Err(StoreError::NamespaceExists(_)) => {}
        Err(error) => return Err(error),
    }
    let name = table_name(design, table)?;
    drop_existing(store, &name).await?;
    Ok(name)
}

/// Drops a table that an earlier trial left.
pub(super) async fn drop_existing(store: &dyn Store, name: &TableName) -> Result<(), StoreError> {
    match store.table_exists(name).await {
        Ok(true) => drop_table(store, name).await,
        Ok(false) | Err(StoreError::NamespaceNotFound(_)) => Ok(()),
        Err(error) => Err(error),
    }
}

/// Drops tables of the namespace, and the namespace when they were the last. The first failure is told, and what can be
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
pub(super) fn table_name(design: &str, table: &str) -> Result<TableName, StoreError> {
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
