//! Random changes, large enough to leave a local optimum and small enough to keep most of it.

use crate::families::evolve::{Individual, Rules};
use crate::families::{ColumnSet, Problem};

/// A grouping after one to four random changes that keep it within the rules.
pub fn kick(
    mut families: Vec<ColumnSet>,
    units: &[ColumnSet],
    rules: &Rules,
    random: &mut fastrand::Rng,
) -> Vec<ColumnSet> {
    for _ in 0..random.usize(1..=4) {
        let before = families.clone();
        change(&mut families, units, rules, random);
        if !is_distinct(&families) {
            families = before;
        }
    }
    families
}

/// A grouping made of what asks read: asks are dealt out to families, often to the one that has most of what they read, and
/// each family has all columns of its asks. A good start where columns may have copies.
pub fn from_asks(problem: &Problem, rules: &Rules, random: &mut fastrand::Rng) -> Vec<ColumnSet> {
    let mut families = vec![ColumnSet::new(); random.usize(rules.fewest..=rules.most)];
    let mut reads: Vec<&ColumnSet> = problem.reads().map(|ask| &ask.columns).collect();
    random.shuffle(&mut reads);
    for columns in reads {
        let closest = families.iter_mut().max_by_key(|family| family.common_len(columns));
        match closest {
            Some(family) if random.bool() => family.unite(columns),
            _ => {
                let any = random.usize(0..families.len().max(1));
                families.get_mut(any).into_iter().for_each(|family| family.unite(columns));
            }
        }
    }
    let mut individual = Individual::of(&families);
    individual.repair(rules, random);
    individual.families()
}

fn change(families: &mut Vec<ColumnSet>, units: &[ColumnSet], rules: &Rules, random: &mut fastrand::Rng) {
    let a = random.usize(0..families.len().max(1));
    let b = random.usize(0..families.len().max(1));
    let mut unit = random.choice(units).cloned().unwrap_or_default();
    if rules.may_duplicate && random.bool() {
        unit = random.choice(unit.iter().collect::<Vec<_>>()).into_iter().collect();
    }
    match random.u8(0..if rules.may_duplicate { 5 } else { 3 }) {
        0 if a != b && families.len() > rules.fewest => {
            let gone = families.swap_remove(a.max(b));
            if let Some(family) = families.get_mut(a.min(b)) {
                family.unite(&gone);
            }
        }
        1 if families.len() < rules.most => {
            let Some(family) = families.get_mut(a) else { return };
            let part: ColumnSet = random_part(family, units, random);
            if !part.is_empty() && part != *family {
                family.subtract(&part);
                families.push(part);
            }
        }
        3 => {
            if let Some(family) = families.get_mut(a) {
                family.unite(&unit);
            }
        }
        4 => remove_copies(families, a, &unit),
        _ => relocate(families, &unit, a, rules),
    }
}

/// About half of a family, by whole units.
fn random_part(family: &ColumnSet, units: &[ColumnSet], random: &mut fastrand::Rng) -> ColumnSet {
    let mut part = ColumnSet::new();
    for unit in units {
        let piece = unit.intersection(family);
        if !piece.is_empty() && random.bool() {
            part.unite(&piece);
        }
    }
    part
}

/// Puts a unit into one family alone.
fn relocate(families: &mut Vec<ColumnSet>, unit: &ColumnSet, to: usize, rules: &Rules) {
    let before = families.clone();
    for (position, family) in families.iter_mut().enumerate() {
        if position == to {
            family.unite(unit);
        } else {
            family.subtract(unit);
        }
    }
    families.retain(|family| !family.is_empty());
    if families.len() < rules.fewest {
        *families = before;
    }
}

/// Takes those columns of a unit out of a family that are in another one too.
fn remove_copies(families: &mut [ColumnSet], from: usize, unit: &ColumnSet) {
    let mut others = ColumnSet::new();
    for (position, family) in families.iter().enumerate() {
        if position != from {
            others.unite(family);
        }
    }
    if let Some(family) = families.get_mut(from) {
        let mut rest = family.clone();
        rest.subtract(&others.intersection(unit));
        if !rest.is_empty() {
            *family = rest;
        }
    }
}

fn is_distinct(families: &[ColumnSet]) -> bool {
    let mut sorted: Vec<&ColumnSet> = families.iter().collect();
    sorted.sort_unstable();
    sorted.windows(2).all(|pair| pair.first() != pair.last())
}
