//! Takes the rows of a write stream in their order and says what each key would do with them.
//!
//! Memory is bounded. Keys that begin with a remainder or a digest are counted row by row: their split points are known
//! beforehand. For other keys a uniform sample of the rows gives split points and loads, with a stated error; an exact
//! count is a second pass ([`ExactPass`]). Batches are divided among workers whose counts are added up, so that the
//! result does not depend on how many there are.

mod batch;
mod buckets;
mod exact;
mod finish;
mod grid;
mod heat;
mod judgement;
mod lanes;
mod loads;
mod mix;
mod plan;
mod reduce;
mod sample;
mod sampled;
mod tally;
mod worker;

pub use batch::{Batch, Row};
pub use exact::ExactPass;
pub use judgement::{Accuracy, BucketLoad, Heat, Judged, Judgement, SplitLoad};
pub use plan::BUCKETS_PER_SERVER;
pub use tally::MOST_SLICES;

pub(in crate::keys) use sample::Sample;

use super::setup::{Setup, SetupError};
use plan::Plan;
use worker::Worker;

/// Rows that are gathered before the workers get them.
const BATCH_ROWS: usize = 1 << 15;

/// Judges keys.
#[derive(Debug)]
pub struct Judge {
    plan: Plan,
    workers: Vec<Worker>,
    gathered: Batch,
    rows: u64,
}

impl Judge {
    /// A judge of a setup that makes sense.
    pub fn new(setup: &Setup) -> Result<Self, SetupError> {
        let plan = Plan::new(setup)?;
        let workers = (0..setup.workers.clamp(1, 64)).map(|_| Worker::new(&plan)).collect();
        let gathered = Batch::new(plan.columns.len());
        Ok(Self { plan, workers, gathered, rows: 0 })
    }

    /// A batch for rows of this setup.
    pub fn batch(&self) -> Batch {
        Batch::new(self.plan.columns.len())
    }

    /// Takes the next row of the stream.
    pub fn take(&mut self, row: &Row<'_>) {
        self.gathered.push(row);
        if self.gathered.len() >= BATCH_ROWS {
            self.flush();
        }
    }

    /// Takes the next rows of the stream.
    pub fn take_batch(&mut self, batch: &Batch) {
        self.flush();
        self.count(batch);
    }

    fn flush(&mut self) {
        if !self.gathered.is_empty() {
            let mut gathered = std::mem::take(&mut self.gathered);
            self.count(&gathered);
            gathered.clear();
            self.gathered = gathered;
        }
    }

    fn count(&mut self, batch: &Batch) {
        let (plan, first) = (&self.plan, self.rows);
        let share = batch.len().div_ceil(self.workers.len().max(1)).max(1);
        std::thread::scope(|scope| {
            let mut parts =
                (0..batch.len()).step_by(share).map(|begin| begin..(begin + share).min(batch.len()));
            let mut own = None;
            for (worker, rows) in self.workers.iter_mut().zip(&mut parts) {
                // The last part is this thread's.
                match rows.end == batch.len() {
                    true => own = Some((worker, rows)),
                    false => {
                        scope.spawn(move || worker.take(plan, batch, rows, first));
                    }
                }
            }
            if let Some((worker, rows)) = own {
                worker.take(plan, batch, rows, first);
            }
        });
        self.rows += batch.len() as u64;
    }

    /// What was found.
    pub fn finish(mut self) -> Judgement {
        self.flush();
        let mut workers = self.workers.into_iter();
        let mut all = workers.next().unwrap_or_else(|| Worker::new(&self.plan));
        all.settle();
        workers.for_each(|worker| all.merge(worker));
        all.sample.end();
        finish::judgement(&self.plan, all, self.rows)
    }
}
