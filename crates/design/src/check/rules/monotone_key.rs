//! A key that always grows.

use tablesmith_model::key::Part;
use tablesmith_model::value::ValueType;

use crate::check::rule::{Example, Found, Rule};
use crate::check::{Laid, Severity, Subject};

pub const RULE: Rule = Rule {
    id: "monotone-key",
    severity: Severity::Warning,
    what: "A key that begins with a value which only grows (or, turned round, only falls).",
    why: "Rows are stored in the order of their keys, and every new row then belongs to the end of one region: one server takes \
          all writes, however many there are, and splitting does not help, because new rows always go to the new end.",
    example: Example {
        workload: "[[table]]\nname = \"event\"\nkey = [\"at\", \"id\"]\n[table.columns]\nat = { type = \"timestamp\" }\n\
                   id = { type = \"int\" }\nwhat = { type = \"string\" }\n",
        design: "[[table]]\nname = \"event\"\n[[table.family]]\nname = \"f\"\n[[table.rows]]\nfrom = \"event\"\n\
                 key = [\"at\", \"id\"]\ncells = [{ family = \"f\", columns = [\"what\"] }]\n",
        requests: &[],
    },
    find,
};

fn find(subject: &Subject<'_>) -> Vec<Found> {
    subject.laid().filter_map(|laid| of(&laid)).collect()
}

fn of(laid: &Laid<'_>) -> Option<Found> {
    // A constant is the same in every key: what follows it decides.
    let first = laid.rows.key.parts.iter().find(|part| !matches!(part, Part::Const(_)))?;
    let field = match first {
        Part::RowNumber => "the number of the row",
        Part::Field(field) | Part::Desc(field) | Part::Pad { field, .. } | Part::Bucket { field, .. } => {
            field
        }
        _ => return None,
    };
    let grows = first == &Part::RowNumber || laid.source.is_some_and(|source| only_grows(source, field));
    grows.then(|| Found {
        at: laid.key_place(),
        message: format!("the key begins with {first}, and {field} only grows: one region takes all new rows"),
        fix: "begin it with another field, or with a prefix such as md5_mod(field, 16): tablesmith keys compares them"
            .to_owned(),
    })
}

fn only_grows(source: &tablesmith_model::workload::Table, field: &str) -> bool {
    let is_time = source.time.as_ref().is_some_and(|time| time.column == field);
    let column = source.column(field);
    is_time
        || column.is_some_and(|column| {
            column.monotone || matches!(column.value_type, ValueType::Timestamp | ValueType::Date)
        })
}
