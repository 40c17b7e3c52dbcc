//! Decides which call is made when, and on which design first.
//!
//! Every turn makes one call on all designs, one after another, so that what disturbs the machine disturbs all alike. The
//! order of the designs is drawn by seed for every second turn and turned round in the next, so that each design comes
//! before each other one exactly half of the time: who comes first after a pause pays for it.
//!
//! Turns of short calls are prepared several at a time, as a *round*, so that nothing of ours stands between calls that
//! take as long as reading from memory does.

use std::time::Duration;

/// The measured turns when nothing else is asked for: enough to see a true difference of 5 % in nine runs of ten, also on a
/// machine that others use too.
pub const QUERIES: usize = 3_000;
/// How often each call is made at least, far apart: its middle time is then its own, whatever the machine did meanwhile.
pub const REPEATS: usize = 3;
/// The turns before them.
pub const WARM_UP: usize = 200;

/// The calls of a round together take about so long on one design.
const ROUND: Duration = Duration::from_millis(1);
/// The most turns of a round.
const ROUND_TURNS_MAX: usize = 32;

/// The turns of a replay.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Schedule {
    calls: usize,
    designs: usize,
    warm_up: usize,
    measured: usize,
    seed: u64,
}

/// One turn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Turn {
    /// The call, as its place in the script.
    pub call: usize,
    /// The designs in the order in which they are asked.
    pub designs: Vec<usize>,
}

impl Schedule {
    /// Turns over a script of `calls`: so many to warm up and so many that are measured. A script with fewer calls is gone
    /// through again, always as a whole, so that no call counts more than another.
    pub fn new(calls: usize, designs: usize, warm_up: usize, measured: usize, seed: u64) -> Self {
        let passes = measured.div_ceil(calls.max(1)).max(1);
        let warm_up = if calls == 0 { 0 } else { warm_up };
        Self { calls, designs, warm_up, measured: calls * passes, seed }
    }

    /// How many turns come before the measured ones.
    pub fn warm_up(&self) -> usize {
        self.warm_up
    }

    /// How many turns are measured.
    pub fn measured(&self) -> usize {
        self.measured
    }

    /// How often each call is made.
    pub fn passes(&self) -> usize {
        self.measured.checked_div(self.calls).unwrap_or(0)
    }

    /// A measured turn, counted from 0.
    pub fn turn(&self, number: usize) -> Turn {
        Turn { call: number.checked_rem(self.calls).unwrap_or(0), designs: self.order(number, 0) }
    }

    /// A turn before the measured ones, counted from 0: calls from all over the script, so that nothing that is measured
    /// later was read a moment ago and all of it had its share in warming up.
    pub fn warm_up_turn(&self, number: usize) -> Turn {
        let call = self.random(number, 1).usize(..self.calls.max(1));
        Turn { call, designs: self.order(number, 2) }
    }

    /// The turns of the next round when a call took so long in the last one.
    pub fn round_turns(call: Duration) -> usize {
        let turns = ROUND.as_nanos().checked_div(call.as_nanos());
        turns.map_or(ROUND_TURNS_MAX, |turns| turns.clamp(1, ROUND_TURNS_MAX as u128) as usize)
    }

    fn order(&self, number: usize, stream: u64) -> Vec<usize> {
        let mut designs: Vec<usize> = (0..self.designs).collect();
        self.random(number / 2, stream).shuffle(&mut designs);
        if number % 2 == 1 {
            designs.reverse();
        }
        designs
    }

    /// Of its own for each turn, so that clients need not ask each other.
    fn random(&self, number: usize, stream: u64) -> fastrand::Rng {
        let mut seeds = fastrand::Rng::with_seed(self.seed ^ (stream << 62));
        fastrand::Rng::with_seed(seeds.u64(..) ^ (number as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_design_comes_first_equally_often() {
        let schedule = Schedule::new(1_000, 2, 0, 1_000, 7);
        let first = (0..1_000).filter(|turn| schedule.turn(*turn).designs[0] == 0).count();
        assert_eq!(first, 500);
        let five = Schedule::new(1_000, 5, 0, 1_000, 7);
        let before = (0..1_000).filter(|turn| {
            let order = five.turn(*turn).designs;
            let place = |design| order.iter().position(|at| *at == design).unwrap();
            place(3) < place(1)
        });
        assert_eq!(before.count(), 500);
    }

    #[test]
    fn the_order_differs_between_turns_and_seeds_and_is_the_same_again() {
        let schedule = |seed| Schedule::new(100, 4, 10, 100, seed);
        let orders = |seed| (0..100).map(|turn| schedule(seed).turn(turn).designs).collect::<Vec<_>>();
        assert_eq!(orders(1), orders(1));
        assert_ne!(orders(1), orders(2));
        let mut different = orders(1);
        different.sort();
        different.dedup();
        assert!(different.len() > 12, "of 24 orders only {} come", different.len());
    }

    #[test]
    fn a_short_script_is_gone_through_again_as_a_whole() {
        let schedule = Schedule::new(30, 2, 5, 100, 1);
        assert_eq!((schedule.measured(), schedule.passes()), (120, 4));
        let calls: Vec<usize> = (0..schedule.measured()).map(|turn| schedule.turn(turn).call).collect();
        assert!((0..30).all(|call| calls.iter().filter(|made| **made == call).count() == 4));
        assert!((0..5).all(|turn| schedule.warm_up_turn(turn).call < 30));
    }

    #[test]
    fn rounds_of_short_calls_have_many_turns_and_long_calls_stand_alone() {
        let turns = |microseconds| Schedule::round_turns(Duration::from_micros(microseconds));
        assert_eq!([0, 10, 100, 900, 5_000, 60_000_000].map(turns), [32, 32, 10, 1, 1, 1]);
    }

    #[test]
    fn nothing_is_made_of_nothing() {
        let schedule = Schedule::new(0, 2, 10, 100, 1);
        assert_eq!((schedule.warm_up(), schedule.measured(), schedule.passes()), (0, 0, 0));
        assert_eq!(Schedule::new(3, 2, 0, 0, 1).measured(), 3);
    }
}
