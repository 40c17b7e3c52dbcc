//! A parent with its children, read at once: one get of a row that has both, or one scan of rows that lie beside each other.

use tablesmith_model::cost::Operations;
use tablesmith_model::design::ColumnOf;
use tablesmith_model::key::Part;

use super::narrow::{narrow, sorts};
use super::{Ground, How, Read};
use crate::tables::candidate::{Candidate, Entry, Shape};
use crate::tables::want::Want;

/// What reading parent and children together takes; `None` when they do not lie side by side.
pub fn read(ground: &Ground<'_>, want: &Want, candidate: &Candidate) -> Option<Read> {
    let [parent, children] = candidate.entries.as_slice() else { return None };
    let tables = [parent.rows.from.clone(), children.rows.from.clone()];
    let (one, two) = (key_of(parent)?, key_of(children)?);
    if !want.is_of(&tables) || !want.are_equal(&one, &two) || want.equalities.len() != 1 {
        return None;
    }
    let given = want.given.iter().find(|given| given.column == one || given.column == two)?;
    let holds = |column: &ColumnOf| {
        let entry = if column.table == parent.rows.from { parent } else { children };
        entry.holds(column)
    };
    if !want.reads.iter().all(holds) {
        return None;
    }
    let of_one = children.size.records / parent.size.records.max(1.0);
    match candidate.shape {
        Shape::Nested => Some(one_row(ground, (parent, children), given.values * want.times, of_one)),
        Shape::Mixed if kind_at(parent) == Some(1) && given.values <= 1.0 => {
            Some(neighbours(want, (parent, children), of_one))
        }
        Shape::Mixed | Shape::Tall | Shape::Wide | Shape::Time(_) => None,
    }
}

/// Gets of rows that hold a parent with so many children.
fn one_row(ground: &Ground<'_>, (parent, children): (&Entry, &Entry), gets: f64, of_one: f64) -> Read {
    let (cells, bytes) = amount(parent, children, gets, gets * of_one);
    let operations = Operations {
        calls: if gets <= 1.0 { 1.0 } else { gets.min(ground.servers.max(1.0)) },
        seeks: 2.0 * gets,
        rows: gets,
        family_rows: 2.0 * gets,
        cells,
        bytes,
        cells_returned: cells,
        bytes_returned: bytes,
        ..Operations::NONE
    };
    Read { how: How::Gets(gets), operations, stops_early: false }
}

/// Scans of a parent's row and those of its children behind it.
fn neighbours(want: &Want, (parent, children): (&Entry, &Entry), of_one: f64) -> Read {
    let of_children = narrow_children(want, children);
    let known = of_children.0;
    let is_sorted = sorts(&of_children.1, children, &children.rows.key.parts, known);
    let is_checked = want.has_others || !want.ranges.is_empty() || want.given.len() > 1;
    let stops_early =
        (want.order.is_empty() || is_sorted) && !is_checked && !want.sums && want.grouping.is_empty();
    let found = match want.limit {
        Some(limit) if stops_early => of_one.min(limit),
        _ => of_one,
    };
    let scans = want.times;
    let rows = scans * (1.0 + found);
    let (cells, bytes) = amount(parent, children, scans, scans * found);
    let operations = Operations {
        calls: scans,
        regions: scans,
        seeks: scans,
        rows,
        family_rows: rows,
        cells,
        bytes,
        cells_returned: cells,
        bytes_returned: bytes,
        ..Operations::NONE
    };
    Read { how: How::Scans(scans), operations, stops_early }
}

/// How many parts of the children's keys are known when a parent's key is, and the want with that said of the children.
fn narrow_children(want: &Want, children: &Entry) -> (usize, Want) {
    let mut of_children = want.clone();
    if let Some(lead) = key_of(children) {
        of_children.given.iter_mut().for_each(|given| {
            if given.column != lead && want.are_equal(&given.column, &lead) {
                given.column = lead.clone();
            }
        });
    }
    (narrow(&of_children, children, &children.rows.key.parts).known_parts, of_children)
}

/// Cells and bytes of so many parents and children.
fn amount(parent: &Entry, children: &Entry, parents: f64, found: f64) -> (f64, f64) {
    let cells = parents * parent.size.cells + found * children.size.cells;
    (cells, parents * parent.size.bytes + found * children.size.bytes)
}

/// A read of one kind of rows with what it costs that rows of another kind lie between them.
pub fn among_others(want: &Want, candidate: &Candidate, entry: &Entry, read: Read) -> Read {
    let is_kept_apart = |at: usize| narrow(want, entry, &entry.rows.key.parts).known_parts > at;
    let is_scan = !matches!(read.how, How::Gets(_));
    if candidate.shape != Shape::Mixed || !is_scan || kind_at(entry).is_none_or(is_kept_apart) {
        return read;
    }
    let share = read.operations.rows / entry.size.rows.max(1.0);
    let mut operations = read.operations;
    for other in candidate.entries.iter().filter(|other| *other != entry) {
        operations.rows += share * other.size.rows;
        operations.family_rows += share * other.size.rows;
        operations.cells += share * other.size.records * other.size.cells;
        operations.bytes += share * other.size.total_bytes();
    }
    Read { operations, ..read }
}

/// Where the type stands in a key.
fn kind_at(entry: &Entry) -> Option<usize> {
    entry.rows.key.parts.iter().position(|part| matches!(part, Part::Const(_)))
}

fn key_of(entry: &Entry) -> Option<ColumnOf> {
    let field = entry.rows.key.parts.iter().find_map(|part| part.fields().first())?;
    entry.column(field)
}
