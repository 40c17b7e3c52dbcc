//! How many particles there are, and since when.

use super::Cosmology;

/// The snapshots of the paper (table VI).
pub const SNAPSHOTS: [u32; 9] = [24, 29, 36, 45, 60, 84, 128, 216, 512];
/// The id of the first star: dark matter has the ids before 2²⁴, gas those before 2²⁵.
pub const FIRST_STAR: u64 = 1 << 25;
const FIRST_GAS: u64 = 1 << 24;

/// Stars at moments of the simulation, on its own clock, whose ticks are snapshot numbers. Snapshots 24, 29, 60 to 512 are
/// those of table VI(b), moment 14 is `tform > 0.01` of table VI(a); snapshots 36 and 45 lie between.
const STARS: [(f64, f64); 11] = [
    (0.0, 0.0),
    (14.0, 4.0),
    (24.0, 1_291.0),
    (29.0, 5_568.0),
    (36.0, 24_500.0),
    (45.0, 81_000.0),
    (60.0, 259_219.0),
    (84.0, 907_025.0),
    (128.0, 2_743_966.0),
    (216.0, 6_396_955.0),
    (512.0, 12_417_544.0),
];
/// The time of formation of a star that is born at a tick: the conditions of table VI(a) fit it.
const FORMED_PER_TICK: f64 = 0.000_709;
/// Stars for which one particle of gas is used up: together with the rest this gives the paper's 321 million states.
const STARS_PER_GAS: u64 = 6;

/// What a particle is. Its number is the paper's.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// Dark matter.
    Dark = 0,
    /// Gas.
    Gas = 1,
    /// A star.
    Star = 2,
}

/// How many particles there are.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Census {
    cosmology: Cosmology,
}

impl Census {
    /// The particles of a universe.
    pub fn new(cosmology: Cosmology) -> Self {
        Self { cosmology }
    }

    /// The kinds that there are.
    pub fn kinds(self) -> &'static [Kind] {
        if self.cosmology.stars_only { &[Kind::Star] } else { &[Kind::Dark, Kind::Gas, Kind::Star] }
    }

    /// The ids of a kind in a snapshot.
    pub fn ids(self, kind: Kind, snapshot: u32) -> std::ops::Range<u64> {
        let full = (FIRST_GAS as f64 * self.cosmology.scale).round() as u64;
        let stars = (between(&STARS, f64::from(snapshot)) * self.cosmology.scale).round() as u64;
        match kind {
            Kind::Dark => 0..full,
            // What is used up are the first ones.
            Kind::Gas => FIRST_GAS + (stars / STARS_PER_GAS).min(full)..FIRST_GAS + full,
            Kind::Star => FIRST_STAR..FIRST_STAR + stars,
        }
    }

    /// The time of formation of a star, which its id tells: they are numbered as they are born.
    pub fn formed(self, id: u64) -> f64 {
        let number = id.saturating_sub(FIRST_STAR) as f64 / self.cosmology.scale;
        let by_number = STARS.map(|(tick, stars)| (stars, tick));
        between(&by_number, number) * FORMED_PER_TICK
    }

    /// Particles of all snapshots.
    pub fn states(self) -> u64 {
        let of =
            |snapshot: &u32| self.kinds().iter().map(|kind| count(&self.ids(*kind, *snapshot))).sum::<u64>();
        SNAPSHOTS.iter().map(of).sum()
    }

    /// Different particles, whenever they are.
    pub fn particles(self) -> u64 {
        let [first, .., last] = SNAPSHOTS;
        let of = |kind: &Kind| match kind {
            Kind::Gas => count(&self.ids(*kind, first)),
            Kind::Dark | Kind::Star => count(&self.ids(*kind, last)),
        };
        self.kinds().iter().map(of).sum()
    }
}

fn count(ids: &std::ops::Range<u64>) -> u64 {
    ids.end - ids.start
}

/// The value at a place between two points of a line that rises.
fn between(points: &[(f64, f64)], at: f64) -> f64 {
    let mut before = points.first().copied().unwrap_or_default();
    for &(x, y) in points {
        if x >= at {
            let width = x - before.0;
            let share = if width > 0.0 { (at - before.0) / width } else { 1.0 };
            return before.1 + (y - before.1) * share;
        }
        before = (x, y);
    }
    before.1
}

#[cfg(test)]
mod tests {
    use super::*;

    fn paper(stars_only: bool) -> Census {
        Census::new(Cosmology { scale: 1.0, stars_only })
    }

    #[test]
    fn there_are_as_many_particles_as_in_the_paper() {
        let states = paper(false).states() as f64;
        assert!((states / 321_065_547.0 - 1.0).abs() < 0.002, "{states}");
        assert_eq!(count(&paper(true).ids(Kind::Star, 512)), 12_417_544);
        assert_eq!(count(&paper(true).ids(Kind::Star, 24)), 1_291);
    }

    #[test]
    fn as_many_stars_fit_the_papers_conditions() {
        let census = paper(true);
        let older = |formed: f64, snapshot| {
            census.ids(Kind::Star, snapshot).filter(|id| census.formed(*id) > formed).count() as f64
        };
        for (formed, snapshot, stars) in [(0.08, 128, 604_567.0), (0.05, 128, 2_237_646.0)] {
            let found = older(formed, snapshot);
            assert!((found / stars - 1.0).abs() < 0.1, "{formed} in {snapshot}: {found} of {stars}");
        }
    }

    #[test]
    fn gas_is_used_up_while_stars_are_born() {
        let census = Census::new(Cosmology { scale: 0.001, stars_only: false });
        let (early, late) = (census.ids(Kind::Gas, 24), census.ids(Kind::Gas, 512));
        assert!(early.start < late.start && early.end == late.end);
        assert_eq!(census.ids(Kind::Dark, 24), census.ids(Kind::Dark, 512));
        assert!(census.particles() > count(&late));
    }
}
