//! Steps that several methods share: put the pair of families together that pays most, or cut one where it costs least.

use super::ledger::{Change, Ledger, is_less};
use super::{ColumnSet, atoms};

/// Up to so many families every pair is priced again after each step, as the methods have it. With more, that would take
/// the cube of their number: then prices of pairs that a step did not touch stand, and only the best of them are made sure.
const ALL_AGAIN_MAX: usize = 48;
/// So many of the best pairs are made sure.
const SURE: usize = 64;

/// Puts families together, the best pair first, while a pair lowers the cost and there are more than `fewest`, or there
/// are more than `most`. False when time ran out.
pub fn merge(ledger: &mut Ledger<'_>, fewest: usize, most: usize) -> bool {
    merge_pairs(ledger, fewest, most, |_, _| true)
}

/// As [`merge`], but only pairs that `may` accepts.
pub fn merge_pairs(
    ledger: &mut Ledger<'_>,
    fewest: usize,
    most: usize,
    may: impl Fn(&ColumnSet, &ColumnSet) -> bool,
) -> bool {
    let mut pairs = Vec::new();
    (0..ledger.len()).for_each(|family| price_with_later(ledger, family, &may, &mut pairs));
    while ledger.len() > fewest.max(1) {
        if ledger.evaluator().is_time_up() {
            put_the_last_together(ledger, most);
            return false;
        }
        let Some(best) = best_pair(ledger, &mut pairs) else { break };
        if ledger.len() <= most && !is_less(ledger.cost() + best.change, ledger.cost()) {
            break;
        }
        let change = ledger.merging(best.a, best.b);
        ledger.apply(change);
        if ledger.len() <= ALL_AGAIN_MAX {
            pairs.clear();
            (0..ledger.len()).for_each(|family| price_with_later(ledger, family, &may, &mut pairs));
        } else {
            follow(ledger, best, &may, &mut pairs);
        }
    }
    true
}

/// Two families, by their positions, and what it changes in the cost to put them together.
#[derive(Clone, Copy, Debug)]
struct Pair {
    a: usize,
    b: usize,
    change: f64,
}

/// Prices a family with each that comes after it.
fn price_with_later(
    ledger: &mut Ledger<'_>,
    a: usize,
    may: &impl Fn(&ColumnSet, &ColumnSet) -> bool,
    pairs: &mut Vec<Pair>,
) {
    if ledger.evaluator().is_time_up() {
        return;
    }
    for b in a + 1..ledger.len() {
        price_pair(ledger, a, b, may, pairs);
    }
}

fn price_pair(
    ledger: &mut Ledger<'_>,
    a: usize,
    b: usize,
    may: &impl Fn(&ColumnSet, &ColumnSet) -> bool,
    pairs: &mut Vec<Pair>,
) {
    if ledger.family(a).zip(ledger.family(b)).is_some_and(|(a, b)| may(a, b)) {
        let change = ledger.price(&ledger.merging(a, b)) - ledger.cost();
        pairs.push(Pair { a, b, change });
    }
}

/// The first of the pairs that are best but for rounding, so that equal pairs are taken in the order of columns.
fn best_pair(ledger: &mut Ledger<'_>, pairs: &mut [Pair]) -> Option<Pair> {
    let mut sure = pairs;
    if ledger.len() > ALL_AGAIN_MAX {
        sure.sort_by(|x, y| x.change.total_cmp(&y.change).then((x.a, x.b).cmp(&(y.a, y.b))));
        sure = sure.get_mut(..SURE.min(sure.len()))?;
        for pair in sure.iter_mut() {
            pair.change = ledger.price(&ledger.merging(pair.a, pair.b)) - ledger.cost();
        }
    }
    let mut best: Option<Pair> = None;
    for pair in sure {
        if best.is_none_or(|best| is_less(ledger.cost() + pair.change, ledger.cost() + best.change)) {
            best = Some(*pair);
        }
    }
    best
}

/// Brings the pairs up to date after two families became one: it stands where the first was, and the family that was last
/// where the second was.
fn follow(
    ledger: &mut Ledger<'_>,
    merged: Pair,
    may: &impl Fn(&ColumnSet, &ColumnSet) -> bool,
    pairs: &mut Vec<Pair>,
) {
    let (first, second) = (merged.a.min(merged.b), merged.a.max(merged.b));
    let last = ledger.len();
    let is_gone = |family: usize| family == first || family == second;
    pairs.retain(|pair| !is_gone(pair.a) && !is_gone(pair.b));
    let moved = |family: usize| if family == last { second } else { family };
    pairs.iter_mut().for_each(|pair| (pair.a, pair.b) = (moved(pair.a), moved(pair.b)));
    for other in (0..ledger.len()).filter(|other| *other != first) {
        price_pair(ledger, first.min(other), first.max(other), may, pairs);
    }
}

/// What remains when there is no time to choose.
fn put_the_last_together(ledger: &mut Ledger<'_>, most: usize) {
    let mut families = ledger.families();
    while families.len() > most.max(1) {
        if let (Some(last), Some(before)) = (families.pop(), families.last_mut()) {
            before.unite(&last);
        }
    }
    if families.len() < ledger.len() {
        ledger.replace_all(families);
    }
}

/// Cuts families until there are as many as needed, each time where it costs least: a group of columns used alike, or a
/// column, goes into a family of its own. False when time ran out; the cuts are then made without choosing.
pub fn split_up(ledger: &mut Ledger<'_>, fewest: usize) -> bool {
    let units = atoms::atoms(ledger.evaluator().problem());
    let mut was_in_time = true;
    while ledger.len() < fewest {
        let mut best: Option<(f64, Change)> = None;
        for change in cuts(ledger, &units) {
            if best.is_some() && ledger.evaluator().is_time_up() {
                was_in_time = false;
                break;
            }
            let cost = ledger.price(&change);
            if best.as_ref().is_none_or(|(best, _)| is_less(cost, *best)) {
                best = Some((cost, change));
            }
        }
        match best {
            Some((_, change)) => ledger.apply(change),
            None => break,
        }
    }
    was_in_time
}

fn cuts(ledger: &Ledger<'_>, units: &[ColumnSet]) -> Vec<Change> {
    let mut cuts = Vec::new();
    for (position, family) in ledger.families().iter().enumerate() {
        let whole_units = units.iter().map(|unit| unit.intersection(family));
        let columns = family.iter().map(|column| ColumnSet::from_iter([column]));
        for part in whole_units.chain(columns) {
            if !part.is_empty() && part != *family {
                cuts.push(ledger.splitting(position, &part));
            }
        }
    }
    cuts
}
