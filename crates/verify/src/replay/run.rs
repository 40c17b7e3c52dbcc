//! Makes the turns that the schedule decides on.

use std::fmt::Display;
use std::ops::Range;
use std::pin::pin;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tablesmith_store::OpStats;
use tokio::sync::RwLock;
use tokio::task::JoinSet;
use tokio::time::Instant;

use super::measured::{DesignAnswer, Difference, Measured, Stop, Timed};
use super::pace::Pace;
use super::round::Round;
use super::schedule::{Schedule, Turn};
use super::script::{Entry, Script};
use super::subject::{Outcome, Subjects};

/// What is replayed on whom, and how.
pub struct Replay<C> {
    /// The calls.
    pub script: Script<C>,
    /// The designs, by name.
    pub subjects: Subjects<C>,
    /// Which call when.
    pub schedule: Schedule,
    /// How fast.
    pub pace: Pace,
}

/// The turns that are being made: clients take the next one from here.
struct Phase<C> {
    replay: Arc<Replay<C>>,
    warms_up: bool,
    begun: Instant,
    next: AtomicUsize,
    /// The turns of the next round.
    round_turns: AtomicUsize,
    ended: AtomicBool,
    measured: Mutex<Measured>,
    /// A write is made on all designs while nobody reads: else a call could see it on one design and not on another.
    gate: RwLock<()>,
}

/// Replays until all turns are made, a store fails, answers differ, or `until` comes. What was measured up to then is
/// there in any case. `made` hears of turns that are done, those of the warm-up too.
pub async fn replay<C: Display + Send + Sync + 'static>(
    replay: Arc<Replay<C>>,
    until: impl Future<Output = ()>,
    made: &(dyn Fn(u64) + Sync),
) -> Measured {
    let mut until = pin!(until);
    let warm = phase(&replay, true, until.as_mut(), made).await;
    if warm.stopped.is_some() {
        return Measured { stopped: warm.stopped, stats: no_stats(&replay), ..Measured::default() };
    }
    let mut measured = phase(&replay, false, until, made).await;
    measured.turns.sort_by_key(|timed| timed.turn);
    measured
}

fn no_stats<C>(replay: &Replay<C>) -> Vec<OpStats> {
    vec![OpStats::default(); replay.subjects.len()]
}

async fn phase<C: Display + Send + Sync + 'static>(
    replay: &Arc<Replay<C>>,
    warms_up: bool,
    mut until: impl Future<Output = ()> + Unpin,
    made: &(dyn Fn(u64) + Sync),
) -> Measured {
    /// Often enough for a bar that moves.
    const LOOK: Duration = Duration::from_millis(100);
    let phase = Arc::new(Phase {
        replay: Arc::clone(replay),
        warms_up,
        begun: Instant::now(),
        next: AtomicUsize::new(0),
        round_turns: AtomicUsize::new(1),
        ended: AtomicBool::new(false),
        measured: Mutex::new(Measured { stats: no_stats(replay), ..Measured::default() }),
        gate: RwLock::new(()),
    });
    let mut clients = JoinSet::new();
    for _ in 0..replay.pace.clients() {
        clients.spawn(Arc::clone(&phase).client());
    }
    let mut told = 0;
    let mut tell = || {
        let done = phase.next.load(Ordering::Relaxed).min(phase.turns());
        made((done - told) as u64);
        told = done;
    };
    loop {
        tokio::select! {
            biased;
            () = &mut until => {
                phase.stop(Stop::Interrupted);
                // A store that does not answer would keep its client waiting.
                clients.shutdown().await;
                break;
            }
            ended = clients.join_next() => match ended {
                None => break,
                // What the others wait for may never come.
                Some(_) if phase.ended.load(Ordering::Relaxed) => clients.shutdown().await,
                Some(_) => {}
            },
            () = tokio::time::sleep(LOOK) => tell(),
        }
    }
    tell();
    std::mem::take(&mut *phase.measured())
}

