//! The calls that layouts are asked, drawn by seed from the readings of a sample.

use fastrand::Rng;
use tablesmith_access::series::{AggregateQuery, Entities, GroupBy, RangeQuery};
use tablesmith_design::time::{Facts, Group, TimeKind, TimeQuery, Whose};
use tablesmith_model::series::Reading;
use tablesmith_model::value::Value;
use tablesmith_store::aggregate::Figures;

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

impl Asks {
    /// The same call in a later pass over the script: what is written comes so much later, so that nothing is written twice.
    pub fn later(&self, by: i64) -> Self {
        match self {
            Self::Write(readings) => {
                let later =
                    |reading: &Reading| Reading { at: reading.at.saturating_add(by), ..reading.clone() };
                Self::Write(readings.iter().map(later).collect())
            }
            other => other.clone(),
        }
    }
}

/// How long it takes until all that the calls of a script write has been written: so much later the next pass begins.
pub fn written_length(calls: &[Call], interval: f64) -> i64 {
    let times = || {
        let written = calls.iter().filter_map(|call| match &call.asks {
            Asks::Write(readings) => Some(readings),
            _ => None,
        });
        written.flatten().map(|reading| reading.at)
    };
    match (times().min(), times().max()) {
        (Some(first), Some(last)) => {
            last.saturating_sub(first).saturating_add((interval.round() as i64).max(1))
        }
        _ => 0,
    }
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
    /// The moments at which somebody has a reading, rising.
    moments: Vec<i64>,
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
        let mut moments: Vec<i64> = sample.readings.iter().map(|reading| reading.at).collect();
        moments.sort_unstable();
        moments.dedup();
        Self {
            facts,
            readings: &sample.readings,
            entities,
            first: moments.first().copied().unwrap_or(0),
            last: moments.last().copied().unwrap_or(0),
            moments,
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
                let (group, figures) = (grouped(group), Figures::OF_NUMBERS);
                Asks::Aggregate(AggregateQuery { entities, from, to, metric, group, figures })
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

    /// A moment at which somebody has a reading, each as likely as the others, however many have one then.
    fn moment(&self, random: &mut Rng) -> i64 {
        random.choice(&self.moments).copied().unwrap_or(self.last)
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

#[cfg(test)]
mod tests {
    use super::*;
    use tablesmith_model::value::ValueType;
    use tablesmith_model::workload::{Column, Sequence, SequenceKind, Table};

    /// Three entities with ten readings each, ten apart.
    fn sample() -> Sample {
        let reading = |entity: i64, place: i64| Reading {
            entity: vec![Value::Int(entity)],
            at: 100 + 10 * place,
            metrics: vec![Value::Int(place)],
        };
        let readings = (0..3).flat_map(|entity| (0..10).map(move |place| reading(entity, place))).collect();
        Sample { readings, of: 30 }
    }

    fn facts(sample: &Sample) -> Facts {
        let columns = ["entity", "at", "value"].map(|name| Column::new(name, ValueType::Int));
        let time =
            Sequence { column: "at".into(), entity: vec!["entity".into()], kind: SequenceKind::Sequence };
        let table = Table { name: "t".into(), columns: columns.into(), time: Some(time), ..Table::default() };
        sample.facts(&Facts { interval: 10.0, ..Facts::declared(&table).unwrap() })
    }

    fn calls(kind: TimeKind, seed: u64) -> Vec<Asks> {
        let sample = sample();
        let query = TimeQuery { name: "q".into(), rate: 1.0, kind, metrics: vec!["value".into()] };
        script(&sample, &facts(&sample), &[query], 20, seed).into_iter().map(|call| call.asks).collect()
    }

    #[test]
    fn the_same_seed_gives_the_same_calls() {
        let kind = || TimeKind::Range { entities: Whose::Named(2.0), length: 30.0 };
        assert_eq!(calls(kind(), 1), calls(kind(), 1));
        assert_ne!(calls(kind(), 1), calls(kind(), 2));
    }

    #[test]
    fn stretches_lie_within_the_sample_and_name_different_entities() {
        for asks in calls(TimeKind::Range { entities: Whose::Named(2.0), length: 30.0 }, 3) {
            let Asks::Range(RangeQuery { entities: Entities::These(these), from, to, .. }) = asks else {
                panic!("a range is asked for");
            };
            assert!(from >= 100 && to <= 191 && to - from == 30, "{from} {to}");
            assert!(these.len() == 2 && these[0] != these[1], "{these:?}");
        }
        for asks in calls(TimeKind::Range { entities: Whose::All, length: 1e9 }, 3) {
            assert!(matches!(&asks, Asks::Range(range) if (range.from, range.to) == (100, 191)), "{asks:?}");
        }
    }

    #[test]
    fn readings_arrive_moment_by_moment_behind_the_last() {
        let written: Vec<(i64, Vec<Value>)> = calls(TimeKind::Write { readings: 2.0 }, 5)
            .into_iter()
            .flat_map(|asks| match asks {
                Asks::Write(readings) => readings,
                other => panic!("{other:?}"),
            })
            .map(|reading| (reading.at, reading.entity))
            .collect();
        assert_eq!(written.len(), 40);
        assert!(written.is_sorted(), "{written:?}");
        assert_eq!(written[0].0, 200);
        assert_eq!(written.iter().collect::<std::collections::BTreeSet<_>>().len(), 40);
    }

    #[test]
    fn the_next_pass_writes_behind_this_one() {
        let query = TimeQuery {
            name: "q".into(),
            rate: 1.0,
            kind: TimeKind::Write { readings: 2.0 },
            metrics: vec!["value".into()],
        };
        let sample = sample();
        let calls = script(&sample, &facts(&sample), &[query], 20, 5);
        let times = |by| -> Vec<i64> {
            calls
                .iter()
                .flat_map(|call| match call.asks.later(by) {
                    Asks::Write(readings) => readings,
                    other => panic!("{other:?}"),
                })
                .map(|reading| reading.at)
                .collect()
        };
        let (this, next) = (times(0), times(written_length(&calls, 10.0)));
        assert_eq!(next.first().copied(), this.last().map(|last| last + 10));
    }
}
