//! `IN_MEMORY`: which blocks the cache keeps longest.

use tablesmith_model::design::Setting;

use super::{Rule, Usage};

/// More would push everything else out of the cache.
const SMALL_BYTES: f64 = 64.0 * 1_048_576.0;
/// Reads for each write.
const MOSTLY_READ: f64 = 10.0;

pub const RULE: Rule = Rule {
    setting: "IN_MEMORY",
    rule: "True for a small family that is read all the time and seldom written: its blocks stay in the cache when large scans \
           pass through. Everything else has to earn its place by being read.",
    measured: "true beside false, gets after a scan of a larger table went through the cache: 0.99 times as fast, which is no difference. A few \
               gets bring so small a family back; the setting is for a cache that is fought over",
    decide,
};

fn decide(usage: &Usage) -> Option<(Setting, String)> {
    let reads = usage.gets + usage.cell_gets + usage.scans;
    let is_hot = usage.total_bytes > 0.0
        && usage.total_bytes <= SMALL_BYTES
        && reads > MOSTLY_READ * usage.writes
        && reads > 0.0;
    let reason = "small, and read all the time: its blocks stay in the cache".to_owned();
    is_hot.then_some((Setting::Boolean(true), reason))
}
