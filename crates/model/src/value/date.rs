//! A day of the Gregorian calendar, counted from 1970-01-01.

use std::fmt;

/// Days from 0001-01-01 to 1970-01-01.
const DAYS_BEFORE_EPOCH: i32 = 719_162;
/// Days of 400 years, after which the calendar repeats.
const DAYS_OF_400_YEARS: i32 = 146_097;
/// Days before each month of a year that is no leap year.
const DAYS_BEFORE_MONTH: [i32; 12] = [0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334];

/// A day from 0001-01-01 to 9999-12-31: years that print with four digits sort as text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Date {
    days: i32,
}

impl Date {
    /// 0001-01-01.
    pub const MIN: Self = Self { days: -DAYS_BEFORE_EPOCH };
    /// 9999-12-31.
    pub const MAX: Self = Self { days: 2_932_896 };

    /// The day so many days after 1970-01-01, if its year has four digits.
    pub fn from_days(days: i32) -> Option<Self> {
        (Self::MIN.days..=Self::MAX.days).contains(&days).then_some(Self { days })
    }

    /// Days since 1970-01-01, negative before it.
    pub fn days(self) -> i32 {
        self.days
    }

    /// The day of a year (1 to 9999), a month (1 to 12) and a day of the month, if there is one.
    pub fn from_calendar(year: i32, month: u32, day: u32) -> Option<Self> {
        if !(1..=9_999).contains(&year) || !(1..=12).contains(&month) {
            return None;
        }
        let of_month = i32::try_from(day).ok()?;
        if !(1..=days_before_month(year, month + 1) - days_before_month(year, month)).contains(&of_month) {
            return None;
        }
        let before = days_before_year(year) + days_before_month(year, month);
        Self::from_days(before + of_month - 1 - DAYS_BEFORE_EPOCH)
    }

    /// Year, month and day of the month.
    pub fn calendar(self) -> (i32, u32, u32) {
        let from_year_1 = self.days + DAYS_BEFORE_EPOCH;
        // The mean length of a year gives the year or one beside it.
        let guess = i64::from(from_year_1) * 400 / i64::from(DAYS_OF_400_YEARS) + 1;
        let mut year = i32::try_from(guess).unwrap_or(1);
        while days_before_year(year) > from_year_1 {
            year -= 1;
        }
        while days_before_year(year + 1) <= from_year_1 {
            year += 1;
        }
        let of_year = from_year_1 - days_before_year(year);
        let month = (1..=12).rev().find(|month| days_before_month(year, *month) <= of_year).unwrap_or(1);
        let day = of_year - days_before_month(year, month) + 1;
        (year, month, u32::try_from(day).unwrap_or(1))
    }

    /// Reads `YYYY-MM-DD`.
    pub fn parse(text: &str) -> Option<Self> {
        let bytes = text.as_bytes();
        let [y1, y2, y3, y4, b'-', m1, m2, b'-', d1, d2] = bytes else { return None };
        let year = digits(&[*y1, *y2, *y3, *y4])?;
        Self::from_calendar(i32::try_from(year).ok()?, digits(&[*m1, *m2])?, digits(&[*d1, *d2])?)
    }
}

/// The number that ASCII digits write.
pub(super) fn digits(text: &[u8]) -> Option<u32> {
    text.iter().try_fold(0_u32, |number, byte| {
        let digit = char::from(*byte).to_digit(10)?;
        number.checked_mul(10)?.checked_add(digit)
    })
}

fn is_leap(year: i32) -> bool {
    year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
}

/// Days from 0001-01-01 to the first day of a year.
fn days_before_year(year: i32) -> i32 {
    let past = year - 1;
    past * 365 + past / 4 - past / 100 + past / 400
}

/// Days from a year's first day to the first day of a month; month 13 is the next year.
fn days_before_month(year: i32, month: u32) -> i32 {
    let index = usize::try_from(month).unwrap_or(0).saturating_sub(1);
    let before = DAYS_BEFORE_MONTH.get(index).copied().unwrap_or(365);
    before + i32::from(month > 2 && is_leap(year))
}

impl fmt::Display for Date {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (year, month, day) = self.calendar();
        write!(f, "{year:04}-{month:02}-{day:02}")
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
            let (year, month, day) = date.calendar();
            assert_eq!(Date::from_calendar(year, month, day), Some(date));
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
