//! Opens the store that the command line names.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use tablesmith_engine::{Engine, EngineOptions};
use tablesmith_store::Store;
use tablesmith_store::wrap::Wrapped;
use tablesmith_store_hbase::HbaseStore;

use crate::arguments::Global;
use crate::data_directory;
use crate::failure::Failure;
use crate::pace::Paced;
use crate::store_address::StoreAddress;

/// The store of `--store`, or the one in the user's data directory.
pub async fn store(global: &Global) -> Result<Arc<dyn Store>, Failure> {
    match &global.store {
        Some(StoreAddress::HBase(address)) => cluster(address).await,
        Some(StoreAddress::Embedded(directory)) => embedded(directory, global.servers),
        None => embedded(&own_directory()?, global.servers),
    }
}

/// The embedded store in a directory.
pub fn embedded(directory: &Path, servers: u16) -> Result<Arc<dyn Store>, Failure> {
    let options = EngineOptions { servers: servers.into(), ..EngineOptions::new(directory) };
    Ok(Arc::new(Wrapped::new(Arc::new(Engine::open(options)?), Paced::default())))
}

async fn cluster(address: &str) -> Result<Arc<dyn Store>, Failure> {
    Ok(Arc::new(Wrapped::new(Arc::new(HbaseStore::connect(address).await?), Paced::default())))
}

fn own_directory() -> Result<PathBuf, Failure> {
    data_directory::store().ok_or(Failure::NoDataDirectory)
}
