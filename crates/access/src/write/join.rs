//! The records that a row of a table is part of, found along the equalities of a joined place.

use tablesmith_model::design::{ColumnOf, Record};
use tablesmith_model::plan::{Condition, Test};
use tablesmith_model::value::Value;
use tablesmith_store::Store;

use super::sink::Sink;
use super::{Place, Writer};
use crate::error::AccessError;
use crate::records::{RecordRead, RecordStream, Wanted, records};

/// A step of a join: rows of the second column's table that have the value of the first.
pub(super) type Step = (ColumnOf, ColumnOf);

impl Writer {
    /// Hands over the records of a place that a row of a table is part of. Their number is not bounded, so the last table
    /// is streamed.
    pub(crate) async fn each_joined(
        &self,
        store: &dyn Store,
        place: &Place,
        (table, row): (&str, &[Value]),
        sink: &mut Sink<'_>,
    ) -> Result<(), AccessError> {
        let mut whole = vec![Value::Null; place.layout.source().columns.len()];
        fill(place, table, row, &mut whole);
        let steps = steps(place.record(), table);
        let Some((last, first)) = steps.split_last() else {
            return sink.take(self, store, place, whole).await;
        };
        let mut partial = vec![whole];
        for step in first {
            let mut longer = Vec::new();
            for record in partial {
                let Some((from, read)) = self.rows_of(place, step, &record)? else { continue };
                let mut rows = records(store, &from.layout, &from.name, &read).await?;
                while let Some(whole) = self.next(place, step, &record, &mut rows).await? {
                    longer.push(whole);
                }
            }
            partial = longer;
        }
        for record in partial {
            let Some((from, read)) = self.rows_of(place, last, &record)? else { continue };
            let mut rows = records(store, &from.layout, &from.name, &read).await?;
            while let Some(whole) = self.next(place, last, &record, &mut rows).await? {
                sink.take(self, store, place, whole).await?;
                if sink.is_full() {
                    return Ok(());
                }
            }
        }
        Ok(())
    }

    /// Whether what a row says of the records of a place goes into it. What other tables say is left open.
    pub(crate) fn fits_in(&self, place: &Place, table: &str, row: &[Value]) -> Result<(), AccessError> {
        let mut whole = vec![Value::Null; place.layout.source().columns.len()];
        fill(place, table, row, &mut whole);
        place.put(place.row_of(&whole, 0)?, &whole).map(drop)
    }

    /// The joined places that rows of a table are part of.
    pub(crate) fn joined_places_of(&self, table: &str) -> impl Iterator<Item = &Place> {
        self.places.iter().filter(move |place| !place.is_plain() && place.record().has(table))
    }

    /// How the rows of a step's table are read; none where the value is null, which nothing equals.
    pub(super) fn rows_of(
        &self,
        place: &Place,
        (have, other): &Step,
        record: &[Value],
    ) -> Result<Option<(&Place, RecordRead)>, AccessError> {
        let value = place.value(have, record);
        if value.is_null() {
            return Ok(None);
        }
        let conditions = vec![Condition::new(other.column.clone(), Test::equals(value))];
        let fields = self.needed(place, &other.table);
        self.best(&other.table, &Wanted { fields, conditions, ..Wanted::default() }).map(Some)
    }

    /// The record with the next row of a step.
    async fn next(
        &self,
        place: &Place,
        step: &Step,
        record: &[Value],
        rows: &mut RecordStream<'_>,
    ) -> Result<Option<Vec<Value>>, AccessError> {
        let values = rows.next().await?;
        Ok(values.map(|values| self.with_row(place, step, record, values)))
    }

    /// The record with a row of a step, of which the columns that are needed come first.
    pub(super) fn with_row(
        &self,
        place: &Place,
        (_, other): &Step,
        record: &[Value],
        values: Vec<Value>,
    ) -> Vec<Value> {
        let mut whole = record.to_vec();
        for (column, value) in self.needed(place, &other.table).into_iter().zip(values) {
            let at = self.workload.table(&other.table).and_then(|table| table.column_index(&column));
            let span = place.span(&other.table);
            if let (Some(at), Some(span)) = (at, span)
                && let Some(slot) = whole.get_mut(span.start + at)
            {
                *slot = value;
            }
        }
        whole
    }

    /// The columns of a table that records of a place hang on.
    pub(crate) fn needed(&self, place: &Place, table: &str) -> Vec<String> {
        let hangs = |column: &String| place.hangs_on(&ColumnOf::new(table, column));
        self.columns(table).into_iter().filter(hangs).collect()
    }
}

/// The steps of a join that begins with one of its tables.
pub(super) fn steps(record: &Record, table: &str) -> Vec<Step> {
    let mut known = vec![table.to_owned()];
    let mut steps = Vec::new();
    while let Some(step) = record.joins.iter().find_map(|join| {
        let (have, other) = (known.contains(&join.have.table), known.contains(&join.other.table));
        match (have, other) {
            (true, false) => Some((join.have.clone(), join.other.clone())),
            (false, true) => Some((join.other.clone(), join.have.clone())),
            _ => None,
        }
    }) {
        known.push(step.1.table.clone());
        steps.push(step);
    }
    steps
}

/// Puts a table's row into a record.
pub(super) fn fill(place: &Place, table: &str, row: &[Value], whole: &mut [Value]) {
    let span = place.span(table).unwrap_or_default();
    for (slot, value) in whole.get_mut(span).unwrap_or_default().iter_mut().zip(row) {
        slot.clone_from(value);
    }
}

impl Place {
    /// The value of a column in a record.
    pub(super) fn value(&self, column: &ColumnOf, record: &[Value]) -> Value {
        let at = self.record().field(column).and_then(|field| self.layout.columns.get(&field).copied());
        at.and_then(|at| record.get(at).cloned()).unwrap_or(Value::Null)
    }
}
