//! Tables so small that anyone sees what is right.

use super::*;
use crate::families::cost::Disk;
use crate::families::{Access, Ask, Column, Evaluator, FamilyLimit, Method};

fn rivals() -> [Box<dyn Method>; 6] {
    [
        Box::new(Navathe),
        Box::new(O2p),
        Box::new(HillClimb),
        Box::new(AutoPart::default()),
        Box::new(Hyrise::default()),
        Box::new(Trojan::default()),
    ]
}

/// Columns of eight bytes and a million rows, all of which each ask reads.
fn problem(columns: usize, asks: &[&[usize]], limit: FamilyLimit) -> Problem {
    Problem {
        rows: 1_000_000,
        columns: (0..columns).map(|at| Column { name: format!("c{at}"), bytes: 8.0, filled: 1.0 }).collect(),
        asks: asks
            .iter()
            .map(|columns| Ask {
                name: String::new(),
                access: Access::Scan,
                columns: columns.iter().copied().collect(),
                rows: 1e6,
                rate: 1.0,
            })
            .collect(),
        limit,
        ..Problem::default()
    }
}

fn assert_all_find(problem: &Problem, expected: &[&[usize]]) {
    let expected: Vec<ColumnSet> = expected.iter().map(|family| family.iter().copied().collect()).collect();
    for rival in rivals() {
        let cost = Disk::default();
        let outcome = rival.run(&Evaluator::new(problem, &cost, None), 1);
        assert_eq!(outcome.families.as_deref(), Some(&expected[..]), "{}", rival.name());
    }
}

#[test]
fn columns_that_two_queries_read_apart_are_two_families() {
    assert_all_find(&problem(4, &[&[0, 2], &[1, 3]], FamilyLimit::None), &[&[0, 2], &[1, 3]]);
}

#[test]
fn what_nobody_reads_is_kept_out_of_the_way() {
    assert_all_find(&problem(5, &[&[0, 1], &[0, 1]], FamilyLimit::AtMost(2)), &[&[0, 1], &[2, 3, 4]]);
}

#[test]
fn one_family_is_one_family() {
    assert_all_find(&problem(3, &[&[0], &[1], &[2]], FamilyLimit::AtMost(1)), &[&[0, 1, 2]]);
}

#[test]
fn a_number_of_families_is_held() {
    for wanted in 1..=6 {
        let problem = problem(6, &[&[0, 1], &[2, 3], &[0, 5]], FamilyLimit::Exactly(wanted));
        for rival in rivals() {
            let cost = Disk::default();
            let outcome = rival.run(&Evaluator::new(&problem, &cost, None), 1);
            assert_eq!(outcome.families.map(|families| families.len()), Some(wanted), "{}", rival.name());
        }
    }
}

#[test]
fn a_method_that_is_carried_to_the_limit_says_so() {
    let problem = problem(6, &[&[0, 1], &[2, 3], &[4], &[5]], FamilyLimit::AtMost(2));
    for rival in rivals() {
        let cost = Disk::default();
        let outcome = rival.run(&Evaluator::new(&problem, &cost, None), 1);
        assert!(outcome.notes.iter().any(|note| note.contains('2')), "{}: {:?}", rival.name(), outcome.notes);
    }
}
