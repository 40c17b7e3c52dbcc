//! What depends on the entity of readings alone: a row for each entity, in a table of its own.

use std::collections::{BTreeMap, HashMap};

use bytes::Bytes;
use tablesmith_model::design::{self, Design};
use tablesmith_model::plan::{Condition, Test};
use tablesmith_model::value::Value;
use tablesmith_model::workload::{Table, Workload};
use tablesmith_store::{Action, Mutation, Put, Store};

use super::SeriesError;
use super::rows::SeriesRows;
use super::stored::{StoredSeries, name_of};
use crate::error::AccessError;
use crate::layout::Layout;
use crate::records::{Wanted, records};
use crate::write::Place;

/// Entities whose values are remembered while rows are read.
const REMEMBERED: usize = 100_000;

/// Where that is.
#[derive(Clone, Debug)]
pub(crate) struct Fixed {
    place: Place,
    /// The columns of the entity, then the others.
    columns: Vec<String>,
    /// Where they stand in a row of the workload's table.
    places: Vec<usize>,
    /// How many of them are the entity's.
    of_entity: usize,
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
        Ok(place.map(|place| Self { place, columns, places, of_entity: time.entity.len() }))
    }

    /// Whether it has a column that is none of the entity's.
    pub fn has(&self, column: &str) -> bool {
        self.columns.iter().skip(self.of_entity).any(|name| name == column)
    }

    /// Writes what rows say; the last of an entity stays.
    pub async fn write(&self, store: &dyn Store, rows: &[Vec<Value>]) -> Result<(), AccessError> {
        let mut puts: BTreeMap<Bytes, Put> = BTreeMap::new();
        for row in rows {
            let own: Vec<Value> =
                self.places.iter().map(|at| row.get(*at).cloned().unwrap_or(Value::Null)).collect();
            let key = self.place.row_of(&own, 0)?;
            puts.insert(key.clone(), self.place.put(key, &own)?);
        }
        let puts = puts.into_values().map(|put| Action::Mutate(Mutation::Put(put))).collect();
        for answer in store.batch(&self.place.name, puts).await?.value {
            answer?;
        }
        Ok(())
    }

    /// What is known of entities, added to what is.
    async fn look(
        &self,
        store: &dyn Store,
        entities: &[Vec<Value>],
        known: &mut HashMap<Vec<Value>, Vec<Value>>,
    ) -> Result<(), AccessError> {
        let names = self.columns.get(..self.of_entity).unwrap_or_default();
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

/// Rows of the table that readings are of, with what is fixed of their entities.
pub struct StoredRows<'s> {
    rows: SeriesRows<'s>,
    with: Option<With<'s>>,
}

/// What is added to the rows of readings.
struct With<'s> {
    store: &'s dyn Store,
    fixed: &'s Fixed,
    /// Where each wanted column is: in the rows of readings, or among what is fixed.
    wanted: Vec<Source>,
    checked: Vec<(usize, Test)>,
    known: HashMap<Vec<Value>, Vec<Value>>,
}

/// Where a column is.
enum Source {
    InReadings(usize),
    Fixed(usize),
}

impl StoredSeries {
    /// The values of columns in all rows that meet all conditions.
    pub async fn rows<'s>(
        &'s self,
        store: &'s dyn Store,
        columns: &[String],
        conditions: &[Condition],
    ) -> Result<StoredRows<'s>, AccessError> {
        let fixed_at = |name: &String| {
            let fixed = self.fixed.as_ref()?;
            fixed.columns.iter().skip(fixed.of_entity).position(|known| known == name)
        };
        let is_fixed = |name: &String| fixed_at(name).is_some();
        let needs_fixed = columns.iter().any(is_fixed) || conditions.iter().any(|one| is_fixed(&one.column));
        let Some(fixed) = self.fixed.as_ref().filter(|_| needs_fixed) else {
            let rows = self.series.rows(store, &self.name, columns, conditions, Vec::new()).await?;
            return Ok(StoredRows { rows, with: None });
        };
        let entity = fixed.columns.iter().take(fixed.of_entity);
        let read: Vec<String> =
            entity.chain(columns.iter().filter(|name| !is_fixed(name))).cloned().collect();
        let (here, there): (Vec<Condition>, Vec<Condition>) =
            conditions.iter().cloned().partition(|one| is_fixed(&one.column));
        let mut next = fixed.of_entity;
        let mut place = |name: &String| match fixed_at(name) {
            Some(at) => Source::Fixed(at),
            None => {
                next += 1;
                Source::InReadings(next - 1)
            }
        };
        let wanted = columns.iter().map(&mut place).collect();
        let checked = here.into_iter().filter_map(|one| Some((fixed_at(&one.column)?, one.test))).collect();
        let rows = self.series.rows(store, &self.name, &read, &there, Vec::new()).await?;
        Ok(StoredRows { rows, with: Some(With { store, fixed, wanted, checked, known: HashMap::new() }) })
    }
}

impl StoredRows<'_> {
    /// The next rows; none when there are no more.
    pub async fn next(&mut self) -> Result<Vec<Vec<Value>>, AccessError> {
        loop {
            let portion = self.rows.next().await?;
            let Some(with) = &mut self.with else { return Ok(portion) };
            if portion.is_empty() {
                return Ok(portion);
            }
            let rows = with.rows(portion).await?;
            if !rows.is_empty() {
                return Ok(rows);
            }
        }
    }

    /// Calls, readings that came, and what the store counted.
    pub(crate) fn taken(&self) -> (u64, u64, tablesmith_store::OpStats) {
        let meter = self.rows.meter();
        (meter.calls, self.rows.rows_read(), meter.stats)
    }
}

impl With<'_> {
    /// Rows of readings made whole, without those that do not meet the conditions.
    async fn rows(&mut self, portion: Vec<Vec<Value>>) -> Result<Vec<Vec<Value>>, AccessError> {
        let entity = |row: &Vec<Value>| row.get(..self.fixed.of_entity).unwrap_or_default().to_vec();
        if self.known.len() > REMEMBERED {
            self.known.clear();
        }
        let mut new: Vec<Vec<Value>> = portion.iter().map(entity).collect();
        new.sort();
        new.dedup();
        new.retain(|entity| !self.known.contains_key(entity));
        self.fixed.look(self.store, &new, &mut self.known).await?;
        // An entity of which nothing is known is known to have nothing.
        for entity in new {
            self.known.entry(entity).or_default();
        }
        let mut rows = Vec::with_capacity(portion.len());
        for row in portion {
            let known = self.known.get(&entity(&row)).map(Vec::as_slice).unwrap_or_default();
            let fixed = |at: usize| known.get(at).cloned().unwrap_or(Value::Null);
            if self.checked.iter().all(|(at, test)| test.holds(&fixed(*at))) {
                let value = |place: &Source| match place {
                    Source::InReadings(at) => row.get(*at).cloned().unwrap_or(Value::Null),
                    Source::Fixed(at) => fixed(*at),
                };
                rows.push(self.wanted.iter().map(value).collect());
            }
        }
        Ok(rows)
    }
}
