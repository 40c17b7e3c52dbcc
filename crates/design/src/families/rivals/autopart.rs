//! AutoPart: columns used alike are atomic fragments; each round joins chosen fragments to larger ones and takes those
//! that lower the cost, a copy of a column where there is room for it; in the end pairs are put together as long as it pays.

use crate::families::ledger::{Change, Ledger, is_less};
use crate::families::{Access, Ask, ColumnSet, Evaluator, Method, Outcome, Problem, atoms, greedy, limit};

/// Of more candidates than this, those that lower no cost at first are not tried again after others were taken.
const MANY: usize = 300;

/// AutoPart.
#[derive(Clone, Copy, Debug)]
pub struct AutoPart {
    /// Room for copies, as a share of a row's bytes. There is none in a cost that knows no duplicates.
    pub room_for_copies: f64,
    /// How many asks must use all columns of a joined fragment.
    pub asks_min: usize,
}

impl Default for AutoPart {
    fn default() -> Self {
        Self { room_for_copies: 0.5, asks_min: 1 }
    }
}

impl Method for AutoPart {
    fn name(&self) -> &'static str {
        "autopart"
    }

    fn origin(&self) -> &'static str {
        "Papadomanolakis and Ailamaki, AutoPart: Automating Schema Design for Large Scientific Databases Using Data \
         Partitioning, SSDBM 2004"
    }

    fn run(&self, evaluator: &Evaluator<'_>, _seed: u64) -> Outcome {
        if let Some(outcome) = limit::no_columns(evaluator) {
            return outcome;
        }
        let mut outcome = Outcome::default();
        let problem = evaluator.problem();
        let pricing = evaluator.model().pricing(problem);
        let fragments = atoms::atoms(problem);
        let mut ledger = Ledger::new(evaluator, &*pricing, fragments.clone());
        let mut chosen = fragments.clone();
        while !chosen.is_empty() && !evaluator.is_time_up() {
            let candidates = self.composites(problem, &fragments, &chosen);
            chosen = self.choose(&mut ledger, candidates);
        }
        let (fewest, _) = limit::bounds(problem);
        outcome.out_of_time = !greedy::merge(&mut ledger, fewest, usize::MAX);
        limit::settle(&mut ledger, &mut outcome);
        limit::close(&ledger, outcome)
    }
}

impl AutoPart {
    /// Chosen fragments joined with atomic ones and with each other, as far as enough asks use all of it.
    fn composites(&self, problem: &Problem, fragments: &[ColumnSet], chosen: &[ColumnSet]) -> Vec<ColumnSet> {
        // An ask uses all of two fragments when it uses all of each.
        let with_users = |fragment| (fragment, users(problem, fragment));
        let fragments: Vec<(&ColumnSet, ColumnSet)> = fragments.iter().map(with_users).collect();
        let chosen: Vec<(&ColumnSet, ColumnSet)> = chosen.iter().map(with_users).collect();
        let mut composites: Vec<ColumnSet> = Vec::new();
        for (at, (fragment, users)) in chosen.iter().enumerate() {
            let others = fragments.iter().chain(chosen.iter().skip(at + 1));
            let joinable = others.filter(|(_, others_users)| users.common_len(others_users) >= self.asks_min);
            composites.extend(joinable.map(|(other, _)| fragment.union(other)));
        }
        composites.sort_by(ColumnSet::first_difference);
        composites.dedup();
        composites
    }

    /// Takes candidates into the grouping, the best first, until none lowers the cost. Returns those taken.
    fn choose(&self, ledger: &mut Ledger<'_>, mut candidates: Vec<ColumnSet>) -> Vec<ColumnSet> {
        let mut taken = Vec::new();
        let has_many = candidates.len() > MANY;
        loop {
            let mut best: Option<(f64, usize, Change)> = None;
            let mut useless = ColumnSet::new();
            let families = ledger.families();
            for (at, candidate) in candidates.iter().enumerate() {
                if ledger.evaluator().is_time_up() {
                    return taken;
                }
                let Some(change) = self.admission(ledger, &families, candidate) else { continue };
                let cost = ledger.price(&change);
                if has_many && !is_less(cost, ledger.cost()) {
                    useless.insert(at);
                }
                if is_less(cost, best.as_ref().map_or(ledger.cost(), |(best, _, _)| *best)) {
                    best = Some((cost, at, change));
                }
            }
            let Some((_, at, change)) = best else { return taken };
            ledger.apply(change);
            useless.insert(at);
            taken.extend(candidates.get(at).cloned());
            let mut position = 0..;
            candidates.retain(|_| !position.next().is_some_and(|at| useless.contains(at)));
        }
    }

    /// The change that adds a fragment in place of those within it; none when it is there already or has no room.
    fn admission(&self, ledger: &Ledger<'_>, families: &[ColumnSet], fragment: &ColumnSet) -> Option<Change> {
        if families.contains(fragment) {
            return None;
        }
        let within: Vec<usize> = (0..families.len())
            .filter(|at| families.get(*at).is_some_and(|f| f.is_subset(fragment)))
            .collect();
        let after = families.iter().filter(|family| !family.is_subset(fragment)).chain([fragment]);
        let problem = ledger.evaluator().problem();
        let may_copy = ledger.evaluator().model().allows_duplicates();
        let room = if may_copy { self.room_for_copies } else { 0.0 };
        let bytes = |columns: &ColumnSet| -> f64 {
            columns.iter().filter_map(|at| problem.columns.get(at)).map(|column| column.bytes.max(1.0)).sum()
        };
        let row = bytes(&ColumnSet::first(problem.columns.len()));
        let stored: f64 = after.map(bytes).sum();
        (stored <= row * (1.0 + room) + 0.5).then(|| Change { out: within, into: vec![fragment.clone()] })
    }
}

/// The reads, by number, that use all columns of a fragment.
fn users(problem: &Problem, fragment: &ColumnSet) -> ColumnSet {
    let is_user = |ask: &Ask| ask.access != Access::Write && fragment.is_subset(&ask.columns);
    problem.asks.iter().enumerate().filter(|(_, ask)| is_user(ask)).map(|(number, _)| number).collect()
}
