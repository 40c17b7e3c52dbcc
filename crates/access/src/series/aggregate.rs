//! Sums of a metric: made in the regions, or added up here over the readings of a range.

use std::collections::BTreeMap;

use tablesmith_model::TableName;
use tablesmith_model::series::Reading;
use tablesmith_model::value::{CellEncoding, Value};
use tablesmith_store::aggregate::Figures;
use tablesmith_store::{Answer, Number, Partial, Store, ValueType};

use super::columns::Metric;
use super::{AggregateQuery, GroupBy, RangeQuery, Series, SeriesError};

/// What is summed up together.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct SeriesGroup {
    /// Whose readings; `None` for everybody's.
    pub entity: Option<Vec<Value>>,
    /// Where the stretch of time begins; `None` for all times.
    pub bucket: Option<i64>,
}

/// The values of a metric in one group; what was not asked for is as without values.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Summary {
    /// How many there are.
    pub count: u64,
    /// Their sum.
    pub sum: Number,
    /// The sum of their squares.
    pub sum_of_squares: Number,
    /// The least.
    pub min: Option<Number>,
    /// The greatest.
    pub max: Option<Number>,
}

/// Summaries by group; a group without values is not there.
pub type Groups = BTreeMap<SeriesGroup, Summary>;

impl Summary {
    /// Their mean, when there are some.
    pub fn mean(&self) -> Option<f64> {
        (self.count > 0).then(|| self.sum.as_f64() / self.count as f64)
    }
}

impl From<Partial> for Summary {
    fn from(partial: Partial) -> Self {
        Self {
            count: partial.numbers,
            sum: partial.sum,
            sum_of_squares: partial.sum_of_squares,
            min: partial.min,
            max: partial.max,
        }
    }
}

impl GroupBy {
    /// The group of a reading.
    pub(super) fn group_of(self, entity: &[Value], at: i64) -> SeriesGroup {
        let entity = matches!(self, Self::Entity | Self::EntityAndBucket(_)).then(|| entity.to_vec());
        let bucket = match self {
            Self::Bucket(width) | Self::EntityAndBucket(width) => Some(bucket_start(at, width)),
            Self::All | Self::Entity => None,
        };
        SeriesGroup { entity, bucket }
    }
}

impl Series {
    /// Sums up a metric over the readings of a time.
    pub async fn aggregate(
        &self,
        store: &dyn Store,
        name: &TableName,
        query: &AggregateQuery,
    ) -> Result<Answer<Groups>, SeriesError> {
        Ok(self.aggregate_in_regions(store, name, query).await?.map(|aggregated| aggregated.groups))
    }

    /// Sums up a metric here, from the readings themselves.
    pub(super) async fn aggregate_readings(
        &self,
        store: &dyn Store,
        name: &TableName,
        query: &AggregateQuery,
    ) -> Result<Answer<Groups>, SeriesError> {
        let (index, number) = self.number_of(&query.metric)?;
        let metric = &self.columns.metrics;
        let mut partials: BTreeMap<SeriesGroup, Partial> = BTreeMap::new();
        let range = RangeQuery {
            entities: query.entities.clone(),
            from: query.from,
            to: query.to,
            metrics: vec![query.metric.clone()],
        };
        let mut readings = self.range(store, name, &range).await?;
        loop {
            let portion = readings.next().await?;
            if portion.is_empty() {
                break;
            }
            for reading in &portion {
                let value = metric.get(index).and_then(|metric| value_of(metric, number, reading));
                let group = query.group.group_of(&reading.entity, reading.at);
                partials.entry(group).or_default().add_cell(value);
            }
        }
        let figures = query.figures & Figures::OF_NUMBERS;
        let wanted = partials.into_iter().filter_map(|(group, partial)| Some((group, figures.of(&partial)?)));
        let groups = wanted.map(|(group, partial)| (group, partial.into())).collect();
        Ok(Answer { value: groups, stats: readings.stats() })
    }

    /// The place of a metric, and how its cells are numbers.
    pub(super) fn number_of(&self, name: &str) -> Result<(usize, ValueType), SeriesError> {
        let place = self.columns.select(&[name.to_owned()])?.first().copied().unwrap_or_default();
        let metric = self.columns.metrics.get(place);
        let number = metric.and_then(|metric| number_type(metric.encoding, metric.value_type));
        let value_type = || metric.map(|metric| metric.value_type.to_string()).unwrap_or_default();
        let refused = || SeriesError::NotANumber { metric: name.to_owned(), value_type: value_type() };
        Ok((place, number.ok_or_else(refused)?))
    }
}

/// How the cells of a metric are numbers.
fn number_type(encoding: CellEncoding, value_type: tablesmith_model::value::ValueType) -> Option<ValueType> {
    use tablesmith_model::value::ValueType::{Decimal, Float, Int};
    match (encoding, value_type) {
        (CellEncoding::I64, Int) => Some(ValueType::I64),
        (CellEncoding::I32, Int) => Some(ValueType::I32),
        (CellEncoding::F64, Float) => Some(ValueType::F64),
        (CellEncoding::Text, Int | Float | Decimal) => Some(ValueType::Text),
        _ => None,
    }
}

/// The number of a reading of one metric, as its cell would give it.
fn value_of(metric: &Metric, number: ValueType, reading: &Reading) -> Option<Number> {
    let bytes = metric.encoding.encode(reading.metrics.first()?).ok()??;
    number.number(&bytes)
}

/// Where the stretch begins that a time lies in, or the least number where that would be below it.
fn bucket_start(at: i64, width: u64) -> i64 {
    let (at, width) = (i128::from(at), i128::from(width.max(1)));
    i64::try_from(at.div_euclid(width) * width).unwrap_or(i64::MIN)
}
