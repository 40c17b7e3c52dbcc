//! The books always say what the model says of the whole grouping.

use tablesmith_model::cost::Prices;

use super::*;
use crate::families::cost::{Bytes, Cost, Disk, Paper, Store};
use crate::families::instances::random_problem;

fn assert_books_are_right(cost: &dyn Cost, may_duplicate: bool) {
    let seed = 5;
    let mut random = fastrand::Rng::with_seed(seed);
    for case in 0..60 {
        let problem = random_problem(&mut random, 12, 8);
        let evaluator = Evaluator::new(&problem, cost, None);
        let pricing = cost.pricing(&problem);
        let mut ledger = Ledger::new(&evaluator, &*pricing, problem.each_alone());
        for step in 0..60 {
            let change = random_change(&mut random, &ledger, may_duplicate);
            let priced = ledger.price(&change);
            ledger.apply(change);
            let whole = cost.of(&problem, &ledger.families());
            let near = |a: f64| (a - whole).abs() <= 1e-9 * whole.abs().max(1e-9);
            assert!(
                near(priced) && near(ledger.cost()),
                "seed {seed}, case {case}, step {step}, {}",
                cost.name()
            );
        }
    }
}

fn random_change(random: &mut fastrand::Rng, ledger: &Ledger<'_>, may_duplicate: bool) -> Change {
    let a = random.usize(0..ledger.len());
    let b = random.usize(0..ledger.len());
    let family = ledger.family(a).unwrap().clone();
    let some: ColumnSet = family.iter().filter(|_| random.bool()).collect();
    match random.u8(0..4) {
        0 if a != b => ledger.merging(a, b),
        1 if !some.is_empty() && some != family => ledger.splitting(a, &some),
        2 if a != b && !some.is_empty() => ledger.moving(&some, a, b),
        3 if may_duplicate && a != b => {
            Change { out: vec![b], into: vec![ledger.family(b).unwrap().union(&some)] }
        }
        _ => Change { out: vec![a], into: vec![family] },
    }
}

#[test]
fn the_books_agree_with_the_disk_model() {
    assert_books_are_right(&Disk::default(), false);
}

#[test]
fn the_books_agree_with_the_papers_model() {
    assert_books_are_right(&Paper::default(), true);
}

#[test]
fn the_books_agree_with_the_model_of_bytes() {
    assert_books_are_right(&Bytes::default(), true);
}

#[test]
fn the_books_agree_with_the_model_of_a_store() {
    assert_books_are_right(&Store { prices: Prices::guessed() }, true);
}

#[test]
fn less_means_more_than_rounding() {
    assert!(is_less(1.0, 1.1));
    assert!(!is_less(1.0, 1.0 + 1e-14));
    assert!(!is_less(0.0, 0.0));
}
