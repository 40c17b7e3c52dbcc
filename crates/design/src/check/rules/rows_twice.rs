//! A key that is another one each time.

use crate::check::rule::{Example, Found, Rule};
use crate::check::{Severity, Subject};

pub const RULE: Rule = Rule {
    id: "rows-twice",
    severity: Severity::Warning,
    what: "A key that changes when the same row is written again.",
    why: "A row that is loaded twice, or written again after a failure, is then there twice; and a row cannot be changed by its id \
          without looking for it under all prefixes first.",
    example: Example {
        workload: "[[table]]\nname = \"user\"\nkey = [\"id\"]\n[table.columns]\nid = { type = \"int\" }\nname = { type = \"string\" }\n",
        design: "[[table]]\nname = \"user\"\n[[table.family]]\nname = \"f\"\n[[table.rows]]\nfrom = \"user\"\n\
                 key = [\"random(8)\", \"id\"]\ncells = [{ family = \"f\", columns = [\"name\"] }]\n",
        requests: &[],
    },
    find,
};

fn find(subject: &Subject<'_>) -> Vec<Found> {
    let has_id = |laid: &crate::check::Laid<'_>| laid.source.is_some_and(|source| !source.key.is_empty());
    let doubles = subject.laid().filter(has_id).filter_map(|laid| {
        laid.rows.key.doubles().map(|message| Found {
            at: laid.key_place(),
            message,
            fix: "take md5_mod of the id: it spreads as evenly, and is the same each time".to_owned(),
        })
    });
    doubles.collect()
}
