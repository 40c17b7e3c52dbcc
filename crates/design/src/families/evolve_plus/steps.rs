//! The steps that lead from a grouping to its neighbours.

use crate::families::evolve::Rules;
use crate::families::ledger::{Change, Ledger};
use crate::families::{Ask, ColumnSet};

/// With more families than this, columns go only to families that some ask reads with them, and to the first.
const ALL_TARGETS_MAX: usize = 12;
/// With more families than this, no two of them are put together and cut anew, and none is copied whole: there are too
/// many pairs.
const PAIRS_MAX: usize = 12;
/// With more families than this, no two of them are put together while a third is cut.
const TRIPLES_MAX: usize = 7;
/// With more pieces than this none change places.
const SWAPPED_MAX: usize = 150;
/// In tables with more columns than this, of the columns of a unit only the first moves alone.
const ALL_SINGLES_MAX: usize = 32;

/// A part of a family that moves as one.
#[derive(Clone, Debug)]
struct Piece {
    columns: ColumnSet,
    family: usize,
}

/// What steps are made of.
pub struct Steps<'l, 'a> {
    ledger: &'l Ledger<'a>,
    rules: &'l Rules,
    /// Whether single columns of a unit move too.
    is_fine: bool,
}

impl<'l, 'a> Steps<'l, 'a> {
    /// Steps from where a ledger stands.
    pub fn new(ledger: &'l Ledger<'a>, rules: &'l Rules, is_fine: bool) -> Self {
        Self { ledger, rules, is_fine }
    }

    fn may_grow(&self) -> bool {
        self.ledger.len() < self.rules.most
    }

    fn may_shrink(&self) -> bool {
        self.ledger.len() > self.rules.fewest
    }

    fn families(&self) -> impl Iterator<Item = (usize, &ColumnSet)> {
        (0..self.ledger.len()).filter_map(|at| self.ledger.family(at).map(|family| (at, family)))
    }

    fn asks(&self) -> &[Ask] {
        &self.ledger.evaluator().problem().asks
    }

    /// The parts of a unit, one in each family that has a column of it.
    fn pieces(&self, unit: &ColumnSet) -> Vec<Piece> {
        let mut pieces = Vec::new();
        for (family, columns) in self.families() {
            let piece = unit.intersection(columns);
            if self.is_fine && piece.len() > 1 {
                // Columns of a unit are used alike: one stands for all, but for where the copies of each are.
                let singles = if self.rules.columns <= ALL_SINGLES_MAX { piece.len() } else { 1 };
                let single = |column| Piece { columns: ColumnSet::from_iter([column]), family };
                pieces.extend(piece.iter().take(singles).map(single));
            }
            if !piece.is_empty() {
                pieces.push(Piece { columns: piece, family });
            }
        }
        pieces
    }

    /// The families to which columns may go.
    fn targets(&self, columns: &ColumnSet) -> Vec<usize> {
        if self.ledger.len() <= ALL_TARGETS_MAX {
            return (0..self.ledger.len()).collect();
        }
        let mut read_together = ColumnSet::new();
        let with = self.asks().iter().filter(|ask| ask.columns.intersects(columns));
        with.for_each(|ask| read_together.unite(&ask.columns));
        let is_target = |(at, family): &(usize, &ColumnSet)| *at == 0 || family.intersects(&read_together);
        self.families().filter(is_target).map(|(at, _)| at).collect()
    }

    /// Columns of a unit move to another family or to one of their own, or are copied there, or a copy of them goes.
    pub fn of_unit(&self, unit: &ColumnSet) -> Vec<Change> {
        let mut steps = Vec::new();
        let targets = self.targets(unit);
        for piece in self.pieces(unit) {
            let is_all = self.ledger.family(piece.family) == Some(&piece.columns);
            if !is_all && self.may_grow() {
                steps.push(self.ledger.splitting(piece.family, &piece.columns));
            }
            if !is_all || self.may_shrink() {
                let others = targets.iter().filter(|target| **target != piece.family);
                steps.extend(others.map(|target| self.ledger.moving(&piece.columns, piece.family, *target)));
            }
            if self.rules.may_duplicate {
                self.copies(&piece, &targets, &mut steps);
            }
        }
        steps
    }

    fn copies(&self, piece: &Piece, targets: &[usize], steps: &mut Vec<Change>) {
        for target in targets {
            let Some(family) = self.ledger.family(*target) else { continue };
            if !piece.columns.is_subset(family) {
                steps.push(Change { out: vec![*target], into: vec![family.union(&piece.columns)] });
            }
        }
        let Some(home) = self.ledger.family(piece.family) else { return };
        let mut elsewhere = ColumnSet::new();
        self.families().filter(|(at, _)| *at != piece.family).for_each(|(_, family)| elsewhere.unite(family));
        let mut rest = home.clone();
        rest.subtract(&elsewhere.intersection(&piece.columns));
        if rest.is_empty() && self.may_shrink() {
            steps.push(Change { out: vec![piece.family], into: Vec::new() });
        } else if !rest.is_empty() && rest != *home {
            steps.push(Change { out: vec![piece.family], into: vec![rest] });
        }
    }

