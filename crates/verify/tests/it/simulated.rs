//! Designs whose times are drawn by seed, as a machine that is also used by others would show them.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use async_trait::async_trait;
use tablesmith_model::evidence::{Evidence, MeasuredDesign};
use tablesmith_store::{OpStats, StoreError};
use tablesmith_verify::evidence::{Setting, evidence};
use tablesmith_verify::replay::{Entry, Measured, Outcome, Pace, Replay, Schedule, Script, Subject, replay};

/// A design that answers in simulated time.
pub struct Simulated {
    random: Mutex<fastrand::Rng>,
    /// All times are multiplied by this.
    slowness: f64,
    /// The call that fails, if any.
    pub fails_at: Option<u64>,
    /// The call that is answered wrongly, if any.
    pub lies_at: Option<u64>,
    asked: AtomicU64,
}

impl Simulated {
    pub fn new(seed: u64, slowness: f64) -> Self {
        let random = Mutex::new(fastrand::Rng::with_seed(seed));
        Self { random, slowness, fails_at: None, lies_at: None, asked: AtomicU64::new(0) }
    }

    pub fn asked(&self) -> u64 {
        self.asked.load(Ordering::Relaxed)
    }

    /// What the query takes by itself, 0.1 to 10 ms, with a fifth of it as usual noise, and one call in a hundred held up
    /// for as long as a scheduler lets another process run.
    fn time_ms(&self, call: u64) -> f64 {
        let usual = 0.1 * 10_f64.powf(fastrand::Rng::with_seed(call).f64() * 2.0);
        let mut random = self.random.lock().unwrap();
        let noise = 0.2 * usual * (random.f64() + random.f64() + random.f64() - 1.5);
        let held_up = if random.f64() < 0.01 { -3.0 * random.f64().max(1e-9).ln() } else { 0.0 };
        self.slowness * (usual + noise + held_up)
    }
}

#[async_trait]
impl Subject<u64> for Simulated {
    async fn ask(&self, call: &u64) -> Result<Outcome, StoreError> {
        self.asked.fetch_add(1, Ordering::Relaxed);
        if self.fails_at == Some(*call) {
            return Err(StoreError::Io("the server is gone".to_owned()));
        }
        let lie = u64::from(self.lies_at == Some(*call));
        let time = Duration::from_secs_f64(self.time_ms(*call) / 1e3);
        let stats = OpStats { bytes: Some(100), ..OpStats::default() };
        Ok(Outcome { rows: call % 7 + lie, hash: call ^ lie, time, waited: Duration::ZERO, stats })
    }
}

/// Calls 0, 1, … of four queries.
pub fn script(calls: u64) -> Script<u64> {
    let entry = |call: u64| Entry { query: call as usize % 4, writes: false, call };
    Script {
        queries: ["q0", "q1", "q2", "q3"].map(str::to_owned).to_vec(),
        calls: (0..calls).map(entry).collect(),
    }
}

/// What is replayed on some designs, called a, b, ….
pub fn replay_of<S: Subject<u64> + 'static>(
    calls: u64,
    subjects: Vec<Arc<S>>,
    turns: usize,
    seed: u64,
) -> Replay<u64> {
    let script = script(calls);
    let schedule = Schedule::new(script.calls.len(), subjects.len(), 10, turns, seed);
    let named = ('a'..='z').zip(subjects).map(|(name, subject)| {
        let subject: Arc<dyn Subject<u64>> = subject;
        (name.to_string(), subject)
    });
    Replay { script, subjects: named.collect(), schedule, pace: Pace::default() }
}

/// Replays to the end, and what follows.
pub async fn run(replayed: Replay<u64>) -> (Measured, Evidence) {
    let replayed = Arc::new(replayed);
    let measured = replay(Arc::clone(&replayed), std::future::pending(), &|_| ()).await;
    let designs = replayed
        .subjects
        .iter()
        .map(|(name, _)| MeasuredDesign { name: name.clone(), ..MeasuredDesign::default() })
        .collect();
    let setting = Setting { designs, pace: replayed.pace, ..Setting::default() };
    let told = evidence(&replayed.script, &replayed.schedule, &measured, setting);
    (measured, told)
}
