//! What is known of readings: how many entities, how often each is read off, how large a reading is.
//!
//! [`Facts::declared`] takes what `workload.toml` says; [`Meter`] measures the rows of a data file and knows more: which
//! columns depend on the entity alone, and how many readings a stretch can have.

mod declared;
mod fixed;
mod meter;

pub(super) use declared::place;
pub use meter::{Measured, Meter};

use std::time::Duration;

use tablesmith_model::value::{CellEncoding, ValueType};
use tablesmith_model::workload::{Column, SequenceKind, Table};

/// What is known of a table's readings. Times and lengths are in milliseconds, or in numbers of another sequence.
#[derive(Clone, Debug, PartialEq)]
pub struct Facts {
    /// Different entities.
    pub entities: f64,
    /// Readings of all of them.
    pub readings: f64,
    /// From one reading of an entity to its next, as a rule: the middle of what was seen.
    pub interval: f64,
    /// The first and the last moment.
    pub first: i64,
    /// The last moment.
    pub last: i64,
    /// What orders the readings.
    pub kind: SequenceKind,
    /// Whether moments are days, so that a row cannot hold less than one.
    pub is_daily: bool,
    /// Bytes of an entity in a row key.
    pub entity_bytes: f64,
    /// The columns that are readings.
    pub metrics: Vec<Metric>,
    /// Columns that depend on the entity alone.
    pub fixed: Vec<String>,
    /// Older readings need not be kept.
    pub retention: Option<Duration>,
    /// What was assumed because nobody said it, in sentences.
    pub assumed: Vec<String>,
}

/// A column that is a reading.
#[derive(Clone, Debug, PartialEq)]
pub struct Metric {
    /// The column.
    pub name: String,
    /// Bytes of a value in a cell.
    pub bytes: f64,
    /// The share of readings that have it.
    pub filled: f64,
}

impl Facts {
    /// Readings of an entity.
    pub fn readings_per_entity(&self) -> f64 {
        (self.readings / self.entities.max(1.0)).max(1.0)
    }

    /// From the first moment to just after the last.
    pub fn extent(&self) -> f64 {
        (self.last.saturating_sub(self.first) as f64 + self.interval).max(1.0)
    }

    /// Readings of an entity within a stretch, when it has some all the time.
    pub fn readings_within(&self, length: f64) -> f64 {
        (self.readings_per_entity() * (length / self.extent()).min(1.0)).max(0.0)
    }

    /// The share of entities that have a reading at a moment at which there are readings.
    pub fn share_at_instant(&self) -> f64 {
        (self.readings_per_entity() * self.interval / self.extent()).clamp(0.0, 1.0)
    }

    /// A metric.
    pub fn metric(&self, name: &str) -> Option<&Metric> {
        self.metrics.iter().find(|metric| metric.name == name)
    }
}

/// Bytes of a column's value in a cell, in the encoding that its type gets.
fn cell_bytes(column: &Column) -> f64 {
    match CellEncoding::default_for(column.value_type) {
        CellEncoding::I64 | CellEncoding::F64 => 8.0,
        CellEncoding::I32 => 4.0,
        CellEncoding::Text | CellEncoding::Bytes => column.bytes.unwrap_or(match column.value_type {
            ValueType::Bool => 4.0,
            ValueType::Date | ValueType::Decimal => 10.0,
            _ => 16.0,
        }),
    }
}

/// Bytes of a column's value in a row key: numbers have 8, texts an end besides.
fn key_bytes(column: &Column) -> f64 {
    match column.value_type {
        ValueType::Int | ValueType::Float | ValueType::Timestamp => 8.0,
        ValueType::Date => 4.0,
        ValueType::Bool => 1.0,
        ValueType::String | ValueType::Bytes | ValueType::Decimal => column.bytes.unwrap_or(12.0) + 1.0,
    }
}

/// The columns that are readings: neither entity nor time, nor what depends on the entity alone.
fn metrics(table: &Table, fixed: &[String]) -> Vec<Metric> {
    let Some(time) = &table.time else { return Vec::new() };
    let is_metric = |column: &&Column| {
        column.name != time.column && !time.entity.contains(&column.name) && !fixed.contains(&column.name)
    };
    let metric = |column: &Column| Metric {
        name: column.name.clone(),
        bytes: cell_bytes(column),
        filled: 1.0 - column.nulls.unwrap_or(0.0),
    };
    table.columns.iter().filter(is_metric).map(metric).collect()
}
