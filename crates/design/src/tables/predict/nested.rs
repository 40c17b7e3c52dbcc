//! A parent with its children: one get of a row that has both.

use tablesmith_model::cost::Operations;
use tablesmith_model::design::ColumnOf;

use super::{Ground, How, Read};
use crate::tables::candidate::{Candidate, Entry, Shape};
use crate::tables::want::Want;

/// What reading parent and children together takes; `None` when the candidate is no nested one for them.
pub fn read(ground: &Ground<'_>, want: &Want, candidate: &Candidate) -> Option<Read> {
    let (Shape::Nested, [parent, children]) = (&candidate.shape, candidate.entries.as_slice()) else {
        return None;
    };
    let tables = [parent.rows.from.clone(), children.rows.from.clone()];
    let (one, two) = (key_of(parent)?, key_of(children)?);
    if !want.is_of(&tables) || !want.are_equal(&one, &two) || want.equalities.len() != 1 {
        return None;
    }
    let given = want.given.iter().find(|given| given.column == one || given.column == two)?;
    let holds = |column: &ColumnOf| {
        let entry = if column.table == tables[0] { parent } else { children };
        entry.holds(column)
    };
    if !want.reads.iter().all(holds) {
        return None;
    }
    let gets = given.values * want.times;
    let per_row = children.size.records / parent.size.records.max(1.0);
    let records = gets * per_row;
    let (cells, bytes) = (
        gets * parent.size.cells + records * children.size.cells,
        gets * parent.size.bytes + records * children.size.bytes,
    );
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
    Some(Read { how: How::Gets(gets), operations, stops_early: false })
}

fn key_of(entry: &Entry) -> Option<ColumnOf> {
    let field = entry.rows.key.parts.iter().find_map(|part| part.fields().first())?;
    entry.column(field)
}
