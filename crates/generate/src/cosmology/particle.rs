//! The properties of one particle in one snapshot.

use std::io::{self, Write};

use fastrand::Rng;

use super::census::{Census, Kind};

/// The properties, in the order of the file. Not every kind of particle has all of them.
pub const METRICS: [&str; 14] =
    ["px", "py", "pz", "vx", "vy", "vz", "mass", "phi", "eps", "rho", "temp", "hsmooth", "metals", "tform"];
/// How far a particle goes in a tick at speed 1; the box is 1 wide and has no borders.
const WAY_PER_TICK: f64 = 0.000_8;
/// Digits behind the point that are kept: what is written is what is read back.
const PARTS: f64 = 1_000_000.0;

/// A particle in a snapshot.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct State {
    /// The snapshot.
    pub snapshot: u32,
    /// What it is.
    pub kind: Kind,
    /// Which one it is.
    pub id: u64,
    /// Its properties, in the order of [`METRICS`].
    pub metrics: [Option<f64>; METRICS.len()],
}

impl State {
    /// The state of a particle: it depends on the seed, the particle and the snapshot alone.
    pub(super) fn new(census: Census, seed: u64, snapshot: u32, kind: Kind, id: u64) -> Self {
        let mut whole_life = Rng::with_seed(seed ^ id.wrapping_mul(0x9E37_79B9_7F4A_7C15));
        let mut now = Rng::with_seed(whole_life.u64(..) ^ u64::from(snapshot));
        let start = [(); 3].map(|()| part(&mut whole_life, -0.5, 0.5));
        let speed = [(); 3].map(|()| part(&mut whole_life, -0.4, 0.4));
        let [px, py, pz] = [0, 1, 2].map(|axis: usize| {
            let (start, speed) = (start.get(axis).copied(), speed.get(axis).copied());
            let way = speed.unwrap_or_default() * f64::from(snapshot) * WAY_PER_TICK;
            Some(rounded(into_box(start.unwrap_or_default() + way)))
        });
        let [vx, vy, vz] = speed.map(|speed| Some(rounded(speed + part(&mut now, -0.01, 0.01))));
        let (mass, eps) = match kind {
            Kind::Dark => (5.1e-8, 4.0e-5),
            Kind::Gas => (1.2e-8, 4.0e-5),
            Kind::Star => (part(&mut whole_life, 3.0, 6.0) * 1e-10, 4.0e-5),
        };
        let phi = Some(part(&mut now, -1.5, -0.1));
        let gas = |now: &mut Rng, low, high| (kind == Kind::Gas).then(|| part(now, low, high));
        let rho = gas(&mut now, 0.1, 900.0);
        let temp = gas(&mut now, 1_000.0, 90_000.0);
        let hsmooth = gas(&mut now, 0.000_1, 0.01);
        let metals = (kind != Kind::Dark).then(|| part(&mut whole_life, 0.0, 0.04));
        let tform = (kind == Kind::Star).then(|| census.formed(id));
        let metrics = [px, py, pz, vx, vy, vz, Some(mass), phi, Some(eps), rho, temp, hsmooth, metals, tform];
        Self { snapshot, kind, id, metrics }
    }

    /// Writes the line of the file, with its end.
    pub(super) fn write_line(&self, out: &mut dyn Write) -> io::Result<()> {
        write!(out, "{},{},{}", self.snapshot, self.kind as u8, self.id)?;
        for metric in self.metrics {
            match metric {
                Some(number) => write!(out, ",{number}")?,
                None => out.write_all(b",")?,
            }
        }
        out.write_all(b"\n")
    }
}

fn part(random: &mut Rng, low: f64, high: f64) -> f64 {
    rounded(low + (high - low) * f64::from(random.u32(..)) / f64::from(u32::MAX))
}

fn rounded(number: f64) -> f64 {
    (number * PARTS).round() / PARTS
}

/// What leaves the box on one side comes in on the other.
fn into_box(place: f64) -> f64 {
    place - (place + 0.5).floor()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cosmology::{Cosmology, FIRST_STAR};

    fn state(snapshot: u32, kind: Kind, id: u64) -> State {
        State::new(Census::new(Cosmology { scale: 0.02, stars_only: false }), 1, snapshot, kind, id)
    }

    #[test]
    fn particles_move_and_stay_what_they_are() {
        let (early, late) = (state(24, Kind::Star, FIRST_STAR), state(512, Kind::Star, FIRST_STAR));
        assert_ne!(early.metrics[0], late.metrics[0], "they move");
        let mass = METRICS.iter().position(|name| *name == "mass").unwrap();
        assert_eq!(early.metrics[mass], late.metrics[mass]);
        for id in 0..200 {
            let place = state(512, Kind::Dark, id).metrics[0].unwrap();
            assert!((-0.5..=0.5).contains(&place), "{place}");
        }
    }

    #[test]
    fn each_kind_has_its_own_properties() {
        let has = |kind, name: &str| {
            let at = METRICS.iter().position(|metric| *metric == name).unwrap();
            state(60, kind, FIRST_STAR).metrics[at].is_some()
        };
        assert!(has(Kind::Gas, "temp") && !has(Kind::Star, "temp") && !has(Kind::Dark, "temp"));
        assert!(has(Kind::Star, "tform") && !has(Kind::Gas, "tform"));
        assert!(has(Kind::Gas, "metals") && !has(Kind::Dark, "metals"));
    }

    #[test]
    fn a_line_is_what_the_state_says() {
        let mut line = Vec::new();
        state(24, Kind::Dark, 7).write_line(&mut line).unwrap();
        let line = String::from_utf8(line).unwrap();
        assert!(line.starts_with("24,0,7,") && line.ends_with(",,,,,\n"), "{line}");
        assert_eq!(line.matches(',').count(), METRICS.len() + 2);
    }
}
