//! A range over something that is not in order.

use tablesmith_model::key::Part;

use crate::check::rule::{Example, Found, Rule};
use crate::check::{Severity, Subject};

pub const RULE: Rule = Rule {
    id: "hash-against-range",
    severity: Severity::Warning,
    what: "A hashed or reversed part of the key over which a query asks for a range, a beginning or an order.",
    why: "Neighbouring values have digests far from each other: rows of a range lie all over the table, and the query reads all of it.",
    example: Example {
        workload: "[[table]]\nname = \"visit\"\nkey = [\"user\", \"at\"]\n[table.columns]\nuser = { type = \"string\" }\n\
                   at = { type = \"timestamp\" }\npage = { type = \"string\" }\n[[query]]\nname = \"users of a letter\"\n\
                   sql = \"SELECT page FROM visit WHERE user BETWEEN ? AND ?\"\nrate = 1\n",
        design: "[[table]]\nname = \"visit\"\n[[table.family]]\nname = \"f\"\n[[table.rows]]\nfrom = \"visit\"\n\
                 key = [\"md5(user)\", \"user\", \"at\"]\ncells = [{ family = \"f\", columns = [\"page\"] }]\n",
        requests: &[],
    },
    find,
};

fn find(subject: &Subject<'_>) -> Vec<Found> {
    let mut found = Vec::new();
    for laid in subject.laid() {
        for part in &laid.rows.key.parts {
            let (Part::Md5 { field, .. } | Part::Reverse(field)) = part else { continue };
            for asked in subject.asked_of(&laid.rows.from) {
                if asked.wants_order_of(field) && !asked.is_given(field) {
                    found.push(Found {
                        at: format!("query {:?}", asked.query),
                        message: format!("it wants a range of {field}, and {} keeps no order of it", part),
                        fix: format!(
                            "put {field} itself behind a prefix of a few values, or hold a second table in the order of {field}"
                        ),
                    });
                }
            }
        }
    }
    found
}
