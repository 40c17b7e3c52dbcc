//! Prefixes that make reads dear.

use tablesmith_model::key::Part;

use crate::check::rule::{Example, Found, Rule};
use crate::check::subject::Asked;
use crate::check::{Laid, Severity, Subject};

/// So many scanners at a time are still cheap.
const FEW_PREFIXES: u64 = 32;

pub const RULE: Rule = Rule {
    id: "prefix-against-reads",
    severity: Severity::Warning,
    what: "A prefix that turns a query of one call into one call for each prefix.",
    why: "A random prefix, or one of the whole line, does not follow from the id, so that a row must be looked for under every one. \
          A range of ids has to be read under each prefix too: with many prefixes that is many scanners for a few rows.",
    example: Example {
        workload: "[[table]]\nname = \"user\"\nkey = [\"id\"]\n[table.columns]\nid = { type = \"int\" }\nname = { type = \"string\" }\n\
                   [[query]]\nname = \"a user\"\nsql = \"SELECT name FROM user WHERE id = ?\"\nrate = 100\n",
        design: "[[table]]\nname = \"user\"\n[[table.family]]\nname = \"f\"\n[[table.rows]]\nfrom = \"user\"\n\
                 key = [\"md5_line_mod(64)\", \"id\"]\ncells = [{ family = \"f\", columns = [\"name\"] }]\n",
        requests: &[],
    },
    find,
};

fn find(subject: &Subject<'_>) -> Vec<Found> {
    let mut found = Vec::new();
    for laid in subject.laid() {
        let prefix = laid.rows.key.parts.iter().find_map(|part| Some((part, part.prefixes()?.get())));
        let (Some((prefix, count)), Some(field)) = (prefix, first_field(&laid)) else { continue };
        let follows = |asked: &Asked| {
            let fields = prefix.fields();
            !fields.is_empty() && fields.iter().all(|field| asked.is_given(field))
        };
        for asked in subject.asked_of(&laid.rows.from).filter(|asked| !follows(asked)) {
            let gets = asked.is_given(field);
            let scans = asked.wants_order_of(field) && count > FEW_PREFIXES;
            if gets || scans {
                found.push(Found {
                    at: format!("query {:?}", asked.query),
                    message: format!(
                        "it is asked under each of the {count} prefixes of {} ({prefix})",
                        laid.table.name
                    ),
                    fix: match gets {
                        true => {
                            format!("take md5_mod({field}, {count}): the prefix then follows from the id")
                        }
                        false => {
                            "take fewer prefixes: a few for each server spread the writes as well".to_owned()
                        }
                    },
                });
            }
        }
    }
    found
}

fn first_field<'s>(laid: &Laid<'s>) -> Option<&'s str> {
    laid.own_parts().next().and_then(Part::gives_back)
}
