//! Candidates that another one beats in everything: no best set needs them.

use std::collections::BTreeMap;

use super::Problem;

/// Which candidates are beaten: another one costs no more to keep, no more in any slot, brings no demand that the beaten one
/// does not bring, and excludes nothing that it does not exclude. Of two that are alike the first stays.
pub(super) fn beaten(problem: &Problem) -> Vec<bool> {
    let profiles = profiles(problem);
    let mut beaten = vec![false; problem.keeping.len()];
    let mut by_slot: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for (candidate, profile) in profiles.iter().enumerate() {
        profile.slots.keys().for_each(|slot| by_slot.entry(*slot).or_default().push(candidate));
    }
    for (candidate, profile) in profiles.iter().enumerate() {
        let Some(first) = profile.slots.keys().next() else { continue };
        let others = by_slot.get(first).into_iter().flatten();
        let is_beaten = others.filter(|other| **other != candidate).any(|other| {
            let stays = !beaten.get(*other).copied().unwrap_or(true);
            stays
                && profiles
                    .get(*other)
                    .is_some_and(|other_profile| other_profile.beats(profile, *other < candidate))
        });
        if let Some(place) = beaten.get_mut(candidate) {
            *place = is_beaten;
        }
    }
    beaten
}

/// What a candidate is, as far as the choice goes.
#[derive(Default)]
struct Profile {
    keeping: f64,
    slots: BTreeMap<usize, f64>,
    brings: Vec<usize>,
    excludes: Vec<usize>,
}

impl Profile {
    fn beats(&self, other: &Self, is_first: bool) -> bool {
        self.is_as_good_as(other) && (is_first || !other.is_as_good_as(self))
    }

    fn is_as_good_as(&self, other: &Self) -> bool {
        self.keeping <= other.keeping
            && other.slots.iter().all(|(slot, cost)| self.slots.get(slot).is_some_and(|own| own <= cost))
            && self.brings.iter().all(|one| other.brings.contains(one))
            && self.excludes.iter().all(|one| other.excludes.contains(one))
    }
}

fn profiles(problem: &Problem) -> Vec<Profile> {
    let mut profiles: Vec<Profile> =
        problem.keeping.iter().map(|keeping| Profile { keeping: *keeping, ..Profile::default() }).collect();
    let mut slot_number = 0;
    for (number, demand) in problem.demands.iter().enumerate() {
        for slot in demand.alternatives.iter().flat_map(|way| &way.slots) {
            for choice in &slot.choices {
                if let Some(profile) = profiles.get_mut(choice.candidate) {
                    let cost = profile.slots.entry(slot_number).or_insert(choice.cost);
                    *cost = cost.min(choice.cost);
                }
            }
            slot_number += 1;
        }
        for candidate in &demand.when {
            profiles.get_mut(*candidate).into_iter().for_each(|profile| profile.brings.push(number));
        }
    }
    for (number, conflict) in problem.conflicts.iter().enumerate() {
        for candidate in conflict {
            profiles.get_mut(*candidate).into_iter().for_each(|profile| profile.excludes.push(number));
        }
    }
    profiles
}
