//! A day of the Gregorian calendar, counted from 1970-01-01.

use std::fmt;

use jiff_core::civil::{self, UnixEpochDay};

use super::time_text;

/// A day from 0001-01-01 to 9999-12-31: years that print with four digits sort as text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Date {
    day: UnixEpochDay,
}

impl Date {
    /// 0001-01-01.
    pub const MIN: Self = Self { day: civil::date(1, 1, 1).to_unix_epoch_day() };
    /// 9999-12-31.
    pub const MAX: Self = Self { day: civil::date(9_999, 12, 31).to_unix_epoch_day() };

    /// The day so many days after 1970-01-01, if its year has four digits.
    pub fn from_days(days: i32) -> Option<Self> {
        let date = Self { day: UnixEpochDay::new(days).ok()? };
        (date >= Self::MIN).then_some(date)
    }

    /// Days since 1970-01-01, negative before it.
    pub fn days(self) -> i32 {
        self.day.day()
    }

    /// Reads `YYYY-MM-DD`.
    pub fn parse(text: &str) -> Option<Self> {
        Self::parse_bytes(text.as_bytes())
    }

    /// Reads `YYYY-MM-DD`.
    #[inline]
    pub(super) fn parse_bytes(text: &[u8]) -> Option<Self> {
        let [y1, y2, y3, y4, b'-', m1, m2, b'-', d1, d2] = text else { return None };
        let year = time_text::number([*y1, *y2, *y3, *y4])?;
        let (month, day) = (time_text::number([*m1, *m2])?, time_text::number([*d1, *d2])?);
        let date =
            civil::Date::new(i16::try_from(year).ok()?, i8::try_from(month).ok()?, i8::try_from(day).ok()?);
        let date = Self { day: date.ok()?.to_unix_epoch_day() };
        (date >= Self::MIN).then_some(date)
    }
}

impl fmt::Display for Date {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let date = self.day.to_date();
        write!(f, "{:04}-{:02}-{:02}", date.year(), date.month(), date.day())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_day_of_the_calendar_comes_back_in_order() {
        let mut before = String::new();
        for days in Date::MIN.days()..=Date::MAX.days() {
            let date = Date::from_days(days).unwrap();
            assert_eq!(date.day.to_date().to_unix_epoch_day().day(), days);
            if days % 97 == 0 {
                let text = date.to_string();
                assert_eq!(Date::parse(&text), Some(date));
                assert!(before < text, "{before} {text}");
                before = text;
            }
        }
    }

    #[test]
    fn known_days_have_their_numbers() {
        for (text, days) in [
            ("1970-01-01", 0),
            ("1969-12-31", -1),
            ("2000-02-29", 11_016),
            ("2024-12-31", 20_088),
            ("0001-01-01", Date::MIN.days()),
            ("9999-12-31", Date::MAX.days()),
        ] {
            assert_eq!(Date::parse(text).map(Date::days), Some(days), "{text}");
        }
    }

    #[test]
    fn days_that_do_not_exist_are_refused() {
        for text in ["2023-02-29", "1900-02-29", "2024-13-01", "2024-00-01", "2024-01-00", "2024-04-31"] {
            assert_eq!(Date::parse(text), None, "{text}");
        }
        for text in ["", "2024-1-1", "24-01-01", "2024/01/01", "2024-01-01 ", "0000-01-01", "+024-01-01"] {
            assert_eq!(Date::parse(text), None, "{text}");
        }
        assert_eq!(Date::from_days(i32::MIN), None);
    }
}
