//! Asks layouts the same calls, turn by turn.
//!
//! Every turn makes one call on all layouts that are still in the running, in an order that is drawn anew and turned round,
//! so that what disturbs the machine disturbs all alike. What a call takes is the least of its times: all else the machine
//! does makes it only longer. A layout that is far behind after a pass over all calls is not asked again, so that the time
//! goes to those that are close.

use std::time::{Duration, Instant};

use tablesmith_design::time::{Rejected, TimeQuery};
use tablesmith_model::series::{Reading, SeriesLayout};
use tablesmith_model::workload::Table;
use tablesmith_store::Store;

use super::ask::{Answer, ask};
use super::sample::Sample;
use super::script::{Asks, Call, written_length};
use super::tables::{Placed, TimeError, remove};
use crate::replay::Schedule;

/// How far behind the best a layout may be after the first pass, the second, and so on, to be asked again.
const BEHIND: [f64; 4] = [4.0, 2.0, 1.5, 1.3];
/// How far behind it may be in the middle of the first pass, when [`CALLS_LEAST`] calls of each query were made, …
const HOPELESS: f64 = 6.0;
/// … and before that.
const BEYOND_HOPE: f64 = 20.0;
/// Calls of each query that are made at least, unless the time is over; one is made in any case.
const CALLS_LEAST: usize = 3;
/// The part of the time that the first pass may take; when it takes longer, the calls that are left are not made.
const FIRST_PASS_SHARE: f64 = 0.3;
/// Layouts that are loaded at least, however long that takes.
const ENTER_LEAST: usize = 3;
/// More are not worth the time.
const PASSES_MOST: usize = 200;

/// How to measure.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Options {
    /// How long calls are made, besides loading.
    pub time: Duration,
    /// What orders are drawn from.
    pub seed: u64,
    /// From one moment of readings that arrive to the next.
    pub interval: f64,
}

/// What was measured.
#[derive(Clone, Debug, PartialEq)]
pub struct Measured {
    /// One for each layout that could be loaded, in the order given.
    pub layouts: Vec<LayoutTimes>,
    /// Layouts that did not take the readings, and why.
    pub refused: Vec<Rejected>,
    /// Answers that were not as those of the first layout, in sentences.
    pub differences: Vec<String>,
    /// Readings that were loaded.
    pub readings: usize,
}

/// What was measured of a layout.
#[derive(Clone, Debug, PartialEq)]
pub struct LayoutTimes {
    /// The layout.
    pub layout: SeriesLayout,
    /// What a call of each query took, in milliseconds, in the order of the queries.
    pub queries_ms: Vec<f64>,
    /// The sum over all queries of rate × time.
    pub cost_ms: f64,
    /// How often each call was made in the last round that it was in.
    pub passes: usize,
    /// Which round that was, from 1: only times of one round can be compared.
    pub round: usize,
    /// What loading took.
    pub load_ms: f64,
    /// Bytes of a reading, as the store counts what it keeps; none when it does not.
    pub reading_bytes: Option<f64>,
}

/// Loads a sample into a table for each layout, asks all of them the calls, and removes the tables. `goes_on` hears what is
/// done and of how much, and says whether to go on.
pub async fn measure(
    store: &dyn Store,
    table: &Table,
    layouts: &[SeriesLayout],
    sample: &Sample,
    (queries, calls): (&[TimeQuery], &[Call]),
    options: Options,
    goes_on: &mut (dyn FnMut(f64) -> bool + Send),
) -> Result<Measured, TimeError> {
    let mut race = Race::new(store, table, sample, (queries, calls), options);
    let outcome = async {
        let all = race.enter(layouts, Duration::MAX, &mut |share| goes_on(share / 2.0)).await?;
        race.run(&all, options.time, &mut |share| goes_on(0.5 + share / 2.0)).await
    }
    .await;
    race.finish(outcome).await
}

/// Layouts that are asked, in one round or in several.
pub struct Race<'a> {
    store: &'a dyn Store,
    table: &'a Table,
    sample: &'a Sample,
    queries: &'a [TimeQuery],
    calls: &'a [Call],
    /// So much later each pass writes.
    pass_length: i64,
    options: Options,
    placed: Vec<Placed>,
    /// Of each layout the least time of each call, in milliseconds.
    times: Vec<Vec<f64>>,
    /// How often each layout was asked everything.
    passes: Vec<usize>,
    /// The last round of each layout, and how many there were.
    in_round: Vec<usize>,
    rounds: usize,
    /// Passes that were begun, over all rounds.
    begun: usize,
    /// What calls have written, and how much of it each layout has.
    written: Vec<Reading>,
    has_written: Vec<usize>,
    refused: Vec<Rejected>,
    differences: Vec<String>,
}

