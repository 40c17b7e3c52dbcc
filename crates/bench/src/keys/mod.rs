//! Judging keys beside nothing but the hashing that it needs: four million sequential ids, all strategies, the paper's ten
//! region counts, both sides on two threads.

mod hashing;

use std::time::{Duration, Instant};

use tablesmith_design::keys::setup::PAPER_REGIONS;
use tablesmith_design::keys::{Batch, IdColumn, Judge, Row, Setup};
use tablesmith_model::value::{Value, ValueType};

use crate::measure::alternate;

const IDS: u64 = 4_000_000;
const BATCH_ROWS: u64 = 1 << 16;
const ROUNDS: usize = 5;
const THREADS: usize = 2;

/// Judging may take this many times as long as hashing alone.
const MOST_TIMES: f64 = 1.5;

/// Compares the two.
pub fn compare() -> Result<(), String> {
    let setup = setup();
    let batches = batches(&setup)?;
    // The id is hashed once for all keys that are made of its digest, the line once.
    let ours = |_| judge(&setup, &batches);
    let rival = |_| Ok(hashing::hash(&batches, THREADS));
    let found = alternate(ROUNDS, || (), ours, rival)?;
    found.print("4 million ids, all strategies", IDS, 1.0 / MOST_TIMES);
    Ok(())
}

/// The id is its own time, so that keys of time are judged too.
fn setup() -> Setup {
    let mut setup = Setup::new(vec![IdColumn::new("id", ValueType::Int)], 55);
    setup.time = Some(IdColumn::new("id", ValueType::Int));
    setup.compare_regions = PAPER_REGIONS.to_vec();
    setup.workers = THREADS;
    setup
}

fn batches(setup: &Setup) -> Result<Vec<Batch>, String> {
    let empty = Judge::new(setup).map_err(|error| error.to_string())?.batch();
    let batch = |first: u64| {
        let mut batch = empty.clone();
        for id in first..(first + BATCH_ROWS).min(IDS) {
            // Short lines, of one block of MD5: longer ones take the rival more time, and ours no more.
            let line = format!("{id},{},{}", id % 997, id % 13);
            let values = [Value::Int(id as i64)];
            batch.push(&Row { values: &values, line: Some(line.as_bytes()), bytes: line.len() as u64 });
        }
        batch
    };
    Ok((0..IDS).step_by(BATCH_ROWS as usize).map(batch).collect())
}

fn judge(setup: &Setup, batches: &[Batch]) -> Result<Duration, String> {
    let begin = Instant::now();
    let mut judge = Judge::new(setup).map_err(|error| error.to_string())?;
    batches.iter().for_each(|batch| judge.take_batch(batch));
    let judgement = judge.finish();
    let time = begin.elapsed();
    match judgement.strategies.len() {
        9 => Ok(time),
        other => Err(format!("{other} strategies were judged, not 9: {:?}", judgement.left_out)),
    }
}
