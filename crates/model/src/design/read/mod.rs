//! Reads `design.toml`: every section by its name, every problem with its place.

mod fields;
mod query;
mod rows;
mod statistics;
mod table;
#[cfg(test)]
mod tests;

use std::collections::BTreeSet;
use std::ops::Range;

use super::{CostName, Design, Reason, VERSION};
use crate::document::{self, Entry, Section};
use crate::nearest;
use crate::problem::Problem;
use crate::workload::Workload;

/// Reads a design, alone or for a workload.
pub(super) fn design(text: &str, workload: Option<&Workload>) -> Result<Design, Vec<Problem>> {
    document::read(text, |root| {
        let design = Design {
            version: version(root),
            workload: string(root, "workload").unwrap_or_else(|| Design::default().workload),
            cost: root.entry("cost").and_then(|cost| cost.section()).and_then(|cost| cost_name(&cost)),
            ..Design::default()
        };
        let tables = table::tables(root, workload);
        let queries = query::queries(root, &tables, workload);
        let statistics = statistics::statistics(root, workload);
        let reasons = root.sections("reason").iter().filter_map(reason).collect();
        root.finish();
        Some(Design { statistics, tables, queries, reasons, ..design })
    })
}

fn version(root: &Section<'_>) -> u64 {
    let Some(entry) = root.required("version", "1") else { return VERSION };
    match entry.unsigned() {
        Some(version) if version != VERSION => {
            entry.note(format!("version {version} of this file is not known here"), VERSION.to_string());
        }
        _ => {}
    }
    VERSION
}

fn cost_name(section: &Section<'_>) -> Option<CostName> {
    let name = required_string(section, "name");
    let calibration = string(section, "calibration");
    section.finish();
    Some(CostName { name: name?, calibration })
}

fn reason(section: &Section<'_>) -> Option<Reason> {
    let (at, text) = (required_string(section, "at"), required_string(section, "text"));
    section.finish();
    Some(Reason { at: at?, text: text? })
}

/// The string of a key, if it is there.
fn string(section: &Section<'_>, key: &'static str) -> Option<String> {
    section.entry(key)?.string().map(str::to_owned)
}

/// The string of a key that must be there and not empty.
fn required_string(section: &Section<'_>, key: &'static str) -> Option<String> {
    let entry = section.required(key, "a string")?;
    let text = entry.string()?;
    if text.is_empty() {
        entry.note(format!("`{key}` is empty"), "a string");
        return None;
    }
    Some(text.to_owned())
}

/// What a word names, or a note of the names there are.
fn named<T>(entry: &Entry<'_>, from_name: impl Fn(&str) -> Option<T>, names: &[&'static str]) -> Option<T> {
    let word = entry.string()?;
    let found = from_name(word);
    if found.is_none() {
        let expected = nearest::one_of(word, names.iter().copied());
        entry.note(format!("`{}` is {word:?}", entry.key()), expected);
    }
    found
}

/// Notes names that stand twice among strings of an array or sections.
fn note_twice<'n>(
    names: impl IntoIterator<Item = (&'n str, Range<usize>)>,
    what: &str,
    section: &Section<'_>,
) {
    let mut seen = BTreeSet::new();
    for (name, span) in names {
        if !seen.insert(name) {
            section.reader().note(span, format!("{what} {name:?} is there already"), "another name");
        }
    }
}