impl<'a> Race<'a> {
    /// A race without anybody in it.
    pub fn new(
        store: &'a dyn Store,
        table: &'a Table,
        sample: &'a Sample,
        (queries, calls): (&'a [TimeQuery], &'a [Call]),
        options: Options,
    ) -> Self {
        Self {
            store,
            table,
            sample,
            queries,
            calls,
            pass_length: written_length(calls, options.interval),
            options,
            placed: Vec::new(),
            times: Vec::new(),
            passes: Vec::new(),
            in_round: Vec::new(),
            rounds: 0,
            begun: 0,
            written: Vec::new(),
            has_written: Vec::new(),
            refused: Vec::new(),
            differences: Vec::new(),
        }
    }

    /// Loads layouts, as many as there is time for and at least [`ENTER_LEAST`]; gives the places of those that took the
    /// readings.
    pub async fn enter(
        &mut self,
        layouts: &[SeriesLayout],
        time: Duration,
        goes_on: &mut (dyn FnMut(f64) -> bool + Send),
    ) -> Result<Vec<usize>, TimeError> {
        let begun = Instant::now();
        let mut entered = Vec::new();
        for (number, layout) in layouts.iter().enumerate() {
            if number >= ENTER_LEAST && begun.elapsed() > time {
                break;
            }
            let place = self.placed.len();
            let share = number as f64 / layouts.len() as f64;
            if !goes_on(share) {
                return Err(TimeError::Stopped);
            }
            let readings = &self.sample.readings;
            match Placed::load(self.store, self.table, layout, place, readings, &mut || goes_on(share)).await
            {
                Ok(loaded) => {
                    self.placed.push(loaded);
                    self.times.push(vec![f64::INFINITY; self.calls.len()]);
                    self.passes.push(0);
                    self.in_round.push(0);
                    self.has_written.push(0);
                    entered.push(place);
                }
                Err(error) if error.is_of_layout() => {
                    self.refused.push(Rejected { layouts: layout.name(), reason: error.to_string() });
                }
                Err(error) => return Err(error),
            }
        }
        Ok(entered)
    }

    /// Layouts that did not take the readings so far.
    pub fn refused(&self) -> usize {
        self.refused.len()
    }

    /// Asks layouts for so long. What was measured of them before is forgotten: only times of one round can be compared.
    pub async fn run(
        &mut self,
        places: &[usize],
        time: Duration,
        goes_on: &mut (dyn FnMut(f64) -> bool + Send),
    ) -> Result<(), TimeError> {
        self.rounds += 1;
        for place in places {
            self.catch_up(*place).await?;
        }
        let begun = Instant::now();
        let time_s = time.as_secs_f64().max(0.001);
        let share = || begun.elapsed().as_secs_f64() / time_s;
        let turns = self.calls.len() * PASSES_MOST;
        let schedule = Schedule::new(self.calls.len(), self.placed.len(), 0, turns, self.options.seed);
        let mut running: Vec<usize> = places.to_vec();
        // All calls, or as many as there is time for.
        let mut used = self.calls.len();
        for pass in 0..PASSES_MOST {
            self.begun += 1;
            let mut call = 0;
            while call < used {
                if !goes_on(share().min(1.0)) {
                    return Err(TimeError::Stopped);
                }
                let order = schedule.turn(pass * self.calls.len() + call).designs;
                let order: Vec<usize> = order.into_iter().filter(|place| running.contains(place)).collect();
                self.turn(call, &order).await?;
                call += 1;
                if pass == 0 && call.is_multiple_of(self.queries.len().max(1)) {
                    let is_enough = call >= CALLS_LEAST * self.queries.len() || share() > 1.0;
                    self.leave_behind(if is_enough { HOPELESS } else { BEYOND_HOPE }, &mut running);
                    used = if is_enough && share() > FIRST_PASS_SHARE { call } else { used };
                } else if pass > 0 && share() > 1.0 {
                    return Ok(());
                }
            }
            for place in &running {
                self.passes.get_mut(*place).into_iter().for_each(|passes| *passes += 1);
            }
            let factor = BEHIND.get(pass).or(BEHIND.last()).copied().unwrap_or(f64::INFINITY);
            self.leave_behind(factor, &mut running);
        }
        Ok(())
    }

