//! Records of two kinds that lie side by side in one table, read by the same calls: a parent and its children.
//!
//! ```text
//!  one row, two families             rows next to each other, told apart by a constant
//!  ada │ f: name │ c: order, order   ada·0 │ f: name
//!                                    ada·1·17 │ f: order
//! ```
//!
//! A store reads a row, or a stretch of rows, in one call whatever kinds of records lie there; only what is decoded
//! differs. Parents come first in both, so that only they have to be remembered.

use std::collections::VecDeque;

use tablesmith_model::plan::{FamilyRead, KeyRange, Which};
use tablesmith_model::row::prefix_end;
use tablesmith_model::value::Value;
use tablesmith_store::Row;

use super::RecordRead;
use super::decode::Decoder;
use super::stream::Located;
use crate::error::AccessError;
use crate::fan_out::Order;

/// How records of two kinds are read at once.
#[derive(Clone, Debug, PartialEq)]
pub struct Beside {
    /// What is read of the store: the rows and cells of both.
    pub(crate) shared: RecordRead,
    pub(crate) parents: RecordRead,
    pub(crate) children: RecordRead,
    /// Places of the fields, of a parent and of a child, that are equal where they belong together.
    pub(crate) agree: Vec<(usize, usize)>,
}

impl Beside {
    /// Two reads of one table in the same calls; none where that is not one row, or one stretch of rows that begins with the
    /// parent's. A parent's key ends in so many bytes that say what kind of row it is.
    pub fn of(
        parents: RecordRead,
        children: RecordRead,
        kind_bytes: usize,
        agree: Vec<(usize, usize)>,
    ) -> Option<Self> {
        // What picks out cells of a wide row would take the other kind's cells away.
        if parents.qualifiers.is_some() || children.qualifiers.is_some() {
            return None;
        }
        let which = match (&parents.read.which, &children.read.which) {
            (Which::Keys(one), Which::Keys(two)) if one == two && !one.is_empty() => {
                parents.read.which.clone()
            }
            (Which::Keys(keys), other) if children.order != Order::Falling => {
                Which::Ranges(vec![stretch(keys, other, kind_bytes)?])
            }
            _ => return None,
        };
        let mut shared = RecordRead::nothing();
        shared.table = children.table.clone();
        shared.read.which = which;
        shared.read.families = both(&parents.read.families, &children.read.families);
        Some(Self { shared, parents, children, agree })
    }

    /// Lets the store stop where so many pairs have been read, when it hands out nothing else.
    pub fn with_limit(mut self, limit: Option<u64>) -> Self {
        let is_all_wanted = self.children.residual.is_empty() && self.parents.residual.is_empty();
        // The first row may be the parent's.
        self.shared.limit = limit.map(|limit| limit.saturating_add(1));
        self.shared.store_limit = self.shared.limit.filter(|_| is_all_wanted && !self.is_one_row());
        self
    }

    /// Whether parent and children share a row.
    pub(crate) fn is_one_row(&self) -> bool {
        matches!(self.shared.read.which, Which::Keys(_))
    }

    /// The read in words.
    pub fn words(&self) -> String {
        let mut words = format!("{}, both kinds of rows at once", self.shared.words());
        let residual = self.parents.residual.iter().chain(&self.children.residual);
        let checks: Vec<String> = residual.map(ToString::to_string).collect();
        if !checks.is_empty() {
            words += &format!("; checks {}", checks.join(" AND "));
        }
        words
    }
}

/// The rows from a parent's to the last child's, when nothing else lies between.
fn stretch(parents: &[Vec<u8>], children: &Which, kind_bytes: usize) -> Option<KeyRange> {
    let ([parent], Some(range)) = (parents, only(children)) else { return None };
    let begin = parent.get(..parent.len().checked_sub(kind_bytes).filter(|_| kind_bytes > 0)?)?;
    let ends_there = match (&range.end, prefix_end(begin)) {
        (Some(end), Some(most)) => *end <= most,
        (None, Some(_)) => false,
        (_, None) => true,
    };
    let is_near = range.start.starts_with(begin) && *parent < range.start && ends_there;
    is_near.then(|| KeyRange { start: parent.clone(), end: range.end.clone() })
}

fn only(which: &Which) -> Option<&KeyRange> {
    match which {
        Which::Ranges(ranges) => <&[KeyRange; 1]>::try_from(ranges.as_slice()).ok().map(|[range]| range),
        Which::Strands(strands) => match strands.as_slice() {
            [strand] => Some(&strand.range),
            _ => None,
        },
        Which::Keys(_) => None,
    }
}

/// The families of both; one that either reads as a whole is read as a whole.
fn both(one: &[FamilyRead], two: &[FamilyRead]) -> Vec<FamilyRead> {
    let mut families: Vec<FamilyRead> = one.to_vec();
    for more in two {
        match families.iter_mut().find(|known| known.family == more.family) {
            None => families.push(more.clone()),
            Some(known) => {
                known.columns = match (known.columns.take(), &more.columns) {
                    (Some(mut columns), Some(more)) => {
                        columns.extend(more.iter().cloned());
                        columns.sort();
                        columns.dedup();
                        Some(columns)
                    }
                    _ => None,
                }
            }
        }
    }
    families
}

/// Makes pairs of the rows of both kinds.
pub(super) struct Pairing<'p> {
    beside: &'p Beside,
    parents: Decoder<'p>,
    children: Decoder<'p>,
    /// Parents whose children may still come.
    known: Vec<Vec<Value>>,
}

impl<'p> Pairing<'p> {
    pub fn new(beside: &'p Beside, parents: Decoder<'p>, children: Decoder<'p>) -> Self {
        Self { beside, parents, children, known: Vec::new() }
    }

    /// The pairs that a row gives: values of a parent, then those of a child.
    pub fn take(&mut self, row: &Row, ready: &mut VecDeque<Located>) -> Result<(), AccessError> {
        let Self { beside, parents, children, known } = self;
        if beside.is_one_row() {
            known.clear();
        }
        each(parents, &beside.parents, row, |values| known.push(values))?;
        let from = ready.len();
        each(children, &beside.children, row, |child| {
            let agrees = |parent: &&Vec<Value>| {
                let mut pairs = beside.agree.iter().map(|(one, two)| (parent.get(*one), child.get(*two)));
                pairs.all(|(one, two)| one == two && one.is_some_and(|value| !value.is_null()))
            };
            for parent in known.iter().filter(agrees) {
                let values = parent.iter().chain(&child).cloned().collect();
                ready.push_back(Located { row: row.row.clone(), values });
            }
        })?;
        if beside.children.order == Order::Falling {
            ready.make_contiguous().get_mut(from..).unwrap_or_default().reverse();
        }
        Ok(())
    }
}

/// The records of one kind in a row.
fn each(
    decoder: &mut Decoder<'_>,
    read: &RecordRead,
    row: &Row,
    mut take: impl FnMut(Vec<Value>),
) -> Result<(), AccessError> {
    let is_own = |family: &[u8]| read.families().any(|own| own.as_bytes() == family);
    let cells: Vec<_> = row.cells.iter().filter(|cell| is_own(&cell.family)).cloned().collect();
    if cells.is_empty() {
        return Ok(());
    }
    let own = Row { cells, ..row.clone() };
    decoder.each(&own, |values| take(read.picked(values)))
}