impl<C: Display + Send + Sync + 'static> Phase<C> {
    async fn client(self: Arc<Self>) {
        while !self.ended.load(Ordering::Relaxed) {
            let turns = self.round_turns.load(Ordering::Relaxed);
            let first = self.next.fetch_add(turns, Ordering::Relaxed);
            let turns = first..(first + turns).min(self.turns());
            if turns.is_empty() {
                return;
            }
            match self.replay.pace.due(first) {
                Some(due) => tokio::time::sleep_until(self.begun + due).await,
                // An embedded store never waits: others get their turn here.
                None => tokio::task::yield_now().await,
            }
            let round = self.make_round(turns.clone()).await;
            self.plan_next(&round.outcomes);
            self.record(turns, &round);
            if let Some(stop) = round.stop {
                self.stop(stop);
            }
        }
    }

    /// Makes the calls of some turns on all designs, until one fails or is answered differently.
    async fn make_round(&self, turns: Range<usize>) -> Round {
        let turns: Vec<Turn> = turns.map(|number| self.turn(number)).collect();
        let entries: Vec<&Entry<C>> =
            turns.iter().filter_map(|turn| self.replay.script.calls.get(turn.call)).collect();
        let writes = entries.iter().any(|entry| entry.writes);
        let (_reads, _writes) = match (writes, self.replay.pace.clients()) {
            (_, 1) => (None, None),
            (true, _) => (None, Some(self.gate.write().await)),
            (false, _) => (Some(self.gate.read().await), None),
        };
        let calls: Vec<&C> = entries.iter().map(|entry| &entry.call).collect();
        let round = Round::make(&self.replay.subjects, &turns, &calls).await;
        for (at, turn) in turns.iter().enumerate().take(round.turns) {
            if let Err(differ) = self.compare(turn.call, &round.of_turn(at)) {
                return Round { turns: at, stop: Some(differ), ..round };
            }
        }
        round
    }

    fn turn(&self, number: usize) -> Turn {
        match self.warms_up {
            true => self.replay.schedule.warm_up_turn(number),
            false => self.replay.schedule.turn(number),
        }
    }

    /// Turns that are due at times of their own stand alone.
    fn plan_next(&self, outcomes: &[Vec<Outcome>]) {
        if self.replay.pace.rate.is_some() {
            return;
        }
        let times = || outcomes.iter().flatten().map(|outcome| outcome.time);
        let mean = times().sum::<Duration>() / u32::try_from(times().count().max(1)).unwrap_or(u32::MAX);
        self.round_turns.store(Schedule::round_turns(mean), Ordering::Relaxed);
    }

    fn compare(&self, call: usize, outcomes: &[Outcome]) -> Result<(), Stop> {
        let answer = |outcome: &Outcome| (outcome.rows, outcome.hash);
        if outcomes.windows(2).all(|two| matches!(two, [one, other] if answer(one) == answer(other))) {
            return Ok(());
        }
        let script = &self.replay.script;
        let answers = self.replay.subjects.iter().zip(outcomes).map(|((design, _), outcome)| DesignAnswer {
            design: design.clone(),
            rows: outcome.rows,
            hash: outcome.hash,
        });
        Err(Stop::Differ(Difference {
            query: script.query_of(call).to_owned(),
            call: script.calls.get(call).map(|entry| entry.call.to_string()).unwrap_or_default(),
            answers: answers.collect(),
        }))
    }

    fn record(&self, turns: Range<usize>, round: &Round) {
        if self.warms_up {
            return;
        }
        let mut measured = self.measured();
        for (sum, of_design) in measured.stats.iter_mut().zip(&round.outcomes) {
            of_design.iter().take(round.turns).for_each(|outcome| *sum += outcome.stats);
        }
        for (at, turn) in turns.enumerate().take(round.turns) {
            let outcomes = round.of_turn(at);
            measured.waited += outcomes.iter().map(|outcome| outcome.waited).sum::<Duration>();
            measured.turns.push(Timed {
                turn,
                call: self.turn(turn).call,
                times_ms: outcomes.iter().map(|outcome| outcome.time.as_secs_f64() * 1e3).collect(),
                rows: outcomes.first().map_or(0, |outcome| outcome.rows),
            });
        }
    }

    /// The first reason is the one to tell.
    fn stop(&self, stop: Stop) {
        self.ended.store(true, Ordering::Relaxed);
        self.measured().stopped.get_or_insert(stop);
    }

    fn turns(&self) -> usize {
        if self.warms_up { self.replay.schedule.warm_up() } else { self.replay.schedule.measured() }
    }

    fn measured(&self) -> MutexGuard<'_, Measured> {
        self.measured.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