    /// Gives a layout what was written while it was not asked, and forgets its times.
    async fn catch_up(&mut self, place: usize) -> Result<(), TimeError> {
        let (Some(placed), Some(has_written)) = (self.placed.get(place), self.has_written.get_mut(place))
        else {
            return Ok(());
        };
        let missing = self.written.get(*has_written..).unwrap_or_default();
        placed.write(self.store, missing).await?;
        *has_written = self.written.len();
        self.times.get_mut(place).into_iter().flatten().for_each(|time| *time = f64::INFINITY);
        self.passes.get_mut(place).into_iter().for_each(|passes| *passes = 0);
        self.in_round.get_mut(place).into_iter().for_each(|round| *round = self.rounds);
        Ok(())
    }

    /// One call on some layouts; all must give the same answer.
    async fn turn(&mut self, call: usize, order: &[usize]) -> Result<(), TimeError> {
        let Some(asked) = self.calls.get(call) else { return Ok(()) };
        let asks = asked.asks.later(self.pass_length.saturating_mul(self.begun as i64));
        if let Asks::Write(readings) = &asks {
            self.written.extend(readings.iter().cloned());
        }
        let mut first: Option<(usize, Answer)> = None;
        for place in order.iter().copied() {
            let Some(placed) = self.placed.get(place) else { continue };
            let (answer, ms) = ask(self.store, &placed.series, &placed.name, &asks)
                .await
                .map_err(|source| TimeError::Layout { layout: placed.layout.name(), source })?;
            self.has_written.get_mut(place).into_iter().for_each(|count| *count = self.written.len());
            if let Some(time) = self.times.get_mut(place).and_then(|times| times.get_mut(call)) {
                *time = time.min(ms);
            }
            match &first {
                None => first = Some((place, answer)),
                Some((_, expected)) if expected.is_same(&answer) => {}
                Some((other, _)) => self.differ(asked, place, *other),
            }
        }
        Ok(())
    }

    fn differ(&mut self, call: &Call, place: usize, other: usize) {
        let name =
            |place: usize| self.placed.get(place).map(|placed| placed.layout.name()).unwrap_or_default();
        let query = self.queries.get(call.query).map(|query| query.name.as_str()).unwrap_or_default();
        let text = format!("`{query}`: {} and {} give different answers", name(place), name(other));
        if !self.differences.contains(&text) {
            self.differences.push(text);
        }
    }

    /// Those that took more than so many times what the best took leave.
    fn leave_behind(&self, factor: f64, running: &mut Vec<usize>) {
        let best = running.iter().map(|place| self.cost(*place)).fold(f64::INFINITY, f64::min);
        running.retain(|place| self.cost(*place) <= best * factor);
    }

    /// The mean time of each query's calls on a layout, of those that were made.
    fn queries_ms(&self, place: usize) -> Vec<f64> {
        let times = self.times.get(place).map(Vec::as_slice).unwrap_or_default();
        let mean = |query: usize| {
            let of_query = self.calls.iter().zip(times).filter(|(call, _)| call.query == query);
            let made: Vec<f64> = of_query.map(|(_, time)| *time).filter(|time| time.is_finite()).collect();
            made.iter().sum::<f64>() / made.len().max(1) as f64
        };
        (0..self.queries.len()).map(mean).collect()
    }

    fn cost(&self, place: usize) -> f64 {
        self.queries_ms(place).iter().zip(self.queries).map(|(ms, query)| ms * query.rate).sum()
    }

    /// What was measured of each layout, in the order in which they came.
    pub fn layouts(&self) -> Vec<LayoutTimes> {
        let times = |(place, placed): (usize, &Placed)| LayoutTimes {
            layout: placed.layout.clone(),
            queries_ms: self.queries_ms(place),
            cost_ms: self.cost(place),
            passes: self.passes.get(place).copied().unwrap_or(0),
            round: self.in_round.get(place).copied().unwrap_or(0),
            load_ms: placed.load_ms,
            reading_bytes: placed.reading_bytes,
        };
        self.placed.iter().enumerate().map(times).collect()
    }

    /// Removes the tables, and gives what was measured if all went well.
    pub async fn finish(self, outcome: Result<(), TimeError>) -> Result<Measured, TimeError> {
        let removed = remove(self.store, &self.placed).await;
        outcome?;
        removed?;
        let (layouts, readings) = (self.layouts(), self.sample.readings.len());
        Ok(Measured { layouts, refused: self.refused, differences: self.differences, readings })
    }
}
