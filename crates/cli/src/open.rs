//! Opens the store that the command line names.

use std::io::Write;
use std::path::PathBuf;
use std::sync::Arc;

use md5::{Digest, Md5};
use tablesmith_engine::{Engine, EngineOptions};
use tablesmith_store::Store;
use tablesmith_store::wrap::Wrapped;

use crate::arguments::Global;
use crate::data_directory;
use crate::failure::Failure;
use crate::give_way::GiveWay;
use crate::interrupt::{self, interruptible};
use crate::pace::Paced;
use crate::retry_notice;
use crate::store_address::StoreAddress;
use crate::temporary::TemporaryDirectory;
use crate::terminal;

/// The store of `--store`, or the one in the user's data directory.
pub async fn store(global: &Global) -> Result<Arc<dyn Store>, Failure> {
    Ok(Arc::new(Wrapped::new(bare(global).await?, Paced::default())))
}

/// An embedded store that goes with its directory.
pub async fn temporary(directory: &TemporaryDirectory, servers: u16) -> Result<Arc<dyn Store>, Failure> {
    interrupt::set_store_temporary();
    let options = EngineOptions { servers: servers.into(), ..EngineOptions::new(directory.path()) };
    Ok(Arc::new(Wrapped::new(Arc::new(engine(options).await?), Paced::default())))
}

/// The same store for work with many rows: it gives way to Ctrl-C before each call, and says how many rows it wrote.
pub async fn for_rows(global: &Global) -> Result<Wrapped<GiveWay>, Failure> {
    Ok(Wrapped::new(bare(global).await?, GiveWay::default()))
}

/// The same store with nothing before it: what stands between a person's commands and a store takes time.
pub async fn bare(global: &Global) -> Result<Arc<dyn Store>, Failure> {
    open(global, EngineOptions::new).await
}

/// Memory for blocks while a store is calibrated: a few blocks of each table, so that most reads have to fetch theirs.
const CALIBRATION_CACHE_BYTES: u64 = 4 << 20;

/// The same bare store, with so small a cache that data are read as if they were far larger than it.
pub async fn for_calibration(global: &Global) -> Result<Arc<dyn Store>, Failure> {
    let cache_bytes = CALIBRATION_CACHE_BYTES;
    open(global, |directory| EngineOptions { cache_bytes, ..EngineOptions::new(directory) }).await
}

/// Opens the store; an embedded one with options for its directory.
async fn open(
    global: &Global,
    options: impl Fn(PathBuf) -> EngineOptions,
) -> Result<Arc<dyn Store>, Failure> {
    let directory = match &global.store {
        Some(StoreAddress::HBase(_)) if global.read_only => {
            return Err(Failure::BadFile(
                "--read-only is for embedded stores: HBase has permissions for it".to_owned(),
            ));
        }
        Some(StoreAddress::HBase(address)) => {
            let connected = async { Ok(retry_notice::connect(address).await?) };
            return Ok(Arc::new(interruptible(connected).await?));
        }
        Some(StoreAddress::Embedded(directory)) => directory.clone(),
        None => data_directory::store()?,
    };
    let options = EngineOptions {
        servers: global.embedded_servers().into(),
        read_only: global.read_only,
        ..options(directory)
    };
    let engine = engine(options).await?;
    for damage in engine.damage() {
        // Whoever asked to read a damaged store gets what is intact, and is told what is not.
        let _ = writeln!(terminal::stderr(), "warning: damaged, rows may be missing: {damage}");
    }
    Ok(Arc::new(engine))
}

/// Opens an embedded store. Its journals may take a while to read: Ctrl-C does not wait for them.
pub async fn engine(options: EngineOptions) -> Result<Engine, Failure> {
    let opening = tokio::task::spawn_blocking(|| Engine::open(options));
    let opened = async {
        match opening.await {
            Ok(opened) => Ok(opened?),
            Err(error) => match error.try_into_panic() {
                Ok(panic) => std::panic::resume_unwind(panic),
                Err(_) => Err(Failure::Interrupted),
            },
        }
    };
    match interrupt::is_store_temporary() {
        // Its directory is not removed while it is made.
        true => opened.await,
        false => interruptible(opened).await,
    }
}

/// What identifies that store, wherever it is called from: the id of a cluster, or a hash of the directory's path.
pub async fn store_id(global: &Global) -> Result<String, Failure> {
    let directory = match &global.store {
        Some(StoreAddress::HBase(address)) => {
            return Ok(retry_notice::connect(address).await?.cluster_id().await?);
        }
        Some(StoreAddress::Embedded(directory)) => directory.clone(),
        None => data_directory::store_path()?,
    };
    let whole = directory.canonicalize().or_else(|_| std::path::absolute(&directory)).unwrap_or(directory);
    let digest = Md5::digest(whole.as_os_str().as_encoded_bytes());
    let hex: String = digest.iter().map(|byte| format!("{byte:02x}")).collect();
    Ok(format!("embedded-{}", hex.get(..16).unwrap_or_default()))
}

/// The address of that store.
pub fn address(global: &Global) -> String {
    let own = || data_directory::store_path().ok().map(StoreAddress::Embedded);
    global.store.clone().or_else(own).map(|address| address.to_string()).unwrap_or_default()
}
