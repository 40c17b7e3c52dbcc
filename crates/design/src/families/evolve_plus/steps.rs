//! The steps that lead from a grouping to its neighbours.

use crate::families::evolve::Rules;
use crate::families::ledger::{Change, Ledger};
use crate::families::{Ask, ColumnSet};

/// With more families than this, a piece moves only to families that some ask reads with it, and to the first.
const ALL_TARGETS_MAX: usize = 12;

/// With more families than this, no two of them are put together and cut anew: there are too many pairs.
const PAIRS_CUT_MAX: usize = 12;
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
    units: &'l [ColumnSet],
    /// Whether single columns of a unit move too.
    is_fine: bool,
    families: Vec<ColumnSet>,
}

impl<'l, 'a> Steps<'l, 'a> {
    /// Steps from where a ledger stands.
    pub fn new(ledger: &'l Ledger<'a>, rules: &'l Rules, units: &'l [ColumnSet], is_fine: bool) -> Self {
        Self { ledger, rules, units, is_fine, families: ledger.families() }
    }

    fn may_grow(&self) -> bool {
        self.families.len() < self.rules.most
    }

    fn may_shrink(&self) -> bool {
        self.families.len() > self.rules.fewest
    }

    fn pieces(&self) -> Vec<Piece> {
        let mut pieces = Vec::new();
        for (family, columns) in self.families.iter().enumerate() {
            for unit in self.units {
                let piece = unit.intersection(columns);
                if piece.is_empty() {
                    continue;
                }
                if self.is_fine && piece.len() > 1 {
                    // Columns of a unit are used alike: one stands for all, but for where the copies of each are.
                    let singles = if self.rules.columns <= ALL_SINGLES_MAX { piece.len() } else { 1 };
                    let single = |column| Piece { columns: ColumnSet::from_iter([column]), family };
                    pieces.extend(piece.iter().take(singles).map(single));
                }
                pieces.push(Piece { columns: piece, family });
            }
        }
        pieces
    }

    fn is_target(&self, piece: &ColumnSet, target: usize) -> bool {
        let asks = &self.ledger.evaluator().problem().asks;
        self.families.len() <= ALL_TARGETS_MAX
            || target == 0
            || self.families.get(target).is_some_and(|family| {
                asks.iter().any(|ask| ask.columns.intersects(piece) && ask.columns.intersects(family))
            })
    }

    /// A piece moves to another family or to one of its own, or is copied there; a copy goes; two families become one.
    pub fn near(&self) -> Vec<Change> {
        let mut steps = Vec::new();
        for piece in self.pieces() {
            let Some(home) = self.families.get(piece.family) else { continue };
            let is_all = piece.columns == *home;
            if !is_all && self.may_grow() {
                steps.push(self.ledger.splitting(piece.family, &piece.columns));
            }
            for target in (0..self.families.len()).filter(|target| *target != piece.family) {
                if (is_all && !self.may_shrink()) || !self.is_target(&piece.columns, target) {
                    continue;
                }
                // The whole family moves only once: as a union with those after it.
                if !is_all || target > piece.family {
                    steps.push(self.ledger.moving(&piece.columns, piece.family, target));
                }
            }
        }
        self.merges(&mut steps);
        if self.rules.may_duplicate {
            self.copies(&mut steps);
        }
        steps
    }

    fn merges(&self, steps: &mut Vec<Change>) {
        if !self.may_shrink() {
            return;
        }
        for a in 0..self.families.len() {
            for b in a + 1..self.families.len() {
                if self.families.get(b).is_some_and(|family| self.is_target(family, a)) {
                    steps.push(self.ledger.merging(a, b));
                }
            }
        }
    }

    fn copies(&self, steps: &mut Vec<Change>) {
        for piece in self.pieces() {
            for (target, family) in self.families.iter().enumerate() {
                if !piece.columns.is_subset(family) && self.is_target(&piece.columns, target) {
                    steps.push(Change { out: vec![target], into: vec![family.union(&piece.columns)] });
                }
            }
            let others = self.families.iter().enumerate().filter(|(at, _)| *at != piece.family);
            let elsewhere = others.fold(ColumnSet::new(), |all, (_, family)| all.union(family));
            let mut rest = self.families.get(piece.family).cloned().unwrap_or_default();
            rest.subtract(&elsewhere.intersection(&piece.columns));
            if Some(&rest) == self.families.get(piece.family) {
                continue;
            }
            if !rest.is_empty() {
                steps.push(Change { out: vec![piece.family], into: vec![rest] });
            } else if self.may_shrink() {
                steps.push(Change { out: vec![piece.family], into: Vec::new() });
            }
        }
    }

