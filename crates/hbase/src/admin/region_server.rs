//! Calls to the region server that serves a region.

use std::time::Instant;

use prost::{Message, Name};

use crate::cluster::Cluster;
use crate::rpc::{CallError, CallOptions, Service};
use crate::{HostPort, Location, pb};

/// Asks a region server once. It answers at once, or there is something wrong with it.
pub(super) async fn ask<R: Message + Name + Default>(
    cluster: &Cluster,
    address: &HostPort,
    method: &'static str,
    message: &impl Message,
    deadline: Instant,
) -> Result<R, CallError> {
    let soon = deadline.min(Instant::now() + cluster.config.rpc_timeout);
    ask_patiently(cluster, address, method, message, soon).await
}

/// The same for calls that take long, since the server answers only when all is done.
pub(super) async fn ask_patiently<R: Message + Name + Default>(
    cluster: &Cluster,
    address: &HostPort,
    method: &'static str,
    message: &impl Message,
    deadline: Instant,
) -> Result<R, CallError> {
    let connection = cluster.pool.connection(address, Service::RegionServerAdmin).await?;
    connection.call(method, message, CallOptions { deadline, priority: None }).await?.read()
}

/// How a region is called in calls about it.
pub(super) fn specifier(location: &Location) -> pb::RegionSpecifier {
    crate::rpc::region_specifier(location.region.name.clone())
}

/// The same by its encoded name, as some calls to the master want it.
pub(super) fn encoded_specifier(encoded_name: &str) -> pb::RegionSpecifier {
    pb::RegionSpecifier {
        r#type: pb::region_specifier::RegionSpecifierType::EncodedRegionName.into(),
        value: encoded_name.to_owned().into(),
    }
}
