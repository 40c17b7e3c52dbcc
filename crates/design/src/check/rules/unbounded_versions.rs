//! Versions without a bound.

use crate::check::rule::{Example, Found, Rule};
use crate::check::subject::{family_place, number};
use crate::check::{Severity, Subject};

/// More versions of a cell than anybody looks at, unless they are the data.
const MANY_VERSIONS: i64 = 100;

pub const RULE: Rule = Rule {
    id: "unbounded-versions",
    severity: Severity::Warning,
    what: "A family that keeps many versions of cells whose version is no data.",
    why: "Every change of a cell then stays in the files, and every read has to pass over them. Versions that are not a dimension of \
          the data are only good for looking back a little.",
    example: Example {
        workload: "[[table]]\nname = \"user\"\nkey = [\"id\"]\n[table.columns]\nid = { type = \"string\" }\nname = { type = \"string\" }\n",
        design: "[[table]]\nname = \"user\"\n[[table.family]]\nname = \"f\"\nsettings = { VERSIONS = 100000 }\n[[table.rows]]\n\
                 from = \"user\"\nkey = [\"id\"]\ncells = [{ family = \"f\", columns = [\"name\"] }]\n",
        requests: &[],
    },
    find,
};

fn find(subject: &Subject<'_>) -> Vec<Found> {
    let mut found = Vec::new();
    for (table, family) in subject.families() {
        let mut cells = table.rows.iter().flat_map(|rows| &rows.cells);
        let is_data = cells.any(|cells| cells.family == family.name && cells.version.is_some());
        let versions = number(family, "VERSIONS").filter(|versions| *versions > MANY_VERSIONS);
        let ends = number(family, "TTL").is_some();
        if let (Some(versions), false, false) = (versions, is_data, ends) {
            found.push(Found {
                at: family_place(table, family),
                message: format!("up to {versions} versions of every cell are kept, and nothing ends them"),
                fix: "set VERSIONS = 1, or a TTL, or say which field is the version (version = \"…\")"
                    .to_owned(),
            });
        }
    }
    found
}
