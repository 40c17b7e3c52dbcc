//! Aggregates over readings, added up inside the regions: only sums travel.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Bound;
use std::sync::Arc;

use tablesmith_model::plan::{Condition, Test};
use tablesmith_model::series::time::{NoNumber, number_of};
use tablesmith_model::value::{Value, ValueType};
use tablesmith_model::workload::Table;
use tablesmith_sql::executable::{Aggregate, Function, Grouping};
use tablesmith_store::aggregate::{Figures, Partial};

use super::error::AnswerError;
use super::in_regions::of_numbers;
use super::operators::{Generated, Input, Row};
use super::read::{Counted, ReadingsPlace};
use crate::error::AccessError;
use crate::series::{AggregateQuery, Entities, GroupBy, SeriesError, StoredSeries, Summary};

/// Aggregates of metrics that regions work out.
#[derive(Clone, Debug)]
pub struct ReadingSums {
    asks: Vec<(Aggregate, String)>,
    entities: Entities,
    from: i64,
    to: i64,
    /// Where each column that rows are grouped by stands in the entity; none where all are one group.
    by: Option<Vec<usize>>,
}

impl ReadingSums {
    /// The aggregates of a grouping over the readings that meet conditions, where regions give the same: whole entities and a
    /// stretch of time, all readings together or each entity's, and numbers.
    pub fn of(
        stored: &StoredSeries,
        table: &Table,
        conditions: &[Condition],
        grouping: &Grouping,
    ) -> Option<Self> {
        let layout = stored.series.layout();
        let only = match layout.metrics.as_slice() {
            [only] => Some(only),
            _ => None,
        };
        let ask = |aggregate: &Aggregate| {
            let metric = match &aggregate.of {
                Some(column) => &column.name,
                // With one metric every reading has a value.
                None => only?,
            };
            let value_type = table.column(metric)?.value_type;
            let is_number = matches!(value_type, ValueType::Int | ValueType::Float);
            let is_metric = layout.metrics.contains(metric) && !aggregate.distinct;
            (is_number && is_metric).then(|| (aggregate.clone(), metric.clone()))
        };
        let asks = grouping.aggregates.iter().map(ask).collect::<Option<Vec<_>>>()?;
        let by = match grouping.by.is_empty() {
            true => None,
            false => {
                let at = |name: &String| layout.entity.iter().position(|column| column == name);
                let by: Vec<usize> =
                    grouping.by.iter().map(|column| at(&column.name)).collect::<Option<_>>()?;
                let is_whole = (0..layout.entity.len()).all(|place| by.contains(&place));
                // An entity whose readings have no value of a metric is a group, too.
                (is_whole && only.is_some()).then_some(())?;
                Some(by)
            }
        };
        let mut sums = Self { asks, entities: Entities::All, from: i64::MIN, to: i64::MAX, by };
        let mut named = BTreeSet::new();
        for condition in conditions {
            match &condition.test {
                test if condition.column == layout.time => sums.narrow(test)?,
                Test::In(_)
                    if layout.entity.contains(&condition.column) && named.insert(&condition.column) => {}
                _ => return None,
            }
        }
        sums.entities = stored.series.entities_of(conditions);
        // Where only a part of the entity is named, others would be added up, too.
        (named.is_empty() || sums.entities != Entities::All).then_some(())?;
        Some(sums)
    }

    /// Keeps to the times that meet a test; none where that is no stretch.
    fn narrow(&mut self, test: &Test) -> Option<()> {
        let (low, high) = match test {
            Test::Between(low, high) => (low.as_ref(), high.as_ref()),
            Test::In(values) => match values.as_slice() {
                [only] => (Bound::Included(only), Bound::Included(only)),
                _ => return None,
            },
            Test::IsNull => return None,
        };
        if let Bound::Included(value) | Bound::Excluded(value) = low {
            let (floor, is_exact) = floor(value)?;
            let is_in = matches!(low, Bound::Included(_)) && is_exact;
            self.from = self.from.max(if is_in { floor } else { floor.checked_add(1)? });
        }
        if let Bound::Included(value) | Bound::Excluded(value) = high {
            let (floor, is_exact) = floor(value)?;
            let is_out = matches!(high, Bound::Excluded(_)) && is_exact;
            self.to = self.to.min(if is_out { floor } else { floor.checked_add(1)? });
        }
        Some(())
    }

