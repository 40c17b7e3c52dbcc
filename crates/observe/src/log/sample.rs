//! A few calls of each template with their values, chosen by chance: what a call touches depends on them.
//!
//! Every call has a priority made from its place in the log, and each template keeps the calls of the lowest
//! priorities: a sample without bias, the same for the same log, that can be made smaller at any time. When all samples
//! together become too large, the room of each is halved; when none is left, the first call stands for all.

use std::collections::BinaryHeap;

/// Calls that are kept of a template, at first.
const CALLS_MAX: usize = 128;
/// Calls that are kept of all templates.
const ALL_CALLS_MAX: usize = 8 * 1024;
/// Bytes of all calls that are kept.
const ALL_BYTES_MAX: usize = 8 * 1024 * 1024;
/// Longer calls are not kept.
pub(super) const CALL_BYTES_MAX: usize = 4 * 1024;
/// Any number: another one gives another sample.
const SEED: u64 = 0x5EED;

/// A call that was kept. The order is that of priorities, which differ.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Call {
    priority: u64,
    /// Its place among the entries of the log, from 0.
    pub entry: u64,
    /// The statement with its values.
    pub text: Vec<u8>,
}

/// The calls kept of one template.
pub(super) type Calls = BinaryHeap<Call>;

/// How much room all samples have, and how much of it they take.
#[derive(Debug)]
pub(super) struct Room {
    calls_max: usize,
    calls: usize,
    bytes: usize,
}

impl Default for Room {
    fn default() -> Self {
        Self { calls_max: CALLS_MAX, calls: 0, bytes: 0 }
    }
}

impl Room {
    /// Keeps the call at this place when chance wants it; `text` is only asked for then.
    #[inline]
    pub fn offer(&mut self, calls: &mut Calls, entry: u64, text: impl FnOnce() -> Option<Vec<u8>>) {
        let priority = scattered(entry ^ SEED);
        let is_wanted =
            calls.len() < self.calls_max || calls.peek().is_some_and(|last| priority < last.priority);
        if self.calls_max == 0 || !is_wanted {
            return;
        }
        let Some(text) = text().filter(|text| text.len() <= CALL_BYTES_MAX) else { return };
        self.calls += 1;
        self.bytes += text.len();
        calls.push(Call { priority, entry, text });
        self.fit(calls);
    }

    /// Whether samples must become smaller; then [`Room::halve`] is to be called, and [`Room::fit`] for each.
    pub fn is_full(&self) -> bool {
        self.calls > ALL_CALLS_MAX || self.bytes > ALL_BYTES_MAX
    }

    /// Half as much room for each.
    pub fn halve(&mut self) {
        self.calls_max /= 2;
    }

    /// Makes a sample as small as its room is.
    pub fn fit(&mut self, calls: &mut Calls) {
        while calls.len() > self.calls_max
            && let Some(gone) = calls.pop()
        {
            self.forget(&gone);
        }
    }

    /// Gives back the room of a template that is not kept.
    pub fn forget_all(&mut self, calls: &Calls) {
        calls.iter().for_each(|call| self.forget(call));
    }

    fn forget(&mut self, call: &Call) {
        self.calls = self.calls.saturating_sub(1);
        self.bytes = self.bytes.saturating_sub(call.text.len());
    }
}

/// A number's random companion (the last step of SplitMix64): different numbers have different ones.
fn scattered(number: u64) -> u64 {
    let number = number.wrapping_add(0x9E37_79B9_7F4A_7C15);
    let number = (number ^ (number >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let number = (number ^ (number >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    number ^ (number >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entries(calls: &Calls) -> Vec<u64> {
        let mut entries: Vec<u64> = calls.iter().map(|call| call.entry).collect();
        entries.sort_unstable();
        entries
    }

    #[test]
    fn every_part_of_a_log_has_its_share_of_the_sample() {
        let (mut room, mut calls) = (Room::default(), Calls::new());
        for entry in 0..100_000 {
            room.offer(&mut calls, entry, || Some(vec![0; 10]));
        }
        assert_eq!((calls.len(), room.calls, room.bytes), (128, 128, 1_280));
        let early = entries(&calls).iter().filter(|entry| **entry < 50_000).count();
        assert!((44..=84).contains(&early), "{early} of 128 are of the first half");
    }

    #[test]
    fn half_a_sample_is_the_sample_of_half_the_size() {
        let (mut room, mut calls) = (Room::default(), Calls::new());
        let (mut small_room, mut small) = (Room { calls_max: 64, ..Room::default() }, Calls::new());
        for entry in 0..10_000 {
            room.offer(&mut calls, entry, || Some(Vec::new()));
            small_room.offer(&mut small, entry, || Some(Vec::new()));
        }
        room.halve();
        room.fit(&mut calls);
        assert_eq!(entries(&calls), entries(&small));
        room.forget_all(&calls);
        assert_eq!((room.calls, room.bytes), (0, 0));
    }

    #[test]
    fn long_calls_are_not_kept_and_no_room_means_none() {
        let (mut room, mut calls) = (Room::default(), Calls::new());
        room.offer(&mut calls, 0, || Some(vec![0; CALL_BYTES_MAX + 1]));
        assert!(calls.is_empty());
        room.calls_max = 0;
        room.offer(&mut calls, 1, || Some(Vec::new()));
        assert!(calls.is_empty());
    }
}
