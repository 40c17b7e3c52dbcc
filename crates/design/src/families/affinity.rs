//! How often columns are used together, and what is made of it: an order in which friends stand side by side (the bond
//! energy algorithm of McCormick, Schweitzer and White, 1972, as Navathe and his co-authors use it), and small groups.
#![expect(
    clippy::indexing_slicing,
    reason = "every index is below the number of units, the size of all tables here"
)]

use super::{ColumnSet, Problem};

/// Up to so many units change places between groups: a round takes the cube of their number.
const EXCHANGED_MAX: usize = 128;

/// Rates of the reads that use both of two units; on the diagonal, of those that use the unit.
pub fn matrix(problem: &Problem, units: &[ColumnSet]) -> Vec<Vec<f64>> {
    let mut affinity = vec![vec![0.0; units.len()]; units.len()];
    for ask in problem.reads() {
        add(&mut affinity, &used(units, &ask.columns), ask.rate);
    }
    affinity
}

/// The units that have one of the columns.
pub fn used(units: &[ColumnSet], columns: &ColumnSet) -> Vec<usize> {
    (0..units.len()).filter(|unit| units[*unit].intersects(columns)).collect()
}

/// Adds a read that uses these units.
pub fn add(affinity: &mut [Vec<f64>], used: &[usize], rate: f64) {
    for a in used {
        for b in used {
            affinity[*a][*b] += rate;
        }
    }
}

/// The bond of two units: how alike their rows of the matrix are.
fn bond(affinity: &[Vec<f64>], a: Option<usize>, b: Option<usize>) -> f64 {
    match (a, b) {
        (Some(a), Some(b)) => affinity[a].iter().zip(&affinity[b]).map(|(x, y)| x * y).sum(),
        _ => 0.0,
    }
}

/// Puts a unit where it adds most to the bonds of neighbours, the ends included. Of equals, the last place.
pub fn place(affinity: &[Vec<f64>], order: &mut Vec<usize>, unit: usize) {
    let bonds: Vec<f64> = order.iter().map(|other| bond(affinity, Some(*other), Some(unit))).collect();
    let bond_with = |at: Option<usize>| at.and_then(|at| bonds.get(at)).copied().unwrap_or(0.0);
    let mut best = (f64::NEG_INFINITY, 0);
    for place in 0..=order.len() {
        let left = place.checked_sub(1);
        let between = bond(affinity, left.map(|at| order[at]), order.get(place).copied());
        let gain = 2.0 * (bond_with(left) + bond_with(Some(place)) - between);
        if gain >= best.0 {
            best = (gain, place);
        }
    }
    order.insert(best.1, unit);
}

/// All units in an order in which those that are used together stand side by side.
pub fn cluster(affinity: &[Vec<f64>]) -> Vec<usize> {
    let mut order = Vec::with_capacity(affinity.len());
    (0..affinity.len()).for_each(|unit| place(affinity, &mut order, unit));
    order
}

/// Units in groups of at most `size_max`, so that little affinity goes between groups: the heaviest edges are drawn
/// together first, then units change places as long as the cut gets lighter.
pub fn subgraphs(affinity: &[Vec<f64>], size_max: usize) -> Vec<Vec<usize>> {
    let count = affinity.len();
    let mut group_of: Vec<usize> = (0..count).collect();
    let mut sizes = vec![1; count];
    let mut edges: Vec<(usize, usize)> =
        (0..count).flat_map(|a| (a + 1..count).map(move |b| (a, b))).collect();
    edges.sort_by(|x, y| affinity[y.0][y.1].total_cmp(&affinity[x.0][x.1]).then(x.cmp(y)));
    for (a, b) in edges {
        let (into, from) = (group_of[a].min(group_of[b]), group_of[a].max(group_of[b]));
        if into != from && sizes[into] + sizes[from] <= size_max {
            sizes[into] += sizes[from];
            group_of.iter_mut().filter(|group| **group == from).for_each(|group| *group = into);
        }
    }
    if count <= EXCHANGED_MAX {
        exchange(affinity, &mut group_of);
    }
    let mut groups = vec![Vec::new(); count];
    group_of.iter().enumerate().for_each(|(unit, group)| groups[*group].push(unit));
    groups.retain(|group| !group.is_empty());
    groups
}

/// Kernighan and Lin's exchange of pairs, as long as it makes the cut lighter; a few rounds are enough.
fn exchange(affinity: &[Vec<f64>], group_of: &mut [usize]) {
    const ROUNDS_MAX: usize = 8;
    let pull = |group_of: &[usize], unit: usize, group: usize| -> f64 {
        (0..group_of.len())
            .filter(|other| *other != unit && group_of[*other] == group)
            .map(|other| affinity[unit][other])
            .sum()
    };
    for _ in 0..ROUNDS_MAX {
        let mut is_better = false;
        for a in 0..group_of.len() {
            for b in a + 1..group_of.len() {
                let (home_a, home_b) = (group_of[a], group_of[b]);
                if home_a == home_b {
                    continue;
                }
                let gain = pull(group_of, a, home_b) - pull(group_of, a, home_a) + pull(group_of, b, home_a)
                    - pull(group_of, b, home_b)
                    - 2.0 * affinity[a][b];
                if gain > 1e-9 {
                    group_of.swap(a, b);
                    is_better = true;
                }
            }
        }
        if !is_better {
            return;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The example of the 1984 paper's kind: units 0 and 2, and 1 and 3, are used together.
    fn affinity() -> Vec<Vec<f64>> {
        vec![
            vec![45.0, 0.0, 45.0, 0.0],
            vec![0.0, 80.0, 5.0, 75.0],
            vec![45.0, 5.0, 53.0, 3.0],
            vec![0.0, 75.0, 3.0, 78.0],
        ]
    }

    #[test]
    fn friends_stand_side_by_side() {
        assert_eq!(cluster(&affinity()), [0, 2, 1, 3]);
    }

    #[test]
    fn no_unit_is_lost_not_even_the_last() {
        let seed = 8;
        let mut random = fastrand::Rng::with_seed(seed);
        for size in 0..20 {
            let mut affinity = vec![vec![0.0; size]; size];
            for _ in 0..size {
                let used: Vec<usize> = (0..size).filter(|_| random.bool()).collect();
                add(&mut affinity, &used, f64::from(random.u8(1..9)));
            }
            let mut order = cluster(&affinity);
            order.sort_unstable();
            assert_eq!(order, (0..size).collect::<Vec<_>>(), "seed {seed}");
        }
    }

    #[test]
    fn subgraphs_keep_heavy_edges_and_their_size() {
        assert_eq!(subgraphs(&affinity(), 2), [[0, 2], [1, 3]]);
        assert_eq!(subgraphs(&affinity(), 4), [[0, 1, 2, 3]]);
        assert_eq!(subgraphs(&affinity(), 1).len(), 4);
    }
}
