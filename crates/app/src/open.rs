//! Opens the store of a context.

use std::path::PathBuf;
use std::sync::Arc;

use md5::{Digest, Md5};
use tablesmith_engine::{Engine, EngineOptions};
use tablesmith_store::wrap::Wrapped;
use tablesmith_store::{Store, StoreError};
use tablesmith_store_hbase::HbaseStore;

use crate::AppError;
use crate::Context;
use crate::StoreAddress;
use crate::give_way::GiveWay;
use crate::pace::Paced;
use crate::retry_notice;
use crate::temporary::TemporaryDirectory;
use crate::{data_directory, leftovers};

/// The store of the context, or the one in the user's data directory.
pub async fn store(context: &Context) -> Result<Arc<dyn Store>, AppError> {
    Ok(Arc::new(Wrapped::new(bare(context).await?, Paced::default())))
}

/// An embedded store that goes with its directory.
pub async fn temporary(
    context: &Context,
    directory: &TemporaryDirectory,
    servers: u16,
) -> Result<Arc<dyn Store>, AppError> {
    leftovers::set_store_temporary();
    let options = EngineOptions { servers: servers.into(), ..EngineOptions::new(directory.path()) };
    Ok(Arc::new(Wrapped::new(Arc::new(engine(context, options).await?), Paced::default())))
}

/// The same store for work with many rows: it gives way to Ctrl-C before each call, and says how many rows it wrote.
pub async fn for_rows(context: &Context) -> Result<Wrapped<GiveWay>, AppError> {
    Ok(Wrapped::new(bare(context).await?, GiveWay::default()))
}

/// The same store with nothing before it: what stands between a person's commands and a store takes time.
pub async fn bare(context: &Context) -> Result<Arc<dyn Store>, AppError> {
    open(context, EngineOptions::new).await
}

/// Memory for blocks while a store is calibrated: a few blocks of each table, so that most reads have to fetch theirs.
const CALIBRATION_CACHE_BYTES: u64 = 4 << 20;

/// The same bare store, with so small a cache that data are read as if they were far larger than it.
pub async fn for_calibration(context: &Context) -> Result<Arc<dyn Store>, AppError> {
    let cache_bytes = CALIBRATION_CACHE_BYTES;
    open(context, |directory| EngineOptions { cache_bytes, ..EngineOptions::new(directory) }).await
}

/// Opens the store; an embedded one with options for its directory.
async fn open(
    context: &Context,
    options: impl Fn(PathBuf) -> EngineOptions,
) -> Result<Arc<dyn Store>, AppError> {
    let directory = match &context.store {
        Some(StoreAddress::HBase(_)) if context.read_only => {
            return Err(AppError::ReadOnlyCluster);
        }
        Some(StoreAddress::HBase(address)) => {
            let connected = async { Ok(cluster(context, address).await?) };
            return Ok(Arc::new(context.cancellation.or_cancelled(connected).await?));
        }
        Some(StoreAddress::Embedded(directory)) => directory.clone(),
        None => data_directory::store()?,
    };
    let options = EngineOptions {
        servers: context.embedded_servers().into(),
        read_only: context.read_only,
        ..options(directory)
    };
    let engine = engine(context, options).await?;
    for warning in engine.warnings() {
        context.progress.warn(&format!("warning: {warning}"));
    }
    for damage in engine.damage() {
        // Whoever asked to read a damaged store gets what is intact, and is told what is not.
        context.progress.warn(&format!("warning: damaged, rows may be missing: {damage}"));
    }
    Ok(Arc::new(engine))
}

/// Connects to a cluster; the caller hears of long retries.
pub async fn cluster(context: &Context, address: &str) -> Result<HbaseStore, StoreError> {
    retry_notice::connect(address, Arc::clone(&context.progress)).await
}

/// Opens an embedded store. Its journals may take a while to read: Ctrl-C does not wait for them.
pub async fn engine(context: &Context, options: EngineOptions) -> Result<Engine, AppError> {
    let opening = tokio::task::spawn_blocking(|| Engine::open(options));
    let opened = async {
        match opening.await {
            Ok(opened) => Ok(opened?),
            Err(error) => match error.try_into_panic() {
                Ok(panic) => std::panic::resume_unwind(panic),
                Err(_) => Err(AppError::Cancelled),
            },
        }
    };
    match leftovers::is_store_temporary() {
        // Its directory is not removed while it is made.
        true => opened.await,
        false => context.cancellation.or_cancelled(opened).await,
    }
}

/// What identifies that store, wherever it is called from: the id of a cluster, or a hash of the directory's path.
pub async fn store_id(context: &Context) -> Result<String, AppError> {
    let directory = match &context.store {
        Some(StoreAddress::HBase(address)) => {
            return Ok(cluster(context, address).await?.cluster_id().await?);
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
pub fn address(context: &Context) -> String {
    let own = || data_directory::store_path().ok().map(StoreAddress::Embedded);
    context.store.clone().or_else(own).map(|address| address.to_string()).unwrap_or_default()
}
