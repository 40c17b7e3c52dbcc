//! `BLOCKSIZE`: how much is read to find one cell.

use tablesmith_model::design::Setting;

use super::{Rule, Usage};

/// For gets of small rows.
const SMALL: i64 = 16 * 1024;
/// A row that is so much smaller than a block of the default is worth a smaller one.
const SMALL_ROW_BYTES: f64 = 2_048.0;
/// Gets have to be so much more frequent than scans.
const CLEARLY: f64 = 4.0;

pub const RULE: Rule = Rule {
    setting: "BLOCKSIZE",
    rule: "64 KB (the default); 16 KB where small rows are read by key far more often than scanned, since a block is read, and kept in \
           the cache, as a whole (HBase in Action, section 4.7.1). The larger blocks that it advises for scans brought nothing.",
    measured: "16 KB beside 64 KB, small rows, a cache smaller than the data, files in memory: gets 1.05 times as fast; 128 KB beside 64 KB: \
               scans 1.01 times as fast",
    decide,
};

fn decide(usage: &Usage) -> Option<(Setting, String)> {
    let gets = usage.gets + usage.cell_gets;
    let are_small = usage.row_bytes > 0.0 && usage.row_bytes < SMALL_ROW_BYTES;
    let reason = "small rows are read by key: a smaller block brings less that nobody asked for".to_owned();
    (gets > CLEARLY * usage.scans && gets > 0.0 && are_small).then_some((Setting::Integer(SMALL), reason))
}
