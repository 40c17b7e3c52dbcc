//! A moment in UTC, to the microsecond.
//!
//! Microseconds, because that is what SQL databases keep and what parquet files mostly hold. The version of a cell is
//! in milliseconds; [`Moment::millis`] gives it.

use std::fmt;

use super::date::Date;
use super::time_text;

const MICROS_OF_SECOND: i64 = 1_000_000;
const MICROS_OF_DAY: i64 = 86_400 * MICROS_OF_SECOND;

/// A moment from year 1 to year 9999, counted in microseconds from 1970-01-01T00:00:00Z.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Moment {
    micros: i64,
}

impl Moment {
    /// The first microsecond of year 1.
    pub const MIN: Self = Self { micros: -62_135_596_800 * MICROS_OF_SECOND };
    /// The last microsecond of year 9999.
    pub const MAX: Self = Self { micros: 253_402_300_800 * MICROS_OF_SECOND - 1 };

    /// The moment so many microseconds after 1970-01-01T00:00:00Z, if its year has four digits.
    pub fn from_micros(micros: i64) -> Option<Self> {
        (Self::MIN.micros..=Self::MAX.micros).contains(&micros).then_some(Self { micros })
    }

    /// The moment so many milliseconds after 1970-01-01T00:00:00Z, if its year has four digits.
    pub fn from_millis(millis: i64) -> Option<Self> {
        Self::from_micros(millis.checked_mul(1_000)?)
    }

    /// Microseconds since 1970-01-01T00:00:00Z.
    pub fn micros(self) -> i64 {
        self.micros
    }

    /// Whole milliseconds since 1970-01-01T00:00:00Z, as the version of a cell counts them.
    pub fn millis(self) -> i64 {
        self.micros.div_euclid(1_000)
    }

    /// The day it is on.
    pub fn date(self) -> Date {
        let days = i32::try_from(self.micros.div_euclid(MICROS_OF_DAY)).ok();
        days.and_then(Date::from_days).unwrap_or(Date::MIN)
    }

    /// The first moment of a day.
    pub fn midnight(date: Date) -> Self {
        Self { micros: i64::from(date.days()) * MICROS_OF_DAY }
    }

    /// Reads `YYYY-MM-DD`, alone or with `HH:MM`, `HH:MM:SS` or `HH:MM:SS.fraction` after a `T` or a space, and then
    /// `Z`, ` UTC` or an offset such as `+02:00`. Without one it is UTC. A fraction is cut to microseconds.
    pub fn parse(text: &str) -> Option<Self> {
        let (date, rest) = text.as_bytes().split_at_checked(10)?;
        let midnight = Self::midnight(Date::parse_bytes(date)?);
        let [b'T' | b't' | b' ', rest @ ..] = rest else { return rest.is_empty().then_some(midnight) };
        let (clock, rest) = time_text::clock(rest)?;
        let second = clock.second.unwrap_or(0);
        if clock.hour > 23 || clock.minute > 59 || second > 59 {
            return None;
        }
        let (micros, rest) = match rest {
            [b'.', digits @ ..] if clock.second.is_some() => time_text::fraction_micros(digits)?,
            _ => (0, rest),
        };
        let seconds = i64::from(clock.seconds()) - zone_seconds(rest)?;
        Self::from_micros(midnight.micros + seconds * MICROS_OF_SECOND + i64::from(micros))
    }
}

/// How many seconds the clocks of the zone that ends a text are ahead of UTC.
fn zone_seconds(text: &[u8]) -> Option<i64> {
    if matches!(text, b"" | b"Z" | b"z" | b" UTC") {
        return Some(0);
    }
    let (offset, rest) = time_text::offset(std::str::from_utf8(text).ok()?.trim_start().as_bytes())?;
    (rest.is_empty() && offset.hours <= 18 && offset.minutes < 60).then(|| offset.seconds())
}

