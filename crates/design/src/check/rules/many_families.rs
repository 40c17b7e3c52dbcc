//! More families than a store likes.

use crate::check::rule::{Example, Found, Rule};
use crate::check::{Severity, Subject};

/// The HBase project advises two or three.
const FEW_FAMILIES: usize = 3;

pub const RULE: Rule = Rule {
    id: "many-families",
    severity: Severity::Warning,
    what: "A table with more than three families.",
    why: "Every family has a buffer in memory and files of its own in every region, and the buffers of a region are written out together: \
          with many families that makes many small files, and a read of a whole row looks into all of them.",
    example: Example {
        workload: "[[table]]\nname = \"t\"\nkey = [\"id\"]\n[table.columns]\nid = { type = \"string\" }\na = { type = \"int\" }\n\
                   b = { type = \"int\" }\nc = { type = \"int\" }\nd = { type = \"int\" }\n",
        design: "[[table]]\nname = \"t\"\n[[table.family]]\nname = \"a\"\n[[table.family]]\nname = \"b\"\n[[table.family]]\nname = \"c\"\n\
                 [[table.family]]\nname = \"d\"\n[[table.rows]]\nfrom = \"t\"\nkey = [\"id\"]\ncells = [\n\
                 { family = \"a\", columns = [\"a\"] }, { family = \"b\", columns = [\"b\"] },\n\
                 { family = \"c\", columns = [\"c\"] }, { family = \"d\", columns = [\"d\"] }]\n",
        requests: &[],
    },
    find,
};

fn find(subject: &Subject<'_>) -> Vec<Found> {
    let tables = subject.design.tables.iter().filter(|table| table.families.len() > FEW_FAMILIES);
    tables
        .map(|table| Found {
            at: format!("{}.family", table.name),
            message: format!("it has {} families", table.families.len()),
            fix: "merge those that are read together: tablesmith families … --max-families 3 says what that costs"
                .to_owned(),
        })
        .collect()
}
