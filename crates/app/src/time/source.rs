//! The readings of a table: measured all, and a sample kept.

use std::path::Path;

use tablesmith_design::time::Facts;
use tablesmith_design::time::facts::Meter;
use tablesmith_model::series::{Reading, SeriesLayout};
use tablesmith_model::source_row::RowError;
use tablesmith_model::workload::Table;
use tablesmith_observe::rows;
use tablesmith_verify::time::{Sample, Sampler};

use crate::{AppError, Context, Unit};
use tablesmith_report::number::grouped;

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
pub fn read(context: &Context, directory: &Path, table: &Table, sample: usize) -> Result<Found, AppError> {
    let tall = SeriesLayout::tall(table)?;
    let (Some(facts), Some(meter)) = (Facts::declared(table), Meter::new(table)) else {
        return Err(AppError::NoSeries(table.name.clone()));
    };
    let Some(data) = &table.data else {
        let notes = vec![format!(
            "{0}: there is no data to measure with; name its file, as data = \"{0}.csv\"",
            table.name
        )];
        return Ok(Found { facts, sample: None, rejected: None, notes });
    };
    let mut rows = rows::open(&directory.join(data), table)?;
    let progress = &context.progress;
    progress.begin(&format!("reading {}", table.name), Unit::Count, Some(rows.position().bytes()));
    let mut taken = Taken { meter, sampler: Sampler::new(sample), rejected: None, rows: 0 };
    while let Some(row) = rows.next() {
        match row {
            Ok(row) => taken.row(&tall, table, row.line, &row.values),
            Err(RowError::Rejected(why)) => taken.reject(why.rows, why.first_line, &why.reason),
            Err(RowError::Failed(why)) => return Err(AppError::Rows(why)),
        }
        if taken.rows.is_multiple_of(ROWS_A_LOOK) {
            progress.advance(rows.position().read());
        }
    }
    progress.end();
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

    fn finish(self, tall: &SeriesLayout) -> Result<Found, AppError> {
        let facts = self.meter.finish().facts;
        let sample = self.sampler.finish();
        if sample.readings.is_empty() {
            let why = self.rejected.map(|(_, why)| why);
            return Err(AppError::NoReadings { table: tall.table.clone(), why });
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
