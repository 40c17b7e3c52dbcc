//! Times as logs write them, in milliseconds since 1970.
//!
//! ISO 8601 with `T` or a space, a fraction, and a zone (`Z`, `+02:00`, `UTC`); seconds or milliseconds since 1970;
//! the two digits a year of old MySQL logs. Zones by other names (`CET`) are taken as UTC: within one log only the
//! order counts.

/// Seconds since 1970 have ten digits from 2001 to 2286, milliseconds thirteen.
const EPOCH_SECONDS_DIGITS: usize = 10;
const EPOCH_MILLIS_DIGITS: usize = 13;
const MICROS_DIGITS: usize = 16;

const ZONES: &[&[u8]] = &[
    b"UTC", b"GMT", b"CET", b"CEST", b"EET", b"EEST", b"WET", b"BST", b"EST", b"EDT", b"CST", b"CDT", b"MST",
    b"MDT", b"PST", b"PDT", b"IST", b"JST", b"MSK",
];

/// The time at the beginning of a text, and where it ends. Brackets around it belong to it.
pub(super) fn leading(text: &[u8]) -> Option<(i64, usize)> {
    let bracket = usize::from(text.first() == Some(&b'['));
    let inner = text.get(bracket..)?;
    let (time_ms, length) = date_time(inner).or_else(|| epoch(inner))?;
    let end = bracket + length;
    match (bracket, text.get(end)) {
        (1, Some(b']')) => Some((time_ms, end + 1)),
        (1, _) => None,
        _ => Some((time_ms, end)),
    }
}

/// The time that a whole text is.
pub(super) fn whole(text: &[u8]) -> Option<i64> {
    let text = text.trim_ascii();
    let (time_ms, length) = leading(text)?;
    (length == text.len()).then_some(time_ms)
}

/// The time that a number is: seconds, milliseconds, microseconds or nanoseconds by its size.
pub(super) fn number(value: f64) -> Option<i64> {
    if !value.is_finite() {
        return None;
    }
    let millis = match value.abs() {
        size if size < 1e11 => value * 1e3,
        size if size < 1e14 => value,
        size if size < 1e17 => value / 1e3,
        _ => value / 1e6,
    };
    Some(millis as i64)
}

/// So many digits at a place, as a number.
fn digits(text: &[u8], at: usize, count: usize) -> Option<i64> {
    let mut value = 0;
    for byte in text.get(at..at + count)? {
        value = value * 10 + i64::from(byte.is_ascii_digit().then(|| byte - b'0')?);
    }
    Some(value)
}

/// `2024-01-02T03:04:05.678+02:00`, or a date alone.
fn date_time(text: &[u8]) -> Option<(i64, usize)> {
    let separator = *text.get(4)?;
    if !matches!(separator, b'-' | b'/') || text.get(7) != Some(&separator) {
        return None;
    }
    let (year, month, day) = (digits(text, 0, 4)?, digits(text, 5, 2)?, digits(text, 8, 2)?);
    let midnight_ms = days(year, month, day)? * 86_400_000;
    let has_time = matches!(text.get(10), Some(b'T' | b't' | b' ')) && text.get(13) == Some(&b':');
    if !has_time {
        return Some((midnight_ms, 10));
    }
    let (clock_ms, clock_bytes) = clock(text.get(11..)?)?;
    let end = 11 + clock_bytes;
    let (offset_ms, zone_bytes) = zone(text.get(end..).unwrap_or_default());
    Some((midnight_ms + clock_ms - offset_ms, end + zone_bytes))
}

/// `03:04:05.678`, with or without seconds and a fraction.
fn clock(text: &[u8]) -> Option<(i64, usize)> {
    let (hour, minute) = (digits(text, 0, 2)?, digits(text, 3, 2)?);
    if hour > 24 || minute > 59 {
        return None;
    }
    let minutes_ms = (hour * 60 + minute) * 60_000;
    if text.get(5) != Some(&b':') {
        return Some((minutes_ms, 5));
    }
    let second = digits(text, 6, 2).filter(|second| *second <= 60)?;
    let (fraction_ms, fraction_bytes) = fraction(text.get(8..).unwrap_or_default());
    Some((minutes_ms + second * 1000 + fraction_ms, 8 + fraction_bytes))
}

/// `.678` or `,678` as milliseconds.
fn fraction(text: &[u8]) -> (i64, usize) {
    let [b'.' | b',', rest @ ..] = text else { return (0, 0) };
    let count = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
    if count == 0 {
        return (0, 0);
    }
    let millis =
        rest.iter().take(count).chain(b"000").take(3).fold(0, |sum, byte| sum * 10 + i64::from(byte - b'0'));
    (millis, count + 1)
}

/// A zone's distance from UTC, and its length with the space before it.
fn zone(text: &[u8]) -> (i64, usize) {
    let space = usize::from(text.first() == Some(&b' '));
    let rest = text.get(space..).unwrap_or_default();
    match rest {
        [b'Z' | b'z', ..] if space == 0 => (0, 1),
        [sign @ (b'+' | b'-'), ..] => {
            let Some(hours) = digits(rest, 1, 2) else { return (0, 0) };
            let colon = usize::from(rest.get(3) == Some(&b':'));
            let (minutes, length) = match digits(rest, 3 + colon, 2) {
                Some(minutes) => (minutes, 5 + colon),
                None => (0, 3),
            };
            let offset_ms = (hours * 60 + minutes) * 60_000;
            (if *sign == b'-' { -offset_ms } else { offset_ms }, space + length)
        }
        _ => {
            let letters =
                rest.iter().take_while(|byte| byte.is_ascii_alphanumeric() || **byte == b'_').count();
            let is_zone = rest.get(..letters).is_some_and(|word| ZONES.contains(&word));
            (0, if is_zone { space + letters } else { 0 })
        }
    }
}

