//! `DATA_BLOCK_ENCODING`: how keys inside a block are written.

use tablesmith_model::design::Setting;

use super::{Rule, Usage};

/// Keys have to be so much longer than values.
const MOSTLY_KEY: f64 = 2.0;
/// A shorter key is not worth it.
const LONG_KEY_BYTES: f64 = 24.0;
/// Less is in memory as it is.
const LARGE_BYTES: f64 = 64.0 * 1_048_576.0;

pub const RULE: Rule = Rule {
    setting: "DATA_BLOCK_ENCODING",
    rule: "NONE (the default); FAST_DIFF where cells are mostly key: neighbours begin alike, and only what differs is written, in \
           the file and in the cache.",
    measured: "FAST_DIFF beside NONE, keys of 50 bytes with values of 6: an eighth of the bytes, scans and gets 0.9 times as fast",
    decide,
};

fn decide(usage: &Usage) -> Option<(Setting, String)> {
    let is_mostly_key =
        usage.key_bytes >= LONG_KEY_BYTES && usage.key_bytes >= MOSTLY_KEY * usage.value_bytes;
    let reason = "cells are mostly key, and neighbours begin alike: only what differs is written".to_owned();
    (is_mostly_key && usage.total_bytes >= LARGE_BYTES)
        .then_some((Setting::Text("FAST_DIFF".to_owned()), reason))
}
