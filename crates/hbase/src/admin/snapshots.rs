//! Snapshots: a table as it was at a moment, kept without copying its files.

use super::Admin;
use super::master::{about_table, ask};
use super::procedure::Nonces;
use super::wait::Patience;
use crate::error::ServerException;
use crate::{Error, TableName, pb};
use pb::snapshot_description::Type;

const DOES_NOT_EXIST: &str = "SnapshotDoesNotExistException";

/// A snapshot.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Snapshot {
    /// Its name.
    pub name: String,
    /// The table.
    pub table: TableName,
    /// When it was taken, in milliseconds.
    pub created_ms: i64,
    /// How.
    pub kind: SnapshotKind,
}

/// How a snapshot is taken.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SnapshotKind {
    /// The table is in service: its regions are flushed, one by one.
    #[default]
    Flush,
    /// The same without flushing: what is in memory is not part of it.
    SkipFlush,
    /// The table was disabled.
    Disabled,
}

impl SnapshotKind {
    fn to_pb(self) -> Type {
        match self {
            Self::Flush => Type::Flush,
            Self::SkipFlush => Type::Skipflush,
            Self::Disabled => Type::Disabled,
        }
    }

    fn from_pb(kind: Type) -> Self {
        match kind {
            Type::Flush => Self::Flush,
            Type::Skipflush => Self::SkipFlush,
            Type::Disabled => Self::Disabled,
        }
    }
}

impl Snapshot {
    fn from_pb(description: pb::SnapshotDescription) -> Result<Self, Error> {
        Ok(Self {
            table: description.table().parse()?,
            created_ms: description.creation_time(),
            kind: description
                .r#type
                .map_or(SnapshotKind::Flush, |_| SnapshotKind::from_pb(description.r#type())),
            name: description.name,
        })
    }
}

impl Admin {
    /// Takes a snapshot of a table, and waits until it is whole. A disabled table is taken as it lies.
    pub async fn create_snapshot(
        &self,
        name: &str,
        table: &TableName,
        kind: SnapshotKind,
    ) -> Result<(), Error> {
        let mut attempts = self.long_attempts();
        let snapshot =
            pb::SnapshotDescription { r#type: Some(kind.to_pb().into()), ..description(name, Some(table)) };
        let Nonces { group, nonce } = Nonces::new();
        let request = pb::SnapshotRequest { snapshot: snapshot.clone(), nonce_group: group, nonce };
        let begun: Result<pb::SnapshotResponse, Error> =
            ask(&self.cluster, "Snapshot", &request, &mut attempts).await;
        let begun = begun.map_err(|error| about_table(error, table))?;
        if let Some(id) = begun.proc_id.and_then(|id| u64::try_from(id).ok()) {
            return self.wait_for_procedure(id, &mut attempts).await;
        }
        // Before 2.6, snapshots are not procedures and are asked for by name.
        let question = pb::IsSnapshotDoneRequest { snapshot: Some(snapshot) };
        let mut patience = Patience::until(attempts.deadline());
        loop {
            let answer: pb::IsSnapshotDoneResponse =
                ask(&self.cluster, "IsSnapshotDone", &question, &mut attempts).await?;
            if answer.done() {
                return Ok(());
            }
            patience.pause(|| format!("snapshot {name} is not done")).await?;
        }
    }

    /// All snapshots, by name.
    pub async fn snapshots(&self) -> Result<Vec<Snapshot>, Error> {
        let request = pb::GetCompletedSnapshotsRequest {};
        let reply: pb::GetCompletedSnapshotsResponse =
            ask(&self.cluster, "GetCompletedSnapshots", &request, &mut self.attempts()).await?;
        let mut found: Vec<Snapshot> =
            reply.snapshots.into_iter().map(Snapshot::from_pb).collect::<Result<_, Error>>()?;
        found.sort_by(|one, other| one.name.cmp(&other.name));
        Ok(found)
    }

    /// Makes the snapshot's table what it was, regions too. The table must be disabled, or gone; what was written since
    /// is lost. It stays disabled; a table that was gone comes back enabled.
    pub async fn restore_snapshot(&self, name: &str) -> Result<(), Error> {
        let known = self.snapshots().await?;
        let snapshot =
            known.into_iter().find(|snapshot| snapshot.name == name).ok_or_else(|| unknown(name))?;
        self.restore_as(name, &snapshot.table).await
    }

    /// Makes a new table of a snapshot.
    pub async fn clone_snapshot(&self, name: &str, table: &TableName) -> Result<(), Error> {
        // The master would restore the snapshot's own table instead, if this one exists.
        if self.table_exists(table).await? {
            return Err(Error::Server(exception(
                "org.apache.hadoop.hbase.TableExistsException",
                &table.to_string(),
            )));
        }
        self.restore_as(name, table).await
    }

    async fn restore_as(&self, name: &str, table: &TableName) -> Result<(), Error> {
        let Nonces { group, nonce } = Nonces::new();
        let snapshot = description(name, Some(table));
        let request = pb::RestoreSnapshotRequest { snapshot, nonce_group: group, nonce };
        self.change_table(table, "RestoreSnapshot", &request).await
    }

    /// Drops a snapshot.
    pub async fn delete_snapshot(&self, name: &str) -> Result<(), Error> {
        let request = pb::DeleteSnapshotRequest { snapshot: description(name, None) };
        let mut attempts = self.long_attempts();
        match ask(&self.cluster, "DeleteSnapshot", &request, &mut attempts).await {
            Ok(pb::DeleteSnapshotResponse {}) => Ok(()),
            // An attempt before this one did it, and its reply was lost: this call has no nonces.
            Err(error) if attempts.failed_count() > 1 && error.exception() == Some(DOES_NOT_EXIST) => Ok(()),
            Err(error) => Err(error),
        }
    }
}

fn description(name: &str, table: Option<&TableName>) -> pb::SnapshotDescription {
    pb::SnapshotDescription {
        name: name.to_owned(),
        table: table.map(ToString::to_string),
        ..pb::SnapshotDescription::default()
    }
}

fn unknown(name: &str) -> Error {
    Error::Server(exception(&format!("org.apache.hadoop.hbase.snapshot.{DOES_NOT_EXIST}"), name))
}

/// Told by the name that HBase has for it.
fn exception(class: &str, message: &str) -> ServerException {
    ServerException {
        class: class.to_owned(),
        message: message.to_owned(),
        do_not_retry: true,
        ..ServerException::default()
    }
}
