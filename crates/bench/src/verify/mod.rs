//! What `verify` says that calls take, beside a bare loop of the same calls to the store.

mod bare;
mod ground;

use std::sync::Arc;
use std::time::{Duration, Instant};

use tablesmith_verify::replay::{Pace, Replay, Schedule, Subject, replay};
use tablesmith_verify::statements::BoundStatement;
use tablesmith_verify::trial::DesignSubject;

use self::ground::Ground;
use crate::measure::alternate;

type Failure = Box<dyn std::error::Error>;

const ROUNDS: usize = 41;
/// Measured times may be longer than bare calls by so much: the ratio of speeds is at least 0.95.
const WANTED: f64 = 0.95;

/// Compares gets and short scans.
pub fn compare() -> Result<(), String> {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(1)
        .enable_all()
        .build()
        .map_err(|error| error.to_string())?;
    run(&runtime).map_err(|error| error.to_string())
}

fn run(runtime: &tokio::runtime::Runtime) -> Result<(), Failure> {
    let ground = runtime.block_on(Ground::new())?;
    println!("  {} rows; medians of {ROUNDS} rounds; rival: the bare calls in a loop", ground::ROWS);
    for (what, script) in [("gets", ground.gets()), ("scans of 100 rows", ground.scans())] {
        let calls = script.calls.len() as u64;
        let bare = runtime.block_on(bare::record(&ground, &script))?;
        let subject: Arc<dyn Subject<BoundStatement>> =
            Arc::new(DesignSubject::new(Arc::clone(&ground.store), Arc::clone(ground.design.database())));
        let schedule = Schedule::new(script.calls.len(), 1, 0, script.calls.len(), 1);
        let subjects = vec![("d".to_owned(), subject)];
        let replayed = Arc::new(Replay { script, subjects, schedule, pace: Pace::default() });
        let mut wall = Duration::ZERO;
        let compared = alternate(
            ROUNDS,
            || (),
            |_| -> Result<Duration, Failure> {
                let begun = Instant::now();
                let measured =
                    runtime.block_on(replay(Arc::clone(&replayed), std::future::pending(), &|_| ()));
                wall = begun.elapsed();
                if let Some(stopped) = measured.stopped {
                    return Err(stopped.to_string().into());
                }
                let ms: f64 = measured.turns.iter().flat_map(|timed| &timed.times_ms).sum();
                Ok(Duration::from_secs_f64(ms / 1e3))
            },
            |_| {
                let store = Arc::clone(&ground.store);
                let bare = bare.clone();
                // On a worker, where the replay's calls run too.
                let all = async move { bare::all(&*store, bare).await.map_err(|error| error.to_string()) };
                Ok(runtime.block_on(runtime.spawn(all))??)
            },
        )?;
        compared.print(what, calls, WANTED);
        let share = compared.ours.as_secs_f64() / wall.as_secs_f64();
        println!(
            "    the rest (planning, decoding, comparing) is {:.0} % of the replay and not in the times",
            100.0 * (1.0 - share)
        );
    }
    Ok(())
}
