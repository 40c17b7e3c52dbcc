//! Tables with one number for each set of elements, filled by several threads.
//!
//! Each number depends on its set alone, so that the tables are the same on any number of cores.

use std::thread;

use crate::families::Evaluator;

/// Sets that a thread works on before it looks at the clock.
const CHUNK_SETS: usize = 1 << 10;

/// More threads than this only wait for memory.
const THREADS_MOST: usize = 8;

/// Fills a table with what `value` says of each place; `None` when time is up.
pub(super) fn fill<F>(table: &mut [f64], evaluator: &Evaluator<'_>, value: F) -> Option<()>
where
    F: Fn(usize) -> f64 + Sync,
{
    let fill_chunk = |(number, chunk): (usize, &mut [f64])| {
        if evaluator.is_time_up() {
            return None;
        }
        evaluator.count(chunk.len() as u64);
        let first = number * CHUNK_SETS;
        chunk.iter_mut().enumerate().for_each(|(offset, place)| *place = value(first + offset));
        Some(())
    };
    let threads = thread::available_parallelism().map_or(1, usize::from).min(THREADS_MOST);
    let mut chunks = table.chunks_mut(CHUNK_SETS).enumerate();
    if threads < 2 || chunks.len() < 2 * threads {
        return chunks.try_for_each(fill_chunk);
    }
    // Dealt out like cards: the higher a set, the more work it is.
    let mut hands: Vec<Vec<_>> = (0..threads).map(|_| Vec::new()).collect();
    for (card, chunk) in chunks.enumerate() {
        if let Some(hand) = hands.get_mut(card % threads) {
            hand.push(chunk);
        }
    }
    thread::scope(|scope| {
        let play = |hand: Vec<_>| scope.spawn(|| hand.into_iter().try_for_each(fill_chunk));
        let players: Vec<_> = hands.into_iter().map(play).collect();
        players.into_iter().map(|player| player.join().ok().flatten()).collect()
    })
}
