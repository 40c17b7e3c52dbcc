//! Some turns, made together.

use std::fmt::Display;

use tablesmith_store::StoreError;

use super::measured::Stop;
use super::schedule::Turn;
use super::subject::{Outcome, Subjects};

/// Some turns, made together.
#[derive(Default)]
pub(super) struct Round {
    /// How many of its turns all designs answered.
    pub turns: usize,
    /// What each design answered, call by call.
    pub outcomes: Vec<Vec<Outcome>>,
    /// Why it ended before its last turn.
    pub stop: Option<Stop>,
}

impl Round {
    /// Makes the calls of some turns, one for each, until one fails.
    pub async fn make<C: Display + Sync>(subjects: &Subjects<C>, turns: &[Turn], calls: &[&C]) -> Self {
        Self::try_make(subjects, turns, calls)
            .await
            .unwrap_or_else(|failed| Self { stop: Some(failed.stop(subjects, calls)), ..Self::default() })
    }

    /// All designs get ready, then call after call is made on each of them, then what came is looked at.
    async fn try_make<C: Display + Sync>(
        subjects: &Subjects<C>,
        turns: &[Turn],
        calls: &[&C],
    ) -> Result<Self, Failed> {
        let of = |design| move |(at, error)| Failed { design, at, error };
        let mut prepared = Vec::with_capacity(subjects.len());
        for (design, (_, subject)) in subjects.iter().enumerate() {
            prepared.push(subject.prepare(calls).map_err(of(design))?);
        }
        let mut round = Self { turns: turns.len(), ..Self::default() };
        'turns: for (at, turn) in turns.iter().enumerate() {
            for &design in &turn.designs {
                let Some(subject) = prepared.get_mut(design) else { continue };
                if let Err(error) = subject.make_next().await {
                    round.turns = at;
                    round.stop = Some(Failed { design, at, error }.stop(subjects, calls));
                    break 'turns;
                }
            }
        }
        for (design, subject) in prepared.into_iter().enumerate() {
            round.outcomes.push(subject.finish().map_err(of(design))?);
        }
        Ok(round)
    }

    /// What the designs answered in one turn.
    pub fn of_turn(&self, turn: usize) -> Vec<Outcome> {
        self.outcomes.iter().filter_map(|of_design| of_design.get(turn)).copied().collect()
    }
}

/// A call that a store did not answer.
struct Failed {
    design: usize,
    at: usize,
    error: StoreError,
}

impl Failed {
    fn stop<C: Display>(self, subjects: &Subjects<C>, calls: &[&C]) -> Stop {
        Stop::Store {
            design: subjects.get(self.design).map(|(name, _)| name.clone()).unwrap_or_default(),
            call: calls.get(self.at).map(ToString::to_string).unwrap_or_default(),
            error: Box::new(self.error),
        }
    }
}
