//! The readings of a table: measured all, and a sample kept.

use std::path::Path;

use tablesmith_design::time::Facts;
use tablesmith_design::time::facts::Meter;
use tablesmith_model::series::{Reading, SeriesLayout};
use tablesmith_model::source_row::RowError;
use tablesmith_model::workload::Table;
use tablesmith_observe::rows;
use tablesmith_verify::time::{Sample, Sampler};

use crate::failure::Failure;
use crate::number_text::grouped;
use crate::verify::progress::Bars;

/// Rows between two looks at how far the file is read.
const ROWS_A_LOOK: u64 = 10_000;

/// What the rows of a table showed.
pub struct Found {
    /// What is known of the readings.
    pub facts: Facts,
    /// Some of them, with the metrics of the facts; none without data.
    pub sample: Option<Sample>,
    /// Rows that could not be read, and the first reason.
    pub rejected: Option<(u64, String)>,
    /// What a person should know.
    pub notes: Vec<String>,
}

/// Reads the rows of a table whose file is seen from a directory; without one, takes what is declared.
pub fn read(directory: &Path, table: &Table, sample: usize, bars: &Bars) -> Result<Found, Failure> {
    let failed = |error: &dyn std::fmt::Display| Failure::BadFile(error.to_string());
    let tall = SeriesLayout::tall(table).map_err(|error| failed(&error))?;
    let (Some(facts), Some(meter)) = (Facts::declared(table), Meter::new(table)) else {
        return Err(Failure::BadFile(format!("table `{}` has no [table.time]", table.name)));
    };
    let Some(data) = &table.data else {
        let notes = vec![format!(
            "{0}: there is no data to measure with; name its file, as data = \"{0}.csv\"",
            table.name
        )];
        return Ok(Found { facts, sample: None, rejected: None, notes });
    };
    let mut rows = rows::open(&directory.join(data), table).map_err(|error| failed(&error))?;
    let bar = bars.begin(&format!("reading {}", table.name), rows.position().bytes());
    let mut taken = Taken { meter, sampler: Sampler::new(sample), rejected: None, rows: 0 };
    while let Some(row) = rows.next() {
        match row {
            Ok(row) => taken.row(&tall, table, row.line, &row.values),
            Err(RowError::Rejected(why)) => taken.reject(why.rows, why.first_line, &why.reason),
            Err(RowError::Failed(why)) => return Err(Failure::BadFile(why)),
        }
        if taken.rows.is_multiple_of(ROWS_A_LOOK) {
            bar.set_position(rows.position().read());
        }
    }
    bars.end();
    taken.finish(&tall)
}

/// What is taken from rows.
struct Taken {
    meter: Meter,
    sampler: Sampler,
    rejected: Option<(u64, String)>,
    rows: u64,
}

impl Taken {
    fn row(
        &mut self,
        tall: &SeriesLayout,
        table: &Table,
        line: u64,
        values: &[tablesmith_model::value::Value],
    ) {
        self.rows += 1;
        match Reading::of_row(tall, table, values) {
            Ok(reading) if reading.entity.iter().any(|part| part.is_null()) => {
                self.reject(1, line, "the reading has no entity");
            }
            Ok(reading) => {
                self.meter.take(values);
                self.sampler.take(reading);
            }
            Err(error) => self.reject(1, line, &error.to_string()),
        }
    }

    fn reject(&mut self, rows: u64, line: u64, reason: &str) {
        let (all, _) = self.rejected.get_or_insert_with(|| (0, format!("line {line}: {reason}")));
        *all += rows;
    }

    fn finish(self, tall: &SeriesLayout) -> Result<Found, Failure> {
        let facts = self.meter.finish().facts;
        let sample = self.sampler.finish();
        if sample.readings.is_empty() {
            let why = self.rejected.map(|(_, why)| format!(": {why}")).unwrap_or_default();
            return Err(Failure::BadFile(format!("{}: there is no reading in the data{why}", tall.table)));
        }
        let place = |name: &String| tall.metrics.iter().position(|metric| metric == name);
        let places: Vec<usize> = facts.metrics.iter().filter_map(|metric| place(&metric.name)).collect();
        let mut notes = Vec::new();
        let kept = sample.readings.len() as u64;
        if kept < sample.of {
            notes.push(format!(
                "{}: layouts are measured with {} of {} readings; times are scaled up as predicted",
                tall.table,
                grouped(kept),
                grouped(sample.of)
            ));
        }
        Ok(Found { facts, sample: Some(sample.with_metrics(&places)), rejected: self.rejected, notes })
    }
}
