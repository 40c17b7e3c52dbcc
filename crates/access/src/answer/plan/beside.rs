//! Parents and children that lie side by side in one table, read by the same calls.

use tablesmith_model::cost::Operations;
use tablesmith_model::key::Part as KeyPart;
use tablesmith_plan::ReadEstimate;
use tablesmith_sql::executable::Column;

use super::conditions::Conditions;
use super::figures::StepFigures;
use super::parts::Part;
use super::search::Stepped;
use super::step::{How, Planner, Step};
use crate::layout::Layout;
use crate::records::{Beside, Wanted};

/// Two layouts that a step reads at once.
#[derive(Clone, Debug)]
pub struct ReadBeside {
    /// The layout of the children; the step's own is that of the parents.
    pub layout: usize,
    /// How both are read.
    pub read: Beside,
}

/// Parts that could be read by the same calls: of one table, of different sources that the query joins.
pub fn pairs(layouts: &[Layout], parts: &[Part], conditions: &Conditions) -> Vec<Part> {
    let mut pairs = Vec::new();
    for one in parts {
        for two in parts.iter().filter(|two| one.mask() & two.mask() == 0) {
            let [Some(parents), Some(children)] = [one, two].map(|part| layouts.get(part.layout)) else {
                continue;
            };
            let is_of = |part: &Part, column: &Column| part.sources.contains(&column.source);
            let joins = |class: &Vec<Column>| {
                class.iter().any(|column| is_of(one, column)) && class.iter().any(|column| is_of(two, column))
            };
            let is_alone = layouts.iter().filter(|layout| layout.table() == parents.table()).count() == 2;
            let is_beside = parents.table() == children.table() && one.layout != two.layout && is_alone;
            if is_beside && !parents.is_wide() && conditions.classes.iter().any(joins) {
                pairs.push(Part { with: Some(Box::new(two.clone())), ..one.clone() });
            }
        }
    }
    pairs
}

impl Planner<'_> {
    /// Begins with the records of two parts, read by the same calls; none where that cannot be.
    pub(super) fn beside(&self, part: &Part, with: &Part, all: u64) -> Option<Stepped<Step>> {
        let (parents, children) = (self.layouts.get(part.layout)?, self.layouts.get(with.layout)?);
        let (columns, wanted) = self.wanted(parents, part)?;
        let (child_columns, mut child_wanted) = self.wanted(children, with)?;
        let (on, agree) =
            self.agreeing(&child_columns, part.mask(), |column| with.field(children.record(), column))?;
        let place = |(have, _): &(Column, Column)| columns.iter().position(|column| column == have);
        let are_same_type = agree.iter().all(|(have, other)| have.value_type == other.value_type);
        let at = on.iter().zip(&agree).map(|(on, agree)| Some((place(agree)?, on.inner)));
        let at = at.collect::<Option<Vec<_>>>().filter(|at| are_same_type && !at.is_empty())?;
        let read = |child_wanted: &Wanted| {
            let (parent_read, child_read) = (parents.read(&wanted).ok()?, children.read(child_wanted).ok()?);
            let is_one = parent_read.gets() == 1;
            let in_order = self.is_ordered_by_read(child_wanted, &child_read) && is_one;
            Some((Beside::of(parent_read, child_read, kind_bytes(parents), at.clone())?, in_order))
        };
        child_wanted.order = self.order(children, with).unwrap_or_default();
        let found = read(&child_wanted).filter(|(_, in_order)| *in_order);
        let (mut beside, in_order) = match found {
            Some(found) => found,
            None => {
                child_wanted.order.clear();
                read(&child_wanted)?
            }
        };
        let stored: Vec<_> =
            [self.stored(parents, part), self.stored(children, with), agree.clone()].concat();
        if in_order && part.mask() | with.mask() == all && self.can_stop(&stored) {
            let limit = self.query.limit.map(|limit| limit.saturating_add(self.query.offset));
            beside = beside.with_limit(limit);
        }
        let of_parents = self.estimate(parents, part, &wanted, &beside.parents, 1.0);
        let of_children = self.estimate(children, with, &child_wanted, &beside.children, 1.0);
        // What both would take one after the other, less the calls that they share.
        let calls = of_parents.operations.calls.min(of_children.operations.calls);
        let operations =
            of_parents.operations + of_children.operations + Operations { calls, ..Operations::NONE } * -1.0;
        let cost_ms = self.prices.cost(&operations);
        let share = self.share_read(in_order);
        let rows = match beside.is_one_row() {
            true => of_children.operations.rows,
            false => operations.rows,
        };
        let both = ReadEstimate { operations, rows_returned: rows, ..of_children };
        let expected = StepFigures::of(&both, cost_ms).share(share, 1.0);
        let cost_ms = cost_ms * share;
        let step = Step {
            columns: columns.into_iter().chain(child_columns).collect(),
            words: beside.words(),
            how: How::Beside(Box::new(ReadBeside { layout: with.layout, read: beside })),
            wanted,
            agree,
            stored,
            in_order,
            expected,
            ..Step::of(part.layout, parents.table())
        };
        Some(Stepped { cost_ms, in_order, step })
    }
}

/// Bytes at the end of a key that say what kind of row it is.
fn kind_bytes(layout: &Layout) -> usize {
    match layout.key().parts.last() {
        Some(KeyPart::Const(bytes)) => bytes.len(),
        _ => 0,
    }
}
