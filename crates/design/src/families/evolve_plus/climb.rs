//! Climbing to a local optimum: each unit, each family, each ask in turn takes the best of its steps; wider steps are
//! tried when nearer ones lead no further.

use super::steps::Steps;
use crate::families::evolve::Rules;
use crate::families::ledger::{Change, Ledger, is_less};
use crate::families::{ColumnSet, atoms};

/// Of the steps of a wide kind at most so many are tried, drawn at random.
const WIDE_STEPS_MAX: usize = 3_000;
/// With more near steps than this, two of them in a row are too many pairs to look at.
const TWO_STEPS_MAX: usize = 250;

/// Kinds of steps. Each is tried when those before it lead no further.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Reach {
    Units,
    Families,
    Asks,
    AllBut,
    Fine,
    Swaps,
    MergeAndCut,
}

impl Reach {
    const ALL: [Self; 7] =
        [Self::Units, Self::Families, Self::Asks, Self::AllBut, Self::Fine, Self::Swaps, Self::MergeAndCut];
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
            if self.sweep(*kind, random) {
                reach = Reach::ALL.iter();
            }
        }
        (self.ledger.cost(), self.ledger.families())
    }

    /// Lets everything that can take a step of a kind take its best one; false when no step was taken.
    fn sweep(&mut self, reach: Reach, random: &mut fastrand::Rng) -> bool {
        let movers = match reach {
            Reach::Units | Reach::AllBut => self.units.len(),
            Reach::Fine if self.minds_single_columns => self.units.len(),
            Reach::Fine => 0,
            Reach::Families => self.ledger.len(),
            Reach::Asks => self.ledger.evaluator().problem().asks.len(),
            Reach::Swaps | Reach::MergeAndCut => 1,
        };
        let mut order: Vec<usize> = (0..movers).collect();
        random.shuffle(&mut order);
        let mut has_moved = false;
        for mover in order {
            let mut steps = self.steps(reach, mover);
            if steps.len() > WIDE_STEPS_MAX {
                random.shuffle(&mut steps);
                steps.truncate(WIDE_STEPS_MAX);
            }
            has_moved |= self.take_the_best(steps);
            if self.ledger.evaluator().is_time_up() {
                break;
            }
        }
        has_moved
    }

    fn steps(&self, reach: Reach, mover: usize) -> Vec<Change> {
        let steps = |is_fine| Steps::new(&self.ledger, &self.rules, is_fine);
        let unit = self.units.get(mover);
        match reach {
            Reach::Units => unit.map(|unit| steps(false).of_unit(unit)),
            Reach::Fine => unit.map(|unit| steps(true).of_unit(unit)),
            Reach::AllBut => unit.map(|unit| steps(false).all_but(unit)),
            Reach::Families => Some(steps(false).of_family(mover)),
            Reach::Asks => {
                self.ledger.evaluator().problem().asks.get(mover).map(|ask| steps(false).of_ask(ask))
            }
            Reach::Swaps => Some(steps(self.minds_single_columns).swaps(&self.units)),
            Reach::MergeAndCut => Some(steps(false).merge_and_cut()),
        }
        .unwrap_or_default()
    }

    /// Takes the step that lowers the cost most; false when none does.
    fn take_the_best(&mut self, steps: Vec<Change>) -> bool {
        let mut best: Option<(f64, Change)> = None;
        for (tried, step) in steps.into_iter().enumerate() {
            if tried % 64 == 63 && self.ledger.evaluator().is_time_up() {
                break;
            }
            let cost = self.ledger.price(&step);
            let least = best.as_ref().map_or(self.ledger.cost(), |(least, _)| *least);
            if is_less(cost, least) && self.keeps_families_apart(&step) {
                best = Some((cost, step));
            }
        }
        let Some((_, step)) = best else { return false };
        self.ledger.apply(step);
        true
    }

    /// A grouping two near steps away that costs less, though the first of them may cost more. Only looked for where
    /// there are few steps.
    pub fn two_steps(&mut self, families: Vec<ColumnSet>) -> Option<Vec<ColumnSet>> {
        self.ledger.replace_all(families.clone());
        let cost = self.ledger.cost();
        let first_steps = self.near_steps();
        if first_steps.len() > TWO_STEPS_MAX {
            return None;
        }
        for first in first_steps {
            if self.ledger.evaluator().is_time_up() {
                return None;
            }
            self.ledger.replace_all(families.clone());
            self.ledger.apply(first);
            for second in self.near_steps() {
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

    fn near_steps(&self) -> Vec<Change> {
        let steps = Steps::new(&self.ledger, &self.rules, self.minds_single_columns);
        let of_units = self.units.iter().flat_map(|unit| steps.of_unit(unit));
        of_units.chain((0..self.ledger.len()).flat_map(|family| steps.of_family(family))).collect()
    }

    /// No family may be there twice, or be empty.
    fn keeps_families_apart(&self, step: &Change) -> bool {
        let stays = |at: &usize| !step.out.contains(at);
        let mut stay: Vec<&ColumnSet> =
            (0..self.ledger.len()).filter(stays).filter_map(|at| self.ledger.family(at)).collect();
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
