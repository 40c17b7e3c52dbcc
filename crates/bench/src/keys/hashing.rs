//! The rival: MD5 of every id's text and of every line, and nothing else.

use std::hint::black_box;
use std::time::{Duration, Instant};

use md5::{Digest, Md5};
use tablesmith_design::keys::Batch;
use tablesmith_model::value::Value;

/// Hashes all rows, each batch divided among the threads. The texts of ids are made before the clock starts.
pub fn hash(batches: &[Batch], threads: usize) -> Duration {
    let texts: Vec<(Vec<u8>, Vec<usize>)> = batches.iter().map(texts).collect();
    let begin = Instant::now();
    std::thread::scope(|scope| {
        for thread in 0..threads {
            let texts = &texts;
            scope.spawn(move || {
                for (batch, (texts, ends)) in batches.iter().zip(texts).skip(thread).step_by(threads) {
                    for index in 0..batch.len() {
                        let start =
                            index.checked_sub(1).and_then(|before| ends.get(before)).copied().unwrap_or(0);
                        let id = ends.get(index).and_then(|end| texts.get(start..*end)).unwrap_or_default();
                        black_box(Md5::digest(id));
                        black_box(Md5::digest(batch.row(index).and_then(|row| row.line).unwrap_or_default()));
                    }
                }
            });
        }
    });
    begin.elapsed()
}

fn texts(batch: &Batch) -> (Vec<u8>, Vec<usize>) {
    let (mut texts, mut ends) = (Vec::new(), Vec::new());
    for index in 0..batch.len() {
        let value = batch.row(index).and_then(|row| row.values.first());
        texts.extend(value.unwrap_or(&Value::Null).to_string().bytes());
        ends.push(texts.len());
    }
    (texts, ends)
}
