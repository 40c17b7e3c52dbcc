//! One layout of readings on one store, beside a plain list of them.

pub mod layouts;
mod list;
mod workload;

use std::collections::BTreeMap;

use bytes::Bytes;
use fastrand::Rng;
use tablesmith_access::series::{AggregateQuery, Entities, GroupBy, RangeQuery, Series};
use tablesmith_model::TableName;
use tablesmith_model::series::{Dimension, Reading, SeriesLayout};
use tablesmith_model::value::Value;
use tablesmith_store::aggregate::Figures;
use tablesmith_store::{FlushScope, Number, Store};

use crate::random::seed;
use layouts::{Kind, METRICS, table};
use list::List;
use workload::Workload;

/// One layout on one store, beside the list.
pub struct Trial<'t> {
    store: &'t dyn Store,
    name: TableName,
    series: Series,
    list: List,
    workload: Workload,
    about: String,
}

impl<'t> Trial<'t> {
    /// Makes the table, cut at some keys.
    pub async fn new(
        store: &'t dyn Store,
        random: &mut Rng,
        kind: Kind,
        layout: SeriesLayout,
        name: TableName,
    ) -> Self {
        let can_be_negative = layout.dimension != Dimension::Version;
        let workload = Workload::new(random, kind, can_be_negative);
        let about = format!("seed {}, {:?}, {}", seed(), kind.time, layout.name());
        let series = Series::new(&table(kind), layout).unwrap();
        let mut splits: Vec<Bytes> = (0..random.usize(..4))
            .map(|_| series.row_key(&workload.entity(random), workload.time(random)).unwrap())
            .collect();
        splits.sort();
        splits.dedup();
        series.create(store, &name, splits).await.unwrap();
        Self { store, name, series, list: List::default(), workload, about }
    }

    /// Changes readings and asks for them, so many times.
    pub async fn run(&mut self, random: &mut Rng, steps: usize) {
        for _ in 0..steps {
            self.change(random).await;
            self.ask(random).await;
        }
    }

    async fn change(&mut self, random: &mut Rng) {
        match random.usize(..12) {
            0..7 => {
                let readings = self.workload.readings(random, &self.list);
                self.series.write(self.store, &self.name, &readings).await.unwrap();
                self.list.write(&readings);
            }
            7..9 => {
                let keys = self.workload.deleted(random, &self.list);
                self.series.delete(self.store, &self.name, &keys).await.unwrap();
                self.list.delete(&keys);
            }
            9 => self.store.flush(FlushScope::Table(self.name.clone(), None)).await.unwrap(),
            10 => self.store.major_compact(FlushScope::Table(self.name.clone(), None)).await.unwrap(),
            _ if random.usize(..3) == 0 => {
                let before = self.workload.time(random);
                self.series.expire(self.store, &self.name, before).await.unwrap();
                self.list.expire(before);
                self.workload.expired = self.workload.expired.max(before);
            }
            _ => {}
        }
    }

    async fn ask(&self, random: &mut Rng) {
        let metrics = some_metrics(random);
        self.ask_range(random, &metrics).await;
        self.ask_latest(random, &metrics).await;
        self.ask_sums(random).await;
        let (first, second) = (self.workload.time(random), self.workload.time(random));
        let answer = self.series.compare(self.store, &self.name, first, second).await.unwrap();
        assert_eq!(answer.value, self.list.compare(first, second), "{}: {first} and {second}", self.about);
    }

    async fn ask_range(&self, random: &mut Rng, metrics: &[usize]) {
        let (from, to) = self.window(random);
        let entities = self.entities(random);
        let query = RangeQuery { entities: entities.clone(), from, to, metrics: names(metrics) };
        let answer = self.series.range(self.store, &self.name, &query).await.unwrap().all().await.unwrap();
        let expected = self.list.range(&entities, from, to, metrics);
        assert_eq!(by_entity(&self.about, answer.value), expected, "{}: {query:?}", self.about);
        let at = self.workload.time(random);
        let answer =
            self.series.instant(self.store, &self.name, entities.clone(), at, names(metrics)).await.unwrap();
        let expected = self.list.range(&entities, at, at + 1, metrics);
        let answer = by_entity(&self.about, answer.all().await.unwrap().value);
        assert_eq!(answer, expected, "{}: at {at} {entities:?}", self.about);
    }

