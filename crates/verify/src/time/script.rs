//! The calls that layouts are asked, drawn by seed from the readings of a sample.

use fastrand::Rng;
use tablesmith_access::series::{AggregateQuery, Entities, GroupBy, RangeQuery};
use tablesmith_design::time::{Facts, Group, TimeKind, TimeQuery, Whose};
use tablesmith_model::series::Reading;
use tablesmith_model::value::Value;

use super::sample::Sample;

/// A call on a layout.
#[derive(Clone, Debug, PartialEq)]
pub struct Call {
    /// The query that it is of, as its place among them.
    pub query: usize,
    /// What is asked.
    pub asks: Asks,
}

/// What a call asks.
#[derive(Clone, Debug, PartialEq)]
pub enum Asks {
    /// A stretch of some entities.
    Range(RangeQuery),
    /// The newest readings of an entity.
    Latest {
        /// Whose.
        entity: Vec<Value>,
        /// How many.
        n: usize,
        /// Which metrics.
        metrics: Vec<String>,
    },
    /// A moment of some entities.
    Instant {
        /// Whose.
        entities: Entities,
        /// When.
        at: i64,
        /// Which metrics.
        metrics: Vec<String>,
    },
    /// Sums over a stretch.
    Aggregate(AggregateQuery),
    /// Who has a reading at one moment and not at the other.
    Compare(i64, i64),
    /// Readings that arrive.
    Write(Vec<Reading>),
}

/// So many calls of each query, in an order in which the queries alternate.
pub fn script(sample: &Sample, facts: &Facts, queries: &[TimeQuery], each: usize, seed: u64) -> Vec<Call> {
    let mut random = Rng::with_seed(seed);
    let mut drawer = Drawer::new(sample, facts);
    let mut calls = Vec::with_capacity(each * queries.len());
    for _ in 0..each {
        for (place, query) in queries.iter().enumerate() {
            calls.push(Call { query: place, asks: drawer.draw(query, &mut random) });
        }
    }
    calls
}

/// Draws calls.
struct Drawer<'a> {
    facts: &'a Facts,
    readings: &'a [Reading],
    entities: Vec<&'a [Value]>,
    first: i64,
    last: i64,
    /// How many readings were written behind the last.
    written: u64,
}

impl<'a> Drawer<'a> {
    fn new(sample: &'a Sample, facts: &'a Facts) -> Self {
        let mut entities: Vec<&[Value]> =
            sample.readings.iter().map(|reading| reading.entity.as_slice()).collect();
        entities.dedup();
        let times = || sample.readings.iter().map(|reading| reading.at);
        Self {
            facts,
            readings: &sample.readings,
            entities,
            first: times().min().unwrap_or(0),
            last: times().max().unwrap_or(0),
            written: 0,
        }
    }

    fn draw(&mut self, query: &TimeQuery, random: &mut Rng) -> Asks {
        let metrics = query.metrics.clone();
        match query.kind {
            TimeKind::Range { entities, length } => {
                let (from, to) = self.stretch(length, random);
                Asks::Range(RangeQuery { entities: self.whose(entities, random), from, to, metrics })
            }
            TimeKind::Latest { n } => Asks::Latest {
                entity: self.entity(random),
                n: usize::try_from(n).unwrap_or(usize::MAX),
                metrics,
            },
            TimeKind::Instant { entities } => {
                Asks::Instant { entities: self.whose(entities, random), at: self.moment(random), metrics }
            }
            TimeKind::Aggregate { entities, length, group } => {
                let (from, to) = self.stretch(length, random);
                let metric = metrics.first().cloned().unwrap_or_default();
                let entities = self.whose(entities, random);
                Asks::Aggregate(AggregateQuery { entities, from, to, metric, group: grouped(group) })
            }
            TimeKind::Compare => Asks::Compare(self.moment(random), self.moment(random)),
            TimeKind::Write { readings } => Asks::Write(self.arriving(readings.round() as usize, random)),
        }
    }

    fn entity(&self, random: &mut Rng) -> Vec<Value> {
        random.choice(&self.entities).map(|entity| entity.to_vec()).unwrap_or_default()
    }

    fn whose(&self, whose: Whose, random: &mut Rng) -> Entities {
        match whose {
            Whose::All => Entities::All,
            Whose::Named(count) => {
                let count = (count.round().max(1.0) as usize).min(self.entities.len());
                let chosen = random.choose_multiple(&self.entities, count);
                Entities::These(chosen.into_iter().map(|entity| entity.to_vec()).collect())
            }
        }
    }

    /// A moment at which somebody has a reading.
    fn moment(&self, random: &mut Rng) -> i64 {
        random.choice(self.readings).map_or(self.last, |reading| reading.at)
    }

    /// A stretch of a length, anywhere within the sample; all of it when that is shorter.
    fn stretch(&self, length: f64, random: &mut Rng) -> (i64, i64) {
        let extent = self.last.saturating_sub(self.first).saturating_add(1).max(1);
        let length = (length.round().max(1.0) as i64).min(extent);
        let room = extent.saturating_sub(length).max(0);
        let from = self.first.saturating_add(random.i64(0..=room));
        (from, from.saturating_add(length))
    }

    /// New readings, one moment after the other, each with the values of some reading there is.
    fn arriving(&mut self, count: usize, random: &mut Rng) -> Vec<Reading> {
        let interval = (self.facts.interval.round() as i64).max(1);
        let all = self.entities.len().max(1) as u64;
        (0..count.max(1))
            .filter_map(|_| {
                let moment = i64::try_from(self.written / all).ok()?.checked_add(1)?;
                let entity = self.entities.get(usize::try_from(self.written % all).ok()?)?;
                self.written += 1;
                let like = random.choice(self.readings)?;
                let at = self.last.checked_add(moment.checked_mul(interval)?)?;
                Some(Reading { entity: entity.to_vec(), at, metrics: like.metrics.clone() })
            })
            .collect()
    }
}

fn grouped(group: Group) -> GroupBy {
    let width = |length: f64| (length.round() as u64).max(1);
    match group {
        Group::All => GroupBy::All,
        Group::Entity => GroupBy::Entity,
        Group::Bucket(length) => GroupBy::Bucket(width(length)),
        Group::EntityAndBucket(length) => GroupBy::EntityAndBucket(width(length)),
    }
}