impl fmt::Display for Moment {
    /// `YYYY-MM-DDTHH:MM:SSZ`, with three or six digits of a fraction where there is one.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (seconds, micros) = self.clock();
        let (hours, minutes) = (seconds / 3_600, seconds / 60 % 60);
        write!(f, "{}T{hours:02}:{minutes:02}:{:02}", self.date(), seconds % 60)?;
        match micros {
            0 => f.write_str("Z"),
            _ if micros % 1_000 == 0 => write!(f, ".{:03}Z", micros / 1_000),
            _ => write!(f, ".{micros:06}Z"),
        }
    }
}

impl Moment {
    /// The moment with all its digits, always 27 characters, so that text sorts as time does.
    pub(super) fn to_fixed_text(self) -> String {
        let (seconds, micros) = self.clock();
        let (hours, minutes) = (seconds / 3_600, seconds / 60 % 60);
        format!("{}T{hours:02}:{minutes:02}:{:02}.{micros:06}Z", self.date(), seconds % 60)
    }

    /// Seconds since midnight, and microseconds of the second.
    fn clock(self) -> (i64, i64) {
        let of_day = self.micros.rem_euclid(MICROS_OF_DAY);
        (of_day / MICROS_OF_SECOND, of_day % MICROS_OF_SECOND)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_ways_to_write_a_moment_are_read() {
        for text in [
            "2024-02-29T12:30:45.5Z",
            "2024-02-29 12:30:45.500000",
            "2024-02-29 12:30:45.500 UTC",
            "2024-02-29T14:30:45.5+02:00",
            "2024-02-29t07:00:45.5-0530",
            "2024-02-29 13:30:45.500000999+01",
            "2024-02-29 13:30:45.5 \t\u{a0}+0100",
            "2024-02-28 17:31:45.5-18:59",
        ] {
            assert_eq!(Moment::parse(text).map(Moment::micros), Some(1_709_209_845_500_000), "{text}");
        }
        assert_eq!(Moment::parse("1970-01-02").map(Moment::millis), Some(86_400_000));
        assert_eq!(Moment::parse("1970-01-01 00:01").map(Moment::micros), Some(60_000_000));
    }

    #[test]
    fn what_is_printed_is_read_back() {
        for micros in [0, 1, -1, 1_000, 999_999, -86_400_000_001, 1_709_209_845_500_000] {
            let moment = Moment::from_micros(micros).unwrap();
            assert_eq!(Moment::parse(&moment.to_string()), Some(moment), "{moment}");
            assert_eq!(Moment::parse(&moment.to_fixed_text()), Some(moment), "{moment}");
        }
        assert_eq!(Moment::MIN.to_string(), "0001-01-01T00:00:00Z");
        assert_eq!(Moment::MAX.to_string(), "9999-12-31T23:59:59.999999Z");
        assert_eq!(Moment::from_micros(-1).unwrap().millis(), -1);
    }

    #[test]
    fn what_is_no_moment_is_refused() {
        for text in [
            "",
            "12:00",
            "2024-02-29T",
            "2024-02-29T24:00",
            "2024-02-29T12:60",
            "2024-02-29T12:30:60",
            "2024-02-29T12:30.5",
            "2024-02-29T12:30:45.",
            "2024-02-29T12:30:45.x",
            "2024-02-29T12:30:45+2",
            "2024-02-29T12:30:45+19:00",
            "2024-02-29T12:30:45+01:60",
            "2024-02-29T12:30:45+01:",
            "2024-02-29T12:30:45+01 UTC",
            "2024-02-29T12:30:45 Z",
            "2024-02-29T12:30:4",
            "2024-02-29T12:30:",
            "2024-02-29T12:30:45,5",
            "2024-02-29é12:30",
            "9999-12-31T23:59:59-01:00",
            "1709209845",
        ] {
            assert_eq!(Moment::parse(text), None, "{text}");
        }
    }
}