    async fn ask_latest(&self, random: &mut Rng, metrics: &[usize]) {
        let (entity, n) = (self.workload.entity(random), random.usize(..6));
        let latest = self.series.latest(self.store, &self.name, &entity, n, &names(metrics)).await.unwrap();
        let expected = self.list.latest(&entity, n, metrics);
        assert_eq!(latest.value, expected, "{}: the last {n} of {entity:?}, {metrics:?}", self.about);
    }

    async fn ask_sums(&self, random: &mut Rng) {
        let (from, to) = self.window(random);
        let (entities, width) =
            (self.entities(random), (1 + random.usize(..9) as u64) * self.workload.kind.step as u64);
        let groups = [GroupBy::All, GroupBy::Entity, GroupBy::Bucket(width), GroupBy::EntityAndBucket(width)];
        let group = *random.choice(&groups).unwrap();
        let metric = METRICS[0].0.to_owned();
        let figures =
            [Figures::OF_NUMBERS, Figures::MEAN, Figures::SUM, Figures::NUMBERS, Figures::MIN, Figures::MAX];
        let figures = *random.choice(&figures).unwrap();
        let query = AggregateQuery { entities: entities.clone(), from, to, metric, group, figures };
        let answer = self.series.aggregate(self.store, &self.name, &query).await.unwrap();
        let found: BTreeMap<_, _> = answer
            .value
            .into_iter()
            .map(|(group, found)| (group, (found.count, found.sum, found.min, found.max)))
            .collect();
        let whole = |number: i64| Number::Int(number.into());
        let of_list = |(count, sum, min, max): (u64, i128, i64, i64)| {
            (
                if figures.has(Figures::NUMBERS) { count } else { 0 },
                Number::Int(if figures.has(Figures::SUM) { sum } else { 0 }),
                figures.has(Figures::MIN).then(|| whole(min)),
                figures.has(Figures::MAX).then(|| whole(max)),
            )
        };
        let sums = self.list.sums(&entities, from, to, 0, group);
        let expected = sums.into_iter().map(|(group, sums)| (group, of_list(sums))).collect();
        assert_eq!(found, expected, "{}: {query:?}", self.about);
    }

    /// A stretch of time, now and then everything, nothing, or with ends that no reading can have.
    fn window(&self, random: &mut Rng) -> (i64, i64) {
        let (one, two) = (self.workload.time(random), self.workload.time(random));
        match random.usize(..8) {
            0 => (i64::MIN, i64::MAX),
            1 => (one, one),
            2 => (one.max(two), one.min(two)),
            3 => (one.min(two) - 1, one.max(two) + 1),
            _ => (one.min(two), one.max(two)),
        }
    }

    fn entities(&self, random: &mut Rng) -> Entities {
        match random.usize(..3) {
            0 => Entities::All,
            _ => Entities::These((0..random.usize(..4)).map(|_| self.workload.entity(random)).collect()),
        }
    }
}

/// Readings by entity and time; those of one entity must have come in the order of time, none twice.
fn by_entity(about: &str, readings: Vec<Reading>) -> Vec<Reading> {
    let mut by_entity: BTreeMap<Vec<Value>, Vec<Reading>> = BTreeMap::new();
    for reading in readings {
        by_entity.entry(reading.entity.clone()).or_default().push(reading);
    }
    for readings in by_entity.values() {
        assert!(readings.is_sorted_by(|one, two| one.at < two.at), "{about}: {readings:?}");
    }
    by_entity.into_values().flatten().collect()
}

fn some_metrics(random: &mut Rng) -> Vec<usize> {
    match random.usize(..3) {
        0 => (0..METRICS.len()).collect(),
        1 => vec![random.usize(..METRICS.len())],
        _ => vec![3, 0],
    }
}

fn names(metrics: &[usize]) -> Vec<String> {
    metrics.iter().map(|metric| METRICS[*metric].0.to_owned()).collect()
}
