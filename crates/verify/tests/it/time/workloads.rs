//! Workloads of different kinds, each with its readings, by seed.

use tablesmith_design::time::{Facts, Group, TimeKind, TimeQuery, Whose};
use tablesmith_model::series::Reading;
use tablesmith_model::value::{Value, ValueType};
use tablesmith_model::workload::{Column, Sequence, SequenceKind, Table};
use tablesmith_verify::time::{Sample, Sampler};

const MINUTE: f64 = 60e3;
const HOUR: f64 = 60.0 * MINUTE;
const START: i64 = 1_700_006_400_000;

/// A workload: what is read off, and what is asked.
#[derive(Clone, Debug)]
pub struct Workload {
    pub name: &'static str,
    pub entities: i64,
    pub moments: i64,
    /// Milliseconds, or numbers of a sequence.
    pub interval: f64,
    pub kind: SequenceKind,
    pub metrics: usize,
    pub queries: Vec<(f64, TimeKind, usize)>,
}

impl Workload {
    fn of(name: &'static str, (entities, moments): (i64, i64), interval: f64) -> Self {
        let (kind, metrics, queries) = (SequenceKind::Time, 1, Vec::new());
        Self { name, entities, moments, interval, kind, metrics, queries }
    }

    fn metrics(self, metrics: usize) -> Self {
        Self { metrics, ..self }
    }

    /// So many calls of a kind, each of which reads one metric.
    fn asks(self, rate: f64, kind: TimeKind) -> Self {
        self.asks_metrics(rate, kind, 1)
    }

    fn asks_metrics(mut self, rate: f64, kind: TimeKind, metrics: usize) -> Self {
        self.queries.push((rate, kind, metrics));
        self
    }

    fn writes(self, rate: f64, readings: f64) -> Self {
        let metrics = self.metrics;
        self.asks_metrics(rate, TimeKind::Write { readings }, metrics)
    }

    pub fn table(&self) -> Table {
        let time_type = match self.kind {
            SequenceKind::Time => ValueType::Timestamp,
            SequenceKind::Sequence => ValueType::Int,
        };
        let mut columns = vec![Column::new("station", ValueType::Int), Column::new("at", time_type)];
        columns.extend((0..self.metrics).map(|metric| Column::new(metric_name(metric), ValueType::Int)));
        let time = Sequence { column: "at".into(), entity: vec!["station".into()], kind: self.kind };
        Table { name: "reading".into(), columns, time: Some(time), ..Table::default() }
    }

    pub fn queries(&self) -> Vec<TimeQuery> {
        let query = |(place, (rate, kind, metrics)): (usize, &(f64, TimeKind, usize))| TimeQuery {
            name: format!("q{place}"),
            rate: *rate,
            kind: kind.clone(),
            metrics: (0..*metrics).map(metric_name).collect(),
        };
        self.queries.iter().enumerate().map(query).collect()
    }

    /// Its readings: a few of a hundred are missing.
    pub fn sample(&self, seed: u64, most: usize) -> Sample {
        let mut random = fastrand::Rng::with_seed(seed);
        let mut sampler = Sampler::new(most);
        let start = if self.kind == SequenceKind::Time { START } else { 0 };
        for moment in 0..self.moments {
            for station in (0..self.entities).filter(|_| random.u8(..100) > 2).collect::<Vec<_>>() {
                let value = |metric: usize| Value::Int(station * 1_000 + moment % 50 + metric as i64);
                sampler.take(Reading {
                    entity: vec![Value::Int(station)],
                    at: start + moment * self.interval as i64,
                    metrics: (0..self.metrics).map(value).collect(),
                });
            }
        }
        sampler.finish()
    }

    /// What is known of these readings.
    pub fn facts(&self, sample: &Sample) -> Facts {
        let declared = Facts::declared(&self.table()).unwrap();
        sample.facts(&Facts { interval: self.interval, assumed: Vec::new(), ..declared })
    }
}

fn metric_name(metric: usize) -> String {
    format!("m{metric}")
}

/// All workloads.
pub fn all() -> Vec<Workload> {
    let one = Whose::Named(1.0);
    let range = |entities, length| TimeKind::Range { entities, length };
    let sums = |entities, length, group| TimeKind::Aggregate { entities, length, group };
    let instant = |entities| TimeKind::Instant { entities };
    vec![
        Workload::of("few entities, long history", (5, 3_000), MINUTE)
            .asks(10.0, range(one, 24.0 * HOUR))
            .writes(1.0, 5.0),
        Workload::of("many entities, short history", (1_500, 10), HOUR)
            .asks(10.0, range(one, 10.0 * HOUR))
            .writes(1.0, 100.0),
        Workload::of("newest values for a dashboard", (200, 75), MINUTE)
            .asks(20.0, TimeKind::Latest { n: 1 })
            .writes(1.0, 200.0),
        Workload::of("averages over a long time", (30, 500), MINUTE)
            .asks(1.0, sums(Whose::All, 6.0 * HOUR, Group::All))
            .writes(1.0, 30.0),
        Workload::of("one moment of everybody", (200, 75), MINUTE)
            .asks(10.0, instant(Whose::All))
            .writes(1.0, 200.0),
        Workload::of("writes above all", (100, 150), MINUTE).writes(20.0, 100.0).asks(1.0, range(one, HOUR)),
        Workload::of("hourly averages of some", (50, 300), MINUTE)
            .asks(5.0, sums(Whose::Named(10.0), 4.0 * HOUR, Group::EntityAndBucket(HOUR)))
            .writes(1.0, 50.0),
        Workload::of("one metric of eight", (20, 250), MINUTE)
            .metrics(8)
            .asks(10.0, range(one, 3.0 * HOUR))
            .writes(1.0, 20.0),
        Workload::of("eight metrics at once", (20, 250), MINUTE)
            .metrics(8)
            .asks_metrics(10.0, range(one, 2.0 * HOUR), 8)
            .asks_metrics(10.0, TimeKind::Latest { n: 3 }, 8)
            .writes(2.0, 20.0),
        Workload { kind: SequenceKind::Sequence, ..Workload::of("snapshots compared", (1_500, 10), 1.0) }
            .asks(2.0, TimeKind::Compare)
            .asks(2.0, instant(Whose::All))
            .asks(5.0, range(Whose::Named(3.0), 4.0)),
        Workload::of("a little of everything", (60, 250), MINUTE)
            .asks(10.0, range(one, HOUR))
            .asks(10.0, TimeKind::Latest { n: 10 })
            .asks(1.0, instant(Whose::All))
            .asks(1.0, sums(Whose::All, HOUR, Group::Entity))
            .writes(5.0, 60.0),
        Workload::of("single readings", (100, 150), MINUTE).asks(10.0, instant(one)).writes(10.0, 1.0),
    ]
}
