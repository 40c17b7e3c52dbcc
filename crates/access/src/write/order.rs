//! The order of changes that give rows new keys: a row goes to its new key when the row that had it has left.
//!
//! ```text
//!  1 → 2,  2 → 3,  3 → 4        3, then 2, then 1
//!  5 → 6,  6 → 5                 a cycle: both at once, or not at all
//! ```

/// Changes that are made together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Step {
    /// The changes, by their place: one, or those of a cycle.
    pub changes: Vec<usize>,
    /// How many steps come before it, one after the other.
    pub depth: usize,
}

/// What is known of a change.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Known {
    Nothing,
    /// It waits for others, at this place of the path.
    Waits(usize),
    /// It belongs to this step.
    Step(usize),
}

/// The steps of changes, each behind the one that it waits for. `waits_for` says for each change which other one has to
/// be made first.
pub(super) fn steps(waits_for: &[Option<usize>]) -> Vec<Step> {
    let mut steps: Vec<Step> = Vec::with_capacity(waits_for.len());
    let mut known = vec![Known::Nothing; waits_for.len()];
    let before = |at: usize| waits_for.get(at).copied().flatten();
    for first in 0..waits_for.len() {
        // Changes that wait, each for the one behind it.
        let mut path: Vec<usize> = Vec::new();
        let mut next = Some(first);
        while let Some((at, of)) = next.and_then(|at| Some((at, known.get_mut(at)?))) {
            match *of {
                Known::Step(_) => break,
                Known::Waits(begin) => {
                    let cycle = path.split_off(begin);
                    push(&mut steps, &mut known, cycle, 0);
                    break;
                }
                Known::Nothing => *of = Known::Waits(path.len()),
            }
            path.push(at);
            next = before(at);
        }
        for at in path.into_iter().rev() {
            let depth = before(at).map_or(0, |before| depth_of(&steps, &known, before) + 1);
            push(&mut steps, &mut known, vec![at], depth);
        }
    }
    steps
}

fn depth_of(steps: &[Step], known: &[Known], at: usize) -> usize {
    match known.get(at) {
        Some(Known::Step(step)) => steps.get(*step).map_or(0, |step| step.depth),
        _ => 0,
    }
}

fn push(steps: &mut Vec<Step>, known: &mut [Known], changes: Vec<usize>, depth: usize) {
    for at in &changes {
        if let Some(slot) = known.get_mut(*at) {
            *slot = Known::Step(steps.len());
        }
    }
    steps.push(Step { changes, depth });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_waits_for_the_one_that_has_its_new_key() {
        let one = |at: usize, depth| Step { changes: vec![at], depth };
        assert_eq!(steps(&[None, None]), [one(0, 0), one(1, 0)]);
        assert_eq!(steps(&[Some(1), Some(2), None]), [one(2, 0), one(1, 1), one(0, 2)]);
        assert_eq!(steps(&[None, Some(0)]), [one(0, 0), one(1, 1)]);
    }

    #[test]
    fn a_cycle_is_one_step() {
        let cycle = Step { changes: vec![1, 2], depth: 0 };
        assert_eq!(steps(&[Some(1), Some(2), Some(1)]), [cycle, Step { changes: vec![0], depth: 1 }]);
        assert_eq!(steps(&[Some(0)]), [Step { changes: vec![0], depth: 0 }]);
    }
}
