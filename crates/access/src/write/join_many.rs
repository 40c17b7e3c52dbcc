//! The records that many rows of a table are part of, where the other table is not found by what joins them: it is gone through
//! once for all of them.

use std::collections::HashMap;

use tablesmith_model::value::{Value, ValueType};
use tablesmith_store::Store;

use super::join::{Step, fill, steps};
use super::sink::Sink;
use super::{Place, Writer};
use crate::error::AccessError;
use crate::records::{Wanted, records};

impl Writer {
    /// Hands over the records of a place that rows of a table are part of.
    pub(crate) async fn all_joined(
        &self,
        store: &dyn Store,
        place: &Place,
        (table, rows): (&str, &[Vec<Value>]),
        sink: &mut Sink<'_>,
    ) -> Result<(), AccessError> {
        let steps = steps(place.record(), table);
        if let [step] = steps.as_slice()
            && rows.len() > 1
            && self.is_walked(place, table, step, rows)?
        {
            return self.walk(store, place, (table, rows), step, sink).await;
        }
        for row in rows {
            self.each_joined(store, place, (table, row), sink).await?;
        }
        Ok(())
    }

    /// Whether each row would have to go through the whole other table.
    fn is_walked(
        &self,
        place: &Place,
        table: &str,
        step: &Step,
        rows: &[Vec<Value>],
    ) -> Result<bool, AccessError> {
        let (have, other) = step;
        // What is equal by its bytes is equal only among values of one type.
        if self.type_of(&have.table, &have.column) != self.type_of(&other.table, &other.column) {
            return Ok(false);
        }
        for row in rows {
            let mut whole = vec![Value::Null; place.layout.source().columns.len()];
            fill(place, table, row, &mut whole);
            if let Some((_, read)) = self.rows_of(place, step, &whole)? {
                return Ok(read.is_full_scan());
            }
        }
        Ok(false)
    }

    fn type_of(&self, table: &str, column: &str) -> Option<ValueType> {
        Some(self.workload.table(table)?.column(column)?.value_type)
    }

    /// Goes through the other table once.
    async fn walk(
        &self,
        store: &dyn Store,
        place: &Place,
        (table, rows): (&str, &[Vec<Value>]),
        step: &Step,
        sink: &mut Sink<'_>,
    ) -> Result<(), AccessError> {
        let (have, other) = step;
        let mut waiting: HashMap<Value, Vec<Vec<Value>>> = HashMap::new();
        for row in rows {
            let mut whole = vec![Value::Null; place.layout.source().columns.len()];
            fill(place, table, row, &mut whole);
            let value = place.value(have, &whole);
            if !value.is_null() {
                waiting.entry(value).or_default().push(whole);
            }
        }
        let mut fields = self.needed(place, &other.table);
        if !fields.contains(&other.column) {
            fields.push(other.column.clone());
        }
        let at = fields.iter().position(|field| *field == other.column).unwrap_or_default();
        let (from, read) = self.best(&other.table, &Wanted { fields, ..Wanted::default() })?;
        let mut found = records(store, &from.layout, &from.name, &read).await?;
        while let Some(values) = found.next().await? {
            for record in values.get(at).and_then(|value| waiting.get(value)).into_iter().flatten() {
                let whole = self.with_row(place, step, record, values.clone());
                sink.take(self, store, place, whole).await?;
            }
        }
        Ok(())
    }
}
