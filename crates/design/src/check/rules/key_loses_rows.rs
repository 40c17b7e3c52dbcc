//! Two rows that get one key.

use tablesmith_model::key::Part;

use crate::check::rule::{Example, Found, Rule};
use crate::check::subject::Laid;
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
        // What depends on the entity alone lies in a table of its own, beside the readings.
        let holds_all = |other: Laid<'_>| other.rows.from == laid.rows.from && loss(&other).is_none();
        if is_of_entities(&laid) && subject.laid().any(holds_all) {
            continue;
        }
        found.extend(loss(&laid).map(|message| Found {
            at: laid.key_place(),
            message,
            fix: "add the field to the key, or hold it inside the row: version, qualifier = \"offset(…)\" or pack_by"
                .to_owned(),
        }));
    }
    found
}

/// What two rows can have in common and be different.
fn loss(laid: &Laid<'_>) -> Option<String> {
    let inside: Vec<&str> = laid.inside().collect();
    let key = laid.source.into_iter().flat_map(|source| &source.key);
    // No two values were ever seen by chance to have one whole digest.
    let is_digested = |field: &String| {
        let mut parts = laid.rows.key.parts.iter();
        parts.any(|part| matches!(part, Part::Md5 { bytes: None, .. }) && part.fields().contains(field))
    };
    let id: Vec<&String> =
        key.filter(|field| !inside.contains(&field.as_str()) && !is_digested(field)).collect();
    laid.rows.key.loses(&id)
}

/// Whether each row is one of an entity that has readings, by its key alone.
fn is_of_entities(laid: &Laid<'_>) -> bool {
    let Some(time) = laid.source.and_then(|source| source.time.as_ref()) else { return false };
    let parts = &laid.rows.key.parts;
    let is_entity = |part: &Part| matches!(part, Part::Field(field) if time.entity.contains(field));
    parts.len() == time.entity.len() && parts.iter().all(is_entity) && laid.inside().next().is_none()
}
