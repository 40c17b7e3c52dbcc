//! The two data sets, made as they are needed.

use std::sync::Arc;

use crate::time::bixi::Extent;
use crate::time::data::Data;
use tablesmith_generate::bixi::{self, Readings};
use tablesmith_generate::cosmology::{self, Census, Cosmology, States};
use tablesmith_model::series::Reading;
use tablesmith_model::value::Value;
use tablesmith_model::workload::{Table, Workload};

/// Readings as they are made.
type Made = Box<dyn Iterator<Item = Reading> + Send>;

/// Readings of stations.
pub fn bixi(scale: f64, seed: u64) -> (Data, Extent) {
    let extent = bixi::Extent::at_scale(scale);
    let table = first_table(bixi::workload(extent, extent.minutes() * u64::from(extent.stations)));
    let reading = |one: bixi::Reading| Reading {
        entity: vec![Value::Int(one.station.into())],
        at: one.at_ms,
        metrics: vec![Value::Int(one.bikes), Value::Int(one.empty_docks), Value::Int(one.locked.into())],
    };
    let readings = Arc::new(move || Box::new(Readings::new(extent, seed).map(reading)) as Made);
    (Data { table, readings }, Extent { stations: extent.stations, end_ms: extent.end_ms() })
}

/// Stars of nine snapshots.
pub fn cosmology(scale: f64, seed: u64) -> Data {
    let census = Census::new(Cosmology { scale, stars_only: true });
    let table = first_table(cosmology::workload(census));
    let state = |one: cosmology::State| Reading {
        entity: vec![Value::Int(i64::from(one.kind as u8)), Value::Int(one.id.cast_signed())],
        at: one.snapshot.into(),
        metrics: one.metrics.iter().map(|metric| metric.map_or(Value::Null, Value::Float)).collect(),
    };
    Data { table, readings: Arc::new(move || Box::new(States::new(census, seed).map(state)) as Made) }
}

fn first_table(workload: Workload) -> Table {
    workload.tables.into_iter().next().unwrap_or_default()
}
