//! Administration.

mod lost_replies;
mod quotas;
mod regions;
mod snapshots;
mod status;
mod tables;

/// Held by the test that lets the balancer run, and shared by those whose regions must stay where they are.
static BALANCING: tokio::sync::RwLock<()> = tokio::sync::RwLock::const_new(());
