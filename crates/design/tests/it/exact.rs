//! The proven optimum on TPC-H.

use std::time::{Duration, Instant};

use tablesmith_design::families::cost::Disk;
use tablesmith_design::families::exact::Exact;
use tablesmith_design::families::{FamilyLimit, Problem};

use crate::tpch;

/// The cost of the optimum, which has to be proven within some seconds.
fn proven(problem: &Problem, seconds_most: u64) -> f64 {
    let begin = Instant::now();
    let (cost, outcome) = tpch::run(&Exact::default(), problem, &Disk::default(), 1);
    let (table, limit, took) = (&problem.table, problem.limit, begin.elapsed());
    assert_eq!(outcome.bound, Some(cost), "{table} {limit:?} is not proven: {:?}", outcome.notes);
    assert!(took < Duration::from_secs(seconds_most), "{table} {limit:?} took {took:?}");
    cost
}

#[test]
fn the_published_optimum_of_all_tables_is_proven() {
    let total: f64 = tpch::tables().iter().map(|table| proven(table, 20)).sum();
    assert!((total - 415.151).abs() < 5e-4, "{total}");
}

#[test]
fn lineitem_is_proven_at_every_cap() {
    let least = |limit: FamilyLimit| proven(&tpch::table("lineitem", limit), 20);
    assert!((least(FamilyLimit::None) - 340.634).abs() < 5e-4);
    assert!((least(FamilyLimit::AtMost(3)) - 605.090).abs() < 5e-4);
    assert!((least(FamilyLimit::AtMost(1)) - 1_651.117).abs() < 5e-4);
    let caps: Vec<f64> = (1..=9).map(|cap| least(FamilyLimit::AtMost(cap))).collect();
    assert!(caps.is_sorted_by(|fewer, more| more <= fewer), "{caps:?}");
    let exactly = (11..=13).map(|count| least(FamilyLimit::Exactly(count))).fold(f64::INFINITY, f64::min);
    assert!((exactly - least(FamilyLimit::None)).abs() < 1e-9);
}