    /// How it is told.
    pub fn words(&self, table: &str) -> String {
        let asked: Vec<String> = self.asks.iter().map(|(aggregate, _)| aggregate.to_string()).collect();
        let each = if self.by.is_some() { ", for each entity" } else { "" };
        format!("aggregate inside the regions of {table}{each}: {}", asked.join(", "))
    }

    /// Calls to the store.
    pub fn calls(&self) -> usize {
        self.metrics().len()
    }

    /// What is wanted of each metric.
    fn metrics(&self) -> BTreeMap<String, Figures> {
        let mut metrics: BTreeMap<String, Figures> = BTreeMap::new();
        for (aggregate, metric) in &self.asks {
            let figures = match aggregate.function {
                Function::Count => Figures::NUMBERS,
                Function::Sum | Function::Avg => Figures::MEAN,
                Function::Min => Figures::NUMBERS | Figures::MIN,
                Function::Max => Figures::NUMBERS | Figures::MAX,
            };
            metrics.entry(metric.clone()).and_modify(|have| *have = *have | figures).or_insert(figures);
        }
        metrics
    }

    /// The rows of the answer: what rows are grouped by, then the aggregates in their order.
    pub fn rows(self, place: ReadingsPlace<'_>, counted: Arc<Counted>) -> Input<'_> {
        Box::new(Generated::new(|out| async move {
            let StoredSeries { series, name, .. } = place.stored;
            let mut groups: BTreeMap<Vec<Value>, BTreeMap<String, Summary>> = BTreeMap::new();
            if self.by.is_none() {
                groups.insert(Vec::new(), BTreeMap::new());
            }
            for (metric, figures) in self.metrics() {
                let group = if self.by.is_some() { GroupBy::Entity } else { GroupBy::All };
                let (entities, from, to) = (self.entities.clone(), self.from, self.to);
                let query = AggregateQuery { entities, from, to, metric: metric.clone(), group, figures };
                let found = series.aggregate_in_regions(place.store, name, &query).await;
                let found =
                    found.map_err(|error: SeriesError| AnswerError::from(AccessError::from(error)))?;
                let mut readings = 0;
                for (of, summary) in found.value.groups {
                    readings += summary.count;
                    groups.entry(of.entity.unwrap_or_default()).or_default().insert(metric.clone(), summary);
                }
                counted.add_call(readings, found.value.regions.len() as u64);
            }
            for (entity, summaries) in groups {
                let row = self.row(&entity, &summaries)?;
                // Nobody takes it when nobody wants more.
                if out.send(vec![row]).await.is_err() {
                    break;
                }
            }
            Ok(())
        }))
    }

    fn row(&self, entity: &[Value], summaries: &BTreeMap<String, Summary>) -> Result<Row, AnswerError> {
        let value = |at: &usize| entity.get(*at).cloned().unwrap_or(Value::Null);
        let mut row: Row = self.by.iter().flatten().map(value).collect();
        for (aggregate, metric) in &self.asks {
            let partial = summaries.get(metric).map_or_else(Partial::default, |summary| Partial {
                cells: summary.count,
                numbers: summary.count,
                sum: summary.sum,
                min: summary.min,
                max: summary.max,
                ..Partial::default()
            });
            row.push(of_numbers(aggregate, &partial)?);
        }
        Ok(row)
    }
}

/// The number of a time, or the one before it, and whether it is the time itself.
fn floor(value: &Value) -> Option<(i64, bool)> {
    match (number_of(value), value) {
        (Ok(number), _) => Some((number, true)),
        (Err(NoNumber::TooFine), Value::Timestamp(moment)) => Some((moment.millis(), false)),
        _ => None,
    }
}
