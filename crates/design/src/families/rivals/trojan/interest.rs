//! How much the use of one column tells about the use of another, and the groupings that make most of it.
#![expect(clippy::indexing_slicing, reason = "every index is below the number of units, or a mask of them")]

use crate::families::{ColumnSet, Evaluator, Problem};

/// Units with the mutual information of each pair.
pub struct Interest {
    units: Vec<ColumnSet>,
    /// Mutual information of two columns by the smaller of their entropies, mean over the pairs of columns of two units.
    mutual: Vec<Vec<f64>>,
    /// The same within a unit.
    inner: Vec<f64>,
}

impl Interest {
    /// Interest by the bytes that reads need: a query counts as much as its columns are wide, at its rate.
    pub fn new(problem: &Problem, units: Vec<ColumnSet>) -> Self {
        let bytes = |columns: &ColumnSet| -> f64 {
            columns.iter().filter_map(|at| problem.columns.get(at)).map(|column| column.bytes.max(1.0)).sum()
        };
        let all: f64 = problem.reads().map(|ask| ask.rate * bytes(&ask.columns)).sum();
        let reads: Vec<(&ColumnSet, f64)> =
            problem.reads().map(|ask| (&ask.columns, ask.rate * bytes(&ask.columns) / all)).collect();
        // For each unit the reads that use it.
        let users: Vec<ColumnSet> = units
            .iter()
            .map(|unit| (0..reads.len()).filter(|read| reads[*read].0.intersects(unit)).collect())
            .collect();
        let share = |users: &ColumnSet| -> f64 { users.iter().map(|read| reads[read].1).sum() };
        let shares: Vec<f64> = users.iter().map(share).collect();
        let mut mutual = vec![vec![1.0; units.len()]; units.len()];
        for a in 0..units.len() {
            for b in 0..a {
                let both = share(&users[a].intersection(&users[b]));
                mutual[a][b] = mutual_information(shares[a], shares[b], both);
                mutual[b][a] = mutual[a][b];
            }
        }
        let inner = vec![1.0; units.len()];
        Self { units, mutual, inner }
    }

    /// The units.
    pub fn units(&self) -> &[ColumnSet] {
        &self.units
    }

    /// Puts the units together that are most alike until there are few enough; when time is up, the last ones.
    pub fn condensed(mut self, units_max: usize, evaluator: &Evaluator<'_>) -> Self {
        while self.units.len() > units_max.max(1) {
            let count = self.units.len();
            if evaluator.is_time_up() {
                self.join(count - 2, count - 1);
                continue;
            }
            let pairs = (0..count).flat_map(|a| (a + 1..count).map(move |b| (a, b)));
            let closest =
                pairs.max_by(|x, y| self.mutual[x.0][x.1].total_cmp(&self.mutual[y.0][y.1]).then(y.cmp(x)));
            let Some((a, b)) = closest else { break };
            self.join(a, b);
        }
        self
    }

    fn join(&mut self, a: usize, b: usize) {
        let (size_a, size_b) = (self.units[a].len() as f64, self.units[b].len() as f64);
        let pairs = |size: f64| size * (size - 1.0) / 2.0;
        let inner = pairs(size_a) * self.inner[a]
            + pairs(size_b) * self.inner[b]
            + size_a * size_b * self.mutual[a][b];
        self.inner[a] = inner / pairs(size_a + size_b);
        for other in 0..self.units.len() {
            let mean = (size_a * self.mutual[a][other] + size_b * self.mutual[b][other]) / (size_a + size_b);
            self.mutual[a][other] = mean;
            self.mutual[other][a] = mean;
        }
        let gone = self.units.remove(b);
        self.units[a].unite(&gone);
        self.inner.remove(b);
        self.mutual.remove(b);
        self.mutual.iter_mut().for_each(|row| {
            row.remove(b);
        });
    }

    /// The interest of a group: of one column, how little the others tell about it; of several, the mean over pairs.
    fn of(&self, group: u32) -> f64 {
        let members: Vec<usize> = (0..self.units.len()).filter(|unit| group >> unit & 1 == 1).collect();
        if let [unit] = members[..]
            && self.units[unit].len() == 1
        {
            let others = (0..self.units.len()).filter(|other| *other != unit);
            let size = |unit: usize| self.units[unit].len() as f64;
            let columns: f64 = others.clone().map(size).sum();
            let untold: f64 = others.map(|other| size(other) * (1.0 - self.mutual[unit][other])).sum();
            return if columns > 0.0 { untold / columns } else { 1.0 };
        }
        let (mut sum, mut pairs) = (0.0, 0.0);
        for (at, a) in members.iter().enumerate() {
            let size = self.units[*a].len() as f64;
            pairs += size * (size - 1.0) / 2.0;
            sum += size * (size - 1.0) / 2.0 * self.inner[*a];
            for b in &members[at + 1..] {
                let both = size * self.units[*b].len() as f64;
                pairs += both;
                sum += both * self.mutual[*a][*b];
            }
        }
        if pairs > 0.0 { sum / pairs } else { 0.0 }
    }

