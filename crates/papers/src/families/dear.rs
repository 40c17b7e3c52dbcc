//! A grouping with a high cost, for the paper's ref02: a schema that nobody should have.

use tablesmith_design::families::{ColumnSet, Cost, Problem};

/// Passes over all columns; later ones find next to nothing.
const PASSES: usize = 4;

/// So many disjoint families, climbing to a higher cost from a random grouping by moving one column at a time.
pub fn grouping(problem: &Problem, cost: &dyn Cost, families: usize, seed: u64) -> Vec<ColumnSet> {
    let columns = problem.columns.len();
    let families = families.clamp(1, columns.max(1));
    let mut random = fastrand::Rng::with_seed(seed);
    // The first columns begin a family each, so that none is empty.
    let mut home: Vec<usize> = (0..columns)
        .map(|column| if column < families { column } else { random.usize(0..families) })
        .collect();
    random.shuffle(&mut home);
    let mut highest = cost.of(problem, &sets(&home, families));
    for _ in 0..PASSES {
        for column in 0..columns {
            for family in 0..families {
                let mut moved = home.clone();
                let Some(place) = moved.get_mut(column) else { continue };
                *place = family;
                let grouping = sets(&moved, families);
                if grouping.iter().any(ColumnSet::is_empty) {
                    continue;
                }
                let found = cost.of(problem, &grouping);
                if found > highest {
                    (home, highest) = (moved, found);
                }
            }
        }
    }
    sets(&home, families)
}

fn sets(home: &[usize], families: usize) -> Vec<ColumnSet> {
    let members = |family: usize| {
        home.iter().enumerate().filter(move |(_, own)| **own == family).map(|(column, _)| column).collect()
    };
    (0..families).map(members).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use tablesmith_design::families::cost::paper::Paper;
    use tablesmith_design::families::{Access, Ask, Column};

    #[test]
    fn it_costs_more_than_what_suits_the_queries() {
        let column = |name: &str| Column { name: name.to_owned(), bytes: 8.0, filled: 1.0 };
        let ask = |columns: [usize; 2]| Ask {
            name: String::new(),
            access: Access::Get,
            columns: columns.into_iter().collect(),
            rows: 1.0,
            rate: 1.0,
        };
        let problem = Problem {
            rows: 100,
            columns: ["a", "b", "c", "d"].map(column).into(),
            asks: vec![ask([0, 1]), ask([2, 3])],
            ..Problem::default()
        };
        let cost = Paper::default();
        let suits = [[0, 1], [2, 3]].map(|columns| columns.into_iter().collect::<ColumnSet>());
        for seed in 0..10 {
            let dear = grouping(&problem, &cost, 2, seed);
            assert_eq!(dear.len(), 2);
            assert!(cost.of(&problem, &dear) > cost.of(&problem, &suits), "seed {seed}: {dear:?}");
        }
    }
}
