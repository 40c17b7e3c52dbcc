//! Waiting for what goes on in the cluster by itself.

use std::time::{Duration, Instant};

use crate::Error;
use crate::rpc::CallError;

/// Most things are done at once; what is not may take minutes.
const FIRST_PAUSE: Duration = Duration::from_millis(5);
const LONGEST_PAUSE: Duration = Duration::from_millis(200);

/// Pauses between questions whether something is done: short at first, growing, up to a deadline.
pub(super) struct Patience {
    begun: Instant,
    deadline: Instant,
    pause: Duration,
    asked: u32,
}

impl Patience {
    pub fn until(deadline: Instant) -> Self {
        Self { begun: Instant::now(), deadline, pause: FIRST_PAUSE, asked: 0 }
    }

    /// Since when and how often it was asked whether something is done.
    pub fn so_far(&self) -> (Instant, u32) {
        (self.begun, self.asked)
    }

    /// Not done yet: pauses, or gives up and tells what was waited for.
    pub async fn pause(&mut self, still: impl FnOnce() -> String) -> Result<(), Error> {
        self.asked += 1;
        if Instant::now() + self.pause >= self.deadline {
            let last = Box::new(CallError::NotDone(still()));
            return Err(Error::Deadline { attempts: self.asked, elapsed: self.begun.elapsed(), last });
        }
        tokio::time::sleep(self.pause).await;
        self.pause = next_pause(self.pause);
        Ok(())
    }
}

fn next_pause(pause: Duration) -> Duration {
    (pause * 3 / 2).min(LONGEST_PAUSE)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pauses_grow_to_their_limit() {
        let pauses: Vec<Duration> =
            std::iter::successors(Some(FIRST_PAUSE), |pause| Some(next_pause(*pause))).take(20).collect();
        assert!(pauses.is_sorted() && pauses.contains(&LONGEST_PAUSE));
        assert!(pauses.iter().take(10).sum::<Duration>() < Duration::from_secs(1));
    }

    #[tokio::test]
    async fn what_does_not_end_is_given_up_in_time() {
        let mut patience = Patience::until(Instant::now());
        let error = patience.pause(|| "still going on".to_owned()).await.unwrap_err();
        assert!(error.to_string().contains("still going on"), "{error}");
    }
}
