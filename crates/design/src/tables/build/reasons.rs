//! Why the design is as it is, as `design.toml` says it.

use tablesmith_model::design::Reason;
use tablesmith_model::workload::{Asks, ROWS_ASSUMED};
use tablesmith_sql::Dialect;
use tablesmith_sql::executable::PreparedStatement;

use super::kept::Kept;
use super::plans::Answered;
use super::questions::Drawn;
use super::rivals::Without;
use crate::tables::predict::Ground;

/// All reasons: of keys, families and settings, of plans, of what is not there.
pub fn all(kept: &[Kept], drawn: &[Drawn], queries: &[Answered], without: &[Without]) -> Vec<Reason> {
    let mut reasons = Vec::new();
    for (kept, drawn) in kept.iter().zip(drawn) {
        let name = &kept.table.name;
        if let Some(key) = drawn.questions.first() {
            reasons.push(Reason::new(format!("{name}.key"), key.reason.clone()));
        }
        reasons.extend(kept.reasons.iter().cloned());
        reasons.extend(without.iter().filter(|one| one.table == *name).filter_map(absence));
    }
    for query in queries {
        let at = format!("query.{}", query.name);
        reasons.extend(query.reasons.iter().map(|text| Reason::new(at.clone(), text.clone())));
        reasons.extend(query.after_crash.iter().map(|text| Reason::new(format!("{at}.crash"), text.clone())));
    }
    reasons
}

/// What the table is worth.
fn absence(without: &Without) -> Option<Reason> {
    let (query, cost) = without.hurts.as_ref()?;
    let text = match cost {
        Some(cost) => format!("without it a call of {query:?} would take {cost:.3} ms"),
        None => format!("without it {query:?} has no answer"),
    };
    Some(Reason::new(without.table.clone(), text))
}

/// Whether rows are looked for by a column.
fn is_asked_by(ground: &Ground<'_>, table: &str, column: &str) -> bool {
    let needs = ground.asks.iter().flat_map(|ask| &ask.needs).filter(|need| need.table == table);
    needs.flat_map(|need| &need.predicates).any(|predicate| predicate.column == column)
}

/// What was assumed, and what to look at.
pub fn notes(ground: &Ground<'_>, kept: &[Kept]) -> Vec<String> {
    let mut notes = Vec::new();
    for table in ground.declared.tables.iter().filter(|table| table.rows.is_none()) {
        let name = &table.name;
        notes.push(format!("{name}: {ROWS_ASSUMED} rows are taken, as nobody says how many: declare `rows`"));
    }
    for table in &ground.workload.tables {
        let unknown = table.columns.iter().filter(|column| column.distinct.is_none());
        let asked: Vec<&str> = unknown
            .map(|column| column.name.as_str())
            .filter(|column| is_asked_by(ground, &table.name, column))
            .collect();
        if !asked.is_empty() {
            notes.push(format!(
                "{}: nobody says how many different values there are of {}, so that what is found by them is guessed: declare \
                 `distinct`, or give the table `data`",
                table.name,
                asked.join(", ")
            ));
        }
    }
    for table in ground.workload.tables.iter().filter(|table| table.key.is_empty()) {
        notes.push(format!(
            "{}: no key is declared, so that rows are numbered and only found by reading all",
            table.name
        ));
    }
    for query in &ground.workload.queries {
        let Asks::Sql(sql) = &query.asks else { continue };
        if let Err(error) = PreparedStatement::new(sql, ground.workload, Dialect::Generic) {
            notes.push(format!(
                "{:?} is planned for, but tablesmith query does not carry it out as it is written: {error}",
                query.name
            ));
        }
    }
    let written = ground.asks.iter().any(|ask| ask.writes());
    if !written && kept.len() > ground.workload.tables.len() {
        notes.push("no statement of the workload writes: copies cost only their space, and many are made; add INSERT, UPDATE and \
                    DELETE with their rates"
            .to_owned());
    }
    notes
}
