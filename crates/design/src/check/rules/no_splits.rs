//! A large table that begins as one region.

use crate::check::rule::{Example, Found, Rule};
use crate::check::{Severity, Subject};

/// From so many rows on loading takes long enough to matter.
const MANY_ROWS: u64 = 10_000_000;

pub const RULE: Rule = Rule {
    id: "no-splits",
    severity: Severity::Warning,
    what: "A table of many rows without split points, on a cluster of several servers.",
    why: "It begins as one region on one server. The others join in only after the region has grown, been split and been moved, \
          again and again, while it is loaded.",
    example: Example {
        workload: "[cluster]\nregion_servers = 5\n[[table]]\nname = \"user\"\nkey = [\"id\"]\nrows = 50_000_000\n[table.columns]\n\
                   id = { type = \"string\" }\nname = { type = \"string\" }\n",
        design: "[[table]]\nname = \"user\"\n[[table.family]]\nname = \"f\"\n[[table.rows]]\nfrom = \"user\"\nkey = [\"id\"]\n\
                 cells = [{ family = \"f\", columns = [\"name\"] }]\n",
        requests: &[],
    },
    find,
};

fn find(subject: &Subject<'_>) -> Vec<Found> {
    let servers = subject.workload.and_then(|workload| workload.cluster.region_servers).unwrap_or(1);
    let is_large = |rows: Option<u64>| rows.is_some_and(|rows| rows >= MANY_ROWS);
    let found = subject.laid().filter(|laid| servers > 1 && laid.table.splits.is_empty());
    found
        .filter(|laid| is_large(laid.source.and_then(|source| source.rows)))
        .map(|laid| Found {
            at: format!("{}.splits", laid.table.name),
            message: format!(
                "{} rows go into a table that begins as one region, and {servers} servers are there",
                laid.source.and_then(|source| source.rows).unwrap_or_default()
            ),
            fix: "let tablesmith keys choose split points, a few regions for each server".to_owned(),
        })
        .collect()
}
