//! `TTL`: when cells go by themselves.

use tablesmith_model::design::Setting;

use super::{Rule, Usage};

/// The longest TTL; as HBase takes it, it is none.
const MOST_TTL_S: u64 = i32::MAX as u64;

pub const RULE: Rule = Rule {
    setting: "TTL",
    rule: "The workload's `retention`, where it holds for all rows in the family: the store drops what is older by itself, at \
           compactions, where a delete would be a write and a mark that every read has to pass (HBase in Action, section 4.2).",
    measured: "an hour beside for ever, nine of ten rows older, after a compaction: a tenth of the bytes, scans 9 times as fast",
    decide,
};

fn decide(usage: &Usage) -> Option<(Setting, String)> {
    let seconds = usage.retention_s.filter(|seconds| (1..MOST_TTL_S).contains(seconds))?;
    let reason = "the workload keeps rows no longer (retention); the store drops them by itself".to_owned();
    Some((Setting::Integer(i64::try_from(seconds).ok()?), reason))
}