    /// A family is put together with another, or gets a copy of it.
    pub fn of_family(&self, family: usize) -> Vec<Change> {
        let Some(columns) = self.ledger.family(family) else { return Vec::new() };
        let mut steps = Vec::new();
        for other in self.targets(columns).into_iter().filter(|other| *other != family) {
            if self.may_shrink() {
                steps.push(self.ledger.merging(family, other));
            }
            if self.rules.may_duplicate && self.ledger.len() <= PAIRS_MAX {
                let into = self.ledger.merging(family, other).into;
                steps.push(Change { out: vec![family], into });
            }
        }
        steps
    }

    /// A family is cut into what an ask reads and the rest, or two families are put together and cut so; with copies, a
    /// family gets all that an ask reads, or a new one has it.
    pub fn of_ask(&self, ask: &Ask) -> Vec<Change> {
        let mut steps = Vec::new();
        for (a, family) in self.families() {
            if self.may_grow() && cuts(ask, family) {
                steps.push(self.ledger.splitting(a, &family.intersection(&ask.columns)));
            }
            if self.ledger.len() <= PAIRS_MAX {
                let later = self.families().filter(|(b, _)| *b > a);
                steps.extend(later.filter_map(|(b, other)| cut_anew(ask, (a, family), (b, other))));
            }
            if self.rules.may_duplicate && !ask.columns.is_subset(family) {
                steps.push(Change { out: vec![a], into: vec![family.union(&ask.columns)] });
            }
        }
        if self.rules.may_duplicate && self.may_grow() && !ask.columns.is_empty() {
            steps.push(Change { out: Vec::new(), into: vec![ask.columns.clone()] });
        }
        steps
    }

    /// A family gets all columns but those of a unit that it does not have: a large step that no row of small ones makes,
    /// since each copy costs by itself.
    pub fn all_but(&self, unit: &ColumnSet) -> Vec<Change> {
        if !self.rules.may_duplicate || self.ledger.len() > PAIRS_MAX {
            return Vec::new();
        }
        let mut most = ColumnSet::first(self.rules.columns);
        most.subtract(unit);
        let without = self.families().filter(|(_, family)| !unit.intersects(family) && **family != most);
        without.map(|(at, _)| Change { out: vec![at], into: vec![most.clone()] }).collect()
    }

    /// Two pieces of different families change places.
    pub fn swaps(&self, units: &[ColumnSet]) -> Vec<Change> {
        let pieces: Vec<Piece> = units.iter().flat_map(|unit| self.pieces(unit)).collect();
        let mut steps = Vec::new();
        if pieces.len() > SWAPPED_MAX {
            return steps;
        }
        for (at, x) in pieces.iter().enumerate() {
            for y in pieces.iter().skip(at + 1).filter(|y| y.family != x.family) {
                let (a, b) = (self.ledger.family(x.family), self.ledger.family(y.family));
                let Some((a, b)) = a.zip(b).filter(|(a, b)| x.columns != **a || y.columns != **b) else {
                    continue;
                };
                let into = vec![exchange(a, &x.columns, &y.columns), exchange(b, &y.columns, &x.columns)];
                steps.push(Change { out: vec![x.family, y.family], into });
            }
        }
        steps
    }

    /// Two families become one, and another is cut by an ask: the number of families stays.
    pub fn merge_and_cut(&self) -> Vec<Change> {
        let mut steps = Vec::new();
        if self.ledger.len() > TRIPLES_MAX {
            return steps;
        }
        for (a, b) in (0..self.ledger.len()).flat_map(|a| (0..a).map(move |b| (a, b))) {
            let merged = self.ledger.merging(a, b);
            for (c, family) in self.families().filter(|(c, _)| *c != a && *c != b) {
                for ask in self.asks().iter().filter(|ask| cuts(ask, family)) {
                    let cut = self.ledger.splitting(c, &family.intersection(&ask.columns));
                    let mut step = merged.clone();
                    step.out.extend(cut.out);
                    step.into.extend(cut.into);
                    steps.push(step);
                }
            }
        }
        steps
    }
}

/// Whether an ask reads some but not all of a family.
fn cuts(ask: &Ask, family: &ColumnSet) -> bool {
    ask.columns.intersects(family) && !family.is_subset(&ask.columns)
}

/// Two families put together and cut into what an ask reads and the rest.
fn cut_anew(ask: &Ask, (a, family): (usize, &ColumnSet), (b, other): (usize, &ColumnSet)) -> Option<Change> {
    let both = family.union(other);
    cuts(ask, &both).then(|| {
        let read = both.intersection(&ask.columns);
        let mut rest = both;
        rest.subtract(&read);
        Change { out: vec![a, b], into: vec![read, rest] }
    })
}

fn exchange(family: &ColumnSet, gone: &ColumnSet, come: &ColumnSet) -> ColumnSet {
    let mut family = family.clone();
    family.subtract(gone);
    family.union(come)
}
