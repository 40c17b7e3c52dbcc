//! Counters that everybody adds to.

use tablesmith_sql::{Kind, Value};

use crate::check::rule::{Example, Found, Rule};
use crate::check::subject::Asked;
use crate::check::{Severity, Subject};

/// Fewer rows than this share one stream of additions.
const FEW_ROWS: u64 = 100;
/// A value that so large a part of the rows has is one hot row.
const HEAVY_SHARE: f64 = 0.05;

pub const RULE: Rule = Rule {
    id: "hot-counter",
    severity: Severity::Warning,
    what: "A query that adds to a value of one of only a few rows.",
    why: "Additions to one row wait for each other, on one server, each with a read and a write: a row takes a few thousand a second and \
          no more, however many servers there are.",
    example: Example {
        workload: "[[table]]\nname = \"total\"\nkey = [\"country\"]\n[table.columns]\ncountry = { type = \"string\", distinct = 12 }\n\
                   visits = { type = \"int\" }\n[[query]]\nname = \"count a visit\"\n\
                   sql = \"UPDATE total SET visits = visits + 1 WHERE country = ?\"\nrate = 5000\n",
        design: "[[table]]\nname = \"total\"\n[[table.family]]\nname = \"f\"\n[[table.rows]]\nfrom = \"total\"\nkey = [\"country\"]\n\
                 cells = [{ family = \"f\", columns = [\"visits\"] }]\n",
        requests: &[],
    },
    find,
};

fn find(subject: &Subject<'_>) -> Vec<Found> {
    let mut found = Vec::new();
    for laid in subject.laid() {
        let Some(source) = laid.source else { continue };
        let columns = || source.key.iter().filter_map(|name| source.column(name));
        let rows = columns()
            .map(|column| column.distinct)
            .try_fold(1_u64, |rows, distinct| distinct.map(|distinct| rows.saturating_mul(distinct.max(1))));
        let heavy = columns().flat_map(|column| &column.heavy).find(|heavy| heavy.share >= HEAVY_SHARE);
        let what = match (rows, heavy) {
            _ if source.key.is_empty() => continue,
            (Some(rows), _) if rows < FEW_ROWS => format!("there are only {rows} rows to add to"),
            (_, Some(heavy)) if source.key.len() == 1 => {
                format!("{:.0} % of the additions go to {:?}", 100.0 * heavy.share, heavy.value)
            }
            _ => continue,
        };
        for asked in subject.asked_of(&source.name).filter(|asked| adds(asked)) {
            found.push(Found {
                at: format!("query {:?}", asked.query),
                message: what.clone(),
                fix: "count in several rows for each value (a prefix of a few numbers) and add them up when reading".to_owned(),
            });
        }
    }
    found
}

/// Whether what is set is computed, as a counter's new value is.
fn adds(asked: &Asked) -> bool {
    asked.kind == Kind::Update
        && asked.need.written.iter().flatten().any(|(_, value)| matches!(value, Value::Expression))
}
