//! Which families are read: those that have the columns needed in the fewest bytes.

use crate::layout::{LaidFamily, Layout};

/// Up to so many families every choice is tried; beyond, the one that gives most for its bytes comes first.
const EXACT: usize = 12;

/// The families that together have all columns, in the fewest bytes of a row; `Err` with a column that none has.
pub(super) fn cover<'l>(layout: &'l Layout, columns: &[&str]) -> Result<Vec<&'l LaidFamily>, String> {
    let families: Vec<&LaidFamily> = layout.families().iter().collect();
    let mut chosen: Vec<&LaidFamily> = Vec::new();
    for column in columns {
        let mut having = families.iter().filter(|family| family.column(column).is_some());
        let Some(first) = having.next() else { return Err((*column).to_owned()) };
        if having.next().is_none() && !chosen.iter().any(|have| have.name == first.name) {
            chosen.push(first);
        }
    }
    let is_missing = |column: &&&str| !chosen.iter().any(|family| family.column(column).is_some());
    let missing: Vec<&str> = columns.iter().filter(is_missing).copied().collect();
    let gives = |family: &LaidFamily| missing.iter().filter(|column| family.column(column).is_some()).count();
    let others: Vec<&LaidFamily> = families.iter().filter(|family| gives(family) > 0).copied().collect();
    let added = if others.len() <= EXACT { best(&others, &missing) } else { greedy(&others, &missing) };
    chosen.extend(added);
    Ok(chosen)
}

/// The cheapest choice of all; of equally cheap ones that with fewer families.
fn best<'l>(families: &[&'l LaidFamily], missing: &[&str]) -> Vec<&'l LaidFamily> {
    let choice = |bits: u32| {
        let is_in = move |(index, _): &(usize, &&'l LaidFamily)| bits & (1 << index) != 0;
        families.iter().enumerate().filter(is_in).map(|(_, family)| *family).collect::<Vec<_>>()
    };
    let covers = |chosen: &Vec<&LaidFamily>| {
        missing.iter().all(|column| chosen.iter().any(|family| family.column(column).is_some()))
    };
    let bytes = |chosen: &Vec<&LaidFamily>| chosen.iter().map(|family| family.bytes()).sum::<f64>();
    let choices = (0..1_u32 << families.len().min(EXACT)).map(choice).filter(covers);
    let cheaper = |one: &Vec<&LaidFamily>, two: &Vec<&LaidFamily>| {
        bytes(one).total_cmp(&bytes(two)).then(one.len().cmp(&two.len()))
    };
    choices.min_by(cheaper).unwrap_or_default()
}

fn greedy<'l>(families: &[&'l LaidFamily], missing: &[&str]) -> Vec<&'l LaidFamily> {
    let mut missing: Vec<&str> = missing.to_vec();
    let mut chosen = Vec::new();
    while !missing.is_empty() {
        let gives =
            |family: &LaidFamily| missing.iter().filter(|column| family.column(column).is_some()).count();
        let price = |family: &LaidFamily| family.bytes() / gives(family) as f64;
        let useful = families.iter().filter(|family| gives(family) > 0);
        let Some(next) = useful.min_by(|one, two| price(one).total_cmp(&price(two))) else { break };
        chosen.push(*next);
        missing.retain(|column| next.column(column).is_none());
    }
    chosen
}
