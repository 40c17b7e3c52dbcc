//! Measures readings row by row, in bounded memory.
//!
//! Each entity is kept with the moments of its first, last and latest reading. When there are too many entities every
//! second one is forgotten, by a hash, and those that are left stand for all.

use std::collections::HashMap;
use std::hash::{BuildHasher, Hash, Hasher, RandomState};

use tablesmith_model::value::Value;
use tablesmith_model::workload::Table;

use super::fixed::FixedColumns;
use super::{Facts, metrics};

/// Entities that are kept at most.
const ENTITIES_KEPT: usize = 200_000;
/// Distances between readings that are kept at most: a sample, by seed.
const DISTANCES_KEPT: usize = 20_000;
/// What the sample of distances is drawn with: the same rows give the same facts.
const SEED: u64 = 1;
/// Readings are in order when fewer than one of so many goes back in time: some come late.
const IN_ORDER: u64 = 5;
const MS_OF_DAY: i64 = 86_400_000;

/// Measures the rows of a table of readings.
pub struct Meter {
    declared: Facts,
    table: Table,
    time_place: usize,
    entity_places: Vec<usize>,
    entities: HashMap<u64, Seen>,
    /// So many low bits of an entity's hash are 0 when it is kept.
    forgotten_bits: u32,
    fixed: FixedColumns,
    distances: Vec<f64>,
    distances_seen: u64,
    /// Those of them that went back in time.
    went_back: u64,
    random: fastrand::Rng,
    hasher: RandomState,
    rows: u64,
    without_place: u64,
}

/// What was seen of an entity.
#[derive(Clone, Copy, Debug)]
struct Seen {
    first: i64,
    last: i64,
    latest: i64,
    readings: u64,
}

impl Seen {
    /// The mean distance of its readings.
    fn distance(&self) -> Option<f64> {
        let steps = self.readings.checked_sub(1).filter(|steps| *steps > 0)?;
        Some(self.last.abs_diff(self.first) as f64 / steps as f64).filter(|distance| *distance > 0.0)
    }
}

/// What the rows of a table showed.
#[derive(Clone, Debug, PartialEq)]
pub struct Measured {
    /// The facts.
    pub facts: Facts,
    /// Rows without an entity or a time, which no layout can hold.
    pub without_place: u64,
    /// Rows that were taken.
    pub rows: u64,
}

impl Meter {
    /// For a table with a `[table.time]`; `None` for one without.
    pub fn new(table: &Table) -> Option<Self> {
        let time = table.time.as_ref()?;
        let time_place = table.column_index(&time.column)?;
        let entity_places: Vec<usize> =
            time.entity.iter().filter_map(|name| table.column_index(name)).collect();
        let others = (0..table.columns.len())
            .filter(|place| *place != time_place && !entity_places.contains(place))
            .collect();
        Some(Self {
            declared: Facts::declared(table)?,
            table: table.clone(),
            time_place,
            entity_places,
            entities: HashMap::new(),
            forgotten_bits: 0,
            fixed: FixedColumns::new(others),
            distances: Vec::new(),
            distances_seen: 0,
            went_back: 0,
            random: fastrand::Rng::with_seed(SEED),
            hasher: RandomState::new(),
            rows: 0,
            without_place: 0,
        })
    }

    /// Takes a row: its values in the order of the table's columns.
    pub fn take(&mut self, values: &[Value]) {
        let entity: Vec<&Value> = self.entity_places.iter().filter_map(|place| values.get(*place)).collect();
        let at = values.get(self.time_place).and_then(moment);
        let Some(at) = at.filter(|_| !entity.iter().any(|part| part.is_null())) else {
            self.without_place += 1;
            return;
        };
        self.rows += 1;
        let hash = hash(&self.hasher, &entity);
        if !is_kept(hash, self.forgotten_bits) {
            return;
        }
        self.fixed.take(hash, values);
        let seen = self.entities.entry(hash).or_insert(Seen { first: at, last: at, latest: at, readings: 0 });
        let distance = at.abs_diff(seen.latest);
        self.went_back += u64::from(at < seen.latest);
        *seen = Seen {
            first: seen.first.min(at),
            last: seen.last.max(at),
            latest: at,
            readings: seen.readings + 1,
        };
        if distance > 0 {
            self.keep(distance as f64);
        }
        if self.entities.len() > ENTITIES_KEPT {
            self.forget();
        }
    }

    /// Keeps a sample of distances, each as likely as any other.
    fn keep(&mut self, distance: f64) {
        self.distances_seen += 1;
        if self.distances.len() < DISTANCES_KEPT {
            self.distances.push(distance);
            return;
        }
        let place = self.random.u64(..self.distances_seen) as usize;
        if let Some(kept) = self.distances.get_mut(place) {
            *kept = distance;
        }
    }

    fn forget(&mut self) {
        self.forgotten_bits += 1;
        let bits = self.forgotten_bits;
        self.entities.retain(|hash, _| is_kept(*hash, bits));
        self.fixed.retain(|hash| is_kept(hash, bits));
    }

