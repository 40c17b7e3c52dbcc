//! Moving regions between servers.

use super::Admin;
use super::master::{about_table, ask_patiently};
use super::region_server::encoded_specifier;
use crate::{Error, Location, ServerName, pb};

impl Admin {
    /// Moves a region, by its name or encoded name, to a server or to another one by chance, and waits until it is
    /// served there. Returns where it is.
    pub async fn move_region(&self, region: &str, server: Option<&ServerName>) -> Result<Location, Error> {
        let before = self.region(region).await?;
        let table = &before.region.table;
        let encoded = before.region.encoded_name();
        let request = pb::MoveRegionRequest {
            region: encoded_specifier(&encoded),
            dest_server_name: server.map(ServerName::to_pb),
        };
        let moved = ask_patiently(&self.cluster, "MoveRegion", &request, &mut self.long_attempts()).await;
        self.cluster.cache.forget_table(table);
        let pb::MoveRegionResponse {} = moved.map_err(|error| about_table(error, table))?;
        // The master answers when the move is done, and says nothing when it chose not to move.
        let after = self.region(&encoded).await?;
        match server {
            Some(wanted) if after.server.as_ref() != Some(wanted) => Err(Error::InvalidArgument(format!(
                "the master did not move {encoded} to {wanted}: is that a live server?"
            ))),
            _ => Ok(after),
        }
    }
}
