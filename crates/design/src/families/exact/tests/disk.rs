//! The `disk` cost.

use std::time::{Duration, Instant};

use super::*;

const SEED: u64 = 2013;

#[test]
fn the_disk_optimum_is_that_of_all_groupings_at_every_limit() {
    let mut random = fastrand::Rng::with_seed(SEED);
    let disk = Disk::default();
    for case in 0..120 {
        let columns = random.usize(1..8);
        let mut problem = problem(&mut random, columns);
        for (limit, least) in limits(&cheapest_partitions(&disk, &problem)) {
            problem.limit = limit;
            let (found, bound, _) = run(Exact::default(), &disk, &problem);
            assert!(is_close(found, least), "seed {SEED} case {case} {limit:?}: {found}, least {least}");
            assert_eq!(bound, found, "seed {SEED} case {case} {limit:?} is not proven");
        }
    }
}

/// As above, but with columns that are used alike in bundles from the first.
#[test]
fn bundles_are_parted_where_rounding_makes_it_pay() {
    let mut random = fastrand::Rng::with_seed(SEED + 1);
    let disk = Disk::default();
    let bundling = Exact { sizes: Sizes { columns: 0, ..Sizes::default() } };
    let (mut proven, mut all) = (0, 0);
    for case in 0..120 {
        let columns = random.usize(1..8);
        let mut problem = problem(&mut random, columns);
        for (limit, least) in limits(&cheapest_partitions(&disk, &problem)) {
            problem.limit = limit;
            let (found, bound, _) = run(bundling, &disk, &problem);
            assert!(
                bound <= least * (1.0 + 1e-9),
                "seed {SEED} case {case} {limit:?}: bound {bound} above {least}"
            );
            if bound == found {
                assert!(is_close(found, least), "seed {SEED} case {case} {limit:?}: {found}, least {least}");
                proven += 1;
            }
            all += 1;
        }
    }
    assert!(proven * 10 >= all * 9, "{proven} of {all} proven");
}

/// Two columns for one query, with 6 MB each of two others in cap of two families: 8 MB a family fit into the buffer, 10 MB
/// do not. Rounding is a whole seek here.
#[test]
fn columns_that_are_used_alike_are_parted_when_that_saves_a_seek() {
    let column = |bytes: f64| Column { name: String::new(), bytes, filled: 1.0 };
    let ask = |columns: &[usize]| Ask {
        name: String::new(),
        access: Access::Scan,
        columns: columns.iter().copied().collect(),
        rows: 1e5,
        rate: 1.0,
    };
    let problem = Problem {
        rows: 100_000,
        columns: [20.0, 20.0, 60.0, 60.0].map(column).into(),
        asks: vec![ask(&[0, 1, 2, 3]), ask(&[2]), ask(&[3])],
        limit: FamilyLimit::AtMost(2),
        ..Problem::default()
    };
    let disk = Disk::default();
    let together: Vec<ColumnSet> =
        [&[0, 1, 2][..], &[3]].map(|family| family.iter().copied().collect()).into();
    for columns in [0, 16] {
        let exact = Exact { sizes: Sizes { columns, ..Sizes::default() } };
        let (found, bound, outcome) = run(exact, &disk, &problem);
        assert_eq!(bound, found);
        assert!(is_close(found + disk.seek_s, disk.of(&problem, &together)), "{found} {outcome:?}");
        assert!(outcome.families.is_some_and(|families| families.iter().all(|family| family.len() == 2)));
    }
}

#[test]
fn a_deadline_that_has_passed_leaves_a_grouping_and_a_bound_below_the_optimum() {
    let mut random = fastrand::Rng::with_seed(SEED + 2);
    let disk = Disk::default();
    for case in 0..60 {
        let mut problem = problem(&mut random, 7);
        for (limit, least) in limits(&cheapest_partitions(&disk, &problem)) {
            problem.limit = limit;
            let evaluator = Evaluator::new(&problem, &disk, Some(Instant::now()));
            let outcome = Exact::default().run(&evaluator, 0);
            assert!(problem.allows(&outcome.families.expect("a grouping")), "seed {SEED} case {case}");
            let bound = outcome.bound.expect("a bound");
            assert!(
                bound <= least * (1.0 + 1e-9),
                "seed {SEED} case {case} {limit:?}: {bound} above {least}"
            );
        }
    }
}

#[test]
fn a_thousand_columns_are_answered_at_once_with_a_bound() {
    let mut random = fastrand::Rng::with_seed(SEED + 3);
    let mut problem = problem(&mut random, 1_000);
    problem.rows = 1_000_000;
    for index in 0..12 {
        let columns = (0..1_000).filter(|_| random.u8(0..4) == 0).collect();
        problem.asks.push(Ask {
            name: String::new(),
            access: Access::Scan,
            columns,
            rows: 1e6,
            rate: f64::from(index),
        });
    }
    for limit in [FamilyLimit::None, FamilyLimit::AtMost(3), FamilyLimit::Exactly(5)] {
        problem.limit = limit;
        let disk = Disk::default();
        let evaluator = Evaluator::new(&problem, &disk, Some(Instant::now() + Duration::from_secs(2)));
        // That this ends is what is tested: without the deadline it would go on for hours.
        let outcome = Exact::default().run(&evaluator, 0);
        let found = disk.of(&problem, &outcome.families.expect("a grouping"));
        let bound = outcome.bound.expect("a bound");
        assert!(0.0 < bound && bound < found, "{limit:?}: {bound} below {found}");
        assert!(!outcome.notes.is_empty());
    }
}

#[test]
fn tables_without_columns_or_asks_have_an_answer() {
    let disk = Disk::default();
    let mut random = fastrand::Rng::with_seed(SEED + 4);
    let empty = Problem::default();
    assert_eq!(run(Exact::default(), &disk, &empty).1, 0.0);
    let mut unasked = problem(&mut random, 5);
    unasked.asks.clear();
    for limit in
        [FamilyLimit::None, FamilyLimit::AtMost(2), FamilyLimit::Exactly(4), FamilyLimit::Exactly(99)]
    {
        unasked.limit = limit;
        assert_eq!(run(Exact::default(), &disk, &unasked).1, 0.0);
    }
    unasked.limit = FamilyLimit::AtMost(0);
    let outcome = Exact::default().run(&Evaluator::new(&unasked, &disk, None), 0);
    assert_eq!((outcome.families, outcome.notes.len()), (None, 1));
}
