//! Opens the store that the command line names.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use tablesmith_engine::{Engine, EngineOptions};
use tablesmith_store::Store;
use tablesmith_store::wrap::Wrapped;

use crate::arguments::Global;
use crate::data_directory;
use crate::failure::Failure;
use crate::pace::Paced;
use crate::store_address::StoreAddress;

/// The store of `--store`, or the one in the user's data directory.
pub fn store(global: &Global) -> Result<Arc<dyn Store>, Failure> {
    embedded(&directory(global)?, global.servers)
}

/// The embedded store in a directory.
pub fn embedded(directory: &Path, servers: u16) -> Result<Arc<dyn Store>, Failure> {
    let options = EngineOptions { servers: servers.into(), ..EngineOptions::new(directory) };
    Ok(Arc::new(Wrapped::new(Arc::new(Engine::open(options)?), Paced::default())))
}

fn directory(global: &Global) -> Result<PathBuf, Failure> {
    match &global.store {
        None => data_directory::store().ok_or(Failure::NoDataDirectory),
        Some(StoreAddress::Embedded(directory)) => Ok(directory.clone()),
        Some(StoreAddress::HBase(address)) => Err(Failure::NoClient { address: address.clone() }),
    }
}
