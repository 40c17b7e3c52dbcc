//! A query that reads the whole table.

use tablesmith_model::key::Part;
use tablesmith_sql::Kind;

use crate::check::rule::{Example, Found, Rule};
use crate::check::subject::Asked;
use crate::check::{Laid, Severity, Subject};

pub const RULE: Rule = Rule {
    id: "full-scan",
    severity: Severity::Warning,
    what: "A query with conditions of which none is on the beginning of a key.",
    why: "There are no other indexes: a row is found by the beginning of its key, or by reading all rows.",
    example: Example {
        workload: "[[table]]\nname = \"follow\"\nkey = [\"follower\", \"followed\"]\n[table.columns]\nfollower = { type = \"string\" }\n\
                   followed = { type = \"string\" }\nsince = { type = \"date\" }\n[[query]]\nname = \"who follows a user\"\n\
                   sql = \"SELECT follower FROM follow WHERE followed = ?\"\nrate = 10\n",
        design: "[[table]]\nname = \"follow\"\n[[table.family]]\nname = \"f\"\n[[table.rows]]\nfrom = \"follow\"\n\
                 key = [\"follower\", \"followed\"]\ncells = [{ family = \"f\", columns = [\"since\"] }]\n",
        requests: &[],
    },
    find,
};

fn find(subject: &Subject<'_>) -> Vec<Found> {
    let mut found = Vec::new();
    for source in subject.workload.iter().flat_map(|workload| &workload.tables) {
        let has_rows = |laid: &Laid<'_>| laid.field_of(&source.name, "").is_some();
        let laid: Vec<Laid<'_>> = subject.laid().filter(has_rows).collect();
        for asked in subject.asked_of(&source.name) {
            let is_read = asked.kind != Kind::Insert && !asked.need.predicates.is_empty();
            if is_read && !laid.is_empty() && !laid.iter().any(|laid| serves(laid, asked)) {
                let columns: Vec<&str> =
                    asked.need.predicates.iter().map(|predicate| predicate.column.as_str()).collect();
                found.push(Found {
                    at: format!("query {:?}", asked.query),
                    message: format!(
                        "it looks for rows by {}, and no key begins with one of these: every row is read",
                        columns.join(", ")
                    ),
                    fix: format!(
                        "hold a second table whose key begins with {}",
                        columns.first().unwrap_or(&"it")
                    ),
                });
            }
        }
    }
    found
}

/// Whether the beginning of the key narrows the rows down.
fn serves(laid: &Laid<'_>, asked: &Asked) -> bool {
    // In rows that are joined of several tables, columns have the name of their table before them.
    let column = |field: &str| {
        let bare = field.rsplit('.').next().unwrap_or(field);
        (laid.field_of(&asked.need.table, bare).as_deref() == Some(field)).then(|| bare.to_owned())
    };
    let is_given = |field: &str| column(field).is_some_and(|column| asked.is_given(&column));
    let wants_order = |field: &str| column(field).is_some_and(|column| asked.wants_order_of(&column));
    let narrows = |part: &Part| match part {
        Part::Field(field) | Part::Pad { field, .. } | Part::Desc(field) | Part::Bucket { field, .. } => {
            is_given(field) || wants_order(field)
        }
        Part::Md5 { field, .. } | Part::Reverse(field) => is_given(field),
        _ => false,
    };
    laid.own_parts().next().is_some_and(narrows)
}
