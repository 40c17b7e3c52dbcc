//! `MIN_VERSIONS`: what survives the TTL.

use tablesmith_model::design::Setting;

use super::{Rule, Usage};

pub const RULE: Rule = Rule {
    setting: "MIN_VERSIONS",
    rule: "One where versions are times and a TTL ends them: the last reading of an entity that fell silent is still there. \
           Everywhere else none, for what is out of date is not wanted.",
    measured: "nothing to gain in time: it is about what is still there",
    decide,
};

fn decide(usage: &Usage) -> Option<(Setting, String)> {
    let reason = "the last reading of an entity that fell silent outlives the TTL".to_owned();
    (usage.retention_s.is_some() && usage.versions > 1).then_some((Setting::Integer(1), reason))
}
