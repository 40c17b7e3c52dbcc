//! Opens the store that the command line names.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use md5::{Digest, Md5};
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
        Some(StoreAddress::Embedded(directory)) => embedded(directory, global.embedded_servers()),
        None => embedded(&own_directory()?, global.embedded_servers()),
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

/// The same store with nothing before it: what stands between a person's commands and a store takes time.
pub async fn bare(global: &Global) -> Result<Arc<dyn Store>, Failure> {
    let directory = match &global.store {
        Some(StoreAddress::HBase(address)) => return Ok(Arc::new(HbaseStore::connect(address).await?)),
        Some(StoreAddress::Embedded(directory)) => directory.clone(),
        None => own_directory()?,
    };
    let options =
        EngineOptions { servers: global.embedded_servers().into(), ..EngineOptions::new(directory) };
    Ok(Arc::new(Engine::open(options)?))
}

/// Memory for blocks while a store is calibrated: a few blocks of each table, so that most reads have to fetch theirs.
const CALIBRATION_CACHE_BYTES: u64 = 4 << 20;

/// The same bare store, with so small a cache that data are read as if they were far larger than it.
pub async fn for_calibration(global: &Global) -> Result<Arc<dyn Store>, Failure> {
    let directory = match &global.store {
        Some(StoreAddress::HBase(_)) => return bare(global).await,
        Some(StoreAddress::Embedded(directory)) => directory.clone(),
        None => own_directory()?,
    };
    let cache_bytes = CALIBRATION_CACHE_BYTES;
    let options = EngineOptions {
        servers: global.embedded_servers().into(),
        cache_bytes,
        ..EngineOptions::new(directory)
    };
    Ok(Arc::new(Engine::open(options)?))
}

/// What identifies that store, wherever it is called from: the id of a cluster, or a hash of the directory's path.
pub async fn store_id(global: &Global) -> Result<String, Failure> {
    let directory = match &global.store {
        Some(StoreAddress::HBase(address)) => {
            return Ok(HbaseStore::connect(address).await?.cluster_id().await?);
        }
        Some(StoreAddress::Embedded(directory)) => directory.clone(),
        None => own_directory()?,
    };
    let whole = directory.canonicalize().or_else(|_| std::path::absolute(&directory)).unwrap_or(directory);
    let digest = Md5::digest(whole.as_os_str().as_encoded_bytes());
    let hex: String = digest.iter().map(|byte| format!("{byte:02x}")).collect();
    Ok(format!("embedded-{}", hex.get(..16).unwrap_or_default()))
}

/// The address of that store.
pub fn address(global: &Global) -> String {
    let own = || data_directory::store().map(StoreAddress::Embedded);
    global.store.clone().or_else(own).map(|address| address.to_string()).unwrap_or_default()
}

fn own_directory() -> Result<PathBuf, Failure> {
    data_directory::store().ok_or(Failure::NoDataDirectory)
}
