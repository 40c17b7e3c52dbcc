//! Quotas: what a server takes of a table, or of all tables, in a second.
//!
//! A server that has had its share refuses with `RpcThrottlingException` and says how long to wait; the client waits and
//! asks again. Servers read quotas from time to time (`hbase.quota.refresh.period`, five minutes unless set), and those of
//! a table when they first hear of it.

use super::Admin;
use super::master::ask;
use crate::{Error, TableName, name, pb};

/// All region servers: HBase has no quota for a single one.
const ALL_SERVERS: &str = "all";

/// What a quota counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Counted {
    /// Rows read and written.
    Requests,
    /// Bytes read and written.
    RequestBytes,
    /// Rows written.
    Writes,
    /// Bytes written.
    WriteBytes,
    /// Rows read, and portions of scans.
    Reads,
    /// Bytes read.
    ReadBytes,
}

impl Counted {
    fn to_pb(self) -> pb::ThrottleType {
        match self {
            Self::Requests => pb::ThrottleType::RequestNumber,
            Self::RequestBytes => pb::ThrottleType::RequestSize,
            Self::Writes => pb::ThrottleType::WriteNumber,
            Self::WriteBytes => pb::ThrottleType::WriteSize,
            Self::Reads => pb::ThrottleType::ReadNumber,
            Self::ReadBytes => pb::ThrottleType::ReadSize,
        }
    }
}

impl Admin {
    /// Limits what each region server takes in a second, of all tables but HBase's own. After a quiet second a server
    /// takes a second's worth at once. Needs `hbase.quota.enabled`.
    pub async fn throttle_servers(&self, counted: Counted, per_second: u64) -> Result<(), Error> {
        self.set_quota(pb::SetQuotaRequest { throttle: Some(throttle(counted, per_second)), ..of_servers() })
            .await
    }

    /// Takes all limits of region servers away.
    pub async fn unthrottle_servers(&self) -> Result<(), Error> {
        self.set_quota(pb::SetQuotaRequest { remove_all: Some(true), ..of_servers() }).await
    }

    /// Limits what each region server takes of one table in a second. The table need not be there yet.
    pub async fn throttle_table(
        &self,
        table: &TableName,
        counted: Counted,
        per_second: u64,
    ) -> Result<(), Error> {
        let throttle = Some(throttle(counted, per_second));
        self.set_quota(pb::SetQuotaRequest { throttle, ..of_table(table) }).await
    }

    /// Takes all limits of a table away.
    pub async fn unthrottle_table(&self, table: &TableName) -> Result<(), Error> {
        self.set_quota(pb::SetQuotaRequest { remove_all: Some(true), ..of_table(table) }).await
    }

    async fn set_quota(&self, request: pb::SetQuotaRequest) -> Result<(), Error> {
        let _done: pb::SetQuotaResponse =
            ask(&self.cluster, "SetQuota", &request, &mut self.attempts()).await?;
        Ok(())
    }
}

fn of_servers() -> pb::SetQuotaRequest {
    pb::SetQuotaRequest { region_server: Some(ALL_SERVERS.to_owned()), ..pb::SetQuotaRequest::default() }
}

fn of_table(table: &TableName) -> pb::SetQuotaRequest {
    pb::SetQuotaRequest { table_name: Some(name::table_to_pb(table)), ..pb::SetQuotaRequest::default() }
}

fn throttle(counted: Counted, per_second: u64) -> pb::ThrottleRequest {
    let mut timed = pb::TimedQuota { soft_limit: Some(per_second), ..pb::TimedQuota::default() };
    timed.set_time_unit(pb::TimeUnit::Seconds);
    timed.set_scope(pb::QuotaScope::Machine);
    let mut throttle = pb::ThrottleRequest { timed_quota: Some(timed), ..pb::ThrottleRequest::default() };
    throttle.set_type(counted.to_pb());
    throttle
}
