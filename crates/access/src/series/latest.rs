//! The last readings of an entity: from the newest row back, until there are enough.

use tablesmith_model::TableName;
use tablesmith_model::plan::KeyRange;
use tablesmith_model::series::{Dimension, Reading};
use tablesmith_model::value::{Value, ValueType};
use tablesmith_store::{Answer, Filter, Get, OpStats, ReadOptions, Row, RowBound, Scan, Store};

use super::decode::Wanted;
use super::keys::RowId;
use super::reads::both;
use super::window::Window;
use super::{Entities, Series, SeriesError, versions};

/// Rows that a reversed scan hands out at a time, at most.
const PORTION_ROWS: usize = 1_000;

/// The newest readings found so far.
struct Newest {
    /// So many are wanted.
    n: usize,
    /// The newest first.
    found: Vec<Reading>,
    stats: OpStats,
}

impl Newest {
    fn missing(&self) -> usize {
        self.n.saturating_sub(self.found.len())
    }

    /// Versions of a column that are read at a time.
    fn versions(&self) -> u32 {
        u32::try_from(self.n).unwrap_or(versions::ALL_VERSIONS).min(versions::ALL_VERSIONS)
    }
}

impl Series {
    /// The last `n` readings of an entity that have a value in one of the metrics (all metrics, when none is named), the
    /// newest first.
    pub async fn latest(
        &self,
        store: &dyn Store,
        name: &TableName,
        entity: &[Value],
        n: usize,
        metrics: &[String],
    ) -> Result<Answer<Vec<Reading>>, SeriesError> {
        let metrics = self.columns.select(metrics)?;
        self.check_entities(&Entities::These(vec![entity.to_vec()]))?;
        let mut newest = Newest { n, found: Vec::new(), stats: OpStats::default() };
        for window in self.windows() {
            let wanted = Wanted { metrics: metrics.clone(), window };
            if newest.missing() > 0 {
                self.walk_back(store, name, entity, &wanted, &mut newest).await?;
            }
        }
        Ok(Answer { value: newest.found, stats: newest.stats })
    }

    /// All times, the newest stretch first. Keys that begin with numbers are of one length only from 0 on, where nearly all
    /// of them are.
    fn windows(&self) -> Vec<Window> {
        let bounds = match self.keys.is_time_first() && self.keys.time_type == ValueType::Int {
            true => vec![(0, i64::MAX), (i64::MIN, 0)],
            false => vec![(i64::MIN, i64::MAX)],
        };
        bounds.into_iter().filter_map(|(from, to)| Window::new(from, to, self.keys.time_type)).collect()
    }

    async fn walk_back(
        &self,
        store: &dyn Store,
        name: &TableName,
        entity: &[Value],
        wanted: &Wanted,
        newest: &mut Newest,
    ) -> Result<(), SeriesError> {
        let Some(scan) = self.backwards(entity, wanted, newest)? else { return Ok(()) };
        let mut scanner = store.scan(name, scan).await?;
        'rows: loop {
            let rows = scanner.next_rows().await?;
            if rows.is_empty() {
                break;
            }
            for row in rows {
                let id = self.keys.read(&row.row, self.layout.span)?;
                if id.entity == entity {
                    self.take_row(store, name, row, &id, wanted, newest).await?;
                }
                if newest.missing() == 0 {
                    break 'rows;
                }
            }
        }
        newest.stats += scanner.stats();
        Ok(())
    }

    /// The scan from an entity's newest row back; `None` when there is nothing in the window.
    fn backwards(
        &self,
        entity: &[Value],
        wanted: &Wanted,
        newest: &Newest,
    ) -> Result<Option<Scan>, SeriesError> {
        let is_time_first = self.keys.is_time_first();
        let range = match is_time_first {
            true => self.keys.beside_entity(entity, wanted.window)?,
            false => self.keys.of_whole_entity(entity)?,
        };
        let Some(mut read) = self.options(&wanted.metrics, wanted.window, false) else { return Ok(None) };
        if self.layout.dimension == Dimension::Version {
            read.versions = newest.versions();
        }
        if is_time_first {
            let pattern = self.keys.pattern(entity, wanted.window)?;
            read.filter = both(pattern.map(|pattern| Filter::FuzzyRow(vec![pattern])), read.filter.take());
        }
        let rows = if self.layout.dimension == Dimension::Row { newest.n } else { 1 };
        let caching = u32::try_from(rows.min(PORTION_ROWS)).ok();
        Ok(Some(Scan { read, caching, ..reversed(range) }))
    }

    /// Takes the newest readings of a row, until there are enough. Versions come a few at a time: some of them may say that
    /// a reading was deleted, and then older ones are read.
    async fn take_row(
        &self,
        store: &dyn Store,
        name: &TableName,
        mut row: Row,
        id: &RowId,
        wanted: &Wanted,
        newest: &mut Newest,
    ) -> Result<(), SeriesError> {
        let mut window = wanted.window;
        loop {
            let complete = self.complete_from(&row, newest.n);
            let first = complete.unwrap_or(window.first).max(window.first);
            let part = Wanted { window: Window { first, ..window }, ..wanted.clone() };
            let readings = self.columns.readings(&row, id, &part)?;
            newest.found.extend(readings.into_iter().rev().take(newest.missing()));
            if complete.is_none() || newest.missing() == 0 || first <= window.first {
                return Ok(());
            }
            window = Window { last: first - 1, ..window };
            let Some(read) = versions::options(&self.columns, &wanted.metrics, window) else { return Ok(()) };
            let read = ReadOptions { versions: newest.versions(), ..read };
            let answer = store.get(name, Get { row: row.row.clone(), read }).await?;
            newest.stats += answer.stats;
            row = Row { row: row.row, ..answer.value };
        }
    }

    /// The time from which on a row of versions is complete, when one of its columns may have more than `n`.
    fn complete_from(&self, row: &Row, n: usize) -> Option<i64> {
        if self.layout.dimension != Dimension::Version {
            return None;
        }
        let columns = row.cells.chunk_by(|one, two| one.qualifier == two.qualifier);
        let full = columns.filter(|column| column.len() >= n);
        full.filter_map(|column| column.last().map(|cell| cell.timestamp)).max()
    }
}

/// A scan of a range from its end to its beginning.
fn reversed(range: KeyRange) -> Scan {
    let start = range.end.map_or(RowBound::Open, |end| RowBound::Excluded(end.into()));
    let stop = if range.start.is_empty() { RowBound::Open } else { RowBound::Included(range.start.into()) };
    Scan { start, stop, reversed: true, ..Scan::all() }
}
