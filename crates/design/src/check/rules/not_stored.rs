//! A column that the design does not hold.

use std::collections::BTreeSet;

use crate::check::rule::{Example, Found, Rule};
use crate::check::{Severity, Subject};

pub const RULE: Rule = Rule {
    id: "not-stored",
    severity: Severity::Error,
    what: "A column that queries read, and that no table of the design has.",
    why: "Neither the key gives it back nor does a cell hold it, so that those queries have no answer. It happens when a file \
          is edited, or when a column came to the workload later.",
    example: Example {
        workload: "[[table]]\nname = \"user\"\nkey = [\"id\"]\n[table.columns]\nid = { type = \"int\" }\n\
                   name = { type = \"string\" }\nmail = { type = \"string\" }\n[[query]]\nname = \"mail of a user\"\n\
                   sql = \"SELECT mail FROM user WHERE id = ?\"\nrate = 1\n",
        design: "[[table]]\nname = \"user\"\n[[table.family]]\nname = \"f\"\n[[table.rows]]\nfrom = \"user\"\nkey = [\"id\"]\n\
                 cells = [{ family = \"f\", columns = [\"name\"] }]\n",
        requests: &[],
    },
    find,
};

fn find(subject: &Subject<'_>) -> Vec<Found> {
    let mut found = Vec::new();
    for source in subject.workload.iter().flat_map(|workload| &workload.tables) {
        let mut held: BTreeSet<&str> = BTreeSet::new();
        for laid in subject.laid().filter(|laid| laid.rows.from == source.name) {
            held.extend(laid.rows.key.parts.iter().filter_map(|part| part.gives_back()));
            held.extend(laid.rows.cells.iter().flat_map(|cells| cells.fields()));
        }
        for column in &source.columns {
            let asked = subject.asked_of(&source.name).find(|asked| asked.need.reads.contains(&column.name));
            let Some(asked) = asked.filter(|_| !held.contains(column.name.as_str())) else { continue };
            found.push(Found {
                at: format!("{}.{}", source.name, column.name),
                message: format!("the query {:?} reads it, and no table of the design holds it", asked.query),
                fix: format!("add {:?} to the columns of a cells entry", column.name),
            });
        }
    }
    found
}
