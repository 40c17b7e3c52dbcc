//! What depends on the entity of readings alone: a row for each entity, in a table of its own.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use bytes::Bytes;
use tablesmith_model::design::{self, Design};
use tablesmith_model::plan::{Condition, Test};
use tablesmith_model::value::Value;
use tablesmith_model::workload::{Table, Workload};
use tablesmith_store::Store;

use super::SeriesError;
use super::stored::name_of;
use crate::error::AccessError;
use crate::layout::Layout;
use crate::records::{Wanted, records};
use crate::write::{Batch, Place, Recent};

/// Where that is.
#[derive(Clone, Debug)]
pub(crate) struct Fixed {
    pub place: Place,
    /// The columns of the entity, then the others.
    columns: Vec<String>,
    /// Where they stand in a row of the workload's table.
    places: Vec<usize>,
    /// How many of them are the entity's.
    of_entity: usize,
    recent: Arc<Recent>,
}

impl Fixed {
    /// The place of what is fixed of a table's entities; none where it is with the readings.
    pub fn of(workload: &Workload, design: &Design, table: &Table) -> Result<Option<Self>, SeriesError> {
        let entries = design.tables.iter().flat_map(|laid| laid.rows.iter().map(move |rows| (laid, rows)));
        let mut fixed =
            entries.filter(|(_, rows)| rows.from == table.name && Layout::is_fixed(workload, rows));
        let (Some((laid, rows)), Some(time)) = (fixed.next(), &table.time) else { return Ok(None) };
        let others = rows.cells.iter().flat_map(|cells| cells.columns.iter().cloned());
        let columns: Vec<String> = time.entity.iter().cloned().chain(others).collect();
        // Seen by itself it is a plain table with the entity as its key.
        let own = Table {
            name: table.name.clone(),
            key: time.entity.clone(),
            columns: columns.iter().filter_map(|name| table.column(name).cloned()).collect(),
            ..Table::default()
        };
        let own = Workload { tables: vec![own], ..Workload::default() };
        let alone = design::Table { rows: vec![rows.clone()], ..laid.clone() };
        let layouts = Layout::all(&own, &Design { tables: vec![alone], ..Design::default() });
        let layouts = layouts.map_err(|source| SeriesError::Fixed(Box::new(source)))?;
        let places = columns.iter().filter_map(|name| table.column_index(name)).collect();
        let name = name_of(laid)?;
        let place = layouts.into_iter().next().map(|layout| Place::new(layout, name, &own));
        let (of_entity, recent) = (time.entity.len(), Arc::default());
        Ok(place.map(|place| Self { place, columns, places, of_entity, recent }))
    }

    /// Writes what rows say; the last of an entity stays. A null says nothing, unless rows are set to it.
    pub async fn write(
        &self,
        store: &dyn Store,
        rows: &[Vec<Value>],
        nulls_say: bool,
    ) -> Result<(), AccessError> {
        let mut last: BTreeMap<Bytes, Vec<Value>> = BTreeMap::new();
        for row in rows {
            let own: Vec<Value> =
                self.places.iter().map(|at| row.get(*at).cloned().unwrap_or(Value::Null)).collect();
            let known = last.entry(self.place.row_of(&own, 0)?).or_insert_with(|| own.clone());
            for (known, own) in known.iter_mut().zip(own) {
                if nulls_say || !own.is_null() {
                    *known = own;
                }
            }
        }
        let mut batch = Batch::new(store, &self.place.name, &self.recent);
        for (key, own) in last {
            let nulls = self.place.delete_nulls(key.clone(), None, &own).filter(|_| nulls_say);
            batch.row(self.place.put(key, &own)?, nulls).await?;
        }
        batch.send().await
    }

    /// How many columns the entity has.
    pub fn of_entity(&self) -> usize {
        self.of_entity
    }

    /// The columns of the entity.
    pub fn entity(&self) -> &[String] {
        self.columns.get(..self.of_entity).unwrap_or_default()
    }

    /// The place of a column among those that are none of the entity's.
    pub fn place(&self, column: &str) -> Option<usize> {
        self.columns.iter().skip(self.of_entity).position(|name| name == column)
    }

    /// What is known of entities, added to what is.
    pub async fn look(
        &self,
        store: &dyn Store,
        entities: &[Vec<Value>],
        known: &mut HashMap<Vec<Value>, Vec<Value>>,
    ) -> Result<(), AccessError> {
        let names = self.entity();
        let conditions = |entities: &[Vec<Value>]| -> Vec<Condition> {
            let values = |at: usize| entities.iter().filter_map(|entity| entity.get(at).cloned()).collect();
            let condition = |(at, name): (usize, &String)| Condition::new(name.clone(), Test::In(values(at)));
            names.iter().enumerate().map(condition).collect()
        };
        // Of several columns every choice of values would be looked for.
        let portion = if names.len() == 1 { entities.len().max(1) } else { 1 };
        for entities in entities.chunks(portion) {
            let fields = self.columns.clone();
            let wanted = Wanted { fields, conditions: conditions(entities), ..Wanted::default() };
            let read = self.place.layout.read(&wanted)?;
            let mut found = records(store, &self.place.layout, &self.place.name, &read).await?;
            while let Some(mut entity) = found.next().await? {
                let others = entity.split_off(self.of_entity.min(entity.len()));
                known.insert(entity, others);
            }
        }
        Ok(())
    }
}