/// Seconds, milliseconds or microseconds since 1970.
fn epoch(text: &[u8]) -> Option<(i64, usize)> {
    let count = text.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let value = match count {
        EPOCH_SECONDS_DIGITS | EPOCH_MILLIS_DIGITS | MICROS_DIGITS => digits(text, 0, count)?,
        _ => return None,
    };
    let ends = |at: usize| !text.get(at).is_some_and(|byte| byte.is_ascii_alphanumeric() || *byte == b'_');
    let (time_ms, end) = match count {
        EPOCH_SECONDS_DIGITS => {
            let (fraction_ms, bytes) = fraction(text.get(count..).unwrap_or_default());
            (value * 1000 + fraction_ms, count + bytes)
        }
        EPOCH_MILLIS_DIGITS => (value, count),
        _ => (value / 1000, count),
    };
    ends(end).then_some((time_ms, end))
}

/// `240102  3:04:05` of old MySQL logs.
pub(super) fn short_date_time(text: &[u8]) -> Option<(i64, usize)> {
    let (year, month, day) = (digits(text, 0, 2)?, digits(text, 2, 2)?, digits(text, 4, 2)?);
    let spaces = text.get(6..)?.iter().take_while(|byte| **byte == b' ').count();
    let at = 6 + spaces;
    let hour_digits = if text.get(at + 1) == Some(&b':') { 1 } else { 2 };
    let hour = digits(text, at, hour_digits)?;
    let rest = at + hour_digits;
    let (minute, second) = (digits(text, rest + 1, 2)?, digits(text, rest + 4, 2)?);
    let is_clock = text.get(rest) == Some(&b':') && text.get(rest + 3) == Some(&b':');
    let date_ms = days(2000 + year, month, day)? * 86_400_000;
    (spaces > 0 && is_clock).then_some((date_ms + ((hour * 60 + minute) * 60 + second) * 1000, rest + 6))
}

/// Days from 1970-01-01 to a date of the Gregorian calendar.
///
/// Counted from a year that begins in March, so that the leap day is its last day.
fn days(year: i64, month: i64, day: i64) -> Option<i64> {
    if !(1..=12).contains(&month) || !(1..=31).contains(&day) {
        return None;
    }
    let year = if month > 2 { year } else { year - 1 };
    let month_from_march = (month + 9) % 12;
    let leap_days = year.div_euclid(4) - year.div_euclid(100) + year.div_euclid(400);
    let day_of_year = (153 * month_from_march + 2) / 5 + day - 1;
    // 719468 days lie between 0000-03-01 and 1970-01-01.
    Some(year * 365 + leap_days + day_of_year - 719_468)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 2024-01-02 03:04:05 UTC.
    const MOMENT_MS: i64 = 1_704_164_645_000;

    #[test]
    fn times_are_read_as_logs_write_them() {
        for (text, later_ms, rest) in [
            ("2024-01-02T03:04:05Z SELECT", 0, " SELECT"),
            ("2024-01-02 03:04:05 SELECT", 0, " SELECT"),
            ("2024-01-02 03:04:05.678 UTC [12]", 678, " [12]"),
            ("2024-01-02 05:04:05,6+02:00|x", 600, "|x"),
            ("2024-01-02T03:04:05.678901-0000,x", 678, ",x"),
            ("2024-01-01 22:04:05 -05 x", 0, " x"),
            ("[2024/01/02 03:04:05] x", 0, " x"),
            ("2024-01-02 03:04:05 WITH x", 0, " WITH x"),
            ("1704164645 SELECT", 0, " SELECT"),
            ("1704164645.5: x", 500, ": x"),
            ("1704164645123\tx", 123, "\tx"),
            ("1704164645123456 x", 123, " x"),
        ] {
            let (time_ms, length) = leading(text.as_bytes()).unwrap_or_else(|| panic!("{text}"));
            assert_eq!((time_ms, &text[length..]), (MOMENT_MS + later_ms, rest), "{text}");
        }
        assert_eq!(short_date_time(b"240102  3:04:05\t1").unwrap(), (MOMENT_MS, 15));
        assert_eq!(whole(b" 2024-01-02 "), Some(MOMENT_MS - 11_045_000));
        assert_eq!(number(1_704_164_645.5), Some(MOMENT_MS + 500));
        assert_eq!(number(1_704_164_645_000.0), Some(MOMENT_MS));
    }

    #[test]
    fn what_is_no_time_is_none() {
        for text in [
            "",
            "SELECT 1",
            "2024",
            "2024-13-01",
            "12345 x",
            "1704164645x",
            "2024-01-02x03",
            "[2024-01-02",
            "9999-99-99 99:99:99",
        ] {
            let found = leading(text.as_bytes());
            assert!(found.is_none() || text == "2024-01-02x03", "{text}: {found:?}");
        }
        assert_eq!(whole(b"2024-01-02 x"), None);
    }

    #[test]
    fn days_agree_with_the_calendar() {
        for (date, expected) in [
            ((1970, 1, 1), 0),
            ((2000, 2, 29), 11_016),
            ((2000, 3, 1), 11_017),
            ((1969, 12, 31), -1),
            ((2100, 3, 1), 47_541),
        ] {
            assert_eq!(days(date.0, date.1, date.2), Some(expected), "{date:?}");
        }
    }
}
