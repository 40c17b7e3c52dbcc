//! Wide: a row of the store for many records, a cell each; the qualifier is data.
//!
//! # What
//! The key is what a query knows, the qualifier what is left of the record's identity (in the order that is asked for), the
//! value the other columns: whom a user follows is one row with a cell for each (Khurana, figure 8).
//!
//! # Why
//! One get brings all, and all that belongs to one parent is written atomically; a scan has to be opened, a get has not.
//!
//! # When
//! The rows stay small: a region is never cut inside a row, and a row comes as a whole. So no time is in the qualifier unless the
//! table's rows end with their `retention`: else the row would grow for ever. Where a few of very many are wanted
//! (the newest twenty) tall rows are read only as far as needed.

use tablesmith_model::design::ColumnOf;
use tablesmith_model::key::Part;
use tablesmith_model::value::ValueType;
use tablesmith_model::workload::Workload;
use tablesmith_plan::{AccessPattern, statistics};

use super::Ground;
use super::draft::{Draft, Drafts};
use super::joined::record_of;
use super::tall::{distinct, orders, push};

/// A row that is larger is a burden: a region is never cut inside it.
pub const ROW_BYTES_MOST: f64 = 16.0 * 1_048_576.0;

/// Whether new values of a column always come, and rows with old ones never go.
fn grows_for_ever(workload: &Workload, of: &ColumnOf) -> bool {
    let column = statistics::column(workload, of);
    let is_growing = column.monotone || matches!(column.value_type, ValueType::Timestamp | ValueType::Date);
    is_growing && workload.table(&of.table).is_none_or(|table| table.retention.is_none())
}

/// The wide drafts of a pattern.
pub fn make(ground: &Ground<'_>, pattern: &AccessPattern, drafts: &mut Drafts) {
    let Some((from, join, record)) = record_of(pattern, ground.workload) else { return };
    let identity = record.identity(ground.workload);
    let field = |column: &ColumnOf| record.field(&record.same_as(column));
    let given: Vec<String> = distinct(pattern.equalities.iter().filter_map(|given| field(&given.column)));
    let rest: Vec<&String> = identity.iter().filter(|field| !given.contains(field)).collect();
    if given.is_empty() || identity.is_empty() || rest.is_empty() {
        return;
    }
    let mut qualifier: Vec<Part> = Vec::new();
    let ordered = pattern.order.iter().filter_map(|(column, falls)| Some((field(column)?, *falls)));
    for (field, falls) in ordered.filter(|(field, _)| !given.contains(field)) {
        push(&mut qualifier, if falls { Part::Desc(field) } else { Part::Field(field) });
    }
    rest.into_iter().for_each(|field| push(&mut qualifier, Part::Field(field.clone())));
    let fields = qualifier.iter().flat_map(Part::fields).filter_map(|field| record.column(field));
    if fields.into_iter().any(|column| grows_for_ever(ground.workload, &column)) {
        return;
    }
    for key in orders(&given) {
        drafts.add(Draft {
            from: from.clone(),
            join: join.clone(),
            record: record.clone(),
            key: key.into_iter().map(Part::Field).collect(),
            qualifier: qualifier.clone(),
            reads: pattern.columns.clone(),
        });
    }
}
