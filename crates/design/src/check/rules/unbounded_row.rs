//! A row that grows for ever.

use crate::check::rule::{Example, Found, Rule};
use crate::check::subject::{inside, number};
use crate::check::{Severity, Subject};

pub const RULE: Rule = Rule {
    id: "unbounded-row",
    severity: Severity::Warning,
    what: "Rows to which cells are added for ever: the time is inside the row, and neither the key nor a TTL ends it.",
    why: "A region is split between rows, never inside one. A row that keeps growing makes a region that cannot be split, reads that \
          take ever longer, and one day a row that does not fit into memory.",
    example: Example {
        workload: "[[table]]\nname = \"reading\"\nkey = [\"station\", \"at\"]\n[table.columns]\nstation = { type = \"int\" }\n\
                   at = { type = \"timestamp\" }\nbikes = { type = \"int\" }\n",
        design: "[[table]]\nname = \"reading\"\n[[table.family]]\nname = \"f\"\nsettings = { VERSIONS = 100000 }\n[[table.rows]]\n\
                 from = \"reading\"\nkey = [\"station\"]\n\
                 cells = [{ family = \"f\", columns = [\"bikes\"], qualifier = \"offset(at)\" }]\n",
        requests: &[],
    },
    find,
};

fn find(subject: &Subject<'_>) -> Vec<Found> {
    let mut found = Vec::new();
    for laid in subject.laid() {
        for cells in &laid.rows.cells {
            let family = laid.table.families.iter().find(|family| family.name == cells.family);
            let ends = family.is_some_and(|family| number(family, "TTL").is_some());
            let Some(field) = inside(cells).find(|field| !laid.is_bucketed(field)) else { continue };
            if !ends {
                found.push(Found {
                    at: format!("{}.family.{}", laid.table.name, cells.family),
                    message: format!("a row gets a cell for every {field}, without end"),
                    fix: format!("add bucket({field}, \"1d\") to the key, or set a TTL"),
                });
            }
        }
    }
    found
}
