//! The best groupings so far, each once.

use crate::families::ColumnSet;

/// The best groupings, the cheapest first.
pub struct Pool {
    most: usize,
    members: Vec<(f64, Vec<ColumnSet>)>,
}

impl Pool {
    /// An empty pool of so many places.
    pub fn new(most: usize) -> Self {
        Self { most: most.max(1), members: Vec::new() }
    }

    /// Takes a grouping in, when it is new and good enough.
    pub fn add(&mut self, cost: f64, families: Vec<ColumnSet>) {
        if self.members.iter().any(|(_, member)| *member == families) {
            return;
        }
        let place = self.members.partition_point(|(other, _)| *other <= cost);
        self.members.insert(place, (cost, families));
        self.members.truncate(self.most);
    }

    /// The cheapest.
    pub fn best(&self) -> Option<&(f64, Vec<ColumnSet>)> {
        self.members.first()
    }

    /// The cheapest ones.
    pub fn first(&self, count: usize) -> Vec<Vec<ColumnSet>> {
        self.members.iter().take(count).map(|(_, families)| families.clone()).collect()
    }

    /// Any of them; the cheapest has half of the chances.
    pub fn any(&self, random: &mut fastrand::Rng) -> Vec<ColumnSet> {
        let place = if random.bool() { 0 } else { random.usize(0..self.members.len().max(1)) };
        self.members.get(place).map(|(_, families)| families.clone()).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_cheapest_stay_each_once() {
        let grouping = |column: usize| vec![ColumnSet::from_iter([column])];
        let mut pool = Pool::new(2);
        pool.add(3.0, grouping(3));
        pool.add(1.0, grouping(1));
        pool.add(1.0, grouping(1));
        pool.add(2.0, grouping(2));
        assert_eq!(pool.best(), Some(&(1.0, grouping(1))));
        let mut random = fastrand::Rng::with_seed(1);
        let seen: std::collections::BTreeSet<_> = (0..100).map(|_| pool.any(&mut random)).collect();
        assert_eq!(seen, [grouping(1), grouping(2)].into());
    }
}
