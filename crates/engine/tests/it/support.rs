//! Engines in temporary directories.

use std::path::Path;
use std::sync::Arc;

use tablesmith_engine::{Engine, EngineOptions};
use tablesmith_model::{FamilyDescriptor, TableDescriptor, TableName};
use tablesmith_store::{Clock, Store};

/// A directory in memory where there is one: thousands of tables are made and dropped, and nothing must last.
pub fn passing_dir() -> tempfile::TempDir {
    let in_memory = tempfile::tempdir_in("/dev/shm");
    in_memory.or_else(|_| tempfile::tempdir()).unwrap()
}

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

/// Runs a future of the engine, which never waits for anything but itself.
pub fn block_on<T>(future: impl Future<Output = T>) -> T {
    tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap().block_on(future)
}

/// Whether the long run of the tests is wanted.
pub fn soaking() -> bool {
    std::env::var_os("TABLESMITH_SOAK").is_some_and(|value| value == "1")
}

/// A number from the environment.
pub fn number_from_env(name: &str) -> Option<u64> {
    std::env::var(name)
        .ok()
        .map(|value| value.parse().unwrap_or_else(|_| panic!("{name}={value:?} is no number")))
}
