//! The first parents: what rivals and baselines find, and a few groupings at random.

use crate::families::evolve::{Individual, Rules};
use crate::families::{ColumnSet, Evaluator, Method, baselines, rivals};

/// The share of the time that is left which each rival may take.
const TIME_SHARE: f64 = 0.15;
/// Groupings at random besides.
const RANDOM: usize = 3;

/// Groupings that the rules allow.
pub fn seeds(evaluator: &Evaluator<'_>, rules: &Rules, seed: u64) -> Vec<Vec<ColumnSet>> {
    let methods: [&dyn Method; 9] = [
        &baselines::One,
        &baselines::Each,
        &baselines::Current,
        &rivals::HillClimb,
        &rivals::AutoPart::default(),
        &rivals::Navathe,
        &rivals::O2p,
        &rivals::Hyrise::default(),
        &rivals::Trojan::default(),
    ];
    let mut seeds = Vec::new();
    for method in methods {
        if !seeds.is_empty() && evaluator.is_time_up() {
            break;
        }
        let part = evaluator.sooner(TIME_SHARE);
        let families = method.run(&part, seed).families;
        evaluator.count(part.evaluations());
        seeds.extend(families.filter(|families| is_allowed(evaluator, rules, families)));
    }
    let mut random = fastrand::Rng::with_seed(seed);
    seeds.extend((0..RANDOM).map(|_| Individual::random(rules, &mut random).families()));
    seeds
}

fn is_allowed(evaluator: &Evaluator<'_>, rules: &Rules, families: &[ColumnSet]) -> bool {
    let columns: usize = families.iter().map(ColumnSet::len).sum();
    evaluator.problem().allows(families)
        && families.len() <= rules.most
        && (rules.may_duplicate || columns == rules.columns)
}
