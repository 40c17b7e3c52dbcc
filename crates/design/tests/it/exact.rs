//! The proven optimum on TPC-H.

use tablesmith_design::families::cost::Disk;
use tablesmith_design::families::exact::Exact;
use tablesmith_design::families::{Cost, Evaluator, FamilyLimit, Method, Problem};

use crate::tpch;

/// So many evaluations take about a second.
const EVALUATIONS_MAX: u64 = 1_000_000;

/// The cost of the optimum, which has to be proven with few evaluations.
fn proven(problem: &Problem) -> f64 {
    let (table, limit, disk) = (&problem.table, problem.limit, Disk::default());
    let evaluator = Evaluator::new(problem, &disk, None);
    let outcome = Exact::default().run(&evaluator, 1);
    let families = outcome.families.expect("there is an answer");
    assert!(problem.allows(&families), "{table} {limit:?}: {families:?}");
    let cost = disk.of(problem, &families);
    assert_eq!(outcome.bound, Some(cost), "{table} {limit:?} is not proven: {:?}", outcome.notes);
    let evaluations = evaluator.evaluations();
    println!("{table} {limit:?}: {evaluations} evaluations");
    assert!(evaluations <= EVALUATIONS_MAX, "{table} {limit:?} took {evaluations} evaluations");
    cost
}

#[test]
fn the_published_optimum_of_all_tables_is_proven() {
    let total: f64 = tpch::tables().iter().map(proven).sum();
    assert!((total - 415.151).abs() < 5e-4, "{total}");
}

#[test]
fn lineitem_is_proven_at_every_cap() {
    let least = |limit: FamilyLimit| proven(&tpch::table("lineitem", limit));
    assert!((least(FamilyLimit::None) - 340.634).abs() < 5e-4);
    assert!((least(FamilyLimit::AtMost(3)) - 605.090).abs() < 5e-4);
    assert!((least(FamilyLimit::AtMost(1)) - 1_651.117).abs() < 5e-4);
    let caps: Vec<f64> = (1..=9).map(|cap| least(FamilyLimit::AtMost(cap))).collect();
    assert!(caps.is_sorted_by(|fewer, more| more <= fewer), "{caps:?}");
    let exactly = (11..=13).map(|count| least(FamilyLimit::Exactly(count))).fold(f64::INFINITY, f64::min);
    assert!((exactly - least(FamilyLimit::None)).abs() < 1e-9);
}
