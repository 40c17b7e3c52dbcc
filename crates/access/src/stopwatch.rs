//! How long something takes, apart from waiting for a processor of this machine.
//!
//! On a machine that does other things too, a call of a tenth of a millisecond now and then takes twenty, because its
//! thread had to wait for its turn. That says nothing about a store, and it hides what does: a few such calls outweigh a
//! thousand others in any mean. Linux counts for each thread how long it was ready to run and had to wait
//! (`/proc/thread-self/schedstat`, its second number). That time is told apart; where it is not known it is 0.

use std::cell::Cell;
use std::thread::{self, ThreadId};
use std::time::{Duration, Instant};

/// Asking the kernel takes as long as a read from memory does, and pushes what that read needs out of the processor's
/// caches. So it is asked only when so much time has passed since the last look: a longer wait cannot have been between.
const LOOK: Duration = Duration::from_micros(50);

/// Runs from its making on.
#[derive(Clone, Copy, Debug)]
pub struct Stopwatch {
    waited: Option<Waited>,
    begun: Instant,
}

/// What a stopwatch shows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Lap {
    /// The time that passed, without waiting for a processor.
    pub time: Duration,
    /// The time that the thread waited for a processor meanwhile.
    pub waited: Duration,
}

/// How long a thread has waited for a processor up to now.
#[derive(Clone, Copy, Debug)]
struct Waited {
    thread: ThreadId,
    time: Duration,
}

thread_local! {
    /// What the kernel said last, and when it was known to be true.
    static SEEN: Cell<Option<(Waited, Instant)>> = const { Cell::new(None) };
}

impl Stopwatch {
    /// Begins to measure.
    pub fn start() -> Self {
        // In this order, and the other way round in `lap`: what takes time here is not measured.
        let waited = Waited::at(Instant::now());
        Self { waited, begun: Instant::now() }
    }

    /// What passed since then. When the work has moved to another thread meanwhile, as it does where it waits for answers
    /// from afar, all of it counts.
    pub fn lap(&self) -> Lap {
        let now = Instant::now();
        lap(now - self.begun, self.waited, Waited::at(now))
    }
}

fn lap(elapsed: Duration, before: Option<Waited>, after: Option<Waited>) -> Lap {
    let waited = match (before, after) {
        (Some(before), Some(after)) if before.thread == after.thread => {
            after.time.saturating_sub(before.time)
        }
        _ => Duration::ZERO,
    };
    // A wait that is longer than what passed came just before or after.
    match elapsed.checked_sub(waited) {
        Some(time) => Lap { time, waited },
        None => Lap { time: elapsed, waited: Duration::ZERO },
    }
}

impl Waited {
    /// How long this thread has waited: what was seen last, when that was a moment ago.
    fn at(now: Instant) -> Option<Self> {
        let waited = match SEEN.get() {
            Some((waited, seen)) if now.saturating_duration_since(seen) < LOOK => waited,
            _ => Self::ask()?,
        };
        SEEN.set(Some((waited, now)));
        Some(waited)
    }

    #[cfg(target_os = "linux")]
    fn ask() -> Option<Self> {
        use std::fs::File;
        use std::os::unix::fs::FileExt;

        thread_local! {
            static SCHEDSTAT: Option<File> = File::open("/proc/thread-self/schedstat").ok();
        }
        let mut text = [0; 80];
        let length = SCHEDSTAT.with(|file| file.as_ref()?.read_at(&mut text, 0).ok())?;
        let nanoseconds = std::str::from_utf8(text.get(..length)?).ok()?.split(' ').nth(1)?.parse().ok()?;
        Some(Self { thread: thread::current().id(), time: Duration::from_nanos(nanoseconds) })
    }

    #[cfg(not(target_os = "linux"))]
    fn ask() -> Option<Self> {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn waiting_for_a_processor_is_told_apart() {
        let [one, other] = [(); 2].map(|()| thread::spawn(|| thread::current().id()).join().unwrap());
        let at = |thread, ms| Some(Waited { thread, time: Duration::from_millis(ms) });
        let ms = Duration::from_millis;
        assert_eq!(lap(ms(50), at(one, 100), at(one, 140)), Lap { time: ms(10), waited: ms(40) });
        let all = Lap { time: ms(50), waited: ms(0) };
        assert_eq!(
            lap(ms(50), at(one, 100), at(other, 140)),
            all,
            "another thread's wait is no wait of this work"
        );
        assert_eq!(lap(ms(50), at(one, 100), at(one, 151)), all, "it cannot have been inside");
        assert_eq!(lap(ms(50), None, at(one, 1)), all);
    }

    #[test]
    fn the_kernel_is_asked_when_time_has_passed() {
        let now = Instant::now();
        let marked = Waited { thread: thread::current().id(), time: Duration::from_secs(12_345) };
        SEEN.set(Some((marked, now)));
        let time = |at| Waited::at(at).map(|waited| waited.time);
        assert_eq!(time(now + LOOK / 2), Some(marked.time), "a moment ago");
        assert_eq!(time(now + LOOK), Some(marked.time), "each look counts as the last");
        assert_ne!(time(now + LOOK * 3), Some(marked.time));
    }

    #[test]
    fn sleeping_is_no_waiting_for_a_processor() {
        let stopwatch = Stopwatch::start();
        thread::sleep(Duration::from_millis(30));
        let lap = stopwatch.lap();
        assert!(lap.time + lap.waited >= Duration::from_millis(30), "{lap:?}");
        assert!(lap.time >= Duration::from_millis(25), "{lap:?}");
    }

    /// More threads than processors, all at work: somebody has to wait.
    #[cfg(target_os = "linux")]
    #[test]
    fn threads_that_want_the_same_processor_wait_for_it() {
        if Waited::ask().is_none() {
            println!("this system does not tell how long threads wait");
            return;
        }
        let many = 4 * thread::available_parallelism().map_or(1, usize::from);
        let work = || {
            let stopwatch = Stopwatch::start();
            while stopwatch.begun.elapsed() < Duration::from_millis(200) {
                std::hint::spin_loop();
            }
            stopwatch.lap()
        };
        let threads: Vec<_> = (0..many).map(|_| thread::spawn(work)).collect();
        let waited: Duration = threads.into_iter().map(|thread| thread.join().unwrap().waited).sum();
        assert!(waited > Duration::from_millis(100), "{waited:?}");
    }
}
