//! Decides when a turn begins.

use std::time::Duration;

/// How fast turns follow each other.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pace {
    /// Turns that are made at the same time.
    pub clients: u32,
    /// Turns a second; none: as fast as it goes.
    pub rate: Option<f64>,
}

/// The most turns that are made at the same time.
pub const CLIENTS_MAX: u32 = 64;

impl Default for Pace {
    fn default() -> Self {
        Self { clients: 1, rate: None }
    }
}

impl Pace {
    /// The clients, within what is allowed.
    pub fn clients(&self) -> u32 {
        self.clients.clamp(1, CLIENTS_MAX)
    }

    /// When a turn is due, counted from the beginning of all: turns that are late do not delay those after them.
    pub fn due(&self, turn: usize) -> Option<Duration> {
        let rate = self.rate.filter(|rate| *rate > 0.0)?;
        Duration::try_from_secs_f64(turn as f64 / rate).ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn turns_are_due_by_the_rate() {
        let pace = Pace { clients: 100, rate: Some(50.0) };
        assert_eq!(pace.due(100), Some(Duration::from_secs(2)));
        assert_eq!((Pace::default().due(5), pace.clients()), (None, 64));
        assert_eq!(Pace { clients: 1, rate: Some(1e-300) }.due(9), None);
    }
}
