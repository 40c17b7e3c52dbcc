//! `COMPRESSION`: how blocks lie on disk.

use tablesmith_model::design::Setting;

use super::{Rule, Usage};

/// Shorter values are mostly key.
const LONG_VALUE_BYTES: f64 = 512.0;
/// Less is in the cache anyway.
const LARGE_BYTES: f64 = 1_073_741_824.0;

pub const RULE: Rule = Rule {
    setting: "COMPRESSION",
    rule: "NONE (the default); GZ for large families of long texts that are written more often than read. It is the one codec that every \
           HBase has without a native library, so that a table with it can be made everywhere; change it to ZSTD or SNAPPY where the \
           cluster has them.",
    measured: "GZ beside NONE, long texts: a fifth of the bytes, scans take 2.2 times as long",
    decide,
};

fn decide(usage: &Usage) -> Option<(Setting, String)> {
    let are_texts = usage.value_bytes >= LONG_VALUE_BYTES && usage.text_share > 0.5;
    let is_kept_more_than_read = usage.writes > usage.gets + usage.cell_gets + usage.scans;
    let is_worth_it = are_texts && is_kept_more_than_read && usage.total_bytes >= LARGE_BYTES;
    let reason =
        "long texts that are seldom read take a fraction of the space; GZ needs no native library".to_owned();
    is_worth_it.then_some((Setting::Text("GZ".to_owned()), reason))
}
