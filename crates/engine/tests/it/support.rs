//! Engines in temporary directories.

use std::path::Path;
use std::sync::Arc;

use tablesmith_engine::{Engine, EngineOptions};
use tablesmith_model::{FamilyDescriptor, TableDescriptor, TableName};
use tablesmith_store::{Clock, Store};

/// An engine with the system's clock.
pub fn open(dir: &Path) -> Engine {
    Engine::open(EngineOptions::new(dir)).unwrap()
}

/// An engine with a given clock.
pub fn open_at(dir: &Path, clock: Arc<dyn Clock>) -> Engine {
    Engine::open(EngineOptions { clock, ..EngineOptions::new(dir) }).unwrap()
}

/// The name of a table.
pub fn name(table: &str) -> TableName {
    table.parse().unwrap()
}

/// Makes a table of families that keep three versions.
pub async fn create(engine: &Engine, table: &str, families: &[&'static str], splits: &[&'static str]) {
    let families = families.iter().map(|family| FamilyDescriptor::new(*family).with_versions(3));
    let splits = splits.iter().map(|&split| split.into()).collect();
    engine.create_table(TableDescriptor::new(name(table), families), splits).await.unwrap();
}
