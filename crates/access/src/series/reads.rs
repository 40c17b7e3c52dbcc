//! Decides how readings are fetched: which rows, and what of each.

use std::collections::BTreeSet;

use bytes::Bytes;
use tablesmith_model::plan::KeyRange;
use tablesmith_model::series::{Dimension, Span};
use tablesmith_model::value::Value;
use tablesmith_store::{Filter, Get, ReadOptions};

use super::keys::is_of_no_row;
use super::window::Window;
use super::{Entities, Series, SeriesError, packed, tall, versions, wide};

/// Rows of one entity are fetched one by one up to so many, and as a range beyond.
const ROWS_ONE_BY_ONE: u64 = 4;
/// So many rows are fetched one by one where a range would have those of other entities too.
const ROWS_AMONG_OTHERS: u64 = 1_024;
/// So many entities are told to the store as patterns; with more, rows of others are left out here.
const MOST_PATTERNS: usize = 64;

/// How readings are fetched.
#[derive(Clone, Debug)]
pub(crate) enum Fetch {
    /// Rows one by one.
    Gets(Vec<Get>),
    /// Ranges of rows, which may have those of other entities too.
    Ranges(Vec<KeyRange>, Box<ReadOptions>),
}

impl Series {
    /// How the readings of a window are fetched.
    pub(super) fn fetch(
        &self,
        entities: &Entities,
        window: Window,
        metrics: &[usize],
    ) -> Result<Fetch, SeriesError> {
        match entities {
            Entities::All => {
                let ranges = KeyRange::merged(self.keys.of_everybody(window)?);
                self.ranges(ranges, window, metrics)
            }
            Entities::These(entities) if entities.is_empty() => Ok(Fetch::Gets(Vec::new())),
            Entities::These(entities) => {
                let entities: BTreeSet<&[Value]> = entities.iter().map(Vec::as_slice).collect();
                let rows = self.rows_of_window(window);
                let all_rows = rows.saturating_mul(entities.len() as u64);
                if self.keys.is_time_first() {
                    match all_rows <= ROWS_AMONG_OTHERS {
                        true => self.gets(&entities, window, metrics),
                        false => self.among_others(&entities, window, metrics),
                    }
                } else if rows <= ROWS_ONE_BY_ONE {
                    self.gets(&entities, window, metrics)
                } else {
                    let range = |entity: &&[Value]| self.keys.of_entity(entity, window);
                    let ranges = possible(entities.iter().map(range))?;
                    self.ranges(ranges, window, metrics)
                }
            }
        }
    }

    /// How many rows of one entity a window can touch.
    fn rows_of_window(&self, window: Window) -> u64 {
        let width = match self.layout.span {
            Span::Each => 1,
            Span::Of(width) => width,
            Span::Unbounded => return 1,
        };
        let first = self.columns.offsets.start(window.first);
        (window.last.abs_diff(first) / width).saturating_add(1)
    }

    /// A get for each row of each entity, with just the part of the window that lies in it.
    fn gets(
        &self,
        entities: &BTreeSet<&[Value]>,
        window: Window,
        metrics: &[usize],
    ) -> Result<Fetch, SeriesError> {
        let mut gets = Vec::new();
        for part in self.parts_of(window) {
            let Some(read) = self.options(metrics, part, true) else { continue };
            let key = |entity: &&[Value]| self.keys.key(entity, part.first);
            let rows: Vec<Bytes> = possible(entities.iter().map(key))?;
            gets.extend(rows.into_iter().map(|row| Get { row, read: read.clone() }));
        }
        Ok(Fetch::Gets(gets))
    }

    /// The parts of a window that lie in one row each, in rising order.
    fn parts_of(&self, window: Window) -> impl Iterator<Item = Window> + '_ {
        let mut next = Some(window);
        std::iter::from_fn(move || {
            let left = next?;
            let end = self.columns.offsets.end(self.columns.offsets.start(left.first));
            let (last, behind) = match end {
                Some(end) if end <= left.last => (end - 1, Some(Window { first: end, ..left })),
                _ => (left.last, None),
            };
            next = behind;
            Some(Window { first: left.first, last })
        })
    }

    /// Ranges that have the rows of other entities too: the store is told which rows are wanted, if they are few.
    fn among_others(
        &self,
        entities: &BTreeSet<&[Value]>,
        window: Window,
        metrics: &[usize],
    ) -> Result<Fetch, SeriesError> {
        let beside = |entity: &&[Value]| self.keys.beside_entity(entity, window);
        let ranges = KeyRange::merged(possible(entities.iter().map(beside))?);
        let mut fetch = self.ranges(ranges, window, metrics)?;
        if let (Fetch::Ranges(_, options), true) = (&mut fetch, entities.len() <= MOST_PATTERNS) {
            let patterns = possible(entities.iter().map(|entity| self.keys.pattern(entity, window)))?;
            let patterns: Option<Vec<(Bytes, Bytes)>> = patterns.into_iter().collect();
            let pattern = patterns.filter(|patterns| !patterns.is_empty()).map(Filter::FuzzyRow);
            options.filter = both(pattern, options.filter.take());
        }
        Ok(fetch)
    }

    fn ranges(&self, ranges: Vec<KeyRange>, window: Window, metrics: &[usize]) -> Result<Fetch, SeriesError> {
        let is_one_row = self.columns.offsets.start(window.first) == self.columns.offsets.start(window.last);
        Ok(match self.options(metrics, window, is_one_row) {
            Some(options) => Fetch::Ranges(ranges, Box::new(options)),
            None => Fetch::Gets(Vec::new()),
        })
    }

    /// What is read of a row; `None` when no row can have anything in the window. A window that is known to be that of one
    /// row of each entity narrows the columns.
    pub(super) fn options(&self, metrics: &[usize], window: Window, is_one_row: bool) -> Option<ReadOptions> {
        match self.layout.dimension {
            Dimension::Row => Some(tall::options(&self.columns, metrics)),
            Dimension::Qualifier => Some(wide::options(&self.columns, metrics, is_one_row.then_some(window))),
            Dimension::Version => versions::options(&self.columns, metrics, window),
            Dimension::Packed => Some(packed::options(&self.columns, metrics)),
        }
    }
}

/// Both filters, if there are both.
pub(super) fn both(one: Option<Filter>, other: Option<Filter>) -> Option<Filter> {
    match (one, other) {
        (Some(one), Some(other)) => {
            Some(Filter::List(tablesmith_store::filter::ListOp::All, vec![one, other]))
        }
        (one, other) => one.or(other),
    }
}

/// All that can be there: an entity whose key would be too long has no rows.
fn possible<T>(found: impl Iterator<Item = Result<T, SeriesError>>) -> Result<Vec<T>, SeriesError> {
    found.filter(|one| !matches!(one, Err(error) if is_of_no_row(error))).collect()
}
