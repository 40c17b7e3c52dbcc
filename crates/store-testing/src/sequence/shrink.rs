//! Makes a sequence on which two stores differ as short and as plain as it can.

use tablesmith_store::{ManualClock, Store};

use super::compare::compare;
use super::difference::Difference;
use super::simplify::simpler;
use super::{Operation, Sequence, SequenceConfig, Step, generate};

/// Comparisons that a shrinking may cost: enough for a minimum in practice, and an end in any case.
const MOST_COMPARISONS: usize = 2_000;

/// Two stores, and how often they were compared.
struct Shrinker<'a> {
    left: &'a dyn Store,
    right: &'a dyn Store,
    clocks: &'a [&'a ManualClock],
    left_over: usize,
}

impl Shrinker<'_> {
    /// The difference that a shorter sequence still shows.
    async fn still_differs(&mut self, sequence: Sequence) -> Option<Difference> {
        self.left_over = self.left_over.checked_sub(1)?;
        compare(self.left, self.right, self.clocks, &sequence).await.err()
    }

    /// Leaves out steps, many at once and then fewer, as long as a difference stays.
    async fn drop_steps(&mut self, difference: &mut Difference) -> bool {
        let mut dropped = false;
        let mut size = difference.sequence.steps.len() / 2;
        while size > 0 {
            let mut from = 0;
            while from < difference.sequence.steps.len() {
                let mut shorter = difference.sequence.clone();
                let until = from.saturating_add(size).min(shorter.steps.len());
                let dropped_steps: Vec<_> = shorter.steps.drain(from..until).collect();
                shorter.steps.splice(from..from, dropped_steps.into_iter().filter(creates));
                if shorter.steps.len() == difference.sequence.steps.len() {
                    from = until;
                    continue;
                }
                match self.still_differs(shorter).await {
                    Some(found) => {
                        *difference = found;
                        dropped = true;
                    }
                    None => from = until,
                }
            }
            size /= 2;
        }
        dropped
    }

    /// Puts plainer steps in place of others, as long as a difference stays.
    async fn simplify_steps(&mut self, difference: &mut Difference) -> bool {
        let mut simplified = false;
        let mut place = 0;
        while let Some(step) = difference.sequence.steps.get(place) {
            let mut better = None;
            for candidate in simpler(step) {
                let mut plainer = difference.sequence.clone();
                if let Some(step) = plainer.steps.get_mut(place) {
                    *step = candidate;
                }
                better = self.still_differs(plainer).await;
                if better.is_some() {
                    break;
                }
            }
            match better {
                Some(found) => {
                    *difference = found;
                    simplified = true;
                }
                None => place += 1,
            }
        }
        simplified
    }
}

/// Without its table a sequence shows how stores refuse, which is seldom what differed.
fn creates(step: &Step) -> bool {
    matches!(step, Step::On(_, Operation::Create(..)))
}

/// Shortens a difference: leaves out and simplifies steps as long as the stores still differ.
pub async fn shrink(
    left: &dyn Store,
    right: &dyn Store,
    clocks: &[&ManualClock],
    difference: Difference,
) -> Difference {
    let mut shrinker = Shrinker { left, right, clocks, left_over: MOST_COMPARISONS };
    let mut smallest = difference;
    loop {
        let dropped = shrinker.drop_steps(&mut smallest).await;
        let simplified = shrinker.simplify_steps(&mut smallest).await;
        if !(dropped || simplified) || shrinker.left_over == 0 {
            return smallest;
        }
    }
}

/// Compares two stores on the sequences of many seeds; tells the first difference, shrunk.
pub async fn compare_seeds(
    left: &dyn Store,
    right: &dyn Store,
    clocks: &[&ManualClock],
    seeds: impl IntoIterator<Item = u64>,
    config: &SequenceConfig,
) -> Result<(), Difference> {
    for seed in seeds {
        if let Err(difference) = compare(left, right, clocks, &generate(seed, config)).await {
            return Err(shrink(left, right, clocks, difference).await);
        }
    }
    Ok(())
}
