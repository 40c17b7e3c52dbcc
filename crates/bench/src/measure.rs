//! Measures two rivals in turn and compares their medians.

use std::time::Duration;

/// What a comparison found.
pub struct Comparison {
    pub ours: Duration,
    pub rival: Duration,
}

impl Comparison {
    /// Our speed as a part of the rival's: 1 is as fast.
    pub fn ratio(&self) -> f64 {
        self.rival.as_secs_f64() / self.ours.as_secs_f64()
    }

    /// One line of the report.
    pub fn print(&self, what: &str, operations: u64, wanted: f64) {
        let rate = |time: Duration| operations as f64 / time.as_secs_f64();
        let verdict = if self.ratio() >= wanted { "reached" } else { "not reached" };
        println!(
            "  {what:<34} {:>12.0}/s   rival {:>12.0}/s   ratio {:.2}   (wanted {wanted:.2}: {verdict})",
            rate(self.ours),
            rate(self.rival),
            self.ratio()
        );
    }
}

/// Runs both alternately, `rounds` times after one round of warm-up, and takes the medians. Before each run `settle`
/// waits for what the run before left to do. Each says how long it took: preparing its data does not count.
pub fn alternate<E>(
    rounds: usize,
    settle: impl Fn(),
    mut ours: impl FnMut(usize) -> Result<Duration, E>,
    mut rival: impl FnMut(usize) -> Result<Duration, E>,
) -> Result<Comparison, E> {
    let (mut our_times, mut rival_times) = (Vec::new(), Vec::new());
    for round in 0..=rounds {
        // Who goes first changes, so that neither always runs on a warmer machine.
        for our_turn in [round % 2 == 0, round % 2 != 0] {
            settle();
            let time = if our_turn { ours(round)? } else { rival(round)? };
            if round > 0 {
                let times = if our_turn { &mut our_times } else { &mut rival_times };
                times.push(time);
            }
        }
    }
    Ok(Comparison { ours: median(our_times), rival: median(rival_times) })
}

fn median(mut times: Vec<Duration>) -> Duration {
    times.sort();
    times.get(times.len() / 2).copied().unwrap_or_default()
}

/// What runs both sides: as many threads as the machines have that figures are reported from.
pub fn runtime() -> std::io::Result<tokio::runtime::Runtime> {
    tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build()
}
