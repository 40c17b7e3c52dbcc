//! What a store looks like, in one line: for comparing what was acknowledged with what is found.

use tablesmith_model::TableName;
use tablesmith_store::{Scan, Store, StoreError};

/// Namespaces; tables with their state, families, region starts and, where they can be read, their rows.
pub async fn describe(store: &dyn Store) -> Result<String, StoreError> {
    let mut tables = Vec::new();
    for name in store.list_tables().await? {
        tables.push(describe_table(store, &name).await?);
    }
    Ok(format!("{} | {}", store.list_namespaces().await?.join(","), tables.join(" | ")))
}

async fn describe_table(store: &dyn Store, name: &TableName) -> Result<String, StoreError> {
    let families = store.describe_table(name).await?.families;
    let families: Vec<String> = families
        .iter()
        .map(|family| format!("{}:{}", String::from_utf8_lossy(&family.name), family.block_size_bytes))
        .collect();
    let regions = store.regions(name).await?;
    let starts: Vec<_> =
        regions.iter().map(|region| String::from_utf8_lossy(&region.start).into_owned()).collect();
    let rows = match store.is_enabled(name).await? {
        false => "disabled".to_owned(),
        true => {
            let rows = store.scan_all(name, Scan::all()).await?.value;
            let cells: usize = rows.iter().map(|row| row.cells.len()).sum();
            format!("{} rows, {cells} cells", rows.len())
        }
    };
    Ok(format!("{name} [{}] [{}] {rows}", families.join(","), starts.join(",")))
}
