//! Rows that go before they may.

use crate::check::rule::{Example, Found, Rule};
use crate::check::subject::{family_place, number};
use crate::check::{Severity, Subject};

/// What HBase takes for no TTL at all.
const FOREVER_S: i64 = i32::MAX as i64;

pub const RULE: Rule = Rule {
    id: "ttl-too-short",
    severity: Severity::Error,
    what: "A family whose TTL is shorter than what the workload wants to keep.",
    why: "The store removes cells that are older than the TTL, without a word. The TTL counts from the cell's timestamp: where \
          the version is a time of the data, rows that are loaded late are gone at once.",
    example: Example {
        workload: "[[table]]\nname = \"event\"\nkey = [\"id\"]\nretention = \"72h\"\n[table.columns]\nid = { type = \"int\" }\n\
                   what = { type = \"string\" }\n",
        design: "[[table]]\nname = \"event\"\n[[table.family]]\nname = \"f\"\nsettings = { TTL = 3600 }\n[[table.rows]]\n\
                 from = \"event\"\nkey = [\"md5_mod(id, 16)\", \"id\"]\ncells = [{ family = \"f\", columns = [\"what\"] }]\n",
        requests: &[],
    },
    find,
};

fn find(subject: &Subject<'_>) -> Vec<Found> {
    let mut found = Vec::new();
    for laid in subject.laid() {
        let retention = laid.source.and_then(|source| source.retention);
        for family in &laid.table.families {
            let holds = laid.rows.cells.iter().any(|cells| cells.family == family.name);
            let (Some(ttl_s), true) = (number(family, "TTL"), holds) else { continue };
            let Some(retention) = retention else {
                // Nobody said that rows of this table may go.
                let is_known = laid.source.is_some();
                found.extend((is_known && ttl_s < FOREVER_S).then(|| Found {
                    at: family_place(laid.table, family),
                    message: format!(
                        "cells go after {ttl_s} seconds, and the workload keeps all rows of {}",
                        laid.rows.from
                    ),
                    fix: "leave TTL out, or say `retention` of the table in the workload".to_owned(),
                }));
                continue;
            };
            if u64::try_from(ttl_s).is_ok_and(|ttl_s| ttl_s < retention.as_secs()) {
                found.push(Found {
                    at: family_place(laid.table, family),
                    message: format!(
                        "cells go after {ttl_s} seconds, and rows are wanted for {} seconds",
                        retention.as_secs()
                    ),
                    fix: format!("set TTL = {}", retention.as_secs()),
                });
            }
        }
    }
    found
}
