//! Sums of a metric, made inside the regions.

use std::collections::{BTreeMap, BTreeSet};

use bytes::Bytes;
use tablesmith_model::series::{CellShape, Dimension};
use tablesmith_model::{TableName, Timestamp};
use tablesmith_store::aggregate::{Figures, Held, Metric, OffsetForm, Readings, TimeOf, merge};
use tablesmith_store::{Aggregate, Answer, Group, Partial, ReadOptions, RegionPartials, Scan, Store};

use super::Worked;
use super::rows::{Rows, possible};
use super::shape::Shape;
use crate::series::window::Window;
use crate::series::{AggregateQuery, Entities, GroupBy, Groups, Series, SeriesError, SeriesGroup, versions};

/// Sums, and who made them.
#[derive(Clone, Debug, PartialEq)]
pub struct Aggregated {
    /// The sums.
    pub groups: Groups,
    /// The regions that had readings; none where the sums were not made in regions.
    pub regions: Vec<Worked>,
}

impl Series {
    /// Sums up a metric over the readings of a time, and tells which regions worked.
    pub async fn aggregate_in_regions(
        &self,
        store: &dyn Store,
        name: &TableName,
        query: &AggregateQuery,
    ) -> Result<Answer<Aggregated>, SeriesError> {
        let (index, value) = self.number_of(&query.metric)?;
        self.check_entities(&query.entities)?;
        let nothing = Aggregated { groups: Groups::new(), regions: Vec::new() };
        let Some(window) = Window::new(query.from, query.to, self.keys.time_type) else {
            return Ok(Answer::uncounted(nothing));
        };
        let Some(bucket) = bucket_of(query.group).filter(|_| self.has_even_keys(window)) else {
            let groups = self.aggregate_readings(store, name, query).await?;
            return Ok(groups.map(|groups| Aggregated { groups, regions: Vec::new() }));
        };
        let shape = self.shape();
        let rows = self.rows_in(shape, &query.entities, window)?;
        let (Some(rows), Some(read)) = (rows, self.cells_of(index, window)) else {
            return Ok(Answer::uncounted(nothing));
        };
        let by_entity = matches!(query.group, GroupBy::Entity | GroupBy::EntityAndBucket(_));
        let Rows { scan, rows, has_others } = rows;
        let group = Group { key: (by_entity || has_others).then_some(shape.entity), time_bucket_ms: bucket };
        let readings = self.held(shape, index, self.to_check(&query.entities, window));
        let figures = query.figures & Figures::OF_NUMBERS;
        let aggregate = Aggregate { scan: Scan { read, ..scan }, value, group, readings, rows, figures };
        let Answer { value: regions, stats } = store.aggregate(name, aggregate).await?;
        let wanted = self.wanted_parts(shape, &query.entities, window, has_others)?;
        let groups = self.groups(shape, &regions, window, wanted.as_ref(), by_entity)?;
        Ok(Answer { value: Aggregated { groups, regions: worked(&regions) }, stats })
    }

    /// What is read of a row for one metric.
    fn cells_of(&self, index: usize, window: Window) -> Option<ReadOptions> {
        match self.layout.dimension {
            // The regions know the names and times of cells themselves; a filter would have to copy each.
            Dimension::Qualifier => {
                let mut options = ReadOptions::default();
                options.columns.add_family(self.columns.family.clone());
                Some(options)
            }
            Dimension::Version => versions::options(&self.columns, &[index], window),
            Dimension::Row | Dimension::Packed => self.options(&[index], window, false),
        }
    }

    /// How the cells hold a metric, and of when it is.
    fn held(&self, shape: Shape, index: usize, during: Option<Window>) -> Readings {
        let columns = &self.columns;
        let is_together = columns.shape == CellShape::Together;
        let own = || columns.encodings.get(index).copied().into_iter().collect();
        let metric = if is_together {
            Metric { encodings: columns.encodings.clone().into(), index }
        } else {
            Metric { encodings: own(), index: 0 }
        };
        let held = match self.layout.dimension {
            Dimension::Packed => Held::Packed(metric),
            _ if is_together => Held::Together(metric),
            _ => Held::Single,
        };
        let time = match self.layout.dimension {
            Dimension::Version => TimeOf::Timestamp,
            Dimension::Row | Dimension::Packed => shape.time.map_or(TimeOf::Least, TimeOf::Key),
            Dimension::Qualifier => {
                let is_short = columns.offsets.qualifier_bytes() == size_of::<u32>();
                let form = if is_short { OffsetForm::Short } else { OffsetForm::Long };
                let name = columns.metrics.get(index).filter(|_| !is_together);
                let name = name.map(|metric| metric.qualifier.clone()).unwrap_or_default();
                TimeOf::Offset { base: shape.time, form, name }
            }
        };
        Readings { held, time, during: during.map(|window| window.first..window.last.saturating_add(1)) }
    }

    /// The times that must still be looked for among those of the rows and cells that are read.
    fn to_check(&self, entities: &Entities, window: Window) -> Option<Window> {
        let is_cut = match self.layout.dimension {
            // The scan takes versions of the window alone.
            Dimension::Version => true,
            // Every row has a time, and ranges of keys leave the others out, unless everybody's rows of all times lie between.
            Dimension::Row => self.keys.is_time_first() || matches!(entities, Entities::These(_)),
            Dimension::Qualifier | Dimension::Packed => false,
        };
        (!is_cut && !window.is_all(self.keys.time_type)).then_some(window)
    }

    /// The parts of keys that count, where rows of others come too.
    fn wanted_parts(
        &self,
        shape: Shape,
        entities: &Entities,
        window: Window,
        has_others: bool,
    ) -> Result<Option<BTreeSet<Bytes>>, SeriesError> {
        match entities {
            Entities::These(entities) if has_others => {
                let parts = possible(entities.iter().map(|entity| self.part_of(shape, entity, window)))?;
                Ok(Some(parts.into_iter().collect()))
            }
            _ => Ok(None),
        }
    }

    fn groups(
        &self,
        shape: Shape,
        regions: &[RegionPartials],
        window: Window,
        wanted: Option<&BTreeSet<Bytes>>,
        by_entity: bool,
    ) -> Result<Groups, SeriesError> {
        let mut sums: BTreeMap<SeriesGroup, Partial> = BTreeMap::new();
        for (key, partial) in merge(regions) {
            let part = key.key.unwrap_or_default();
            if wanted.is_some_and(|wanted| !wanted.contains(&part)) {
                continue;
            }
            let entity = if by_entity { Some(self.entity_of(shape, &part, window)?) } else { None };
            *sums.entry(SeriesGroup { entity, bucket: key.bucket_ms }).or_default() += partial;
        }
        Ok(sums.into_iter().map(|(group, partial)| (group, partial.into())).collect())
    }
}

/// The width of buckets, if there are any; `None` when regions cannot count so wide.
fn bucket_of(group: GroupBy) -> Option<Option<Timestamp>> {
    match group {
        GroupBy::All | GroupBy::Entity => Some(None),
        GroupBy::Bucket(width) | GroupBy::EntityAndBucket(width) => {
            i64::try_from(width.max(1)).ok().map(Some)
        }
    }
}

fn worked(regions: &[RegionPartials]) -> Vec<Worked> {
    let has_any = |region: &&RegionPartials| !region.groups.is_empty();
    let worked = |region: &RegionPartials| Worked {
        region: region.region.clone(),
        server: region.server.clone(),
        took: region.took,
    };
    regions.iter().filter(has_any).map(worked).collect()
}
