//! Who has a reading at one of two times alone, found inside the regions.

use std::collections::BTreeSet;

use bytes::Bytes;
use tablesmith_model::series::entry::NOTHING;
use tablesmith_model::series::{Dimension, KeyOrder, Span};
use tablesmith_model::value::Value;
use tablesmith_model::{TableName, TimeRange};
use tablesmith_store::{Answer, OpStats, Scan, Select, Store, Which};

use super::{Worked, worked};
use crate::series::window::Window;
use crate::series::{Difference, Entities, Series, SeriesError, tall, versions};

/// What two times differ in, and who looked.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Compared {
    /// The difference.
    pub difference: Difference,
    /// The regions that found any; none where readings were compared here.
    pub regions: Vec<Worked>,
}

/// Two times of a table.
#[derive(Clone, Copy)]
struct Asked<'a> {
    store: &'a dyn Store,
    name: &'a TableName,
    first: i64,
    second: i64,
}

impl Series {
    /// Who has a reading at the second time and none at the first, and the other way round; tells which regions worked.
    pub async fn compare_in_regions(
        &self,
        store: &dyn Store,
        name: &TableName,
        first: i64,
        second: i64,
    ) -> Result<Answer<Compared>, SeriesError> {
        let offsets = self.columns.offsets;
        let asked = Asked { store, name, first, second };
        let in_one_row =
            self.layout.dimension == Dimension::Version && offsets.start(first) == offsets.start(second);
        let are_versions =
            versions::can_be_version(first) && versions::can_be_version(second) && first != second;
        let is_rows = self.layout.span == Span::Each && self.layout.order == KeyOrder::TimeEntity;
        if in_one_row && are_versions {
            return self.compare_versions(asked).await;
        }
        if is_rows && self.has_even_keys(Window::at(first.min(second))) && first != second {
            return self.compare_rows(asked).await;
        }
        let answer = self.compare_readings(store, name, first, second).await?;
        Ok(answer.map(|difference| Compared { difference, regions: Vec::new() }))
    }

    /// Both times are versions of one row: the region alone can tell.
    async fn compare_versions(&self, asked: Asked<'_>) -> Result<Answer<Compared>, SeriesError> {
        let Asked { store, name, first, second } = asked;
        let window = Window { first: first.min(second), last: first.max(second) };
        let metrics: Vec<usize> = (0..self.columns.metrics.len()).collect();
        let rows = self.rows_in(self.shape(), &Entities::All, window)?;
        let read = versions::options(&self.columns, &metrics, window);
        let at = |at| TimeRange::at(at).ok();
        let (Some(rows), Some(read), Some(before), Some(after)) = (rows, read, at(first), at(second)) else {
            return Ok(Answer::uncounted(Compared::default()));
        };
        let which = Which::Between { before, after };
        let select = Select { scan: Scan { read, ..rows.scan }, which, nothing: Some(NOTHING.into()) };
        let Answer { value: regions, stats } = store.select(name, select).await?;
        let counts = |row: &&Bytes| rows.rows.as_ref().is_none_or(|rows| rows.contains(row));
        let entities = |found: Vec<&Bytes>| -> Result<Vec<Vec<Value>>, SeriesError> {
            let id = |row: &Bytes| self.keys.read(row, self.layout.span);
            let mut entities: Vec<_> = found
                .into_iter()
                .filter(counts)
                .map(|row| id(row).map(|id| id.entity))
                .collect::<Result<_, _>>()?;
            entities.sort();
            Ok(entities)
        };
        let difference = Difference {
            appeared: entities(regions.iter().flat_map(|region| &region.rows).collect())?,
            gone: entities(regions.iter().flat_map(|region| &region.gone).collect())?,
        };
        Ok(Answer { value: Compared { difference, regions: worked(&regions).collect() }, stats })
    }

    /// Each time is a stretch of rows: regions tell who is there, and what is there once is left.
    async fn compare_rows(&self, asked: Asked<'_>) -> Result<Answer<Compared>, SeriesError> {
        let Asked { store, name, first, second } = asked;
        let (mut stats, mut regions) = (OpStats::default(), Vec::new());
        let before = self.there(store, name, first, &mut stats, &mut regions).await?;
        let after = self.there(store, name, second, &mut stats, &mut regions).await?;
        let window = Window::at(first.max(second));
        let entities =
            |one: &BTreeSet<Bytes>, other: &BTreeSet<Bytes>| -> Result<Vec<Vec<Value>>, SeriesError> {
                let entity = |part: &Bytes| self.entity_of(self.shape(), part, window);
                let mut entities: Vec<_> = one.difference(other).map(entity).collect::<Result<_, _>>()?;
                entities.sort();
                Ok(entities)
            };
        let difference =
            Difference { appeared: entities(&after, &before)?, gone: entities(&before, &after)? };
        Ok(Answer { value: Compared { difference, regions }, stats })
    }

    /// Who has a row at a time, as parts of keys.
    async fn there(
        &self,
        store: &dyn Store,
        name: &TableName,
        at: i64,
        stats: &mut OpStats,
        regions: &mut Vec<Worked>,
    ) -> Result<BTreeSet<Bytes>, SeriesError> {
        let Some(window) = Window::new(at, at.saturating_add(1), self.keys.time_type) else {
            return Ok(BTreeSet::new());
        };
        let shape = self.shape();
        let Some(rows) = self.rows_in(shape, &Entities::All, window)? else { return Ok(BTreeSet::new()) };
        let metrics: Vec<usize> = (0..self.columns.metrics.len()).collect();
        let read = tall::options(&self.columns, &metrics);
        let select = Select { nothing: Some(NOTHING.into()), ..Select::any(Scan { read, ..rows.scan }) };
        let answer = store.select(name, select).await?;
        *stats += answer.stats;
        regions.extend(worked(&answer.value));
        let part = |row: &Bytes| row.slice_ref(shape.entity.of(row));
        Ok(answer.value.iter().flat_map(|region| &region.rows).map(part).collect())
    }
}
