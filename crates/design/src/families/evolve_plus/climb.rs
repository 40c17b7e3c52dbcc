//! Climbing to a local optimum: the first step that lowers the cost is taken, nearer steps before wider ones.

use super::steps::Steps;
use crate::families::evolve::Rules;
use crate::families::ledger::{Change, Ledger, is_less};
use crate::families::{ColumnSet, atoms};

/// Of the wider steps at most so many are tried, drawn at random.
const WIDE_STEPS_MAX: usize = 3_000;

/// With more near steps than this, two of them in a row are too many pairs to look at.
const TWO_STEPS_MAX: usize = 250;

/// How wide steps are. Each kind is tried when those before it lead no further.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Reach {
    Near,
    ByAsk,
    LargeCopies,
    Fine,
    Swaps,
    MergeAndCut,
}

impl Reach {
    const ALL: [Self; 6] =
        [Self::Near, Self::ByAsk, Self::LargeCopies, Self::Fine, Self::Swaps, Self::MergeAndCut];
}

/// Climbs from any grouping.
pub struct Climber<'a> {
    ledger: Ledger<'a>,
    rules: Rules,
    units: Vec<ColumnSet>,
    /// Whether it can pay to tear columns apart that are used alike.
    minds_single_columns: bool,
}

impl<'a> Climber<'a> {
    /// A climber with books to write into.
    pub fn new(ledger: Ledger<'a>, rules: Rules) -> Self {
        let units = atoms::atoms(ledger.evaluator().problem());
        let minds_single_columns = rules.may_duplicate || rules.fewest > units.len();
        Self { ledger, rules, units, minds_single_columns }
    }

    /// The groups of columns used alike.
    pub fn units(&self) -> &[ColumnSet] {
        &self.units
    }

    /// The local optimum above a grouping, with its cost.
    pub fn climb(&mut self, families: Vec<ColumnSet>, random: &mut fastrand::Rng) -> (f64, Vec<ColumnSet>) {
        self.ledger.replace_all(families);
        let mut reach = Reach::ALL.iter();
        while let Some(kind) = reach.next() {
            if self.ledger.evaluator().is_time_up() {
                break;
            }
            // Without single columns fine steps are the near ones.
            if (*kind != Reach::Fine || self.minds_single_columns) && self.step(*kind, random) {
                reach = Reach::ALL.iter();
            }
        }
        (self.ledger.cost(), self.ledger.families())
    }

    /// A grouping two near steps away that costs less, though the first of them may cost more. Only looked for where
    /// there are few steps.
    pub fn two_steps(&mut self, families: Vec<ColumnSet>) -> Option<Vec<ColumnSet>> {
        self.ledger.replace_all(families.clone());
        let cost = self.ledger.cost();
        let first_steps = self.steps(Reach::Fine);
        if first_steps.len() > TWO_STEPS_MAX {
            return None;
        }
        for first in first_steps {
            if self.ledger.evaluator().is_time_up() {
                return None;
            }
            self.ledger.replace_all(families.clone());
            self.ledger.apply(first);
            for second in self.steps(Reach::Fine) {
                if is_less(self.ledger.price(&second), cost) && self.keeps_families_apart(&second) {
                    self.ledger.apply(second);
                    let further = self.ledger.families();
                    if has_no_family_twice(&further) {
                        return Some(further);
                    }
                    break;
                }
            }
        }
        None
    }

    /// Takes the first step of a kind that lowers the cost; false when there is none.
    fn step(&mut self, reach: Reach, random: &mut fastrand::Rng) -> bool {
        let mut steps = self.steps(reach);
        random.shuffle(&mut steps);
        if reach != Reach::Near {
            steps.truncate(WIDE_STEPS_MAX);
        }
        for (tried, step) in steps.into_iter().enumerate() {
            if tried % 64 == 63 && self.ledger.evaluator().is_time_up() {
                return false;
            }
            if is_less(self.ledger.price(&step), self.ledger.cost()) && self.keeps_families_apart(&step) {
                self.ledger.apply(step);
                return true;
            }
        }
        false
    }

    fn steps(&self, reach: Reach) -> Vec<Change> {
        let steps = |is_fine| Steps::new(&self.ledger, &self.rules, &self.units, is_fine);
        match reach {
            Reach::Near => steps(false).near(),
            Reach::ByAsk => steps(false).by_ask(),
            Reach::LargeCopies => steps(false).large_copies(),
            Reach::Fine => steps(self.minds_single_columns).near(),
            Reach::Swaps => steps(self.minds_single_columns).swaps(),
            Reach::MergeAndCut => steps(false).merge_and_cut(),
        }
    }

    /// No family may be there twice.
    fn keeps_families_apart(&self, step: &Change) -> bool {
        let stay = self.ledger.families();
        let mut stay: Vec<&ColumnSet> = stay
            .iter()
            .enumerate()
            .filter(|(at, _)| !step.out.contains(at))
            .map(|(_, family)| family)
            .collect();
        step.into.iter().all(|family| {
            let is_new = !stay.contains(&family);
            stay.push(family);
            is_new && !family.is_empty()
        })
    }
}

fn has_no_family_twice(families: &[ColumnSet]) -> bool {
    (1..families.len()).all(|at| {
        let (before, from) = families.split_at(at);
        from.first().is_none_or(|family| !before.contains(family))
    })
}
