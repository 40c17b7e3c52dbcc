//! Each factor with values worked out by hand, on the schemas of the paper's figure 2.

use super::*;
use crate::families::Column;

/// Ten columns a1 to a10 (here 0 to 9) and three queries, four calls a second together.
fn problem() -> Problem {
    let ask = |columns: &[usize], rate: f64| Ask {
        name: String::new(),
        access: Access::Get,
        columns: columns.iter().copied().collect(),
        rows: 1.0,
        rate,
    };
    Problem {
        columns: (1..=10)
            .map(|column| Column { name: format!("a{column}"), bytes: 1.0, filled: 1.0 })
            .collect(),
        asks: vec![ask(&[0, 1], 2.0), ask(&[7, 8], 1.0), ask(&[0, 4, 8], 1.0)],
        limit: FamilyLimit::AtMost(4),
        ..Problem::default()
    }
}

fn families(columns: &[&[usize]]) -> Vec<ColumnSet> {
    columns.iter().map(|family| family.iter().copied().collect()).collect()
}

/// Figure 2, individual 1: {a1…a4} {a5…a8} {a1, a8, a9, a10}; a1 and a8 are there twice.
fn individual_1() -> Vec<ColumnSet> {
    families(&[&[0, 1, 2, 3], &[4, 5, 6, 7], &[0, 7, 8, 9]])
}

/// Figure 2, individual 2: two families without duplicates.
fn individual_2() -> Vec<ColumnSet> {
    families(&[&[0, 1, 2, 3], &[4, 5, 6, 7, 8, 9]])
}

fn assert_near(a: f64, b: f64) {
    assert!((a - b).abs() < 1e-12, "{a} is not {b}");
}

#[test]
fn consume_is_the_mean_number_of_families_by_m() {
    // 1: {a1,a2} one family, {a8,a9} one, {a1,a5,a9} two (second and third). (2·1 + 1·1 + 1·2) / (4·4)
    assert_near(Paper::default().factors(&problem(), &individual_1()).consume, 5.0 / 16.0);
    // 2: one, one, two. The same.
    assert_near(Paper::default().factors(&problem(), &individual_2()).consume, 5.0 / 16.0);
}

#[test]
fn skew_is_twice_the_deviation_of_shares_of_columns() {
    // 4, 4, 4 of 12.
    assert_near(Paper::default().factors(&problem(), &individual_1()).skew, 0.0);
    // 0.4 and 0.6: deviation 0.1.
    assert_near(Paper::default().factors(&problem(), &individual_2()).skew, 0.2);
}

#[test]
fn duplicate_counts_columns_with_their_copies() {
    assert_near(Paper::default().factors(&problem(), &individual_1()).duplicate, 12.0 / 40.0);
    assert_near(Paper::default().factors(&problem(), &individual_2()).duplicate, 10.0 / 40.0);
}

#[test]
fn scatter_is_one_by_the_number_of_families() {
    assert_near(Paper::default().factors(&problem(), &individual_1()).scatter, 1.0 / 3.0);
    assert_near(Paper::default().factors(&problem(), &individual_2()).scatter, 0.5);
}

#[test]
fn balance_is_twice_the_deviation_of_loads() {
    // 2: the first family is loaded by the first and the third query (3 of 4), the second by the others (2 of 4).
    assert_near(Paper::default().factors(&problem(), &individual_2()).balance, 0.25);
    // 1: loads 2/4, 1/4 and 2/4; mean 5/12; deviations 1/12, 2/12, 1/12: variance (1 + 4 + 1) / 432.
    assert_near(
        Paper::default().factors(&problem(), &individual_1()).balance,
        2.0 * (6.0_f64 / 432.0).sqrt(),
    );
}

#[test]
fn the_cost_is_the_weighed_sum() {
    let weights = [0.3, 0.25, 0.2, 0.15, 0.1];
    let paper = Paper { weights: Weights::new(weights).unwrap(), most: None };
    let expected = 0.3 * 5.0 / 16.0 + 0.25 * 0.2 + 0.2 * 0.25 + 0.15 * 0.5 + 0.1 * 0.25;
    assert_near(paper.of(&problem(), &individual_2()), expected);
    assert_eq!(paper.weights.to_array(), weights);
}

#[test]
fn m_is_the_flag_else_the_limit_else_the_number_of_columns() {
    let mut problem = problem();
    assert_eq!(Paper { most: Some(7), ..Paper::default() }.most_families(&problem), 7.0);
    assert_eq!(Paper::default().most_families(&problem), 4.0);
    problem.limit = FamilyLimit::None;
    assert_eq!(Paper::default().most_families(&problem), 10.0);
}

#[test]
fn every_factor_stays_within_its_interval_on_random_schemas() {
    let seed = 3;
    let mut random = fastrand::Rng::with_seed(seed);
    let (problem, m) = (problem(), 4.0);
    for _ in 0..2_000 {
        let mut families: Vec<ColumnSet> =
            (0..random.usize(1..5)).map(|_| (0..10).filter(|_| random.bool()).collect()).collect();
        let count = families.len();
        (0..10).for_each(|column| {
            families[random.usize(0..count)].insert(column);
        });
        families.retain(|family| !family.is_empty());
        let factors = Paper::default().factors(&problem, &families);
        for (factor, low) in [
            (factors.consume, 1.0 / m),
            (factors.skew, 0.0),
            (factors.duplicate, 1.0 / m),
            (factors.scatter, 1.0 / m),
            (factors.balance, 0.0),
        ] {
            assert!(
                (low - 1e-12..=1.0 + 1e-12).contains(&factor),
                "seed {seed}: {factors:?} of {families:?}"
            );
        }
    }
}

#[test]
fn the_order_of_families_does_not_matter() {
    let seed = 4;
    let mut random = fastrand::Rng::with_seed(seed);
    for _ in 0..200 {
        let mut shuffled = individual_1();
        random.shuffle(&mut shuffled);
        assert_near(
            Paper::default().of(&problem(), &shuffled),
            Paper::default().of(&problem(), &individual_1()),
        );
    }
}

#[test]
fn wrong_weights_are_named() {
    assert_eq!(Weights::new([0.5, 0.5, 0.5, 0.0, 0.0]), Err(WrongWeights::Sum(1.5)));
    assert_eq!(Weights::new([-0.5, 0.5, 0.5, 0.5, 0.0]), Err(WrongWeights::OutOfRange(-0.5)));
    assert!(Weights::new([f64::NAN, 1.0, 0.0, 0.0, 0.0]).is_err());
    let default: f64 = Weights::default().to_array().iter().sum();
    assert_near(default, 1.0);
}

#[test]
fn without_queries_only_the_other_factors_count() {
    let mut problem = problem();
    problem.asks.clear();
    let factors = Paper::default().factors(&problem, &individual_2());
    assert_eq!((factors.consume, factors.balance), (0.0, 0.0));
}
