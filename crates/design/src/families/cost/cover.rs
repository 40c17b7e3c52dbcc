//! Which families a read loads when columns are in several: the cheapest ones that have all it needs.

use std::cmp::Ordering;

use smallvec::SmallVec;

use super::Weighed;
use crate::families::ColumnSet;

/// After so many steps the best cover found so far stands. Far above what groupings with few families need; it keeps a
/// grouping with hundreds of overlapping families from taking for ever.
const STEPS_MAX: u32 = 2_000;

/// Needed columns are bits of a mask. In a table with more columns, those that an ask needs are counted; what it needs
/// beyond the last bit is covered greedily.
const BITS: usize = u128::BITS as usize;

/// The cheapest families that together have every column of `need` that any of them has: their positions go to
/// `chosen`, in order. `price` tells what loading a family costs; it is not negative.
///
/// Of covers that cost the same, the one stands that serves the first column from the family that comes first; families
/// are ordered by their first columns, whatever their order in `families`. So the answer depends on the grouping alone.
pub fn cheapest(
    need: &ColumnSet,
    families: &[&Weighed],
    price: impl Fn(&Weighed) -> f64,
    chosen: &mut Vec<usize>,
) {
    let masks: SmallVec<[u128; 16]> = families.iter().map(|family| mask(need, &family.columns)).collect();
    let (mut once, mut twice) = (0, 0);
    for mask in &masks {
        twice |= once & mask;
        once |= mask;
    }
    // A column that one family alone has decides for it.
    let (alone, mut open) = (once & !twice, twice);
    for (position, mask) in masks.iter().enumerate() {
        if mask & alone != 0 {
            chosen.push(position);
            open &= !mask;
        }
    }
    if open != 0 {
        let mut search = Search::default();
        for (position, (mask, family)) in masks.iter().zip(families).enumerate() {
            if mask & alone == 0 && mask & open != 0 {
                search.families.push((position, mask & open, price(family)));
            }
        }
        search.families.sort_by(|a, b| order(families, a.0, b.0));
        search.branch(open, 0.0);
        chosen.extend(search.best.into_iter().flat_map(|(_, path)| path));
        chosen.sort_unstable();
    }
    if need.len() > BITS {
        cover_the_rest(need, families, chosen);
    }
}

/// The needed columns of a family as bits, in the order of columns.
fn mask(need: &ColumnSet, family: &ColumnSet) -> u128 {
    if let (Some(need), Some(family)) = (need.to_bits(), family.to_bits()) {
        return need & family;
    }
    let bits = need.iter().take(BITS).enumerate();
    bits.fold(0, |mask, (bit, column)| mask | u128::from(family.contains(column)) << bit)
}

fn order(families: &[&Weighed], a: usize, b: usize) -> Ordering {
    let columns = |at: usize| families.get(at).map(|family| &family.columns);
    columns(a).zip(columns(b)).map_or(Ordering::Equal, |(a, b)| a.first_difference(b))
}

/// Takes the family with most of what is not covered yet, again and again.
fn cover_the_rest(need: &ColumnSet, families: &[&Weighed], chosen: &mut Vec<usize>) {
    let mut left = need.clone();
    chosen.iter().filter_map(|at| families.get(*at)).for_each(|family| left.subtract(&family.columns));
    let gain =
        |left: &ColumnSet, at: usize| families.get(at).map_or(0, |family| family.columns.common_len(left));
    while let Some(next) = (0..families.len()).rev().max_by_key(|at| gain(&left, *at)) {
        if gain(&left, next) == 0 {
            break;
        }
        chosen.push(next);
        families.get(next).into_iter().for_each(|family| left.subtract(&family.columns));
    }
    chosen.sort_unstable();
}

/// Depth first over the lowest column that is still open.
#[derive(Default)]
struct Search {
    /// Position, columns that it covers and price of each family, in the order that decides ties.
    families: Vec<(usize, u128, f64)>,
    path: Vec<usize>,
    best: Option<(f64, Vec<usize>)>,
    steps: u32,
}

