//! Reads `workload.toml`. Every part notes what is wrong with it and reads on, so that all problems are told at once.
//!
//! Tables are read before queries: what a query names is looked up where it is named.

mod column;
mod join;
mod names;
mod query;
mod table;

pub(crate) use column::read_all as read_columns;

use crate::document::{self, Entry, Section};

use super::{Cluster, Log, Split, VERSION, Workload, WorkloadError};
use names::Names;

/// Three shares that add up to 1, as far as decimal fractions can.
const SPLIT_TOLERANCE: f64 = 1e-6;

/// Reads the text of a file.
pub(super) fn workload(text: &str) -> Result<Workload, WorkloadError> {
    document::read(text, |root| Some(of_root(root))).map_err(|problems| WorkloadError { problems })
}

fn of_root(root: &Section<'_>) -> Workload {
    let version = version(root);
    let cluster = root.entry("cluster").and_then(|entry| entry.section()).map(|section| cluster(&section));
    let tables = table::read_all(root.sections("table"));
    let joins = root.sections("join").iter().filter_map(|join| join::read(join, &tables)).collect();
    let mut names = Names::of("[[query]]");
    let queries = root.sections("query");
    let queries = queries.iter().filter_map(|query| query::read(query, &tables, &mut names)).collect();
    let log = root.entry("log").and_then(|entry| entry.section()).and_then(|section| log(&section));
    root.finish();
    Workload { version, cluster: cluster.unwrap_or_default(), tables, joins, queries, log }
}

fn version(root: &Section<'_>) -> u64 {
    let entry = root.required("version", "version = 1");
    let version = entry.as_ref().and_then(Entry::unsigned).unwrap_or(VERSION);
    if version != VERSION
        && let Some(entry) = entry
    {
        entry.note(format!("version {version} of this file is not known here"), "version = 1");
    }
    version
}

fn cluster(section: &Section<'_>) -> Cluster {
    let region_servers = section.entry("region_servers").and_then(|entry| {
        let servers = entry.unsigned()?;
        let fitting = u32::try_from(servers).ok().filter(|servers| *servers > 0);
        if fitting.is_none() {
            entry.note(format!("`region_servers` is {servers}"), format!("a number from 1 to {}", u32::MAX));
        }
        fitting
    });
    section.finish();
    Cluster { region_servers }
}

fn log(section: &Section<'_>) -> Option<Log> {
    let path = section.required("path", "the path of a file").and_then(|entry| text(&entry));
    let split = section.entry("split").map_or_else(|| Some(Split::default()), |entry| split(&entry));
    section.finish();
    Some(Log { path: path?, split: split? })
}

fn split(entry: &Entry<'_>) -> Option<Split> {
    const EXPECTED: &str = "three shares that add up to 1, as in [0.6, 0.2, 0.2]";
    let shares: Vec<f64> = entry.elements().iter().filter_map(share).collect();
    let &[training, validation, test] = shares.as_slice() else {
        // Elements that are no shares have been noted.
        if shares.len() == entry.elements().len() {
            entry.note(format!("`split` has {} shares", shares.len()), EXPECTED);
        }
        return None;
    };
    let sum = training + validation + test;
    if (sum - 1.0).abs() > SPLIT_TOLERANCE {
        entry.note(format!("the shares of `split` add up to {sum}"), EXPECTED);
    }
    Some(Split { training, validation, test })
}

/// A text that says something.
fn text(entry: &Entry<'_>) -> Option<String> {
    let text = entry.string()?;
    if text.trim().is_empty() {
        entry.note(format!("`{}` is empty", entry.key()), "some text");
        return None;
    }
    Some(text.to_owned())
}

/// A number from 0.
fn magnitude(entry: &Entry<'_>) -> Option<f64> {
    let number = entry.number()?;
    if number < 0.0 {
        entry.note(format!("`{}` is {number}", entry.key()), "a number from 0");
        return None;
    }
    Some(number)
}

/// A number from 0 to 1.
fn share(entry: &Entry<'_>) -> Option<f64> {
    let number = entry.number()?;
    if !(0.0..=1.0).contains(&number) {
        entry.note(format!("`{}` has a share of {number}", entry.key()), "a share from 0 to 1");
        return None;
    }
    Some(number)
}

#[cfg(test)]
mod tests;
