//! How much there is at a scale.

/// The stations of the paper's data.
const STATIONS: f64 = 404.0;
/// Its days.
const DAYS: f64 = 70.0;
/// Questions go back up to 16 days: fewer than these would cut them short, so that stations become fewer instead.
const FEWEST_DAYS: f64 = 17.0;

/// Minutes of a day.
pub const MINUTES_PER_DAY: u64 = 1_440;
/// Milliseconds of a minute.
pub const MINUTE_MS: i64 = 60_000;
/// 2010-09-24T00:00:00Z.
pub const FIRST_DAY_MS: i64 = 1_285_286_400_000;

/// How many stations are asked over how many days.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Extent {
    /// Days, from [`FIRST_DAY_MS`] on.
    pub days: u32,
    /// Stations, with numbers from 1 on.
    pub stations: u32,
}

impl Extent {
    /// What a share of the paper's data is: fewer days first, then fewer stations.
    pub fn at_scale(scale: f64) -> Self {
        let days = (DAYS * scale).round().max(FEWEST_DAYS);
        let stations = (STATIONS * (scale * DAYS / days).min(1.0)).round().max(1.0);
        Self { days: days as u32, stations: stations as u32 }
    }

    /// The minutes of all days.
    pub fn minutes(self) -> u64 {
        u64::from(self.days) * MINUTES_PER_DAY
    }

    /// The moment behind the last minute.
    pub fn end_ms(self) -> i64 {
        FIRST_DAY_MS + self.minutes().cast_signed() * MINUTE_MS
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_shrink_before_stations() {
        let at = |scale| {
            let Extent { days, stations } = Extent::at_scale(scale);
            (days, stations)
        };
        assert_eq!(at(1.0), (70, 404));
        assert_eq!(at(0.5), (35, 404));
        assert_eq!(at(0.01), (17, 17));
        assert_eq!(at(0.000_1), (17, 1));
    }
}