impl Search {
    fn branch(&mut self, open: u128, cost: f64) {
        if open == 0 {
            if self.best.as_ref().is_none_or(|(best, _)| cost < *best) {
                self.best = Some((cost, self.path.clone()));
            }
            return;
        }
        let lowest = open & open.wrapping_neg();
        for index in 0..self.families.len() {
            let Some((position, mask, price)) = self.families.get(index).copied() else { return };
            if mask & lowest == 0 || self.best.as_ref().is_some_and(|(best, _)| cost + price >= *best) {
                continue;
            }
            self.steps += 1;
            if self.steps > STEPS_MAX && self.best.is_some() {
                return;
            }
            self.path.push(position);
            self.branch(open & !mask, cost + price);
            self.path.pop();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn families(columns: &[&[usize]]) -> Vec<Weighed> {
        columns
            .iter()
            .map(|family| Weighed { columns: family.iter().copied().collect(), weight: family.len() as f64 })
            .collect()
    }

    fn cover(need: &[usize], columns: &[&[usize]], price: impl Fn(&Weighed) -> f64) -> Vec<usize> {
        let families = families(columns);
        let mut chosen = Vec::new();
        cheapest(&need.iter().copied().collect(), &families.iter().collect::<Vec<_>>(), price, &mut chosen);
        chosen
    }

    #[test]
    fn disjoint_families_leave_no_choice() {
        assert_eq!(cover(&[0, 3], &[&[0, 1], &[2, 3]], |_| 1.0), [0, 1]);
    }

    #[test]
    fn the_fewest_families_are_taken() {
        assert_eq!(cover(&[0, 1, 2, 3], &[&[0, 1], &[2, 3], &[0, 1, 2], &[1, 2, 3, 0]], |_| 1.0), [3]);
        // Greedy would take the family of four and then need two more.
        assert_eq!(cover(&[0, 1, 2, 3, 4, 5], &[&[1, 2, 3, 4], &[0, 1, 2], &[3, 4, 5]], |_| 1.0), [1, 2]);
    }

    #[test]
    fn a_cheaper_cover_of_more_families_is_taken() {
        let by_weight = |family: &Weighed| family.weight;
        assert_eq!(cover(&[0, 1], &[&[0], &[1], &[0, 1, 2, 3, 4]], by_weight), [0, 1]);
    }

    #[test]
    fn of_equals_the_family_that_comes_first_by_its_columns_is_taken() {
        assert_eq!(cover(&[5], &[&[3, 5], &[1, 5]], |_| 1.0), [1]);
        assert_eq!(cover(&[5], &[&[1, 5], &[3, 5]], |_| 1.0), [0]);
    }

    #[test]
    fn what_no_family_has_is_left_out() {
        assert_eq!(cover(&[0, 1, 9], &[&[0, 1], &[1]], |_| 1.0), [0]);
        assert_eq!(cover(&[0, 1, 9], &[&[0], &[1]], |_| 1.0), [0, 1]);
    }

    #[test]
    fn more_columns_than_a_mask_has_bits_are_covered_too() {
        let all: Vec<usize> = (0..300).collect();
        assert_eq!(cover(&all, &[&all[..200], &all[100..], &all], |_| 1.0), [2]);
        assert_eq!(cover(&all, &[&all[..200], &all[..250], &all[50..200], &all[240..]], |_| 1.0), [1, 3]);
    }

    #[test]
    fn a_cover_found_by_branching_is_the_best_of_all_subsets() {
        let seed = 11;
        let mut random = fastrand::Rng::with_seed(seed);
        for case in 0..500 {
            let columns = random.usize(1..9);
            let families: Vec<Weighed> = (0..random.usize(1..7))
                .map(|_| Weighed {
                    columns: (0..columns).filter(|_| random.bool()).collect(),
                    weight: f64::from(random.u8(1..5)),
                })
                .collect();
            let mut all = ColumnSet::new();
            families.iter().for_each(|family| all.unite(&family.columns));
            let need = all.iter().filter(|_| random.bool()).collect::<ColumnSet>();
            let touched: Vec<&Weighed> = families.iter().filter(|f| f.columns.intersects(&need)).collect();
            let mut chosen = Vec::new();
            cheapest(&need, &touched, |family| family.weight, &mut chosen);
            let cost_of = |chosen: &[usize]| -> f64 { chosen.iter().map(|at| touched[*at].weight).sum() };
            let covers = |chosen: &[usize]| {
                let mut all = ColumnSet::new();
                chosen.iter().for_each(|at| all.unite(&touched[*at].columns));
                need.is_subset(&all)
            };
            assert!(covers(&chosen), "seed {seed} case {case}");
            let best = (0_u32..1 << touched.len())
                .map(|mask| (0..touched.len()).filter(|at| mask >> at & 1 == 1).collect::<Vec<_>>())
                .filter(|subset| covers(subset))
                .map(|subset| cost_of(&subset))
                .fold(f64::INFINITY, f64::min);
            assert_eq!(cost_of(&chosen), best, "seed {seed} case {case}");
        }
    }
}
