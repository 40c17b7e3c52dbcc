//! `COMPRESSION`: how blocks lie on disk.

use tablesmith_model::design::Setting;

use super::{NOT_MEASURED, Rule, Usage};

/// Shorter values are mostly key.
const LONG_VALUE_BYTES: f64 = 512.0;
/// Less is in the cache anyway.
const LARGE_BYTES: f64 = 1_073_741_824.0;

pub const RULE: Rule = Rule {
    setting: "COMPRESSION",
    rule: "NONE (the default); GZ for large families of long texts. It is the one codec that every HBase has without a native \
           library, so that a table with it can be made everywhere; change it to ZSTD or SNAPPY where the cluster has them.",
    measured: NOT_MEASURED,
    decide,
};

fn decide(usage: &Usage) -> Option<(Setting, String)> {
    let is_worth_it =
        usage.value_bytes >= LONG_VALUE_BYTES && usage.text_share > 0.5 && usage.total_bytes >= LARGE_BYTES;
    let reason = "long texts take a fraction of the space; GZ needs no native library".to_owned();
    is_worth_it.then_some((Setting::Text("GZ".to_owned()), reason))
}
