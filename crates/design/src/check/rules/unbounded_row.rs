//! A row that grows for ever.

use tablesmith_model::value::ValueType;

use crate::check::rule::{Example, Found, Rule};
use crate::check::subject::{Laid, inside, number};
use crate::check::{Severity, Subject};

/// So many cells a row are no trouble, where time does not add to them.
const CELLS_MOST: f64 = 10_000.0;

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
            if ends || (!rises(&laid, field) && cells_of_a_row(&laid).is_none_or(|cells| cells <= CELLS_MOST))
            {
                continue;
            }
            found.push(Found {
                at: format!("{}.family.{}", laid.table.name, cells.family),
                message: format!("a row gets a cell for every {field}, without end"),
                fix: format!("add {} to the key, or set a TTL", part_that_ends(&laid, field)),
            });
        }
    }
    found
}

/// The part of a key that gives a field's values new rows now and then.
fn part_that_ends(laid: &Laid<'_>, field: &str) -> String {
    let type_of = laid.source.and_then(|source| source.column(field)).map(|column| column.value_type);
    match type_of {
        None | Some(ValueType::Timestamp | ValueType::Date) => format!("bucket({field}, \"1d\")"),
        Some(ValueType::Int) if is_time(laid, field) => format!("bucket({field}, \"1000\")"),
        Some(_) => field.to_owned(),
    }
}

/// Whether values of a field only grow, as times and running numbers do: then a row grows as long as it lives.
fn rises(laid: &Laid<'_>, field: &str) -> bool {
    let is_monotone =
        laid.source.and_then(|source| source.column(field)).is_some_and(|column| column.monotone);
    is_monotone || is_time(laid, field)
}

fn is_time(laid: &Laid<'_>, field: &str) -> bool {
    let Some(source) = laid.source else { return true };
    let is_sequence = source.time.as_ref().is_some_and(|time| time.column == field);
    let type_of = source.column(field).map(|column| column.value_type);
    is_sequence || matches!(type_of, Some(ValueType::Timestamp | ValueType::Date))
}

/// Records that share a row, on average, where the workload knows it.
fn cells_of_a_row(laid: &Laid<'_>) -> Option<f64> {
    let source = laid.source?;
    let mut rows = 1.0;
    for field in laid.own_parts().flat_map(|part| part.fields()) {
        rows *= source.column(field)?.distinct? as f64;
    }
    Some(source.rows? as f64 / f64::max(rows, 1.0))
}
