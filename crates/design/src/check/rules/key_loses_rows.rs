//! Two rows that get one key.

use crate::check::rule::{Example, Found, Rule};
use crate::check::{Severity, Subject};

pub const RULE: Rule = Rule {
    id: "key-loses-rows",
    severity: Severity::Error,
    what: "A key from which two different rows of the workload can get the same bytes.",
    why: "A store knows a row by its key alone: the second row is written over the first, and nobody is told. A bucket, a \
          digest cut short or a remainder does not keep the value that it is made of; nor does a field that is left out.",
    example: Example {
        workload: "[[table]]\nname = \"reading\"\nkey = [\"station\", \"at\"]\n[table.columns]\nstation = { type = \"int\" }\n\
                   at = { type = \"timestamp\" }\nbikes = { type = \"int\" }\n",
        design: "[[table]]\nname = \"reading\"\n[[table.family]]\nname = \"f\"\n[[table.rows]]\nfrom = \"reading\"\n\
                 key = [\"md5_mod(station, 4)\", \"station\", 'bucket(at, \"1d\")']\n\
                 cells = [{ family = \"f\", columns = [\"bikes\"] }]\n",
        requests: &[],
    },
    find,
};

fn find(subject: &Subject<'_>) -> Vec<Found> {
    let mut found = Vec::new();
    for laid in subject.laid() {
        let Some(source) = laid.source else { continue };
        let inside: Vec<&str> = laid.inside().collect();
        let id: Vec<&String> = source.key.iter().filter(|field| !inside.contains(&field.as_str())).collect();
        found.extend(laid.rows.key.loses(&id).map(|message| Found {
            at: laid.key_place(),
            message,
            fix: "add the field to the key, or hold it inside the row: version, qualifier = \"offset(…)\" or pack_by"
                .to_owned(),
        }));
    }
    found
}
