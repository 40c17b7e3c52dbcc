//! Loads rows of a table as readings.

use std::collections::BTreeMap;
use std::time::Instant;

use tablesmith_access::AccessError;
use tablesmith_access::series::{Series, SeriesError};
use tablesmith_model::TableName;
use tablesmith_model::evidence::{Loaded, Rejected};
use tablesmith_model::series::Reading;
use tablesmith_model::source_row::{RowError, SourceRow};
use tablesmith_model::value::Value;
use tablesmith_store::{FlushScope, Store};

use super::{LaidError, LaidReadings};

/// Readings that are written at once.
const PORTION: usize = 5_000;

impl LaidReadings {
    /// Loads rows as [`tablesmith_access::load`] does: those that are no readings are counted by reason, and at the end
    /// everything is in files.
    pub(super) async fn load(
        &self,
        store: &dyn Store,
        name: &TableName,
        rows: impl Iterator<Item = Result<SourceRow, RowError>>,
        progress: &mut (dyn FnMut(u64) + Send),
    ) -> Result<Loaded, LaidError> {
        let begun = Instant::now();
        let (mut portion, mut rejects, mut loaded) = (Vec::with_capacity(PORTION), Rejects::default(), 0);
        for row in rows {
            match row {
                Ok(row) => match self.reading(&row.values) {
                    Ok(reading) => portion.push(reading),
                    Err(error) => {
                        rejects.add(Rejected { reason: error.to_string(), rows: 1, first_line: row.line })
                    }
                },
                Err(RowError::Rejected(rejected)) => rejects.add(rejected),
                Err(RowError::Failed(message)) => return Err(AccessError::Data(message).into()),
            }
            if portion.len() >= PORTION {
                loaded += write(&self.series, store, name, &mut portion).await?;
                progress(loaded);
            }
        }
        loaded += write(&self.series, store, name, &mut portion).await?;
        progress(loaded);
        let rejected = rejects.all();
        if let (0, Some(first)) = (loaded, rejected.first()) {
            let rows = rejected.iter().map(|rejected| rejected.rows).sum();
            return Err(AccessError::NothingLoaded(Rejected { rows, ..first.clone() }).into());
        }
        store.flush(FlushScope::Table(name.clone(), None)).await?;
        store.major_compact(FlushScope::Table(name.clone(), None)).await?;
        Ok(Loaded { rows: loaded, seconds: begun.elapsed().as_secs_f64(), rejected })
    }

    fn reading(&self, values: &[Value]) -> Result<Reading, SeriesError> {
        let reading = Reading::of_row(self.series.layout(), &self.source, values)?;
        self.series.check(&reading)?;
        Ok(reading)
    }
}

async fn write(
    series: &Series,
    store: &dyn Store,
    name: &TableName,
    portion: &mut Vec<Reading>,
) -> Result<u64, SeriesError> {
    series.write(store, name, portion).await?;
    let written = portion.len() as u64;
    portion.clear();
    Ok(written)
}

/// Rows that could not be loaded, by reason.
#[derive(Default)]
struct Rejects(BTreeMap<String, Rejected>);

impl Rejects {
    fn add(&mut self, rejected: Rejected) {
        let known = self.0.entry(rejected.reason.clone());
        let known = known.or_insert_with(|| Rejected { rows: 0, ..rejected.clone() });
        known.rows += rejected.rows;
        known.first_line = known.first_line.min(rejected.first_line);
    }

    /// In the order of their first lines.
    fn all(self) -> Vec<Rejected> {
        let mut all: Vec<Rejected> = self.0.into_values().collect();
        all.sort_by_key(|rejected| rejected.first_line);
        all
    }
}
