//! A region that does most of the work.

use std::collections::BTreeMap;

use tablesmith_model::bytes_text;

use crate::check::rule::{Example, Found, Rule};
use crate::check::{LiveRegion, Severity, Subject};

/// Fewer requests say nothing.
const ENOUGH_REQUESTS: u64 = 10_000;
/// A region with so many times its even share is hot.
const HOT: u64 = 3;

pub const RULE: Rule = Rule {
    id: "hot-region",
    severity: Severity::Warning,
    what: "A region of a living table that got at least three times its even share of the requests.",
    why: "The server that has it is the one that everybody waits for, while the others have little to do. Either the keys pile up in it, \
          or a few rows are asked for all the time.",
    example: Example {
        workload: "[[table]]\nname = \"t\"\nkey = [\"id\"]\n[table.columns]\nid = { type = \"string\" }\na = { type = \"int\" }\n",
        design: "[[table]]\nname = \"t\"\nsplits = ['b', 'c', 'd']\n[[table.family]]\nname = \"f\"\n[[table.rows]]\nfrom = \"t\"\n\
                 key = [\"id\"]\ncells = [{ family = \"f\", columns = [\"a\"] }]\n",
        requests: &[1_000, 2_000, 90_000, 500],
    },
    find,
};

fn find(subject: &Subject<'_>) -> Vec<Found> {
    let mut tables: BTreeMap<&str, Vec<&LiveRegion>> = BTreeMap::new();
    for region in &subject.regions {
        tables.entry(&region.table).or_default().push(region);
    }
    let mut found = Vec::new();
    for (table, regions) in tables {
        let all: u64 = regions.iter().map(|region| region.requests).sum();
        let even = all / regions.len().max(1) as u64;
        if regions.len() < 2 || all < ENOUGH_REQUESTS {
            continue;
        }
        for region in regions.iter().filter(|region| region.requests >= HOT.saturating_mul(even)) {
            found.push(Found {
                at: format!("{table}, the region from '{}' on", bytes_text::to_text(&region.start)),
                message: format!(
                    "it got {} % of all requests; an even share would be {} %",
                    100 * region.requests / all,
                    100 / regions.len()
                ),
                fix: "see where the keys go: tablesmith keys --data FILE --id COLUMNS; then split the region, or change the key"
                    .to_owned(),
            });
        }
    }
    found
}
