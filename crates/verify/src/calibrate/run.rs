//! Does experiments, again and again, in another order each time, so that what disturbs the machine for a while hits all
//! of them alike. What else the machine does only makes times longer, and long ones more than short ones: what each took
//! is the lower quartile of its times.

use std::time::Duration;

use fastrand::Rng;
use tablesmith_store::{Action, Get, Mutation, ReadOptions, Scan, Store, StoreError};

use super::experiment::{Experiment, Task};
use super::fit::Sample;
use super::shape::{family_name, key, qualifier};
use super::tables::FILLING_SHARE;
use super::{CalibrateError, Observer, Options, Stopwatch};

/// Rounds that there are at least, however long they take.
const ROUNDS_LEAST: usize = 5;
/// More are not worth the time.
const ROUNDS_MOST: usize = 2_000;
/// The first rounds do not count: connections are made, and places of regions looked up.
const ROUNDS_BEFORE: usize = 1;

/// Experiments in the tables that are filled.
pub struct Run<'a> {
    pub store: &'a dyn Store,
    pub stopwatch: &'a dyn Stopwatch,
    /// When calibration began.
    pub begun: Duration,
    pub options: Options,
}

impl Run<'_> {
    /// Does all experiments until time is up. Gives the usual time of each, and how often each was done.
    pub async fn all(
        &self,
        experiments: &[Experiment],
        observer: &mut dyn Observer,
    ) -> Result<(Vec<Sample>, usize), CalibrateError> {
        let mut random = Rng::with_seed(self.options.seed);
        let mut times: Vec<(&Experiment, Vec<f64>)> =
            experiments.iter().map(|experiment| (experiment, Vec::new())).collect();
        let mut rounds = 0;
        while rounds < ROUNDS_BEFORE + ROUNDS_LEAST || !self.is_over(rounds) {
            random.shuffle(&mut times);
            for (experiment, times) in &mut times {
                if !observer.goes_on(self.share(rounds), "measuring") {
                    return Err(CalibrateError::Stopped);
                }
                let time = self.once(experiment, &mut random).await?;
                if rounds >= ROUNDS_BEFORE {
                    times.push(time.as_secs_f64() * 1e3);
                }
            }
            rounds += 1;
        }
        Ok((times.into_iter().map(|(experiment, times)| sample(experiment, times)).collect(), rounds))
    }

    fn is_over(&self, rounds: usize) -> bool {
        rounds >= ROUNDS_MOST || self.stopwatch.now().saturating_sub(self.begun) >= self.options.time
    }

    /// How much is done, of the time or of the rounds that there are at least.
    fn share(&self, rounds: usize) -> f64 {
        let passed = self.stopwatch.now().saturating_sub(self.begun).as_secs_f64();
        let of_time = passed / self.options.time.as_secs_f64().max(f64::MIN_POSITIVE);
        let of_rounds = rounds as f64 / (ROUNDS_BEFORE + ROUNDS_LEAST) as f64;
        (FILLING_SHARE + (1.0 - FILLING_SHARE) * of_rounds.min(1.0)).min(of_time.max(FILLING_SHARE)).min(1.0)
    }

    async fn once(&self, experiment: &Experiment, random: &mut Rng) -> Result<Duration, StoreError> {
        match experiment.task {
            Task::Get => self.get(experiment, random).await,
            Task::Scan { rows, borders } => self.scan(experiment, rows, borders, random).await,
            Task::Put { rows } => self.put(experiment, rows, random).await,
        }
    }

    async fn get(&self, experiment: &Experiment, random: &mut Rng) -> Result<Duration, StoreError> {
        let table = experiment.shape.table()?;
        let get = Get { row: key(random.u64(0..experiment.shape.rows)), read: read(experiment, random) };
        let begun = self.stopwatch.now();
        self.store.get(&table, get).await?;
        Ok(self.stopwatch.now().saturating_sub(begun))
    }

    async fn scan(
        &self,
        experiment: &Experiment,
        rows: u64,
        borders: u64,
        random: &mut Rng,
    ) -> Result<Duration, StoreError> {
        let shape = &experiment.shape;
        let table = shape.table()?;
        let first = first_row(experiment, rows, borders, random);
        let scan = Scan { read: read(experiment, random), ..Scan::range(key(first), key(first + rows)) };
        let begun = self.stopwatch.now();
        self.store.scan_all(&table, scan).await?;
        Ok(self.stopwatch.now().saturating_sub(begun))
    }

    async fn put(
        &self,
        experiment: &Experiment,
        rows: u64,
        random: &mut Rng,
    ) -> Result<Duration, StoreError> {
        let Experiment { shape, families, columns, .. } = experiment;
        let table = shape.table()?;
        let mut put = || shape.put(random.u64(0..shape.rows), *families, *columns);
        if rows == 1 {
            let put = put();
            let begun = self.stopwatch.now();
            self.store.put(&table, put).await?;
            return Ok(self.stopwatch.now().saturating_sub(begun));
        }
        let actions = (0..rows).map(|_| Action::Mutate(Mutation::Put(put()))).collect();
        let begun = self.stopwatch.now();
        let answers = self.store.batch(&table, actions).await?.value;
        let time = self.stopwatch.now().saturating_sub(begun);
        answers.into_iter().try_for_each(|answer| answer.map(drop))?;
        Ok(time)
    }
}

/// Where a scan begins: just before a border between regions, or anywhere in one region.
fn first_row(experiment: &Experiment, rows: u64, borders: u64, random: &mut Rng) -> u64 {
    let shape = &experiment.shape;
    if borders > 0 {
        return shape.border(random.u64(1..shape.regions.max(2))).saturating_sub(rows / 2);
    }
    let region = random.u64(0..shape.regions.max(1));
    let (start, end) = (shape.border(region), shape.border(region + 1));
    random.u64(start..=end.saturating_sub(rows).max(start))
}

/// What is asked for: some families, and of each all columns or some at random.
fn read(experiment: &Experiment, random: &mut Rng) -> ReadOptions {
    let mut read = ReadOptions { cache_blocks: false, ..ReadOptions::default() };
    for family in random.choose_multiple(0..experiment.shape.families, experiment.families) {
        if experiment.is_whole() {
            read.columns.add_family(family_name(family));
            continue;
        }
        for column in random.choose_multiple(0..experiment.shape.width, experiment.columns) {
            read.columns.add_column(family_name(family), qualifier(column));
        }
    }
    read
}

fn sample(experiment: &Experiment, mut times: Vec<f64>) -> Sample {
    times.sort_by(f64::total_cmp);
    Sample {
        what: experiment.to_string(),
        operations: experiment.operations(),
        measured_ms: times.get(times.len() / 4).copied().unwrap_or_default(),
    }
}
