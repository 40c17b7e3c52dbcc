//! Names of tables: that of the workload's table for the place that holds all of it, else what it is and by what it is found.

use std::collections::BTreeSet;

use tablesmith_model::TableName;
use tablesmith_model::key::Part;

use crate::tables::candidate::Candidate;

/// The name of a candidate, which no other has yet.
pub fn name(candidate: &Candidate, is_master: bool, taken: &mut BTreeSet<String>) -> String {
    let entry = candidate.entries.first();
    let from = entry.map(|entry| entry.rows.from.clone()).unwrap_or_default();
    let own = if from.parse::<TableName>().is_ok() { from.clone() } else { safe(&from) };
    if is_master && taken.insert(own.clone()) {
        return own;
    }
    let others: Vec<&str> =
        entry.iter().flat_map(|entry| entry.record.tables.iter().skip(1)).map(String::as_str).collect();
    let lead = entry.and_then(|entry| entry.rows.key.parts.iter().find_map(field));
    let mut base = from;
    others.iter().for_each(|other| base = format!("{base}_{other}"));
    if let Some(lead) = lead {
        base = format!("{base}_by_{lead}");
    }
    let base = safe(&base);
    let mut name = base.clone();
    let mut number = 2;
    while !taken.insert(name.clone()) {
        name = format!("{base}_{number}");
        number += 1;
    }
    name
}

/// A name in letters that every store takes.
fn safe(name: &str) -> String {
    name.chars().map(|letter| if letter.is_ascii_alphanumeric() { letter } else { '_' }).collect()
}

/// The column of a part without its table.
fn field(part: &Part) -> Option<String> {
    let field = part.fields().first()?;
    Some(field.rsplit('.').next().unwrap_or(field).to_owned())
}