    /// For each number of groups up to `most`, the disjoint groups that cover all units with the greatest sum of
    /// interest; what no interesting group covers may be a last group of its own.
    pub fn best_groupings(&self, interest_min: f64, most: usize) -> Vec<Vec<ColumnSet>> {
        let all: u32 = (1 << self.units.len()) - 1;
        if all == 0 {
            return Vec::new();
        }
        let interest: Vec<f64> =
            (0..=all).map(|group| if group == 0 { 0.0 } else { self.of(group) }).collect();
        let most = most.min(self.units.len());
        // best[k][mask]: the greatest interest of k groups that make up the mask, and the last of them.
        let mut best = vec![vec![(f64::NEG_INFINITY, 0_u32); interest.len()]; most + 1];
        best[0][0] = (0.0, 0);
        for k in 1..=most {
            for mask in 1..=all {
                let lowest = mask & mask.wrapping_neg();
                let rest = mask ^ lowest;
                let mut others = rest;
                loop {
                    let group = others | lowest;
                    let value = best[k - 1][(mask ^ group) as usize].0 + interest[group as usize];
                    if interest[group as usize] >= interest_min && value > best[k][mask as usize].0 {
                        best[k][mask as usize] = (value, group);
                    }
                    if others == 0 {
                        break;
                    }
                    others = (others - 1) & rest;
                }
            }
        }
        (1..=most).filter_map(|k| self.grouping(&best, k, all)).collect()
    }

    fn grouping(&self, best: &[Vec<(f64, u32)>], groups: usize, all: u32) -> Option<Vec<ColumnSet>> {
        // Either all groups are interesting, or one less and what remains.
        let whole = (best[groups][all as usize].0, groups, all);
        let with_rest = (0..all).map(|mask| (best[groups - 1][mask as usize].0, groups - 1, mask));
        let (value, mut k, mut mask) = with_rest.fold(whole, |a, b| if b.0 > a.0 { b } else { a });
        if value == f64::NEG_INFINITY {
            return None;
        }
        let mut families = Vec::new();
        let rest = all ^ mask;
        while k > 0 {
            let group = best[k][mask as usize].1;
            families.push(self.columns(group));
            mask ^= group;
            k -= 1;
        }
        if rest != 0 {
            families.push(self.columns(rest));
        }
        Some(families)
    }

    fn columns(&self, group: u32) -> ColumnSet {
        let members = (0..self.units.len()).filter(|unit| group >> unit & 1 == 1);
        members.fold(ColumnSet::new(), |all, unit| all.union(&self.units[unit]))
    }
}

/// The mutual information of the use of two units by the smaller of their entropies: 1 when one tells all of the other.
/// `a` and `b` are the shares of use of each, `both` of both together.
fn mutual_information(a: f64, b: f64, both: f64) -> f64 {
    let term = |share: f64| if share > 0.0 { -share * share.ln() } else { 0.0 };
    let entropy = |share: f64| term(share) + term(1.0 - share);
    let cells = [
        (both, a * b),
        (a - both, a * (1.0 - b)),
        (b - both, (1.0 - a) * b),
        (1.0 - a - b + both, (1.0 - a) * (1.0 - b)),
    ];
    let told = |(joint, independent): (f64, f64)| {
        if joint > 1e-15 && independent > 1e-15 { joint * (joint / independent).ln() } else { 0.0 }
    };
    let information: f64 = cells.into_iter().map(told).sum();
    let least = entropy(a).min(entropy(b));
    // A column that every query uses tells nothing by its use; it goes with any other.
    if least <= 1e-12 { 1.0 } else { (information / least).clamp(0.0, 1.0) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_used_alike_tell_all_of_each_other_and_independent_ones_nothing() {
        assert!((mutual_information(0.4, 0.4, 0.4) - 1.0).abs() < 1e-12);
        assert!((mutual_information(0.4, 0.6, 0.0) - 1.0).abs() < 1e-12, "never used together tells as much");
        assert!(mutual_information(0.5, 0.5, 0.25).abs() < 1e-12);
    }
}
