//! Readings as they come from the store, a portion at a time.

use std::collections::{BTreeSet, VecDeque};

use tablesmith_model::TableName;
use tablesmith_model::plan::{KeyRange, Strand};
use tablesmith_model::series::Reading;
use tablesmith_model::value::Value;
use tablesmith_store::{
    Action, ActionAnswer, Answer, Get, OpStats, ReadOptions, Row, RowBound, Scan, Scanner, Store,
};

use super::decode::Wanted;
use super::meter::Meter;
use super::reads::Fetch;
use super::window::Window;
use super::write::send;
use super::{Entities, RangeQuery, Series, SeriesError};
use crate::fan_out::{FanOut, FanOutScan, Order};

/// Rows that are fetched one by one in one call.
const PORTION_GETS: usize = 256;

/// Readings of a range, a portion at a time: those of an entity in rising order of time.
pub struct Readings<'s> {
    series: &'s Series,
    store: &'s dyn Store,
    name: TableName,
    source: Source<'s>,
    wanted: Wanted,
    /// Whose readings are wanted, where others come too.
    only: Option<BTreeSet<Vec<Value>>>,
    meter: Meter,
}

enum Source<'s> {
    Gets(VecDeque<Get>),
    Scan(Box<dyn Scanner + 's>),
}

impl Series {
    /// The readings of a time, as they come from the store.
    pub async fn range<'s>(
        &'s self,
        store: &'s dyn Store,
        name: &TableName,
        query: &RangeQuery,
    ) -> Result<Readings<'s>, SeriesError> {
        let metrics = self.columns.select(&query.metrics)?;
        self.check_entities(&query.entities)?;
        let Some(window) = Window::new(query.from, query.to, self.keys.time_type) else {
            return Ok(self.nothing(store, name));
        };
        let fetch = self.fetch(&query.entities, window, &metrics)?;
        let only = match (&query.entities, &fetch) {
            (Entities::These(entities), Fetch::Ranges(..)) if self.keys.is_time_first() => {
                Some(entities.iter().cloned().collect())
            }
            _ => None,
        };
        let mut meter = Meter::default();
        let source = match fetch {
            Fetch::Gets(gets) => Source::Gets(gets.into()),
            Fetch::Ranges(ranges, options) => {
                Source::Scan(scanner(store, name, ranges, *options, &mut meter).await?)
            }
        };
        let wanted = Wanted { metrics, window };
        Ok(Readings { series: self, store, name: name.clone(), source, wanted, only, meter })
    }

    pub(super) fn check_entities(&self, entities: &Entities) -> Result<(), SeriesError> {
        let Entities::These(entities) = entities else { return Ok(()) };
        let wanted = self.layout.entity.len();
        match entities.iter().find(|entity| entity.len() != wanted) {
            Some(entity) => Err(SeriesError::Shape { what: "entity", given: entity.len(), wanted }),
            None => Ok(()),
        }
    }

    fn nothing<'s>(&'s self, store: &'s dyn Store, name: &TableName) -> Readings<'s> {
        let wanted = Wanted { metrics: Vec::new(), window: Window::at(0) };
        let (source, meter) = (Source::Gets(VecDeque::new()), Meter::default());
        Readings { series: self, store, name: name.clone(), source, wanted, only: None, meter }
    }
}

impl Readings<'_> {
    /// The next readings; none when there are no more.
    pub async fn next(&mut self) -> Result<Vec<Reading>, SeriesError> {
        loop {
            let rows = self.next_rows().await?;
            if rows.is_empty() {
                return Ok(Vec::new());
            }
            let readings = self.decode(&rows)?;
            if !readings.is_empty() {
                return Ok(readings);
            }
        }
    }

    /// All readings that are left, for answers that are known to be small.
    pub async fn all(mut self) -> Result<Answer<Vec<Reading>>, SeriesError> {
        let mut all = Vec::new();
        loop {
            let portion = self.next().await?;
            if portion.is_empty() {
                return Ok(Answer { value: all, stats: self.stats() });
            }
            all.extend(portion);
        }
    }

    /// What was counted up to now.
    pub fn stats(&self) -> OpStats {
        self.meter().stats
    }

    /// What it took up to now.
    pub(super) fn meter(&self) -> Meter {
        match &self.source {
            Source::Gets(_) => self.meter,
            Source::Scan(scanner) => Meter { stats: scanner.stats(), ..self.meter },
        }
    }

    async fn next_rows(&mut self) -> Result<Vec<Row>, SeriesError> {
        match &mut self.source {
            Source::Scan(scanner) => Ok(self.meter.timed(scanner.next_rows()).await?),
            Source::Gets(gets) => {
                let portion: Vec<Get> = gets.drain(..gets.len().min(PORTION_GETS)).collect();
                get_all(self.store, &self.name, portion, &mut self.meter).await
            }
        }
    }

    fn decode(&self, rows: &[Row]) -> Result<Vec<Reading>, SeriesError> {
        let mut readings = Vec::new();
        for row in rows.iter().filter(|row| !row.cells.is_empty()) {
            let id = self.series.keys.read(&row.row, self.series.layout.span)?;
            if self.only.as_ref().is_none_or(|only| only.contains(&id.entity)) {
                readings.extend(self.series.columns.readings(row, &id, &self.wanted)?);
            }
        }
        Ok(readings)
    }
}

/// Rows one by one, in one call. The answer has a row for each get, perhaps without cells.
pub(super) async fn get_all(
    store: &dyn Store,
    name: &TableName,
    mut gets: Vec<Get>,
    meter: &mut Meter,
) -> Result<Vec<Row>, SeriesError> {
    if gets.len() <= 1 {
        let Some(get) = gets.pop() else { return Ok(Vec::new()) };
        let answer = meter.timed(store.get(name, get)).await?;
        meter.stats += answer.stats;
        return Ok(vec![answer.value]);
    }
    let answers = send(store, name, gets.into_iter().map(Action::Get).collect(), meter).await?;
    let row = |answer| if let ActionAnswer::Row(row) = answer { row } else { Row::default() };
    Ok(answers.into_iter().map(row).collect())
}

/// A scan of one range, or of several at a time.
pub(super) async fn scanner<'s>(
    store: &'s dyn Store,
    name: &TableName,
    mut ranges: Vec<KeyRange>,
    read: ReadOptions,
    meter: &mut Meter,
) -> Result<Box<dyn Scanner + 's>, SeriesError> {
    if ranges.len() == 1
        && let Some(range) = ranges.pop()
    {
        return Ok(meter.timed(store.scan(name, Scan { read, ..scan(range) })).await?);
    }
    let strand = |range: KeyRange| Strand { range, ..Strand::default() };
    let strands = ranges.into_iter().map(strand).collect();
    let scan = FanOutScan { order: Order::Any, read, ..FanOutScan::new(strands) };
    Ok(Box::new(FanOut::new(store, name, scan)?))
}

/// A scan of a range.
pub(super) fn scan(range: KeyRange) -> Scan {
    let start = if range.start.is_empty() { RowBound::Open } else { RowBound::Included(range.start.into()) };
    let stop = range.end.map_or(RowBound::Open, |end| RowBound::Excluded(end.into()));
    Scan { start, stop, ..Scan::all() }
}
