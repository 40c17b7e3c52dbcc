//! Names that weigh more than values.

use crate::check::rule::{Example, Found, Rule};
use crate::check::{Severity, Subject};

/// A family's name of so many bytes is short.
const SHORT_FAMILY: usize = 4;
/// Names that are longer than a value are worth a word from so many bytes on.
const LONG_NAME: usize = 16;

pub const RULE: Rule = Rule {
    id: "long-names",
    severity: Severity::Hint,
    what: "A family with a long name, or a column whose name is longer than its values.",
    why: "The names of family and column stand in every cell, on disk, in memory and on the network. Data-block encoding takes most of it \
          away on disk, and nothing of it elsewhere.",
    example: Example {
        workload: "[[table]]\nname = \"t\"\nkey = [\"id\"]\n[table.columns]\nid = { type = \"string\" }\n\
                   number_of_bicycles = { type = \"int\", bytes = 2 }\n",
        design: "[[table]]\nname = \"t\"\n[[table.family]]\nname = \"measurements\"\n[[table.rows]]\nfrom = \"t\"\nkey = [\"id\"]\n\
                 cells = [{ family = \"measurements\", columns = [\"number_of_bicycles\"] }]\n",
        requests: &[],
    },
    find,
};

fn find(subject: &Subject<'_>) -> Vec<Found> {
    let mut found: Vec<Found> = subject
        .families()
        .filter(|(_, family)| family.name.len() > SHORT_FAMILY)
        .map(|(table, family)| Found {
            at: format!("{}.family.{}", table.name, family.name),
            message: format!("the family's name takes {} bytes of every cell", family.name.len()),
            fix: "name it with one letter".to_owned(),
        })
        .collect();
    for laid in subject.laid() {
        let columns =
            laid.rows.cells.iter().filter(|cells| cells.qualifier.is_none()).flat_map(|cells| &cells.columns);
        for name in columns {
            let bytes = laid.source.and_then(|source| source.column(name)).and_then(|column| column.bytes);
            if name.len() >= LONG_NAME && bytes.is_some_and(|bytes| bytes < name.len() as f64) {
                found.push(Found {
                    at: format!("{}.{name}", laid.table.name),
                    message: format!(
                        "the name takes {} bytes of every cell, and a value {:.0}",
                        name.len(),
                        bytes.unwrap_or_default()
                    ),
                    fix: "give the column a short name in the workload, and the long one in the application"
                        .to_owned(),
                });
            }
        }
    }
    found
}
