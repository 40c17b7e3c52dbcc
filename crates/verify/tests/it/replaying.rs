//! What a replay does with good and bad designs, with clients, writes and rates.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use async_trait::async_trait;
use tablesmith_model::evidence::Evidence;
use tablesmith_store::StoreError;
use tablesmith_verify::replay::{Outcome, Pace, Stop, Subject, replay};

use crate::simulated::{Simulated, replay_of, run};

fn two(seed: u64) -> [Simulated; 2] {
    [Simulated::new(seed, 1.0), Simulated::new(!seed, 1.3)]
}

#[tokio::test]
async fn everything_that_was_measured_is_told() {
    let subjects: Vec<_> = two(3).into_iter().map(Arc::new).collect();
    let (measured, evidence) = run(replay_of(100, subjects.clone(), 400, 3)).await;
    assert_eq!(measured.turns.len(), 400);
    assert_eq!((subjects[0].asked(), subjects[1].asked()), (410, 410), "10 warm up");
    let [a, b] = &evidence.designs[..] else { panic!("{evidence:?}") };
    assert_eq!((a.reads.queries, a.stats.bytes, a.by_query.len()), (400, Some(40_000), 4));
    assert!(a.reads.median_ms <= a.reads.p95_ms && a.reads.p95_ms <= a.reads.p99_ms, "{:?}", a.reads);
    assert_eq!(a.reads.distribution.0.len(), 101);
    assert!(b.outliers.windows(2).all(|two| two[0].ms >= two[1].ms));
    let pair = &evidence.pairs[0];
    assert_eq!(pair.queries, 100, "a call counts once");
    let middle = |call: usize, design: usize| {
        let mut times: Vec<f64> = measured
            .turns
            .iter()
            .filter(|timed| timed.call == call)
            .map(|timed| timed.times_ms[design])
            .collect();
        times.sort_by(f64::total_cmp);
        (times[1] + times[2]) / 2.0
    };
    let difference: f64 = (0..100).map(|call| middle(call, 1) - middle(call, 0)).sum::<f64>() / 100.0;
    assert!((pair.difference - difference).abs() < 1e-9, "{} {difference}", pair.difference);
    assert!(pair.low < pair.difference && pair.difference < pair.high && pair.p < 0.01, "{pair:?}");
    assert!(evidence.verdict.starts_with("a answers 2"), "{}", evidence.verdict);
    assert!(evidence.answers_equal && evidence.stopped.is_none());
    assert!(evidence.notes.iter().any(|note| note.contains("each made 4 times")), "{:?}", evidence.notes);
    let text = serde_json::to_string(&evidence).unwrap();
    let back: Evidence = serde_json::from_str(&text).unwrap();
    assert_eq!((&back.verdict, back.pairs.len(), back.designs.len()), (&evidence.verdict, 1, 2));
    // Reading a number may miss its last digit.
    assert!((back.pairs[0].t - pair.t).abs() < 1e-12 * pair.t.abs(), "{} {}", back.pairs[0].t, pair.t);
}

#[tokio::test]
async fn an_answer_that_differs_stops_the_run_and_shows_the_query() {
    let [good, mut liar] = two(4);
    liar.lies_at = Some(30);
    let (measured, evidence) = run(replay_of(100, vec![Arc::new(good), Arc::new(liar)], 100, 4)).await;
    let Some(Stop::Differ(difference)) = &measured.stopped else { panic!("{:?}", measured.stopped) };
    assert_eq!((difference.query.as_str(), difference.call.as_str()), ("q2", "30"));
    let rows: Vec<u64> = difference.answers.iter().map(|answer| answer.rows).collect();
    assert_eq!(rows, [2, 3]);
    assert!(!evidence.answers_equal);
    let stopped = evidence.stopped.unwrap();
    assert!(
        stopped.contains("a 2 rows") && stopped.contains("b 3 rows") && stopped.contains("`q2`"),
        "{stopped}"
    );
}

#[tokio::test]
async fn what_was_measured_before_a_store_died_is_kept() {
    let [good, mut mortal] = two(5);
    mortal.fails_at = Some(60);
    let mut replayed = replay_of(100, vec![Arc::new(good), Arc::new(mortal)], 100, 5);
    replayed.schedule = tablesmith_verify::replay::Schedule::new(100, 2, 0, 100, 5);
    let (measured, evidence) = run(replayed).await;
    assert!(matches!(&measured.stopped, Some(Stop::Store { design, .. }) if design == "b"));
    assert_eq!((evidence.designs[0].reads.queries, evidence.designs[1].reads.queries), (60, 60));
    let stopped = evidence.stopped.unwrap();
    assert!(stopped.contains("after 60 of 100") && stopped.contains("the server is gone"), "{stopped}");
}

#[tokio::test]
async fn what_was_measured_before_an_interruption_is_kept() {
    let subjects: Vec<_> = two(6).into_iter().map(Arc::new).collect();
    let mut replayed = replay_of(10_000, subjects, 10_000, 6);
    replayed.pace = Pace { clients: 2, rate: Some(1_000.0) };
    let turns = AtomicU64::new(0);
    // However long that takes: 10,000 turns take ten seconds at least.
    let soon = async {
        while turns.load(Ordering::Relaxed) < 500 {
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
    };
    let count = |more| {
        turns.fetch_add(more, Ordering::Relaxed);
    };
    let measured = replay(Arc::new(replayed), soon, &count).await;
    assert!(matches!(measured.stopped, Some(Stop::Interrupted)));
    assert!((20..10_000).contains(&measured.turns.len()), "{}", measured.turns.len());
}

#[tokio::test]
async fn turns_keep_to_the_rate() {
    let subjects: Vec<_> = two(7).into_iter().map(Arc::new).collect();
    let mut replayed = replay_of(40, subjects, 40, 7);
    replayed.pace.rate = Some(200.0);
    let begun = Instant::now();
    run(replayed).await;
    // 40 turns: the last is due after 39/200 s; 10 before them to warm up.
    assert!(begun.elapsed() >= Duration::from_millis(195 + 45), "{:?}", begun.elapsed());
}

/// Every third call adds to a counter, the others read it.
#[derive(Default)]
struct Counter(AtomicU64);

#[async_trait]
impl Subject<u64> for Counter {
    async fn ask(&self, call: &u64) -> Result<Outcome, StoreError> {
        tokio::task::yield_now().await;
        if call.is_multiple_of(3) {
            self.0.fetch_add(1, Ordering::Relaxed);
        }
        let hash = if call.is_multiple_of(3) { 0 } else { self.0.load(Ordering::Relaxed) };
        tokio::task::yield_now().await;
        Ok(Outcome { hash, time: Duration::from_micros(1), ..Outcome::default() })
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn many_clients_that_read_and_write_see_the_same_on_all_designs() {
    let subjects = vec![Arc::new(Counter::default()), Arc::new(Counter::default())];
    let mut replayed = replay_of(2_000, subjects.clone(), 2_000, 8);
    replayed.script.calls.iter_mut().for_each(|entry| entry.writes = entry.call.is_multiple_of(3));
    replayed.pace.clients = 16;
    let (measured, evidence) = run(replayed).await;
    assert_eq!(evidence.stopped, None);
    assert_eq!(measured.turns.len(), 2_000);
    assert!(measured.turns.iter().enumerate().all(|(place, timed)| timed.turn == place));
    let writes = evidence.designs[0].writes.clone().unwrap();
    assert_eq!((writes.queries, evidence.designs[0].reads.queries), (667, 1_333));
    assert!(evidence.notes.iter().any(|note| note.contains("reads and writes")), "{:?}", evidence.notes);
}
