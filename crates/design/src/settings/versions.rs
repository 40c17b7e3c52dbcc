//! `VERSIONS`: how many values of a cell are kept.

use tablesmith_model::design::Setting;

use super::{Rule, Usage};

pub const RULE: Rule = Rule {
    setting: "VERSIONS",
    rule: "One, unless versions are times of readings: then as many as a row has times. Older values of a cell that nobody reads \
           are only read over, and compacted again and again.",
    measured: "1 beside 10, cells written ten times: a tenth of the bytes, scans 2.9 times as fast",
    decide,
};

fn decide(usage: &Usage) -> Option<(Setting, String)> {
    let versions = i64::try_from(usage.versions.max(1)).unwrap_or(i64::MAX);
    let reason = match versions {
        1 => "no query reads an older value of a cell".to_owned(),
        _ => "versions are the times of readings: as many as a row has times".to_owned(),
    };
    Some((Setting::Integer(versions), reason))
}