    /// What the rows showed; without any, what was declared.
    pub fn finish(mut self) -> Measured {
        let (rows, without_place) = (self.rows, self.without_place);
        if self.entities.is_empty() {
            return Measured { facts: self.declared, without_place, rows };
        }
        let mut distances = std::mem::take(&mut self.distances);
        // Where readings come in no order, two that follow each other in the file say nothing.
        if self.went_back * IN_ORDER > self.distances_seen {
            distances = self.entities.values().filter_map(Seen::distance).collect();
        }
        distances.sort_by(f64::total_cmp);
        let middle = distances.get(distances.len() / 2).copied();
        let scale = f64::from(2_u32).powi(i32::try_from(self.forgotten_bits).unwrap_or(0));
        let entities = self.entities.len() as f64 * scale;
        let fixed: Vec<String> = self
            .fixed
            .found(self.entities.len() as f64)
            .into_iter()
            .filter_map(|place| self.table.columns.get(place))
            .map(|column| column.name.clone())
            .collect();
        let first = self.entities.values().map(|seen| seen.first).min().unwrap_or(0);
        let last = self.entities.values().map(|seen| seen.last).max().unwrap_or(0);
        let facts = Facts {
            entities,
            readings: rows as f64,
            interval: middle.unwrap_or(self.declared.interval).max(1.0),
            first,
            last,
            metrics: metrics(&self.table, &fixed),
            fixed,
            assumed: Vec::new(),
            ..self.declared
        };
        Measured { facts, without_place, rows }
    }
}

fn is_kept(hash: u64, bits: u32) -> bool {
    hash.trailing_zeros() >= bits
}

fn hash(hasher: &RandomState, entity: &[&Value]) -> u64 {
    let mut state = hasher.build_hasher();
    entity.iter().for_each(|part| part.hash(&mut state));
    state.finish()
}

/// A moment as a number: milliseconds since 1970, or the number itself; none for what is neither.
fn moment(value: &Value) -> Option<i64> {
    match value {
        Value::Timestamp(moment) => Some(moment.millis()),
        Value::Date(date) => Some(i64::from(date.days()) * MS_OF_DAY),
        Value::Int(number) => Some(*number),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tablesmith_model::value::{Moment, ValueType};
    use tablesmith_model::workload::{Column, Sequence, SequenceKind};

    fn table() -> Table {
        let columns = [
            ("station", ValueType::Int),
            ("at", ValueType::Timestamp),
            ("name", ValueType::String),
            ("bikes", ValueType::Int),
        ];
        Table {
            name: "reading".into(),
            columns: columns.map(|(name, value_type)| Column::new(name, value_type)).into(),
            time: Some(Sequence {
                column: "at".into(),
                entity: vec!["station".into()],
                kind: SequenceKind::Time,
            }),
            ..Table::default()
        }
    }

    fn row(station: i64, minute: i64, bikes: i64) -> [Value; 4] {
        let at = Moment::from_millis(minute * 60_000).unwrap();
        let name = Value::String(format!("station {station}"));
        [Value::Int(station), Value::Timestamp(at), name, Value::Int(bikes)]
    }

    #[test]
    fn readings_in_no_order_have_the_distance_of_sorted_ones() {
        let mut meter = Meter::new(&table()).unwrap();
        for step in 0..1_000 {
            (0..20).for_each(|station| meter.take(&row(station, step * 397 % 1_000, step % 13)));
        }
        assert_eq!(meter.finish().facts.interval, 60_000.0);
    }

    #[test]
    fn entities_intervals_and_fixed_columns_are_found() {
        let mut meter = Meter::new(&table()).unwrap();
        for minute in (0..1_000).filter(|minute| minute % 50 != 7) {
            (0..20).for_each(|station| meter.take(&row(station, minute, minute % 13)));
        }
        meter.take(&[Value::Null, Value::Int(1), Value::Null, Value::Null]);
        let Measured { facts, without_place, rows } = meter.finish();
        assert_eq!((facts.entities, facts.readings, facts.interval), (20.0, 19_600.0, 60_000.0));
        assert_eq!((facts.first, facts.last), (0, 999 * 60_000));
        assert_eq!((facts.fixed, facts.metrics.len()), (vec!["name".to_owned()], 1));
        assert_eq!((without_place, rows), (1, 19_600));
    }

    #[test]
    fn with_many_entities_some_stand_for_all() {
        let mut meter = Meter::new(&table()).unwrap();
        let many = ENTITIES_KEPT as i64 + ENTITIES_KEPT as i64 / 2;
        (0..many).for_each(|station| meter.take(&row(station, station % 60, 1)));
        let facts = meter.finish().facts;
        assert!((facts.entities / many as f64 - 1.0).abs() < 0.02, "{}", facts.entities);
        assert_eq!(facts.readings, many as f64);
    }

    #[test]
    fn without_rows_the_declared_facts_stand() {
        let declared = Facts::declared(&table()).unwrap();
        assert_eq!(Meter::new(&table()).unwrap().finish().facts, declared);
    }
}
