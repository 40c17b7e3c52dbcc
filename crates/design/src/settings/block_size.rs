//! `BLOCKSIZE`: how much is read to find one cell.

use tablesmith_model::design::Setting;

use super::{NOT_MEASURED, Rule, Usage};

/// For gets of small rows.
const SMALL: i64 = 16 * 1024;
/// For long scans.
const LARGE: i64 = 128 * 1024;
/// A row that is so much smaller than a block of the default is worth a smaller one.
const SMALL_ROW_BYTES: f64 = 2_048.0;
/// A scan that reads less than a few blocks gains nothing from larger ones.
const LONG_SCAN_BYTES: f64 = 512.0 * 1024.0;
/// One kind of read has to be so much more frequent than the other.
const CLEARLY: f64 = 4.0;

pub const RULE: Rule = Rule {
    setting: "BLOCKSIZE",
    rule: "64 KB (the default); 16 KB where small rows are read by key far more often than scanned, since a block is read, and \
           kept in the cache, as a whole; 128 KB where long scans are, since fewer blocks need a smaller index (HBase in Action, section 4.7.1).",
    measured: NOT_MEASURED,
    decide,
};

fn decide(usage: &Usage) -> Option<(Setting, String)> {
    let gets = usage.gets + usage.cell_gets;
    if gets > CLEARLY * usage.scans
        && gets > 0.0
        && usage.row_bytes > 0.0
        && usage.row_bytes < SMALL_ROW_BYTES
    {
        let reason = "small rows are read by key: a smaller block brings less that nobody asked for";
        return Some((Setting::Integer(SMALL), reason.to_owned()));
    }
    if usage.scans > CLEARLY * gets && usage.scan_bytes > LONG_SCAN_BYTES {
        let reason = "long stretches are scanned: larger blocks need a smaller index";
        return Some((Setting::Integer(LARGE), reason.to_owned()));
    }
    None
}
