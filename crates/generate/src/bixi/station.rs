//! A station: its place, its docks, and the bicycles that come and go.

use fastrand::Rng;

/// How full a station should be in each hour of a working day, in percent, where people live and where they work. By night
/// bicycles stand where people live, by day where they work.
const WORKING_DAY: [[i64; 24]; 2] = [
    [72, 74, 75, 76, 76, 72, 58, 40, 28, 26, 28, 30, 32, 32, 32, 34, 40, 52, 62, 66, 68, 70, 70, 71],
    [22, 20, 20, 20, 21, 26, 42, 64, 78, 80, 78, 74, 70, 72, 74, 70, 58, 42, 34, 30, 28, 26, 24, 23],
];
/// The same at weekends: people start late, and go to parks more than to work.
const WEEKEND: [[i64; 24]; 2] = [
    [60, 62, 64, 66, 68, 70, 70, 68, 64, 58, 52, 46, 42, 40, 38, 38, 40, 44, 48, 52, 54, 56, 57, 58],
    [36, 34, 32, 30, 30, 30, 30, 32, 36, 42, 48, 54, 58, 60, 62, 62, 60, 56, 50, 46, 42, 40, 38, 37],
];
/// Days of a week; 2010-09-24 was a Friday, the fifth counted from 1.
const FIRST_WEEKDAY: u64 = 4;

/// A station and its bicycles.
#[derive(Clone, Debug)]
pub struct Station {
    number: u32,
    docks: i64,
    bikes: i64,
    is_where_people_work: bool,
    random: Rng,
}

impl Station {
    /// The station of a number; all that happens there depends on the seed and the number alone.
    pub fn new(number: u32, seed: u64) -> Self {
        let mut random = Rng::with_seed(seed ^ u64::from(number).wrapping_mul(0x9E37_79B9_7F4A_7C15));
        let docks = random.i64(11..=39);
        let is_where_people_work = random.u8(0..100) < 35;
        Self { number, docks, bikes: docks / 2, is_where_people_work, random }
    }

    /// Its number, from 1 on.
    pub fn number(&self) -> u32 {
        self.number
    }

    /// How many bicycles it has room for.
    pub fn docks(&self) -> i64 {
        self.docks
    }

    /// Latitude and longitude.
    pub fn place(&self) -> (f64, f64) {
        let hashed = u64::from(self.number).wrapping_mul(0xD6E8_FEB8_6659_FD93);
        let (north, east) = (hashed % 9_000, (hashed >> 32) % 9_000);
        ((454_600_u64 * 10 + north) as f64 / 100_000.0, -((735_400_u64 * 10 + east) as f64) / 100_000.0)
    }

    /// Goes on by a minute; then so many bicycles are there.
    pub(super) fn next_minute(&mut self, minute: u64) -> i64 {
        let (day, hour) = (minute / 1_440, (minute % 1_440) / 60);
        let is_weekend = (day + FIRST_WEEKDAY) % 7 >= 5;
        let rhythm = if is_weekend { &WEEKEND } else { &WORKING_DAY };
        let of_kind = rhythm
            .get(usize::from(self.is_where_people_work))
            .and_then(|hours| hours.get(usize::try_from(hour).unwrap_or_default()));
        let wanted = of_kind.copied().unwrap_or_default() * self.docks / 100;
        // The further from what it should be, the more comes or goes; and people do as they like.
        let (pull, chance) = (wanted - self.bikes, self.random.i64(0..100));
        let step = match chance {
            0..8 => 1,
            8..16 => -1,
            _ if chance < 16 + pull.abs() * 4 => pull.signum(),
            _ => 0,
        };
        self.bikes = (self.bikes + step).clamp(0, self.docks);
        self.bikes
    }

    /// Whether something rare happens, once in so many times on average.
    pub(super) fn happens(&mut self, once_in: u64) -> bool {
        self.random.u64(0..once_in) == 0
    }

    /// Any number of minutes up to, and with, this.
    pub(super) fn minutes_up_to(&mut self, most: u64) -> u64 {
        self.random.u64(1..=most)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The mean number of bicycles in an hour of the working days of ten weeks, as a share of the docks.
    fn fullness(station: &mut Station, hour: u64) -> f64 {
        let (mut sum, mut count) = (0, 0);
        for minute in 0..70 * 1_440 {
            let bikes = station.next_minute(minute);
            if (minute / 60) % 24 == hour && (minute / 1_440 + FIRST_WEEKDAY) % 7 < 5 {
                sum += bikes;
                count += 1;
            }
        }
        sum as f64 / f64::from(count) / station.docks() as f64
    }

    #[test]
    fn bicycles_go_to_work_in_the_morning() {
        let station =
            |works| (1..).map(|n| Station::new(n, 1)).find(|s| s.is_where_people_work == works).unwrap();
        let (home, work) = (station(false), station(true));
        assert!(fullness(&mut home.clone(), 4) > fullness(&mut home.clone(), 9) + 0.3);
        assert!(fullness(&mut work.clone(), 9) > fullness(&mut work.clone(), 4) + 0.3);
    }

    #[test]
    fn a_station_never_has_more_bicycles_than_docks() {
        for number in 1..50 {
            let mut station = Station::new(number, 7);
            for minute in 0..3 * 1_440 {
                let bikes = station.next_minute(minute);
                assert!((0..=station.docks()).contains(&bikes));
            }
            assert!((45.0..46.0).contains(&station.place().0) && (-74.0..-73.0).contains(&station.place().1));
        }
    }
}
