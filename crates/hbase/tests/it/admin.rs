//! Administration.

mod lost_replies;
mod regions;
mod snapshots;
mod status;
mod tables;