    /// A family is cut into what an ask reads and the rest, or two families are put together and cut so; with copies, a
    /// family gets all that an ask reads, or a new one has it.
    pub fn by_ask(&self) -> Vec<Change> {
        let mut steps = Vec::new();
        for ask in &self.ledger.evaluator().problem().asks {
            for (a, family) in self.families.iter().enumerate() {
                if self.may_grow() && cuts(ask, family) {
                    steps.push(self.ledger.splitting(a, &family.intersection(&ask.columns)));
                }
                let is_small = self.families.len() <= PAIRS_CUT_MAX;
                for (b, other) in self.families.iter().enumerate().skip(a + 1).filter(|_| is_small) {
                    let both = family.union(other);
                    if cuts(ask, &both) && (family.intersects(&ask.columns) || other.intersects(&ask.columns))
                    {
                        let read = both.intersection(&ask.columns);
                        let mut rest = both;
                        rest.subtract(&read);
                        steps.push(Change { out: vec![a, b], into: vec![read, rest] });
                    }
                }
                if self.rules.may_duplicate && !ask.columns.is_subset(family) {
                    steps.push(Change { out: vec![a], into: vec![family.union(&ask.columns)] });
                }
            }
            if self.rules.may_duplicate && self.may_grow() && !ask.columns.is_empty() {
                steps.push(Change { out: Vec::new(), into: vec![ask.columns.clone()] });
            }
        }
        steps
    }

    /// A family gets a copy of all of another, or of all columns but a piece: large steps that no row of small ones
    /// makes, since each copy costs by itself.
    pub fn large_copies(&self) -> Vec<Change> {
        if !self.rules.may_duplicate {
            return Vec::new();
        }
        let all = ColumnSet::first(self.rules.columns);
        let mut steps = Vec::new();
        for (a, family) in self.families.iter().enumerate() {
            for (_, other) in self.families.iter().enumerate().filter(|(b, _)| *b != a) {
                steps.push(Change { out: vec![a], into: vec![family.union(other)] });
            }
            for unit in self.units.iter().filter(|unit| !unit.intersects(family)) {
                let mut most = all.clone();
                most.subtract(unit);
                steps.push(Change { out: vec![a], into: vec![most] });
            }
        }
        steps
    }

    /// Two pieces of different families change places.
    pub fn swaps(&self) -> Vec<Change> {
        let pieces = self.pieces();
        let mut steps = Vec::new();
        if pieces.len() > SWAPPED_MAX {
            return steps;
        }
        for (at, x) in pieces.iter().enumerate() {
            for y in pieces.iter().skip(at + 1).filter(|y| y.family != x.family) {
                let (Some(a), Some(b)) = (self.families.get(x.family), self.families.get(y.family)) else {
                    continue;
                };
                if x.columns == *a && y.columns == *b {
                    continue;
                }
                let exchange = |family: &ColumnSet, gone: &ColumnSet, come: &ColumnSet| {
                    let mut family = family.clone();
                    family.subtract(gone);
                    family.union(come)
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
        if self.families.len() > TRIPLES_MAX {
            return steps;
        }
        for a in 0..self.families.len() {
            for b in a + 1..self.families.len() {
                let merged = self.ledger.merging(a, b);
                for (c, family) in self.families.iter().enumerate().filter(|(c, _)| *c != a && *c != b) {
                    for ask in self.ledger.evaluator().problem().asks.iter().filter(|ask| cuts(ask, family)) {
                        let cut = self.ledger.splitting(c, &family.intersection(&ask.columns));
                        let mut step = merged.clone();
                        step.out.extend(cut.out);
                        step.into.extend(cut.into);
                        steps.push(step);
                    }
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
