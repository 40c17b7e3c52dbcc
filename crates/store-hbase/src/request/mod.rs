//! Requests of the store, said in the client's words. Both follow HBase, so that each has its twin there.

pub(crate) mod filters;
pub(crate) mod reads;
pub(crate) mod writes;

use tablesmith_model::{Durability, TimeRange};

pub(crate) fn time_range(range: TimeRange) -> hbase::TimeRange {
    hbase::TimeRange { from: range.from_ms(), to: range.until_ms() }
}

pub(crate) fn durability(durability: Durability) -> hbase::Durability {
    match durability {
        Durability::UseDefault => hbase::Durability::UseDefault,
        Durability::SkipWal => hbase::Durability::SkipWal,
        Durability::AsyncWal => hbase::Durability::AsyncWal,
        Durability::SyncWal => hbase::Durability::SyncWal,
        Durability::FsyncWal => hbase::Durability::FsyncWal,
    }
}
