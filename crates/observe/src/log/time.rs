//! Times as logs write them, in milliseconds since 1970.
//!
//! ISO 8601 with `T` or a space, a fraction, and a zone (`Z`, `+02:00`, `UTC`); seconds or milliseconds since 1970;
//! the two digits a year of old MySQL logs. Zones by other names (`CET`) are taken as UTC: within one log only the
//! order counts.

use jiff_core::civil;
use tablesmith_model::value::time_text;

/// Seconds since 1970 have ten digits from 2001 to 2286, milliseconds thirteen.
const EPOCH_SECONDS_DIGITS: usize = 10;
const EPOCH_MILLIS_DIGITS: usize = 13;
const EPOCH_MICROS_DIGITS: usize = 16;

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

/// `2024-01-02T03:04:05.678+02:00`, or a date alone.
fn date_time(text: &[u8]) -> Option<(i64, usize)> {
    let [y1, y2, y3, y4, separator @ (b'-' | b'/'), m1, m2, second_separator, d1, d2, rest @ ..] = text
    else {
        return None;
    };
    if separator != second_separator {
        return None;
    }
    let midnight_ms = day_ms(time_text::number([*y1, *y2, *y3, *y4])?, [*m1, *m2], [*d1, *d2])?;
    let [b'T' | b't' | b' ', rest @ ..] = rest else { return Some((midnight_ms, 10)) };
    if rest.get(2) != Some(&b':') {
        return Some((midnight_ms, 10));
    }
    let (clock_ms, rest) = clock(rest)?;
    let (offset_ms, rest) = zone(rest);
    Some((midnight_ms + clock_ms - offset_ms, text.len() - rest.len()))
}

/// `03:04:05.678`, with or without seconds and a fraction; and what follows.
fn clock(text: &[u8]) -> Option<(i64, &[u8])> {
    let (clock, rest) = time_text::clock(text)?;
    if clock.hour > 24 || clock.minute > 59 || clock.second.is_some_and(|second| second > 60) {
        return None;
    }
    let (fraction_ms, rest) = if clock.second.is_some() { fraction(rest) } else { (0, rest) };
    Some((i64::from(clock.seconds()) * 1_000 + fraction_ms, rest))
}

/// `.678` or `,678` as milliseconds, and what follows.
fn fraction(text: &[u8]) -> (i64, &[u8]) {
    let [b'.' | b',', digits @ ..] = text else { return (0, text) };
    time_text::fraction_micros(digits).map_or((0, text), |(micros, rest)| (i64::from(micros / 1_000), rest))
}

/// A zone's distance from UTC, with or without a space before it; and what follows.
fn zone(text: &[u8]) -> (i64, &[u8]) {
    if let [b'Z' | b'z', rest @ ..] = text {
        return (0, rest);
    }
    let zone = text.strip_prefix(b" ").unwrap_or(text);
    if let Some((offset, rest)) = time_text::offset(zone) {
        return (offset.seconds() * 1_000, rest);
    }
    let letters = zone.iter().take_while(|byte| byte.is_ascii_alphanumeric() || **byte == b'_').count();
    match zone.split_at_checked(letters) {
        Some((name, rest)) if ZONES.contains(&name) => (0, rest),
        _ => (0, text),
    }
}

/// Seconds, milliseconds or microseconds since 1970.
fn epoch(text: &[u8]) -> Option<(i64, usize)> {
    let count = text.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let (digits, rest) = text.split_at_checked(count)?;
    let value = || digits.iter().fold(0, |value, digit| value * 10 + i64::from(digit - b'0'));
    let (time_ms, rest) = match count {
        EPOCH_SECONDS_DIGITS => {
            let (fraction_ms, rest) = fraction(rest);
            (value() * 1_000 + fraction_ms, rest)
        }
        EPOCH_MILLIS_DIGITS => (value(), rest),
        EPOCH_MICROS_DIGITS => (value() / 1_000, rest),
        _ => return None,
    };
    let goes_on = rest.first().is_some_and(|byte| byte.is_ascii_alphanumeric() || *byte == b'_');
    (!goes_on).then(|| (time_ms, text.len() - rest.len()))
}

/// `240102  3:04:05` of old MySQL logs.
pub(super) fn short_date_time(text: &[u8]) -> Option<(i64, usize)> {
    let [y1, y2, m1, m2, d1, d2, b' ', rest @ ..] = text else { return None };
    let midnight_ms = day_ms(2_000 + time_text::number([*y1, *y2])?, [*m1, *m2], [*d1, *d2])?;
    let spaces = rest.iter().take_while(|byte| **byte == b' ').count();
    let (hour, rest) = match rest.get(spaces..)? {
        [h1, b':', rest @ ..] => (time_text::number([*h1])?, rest),
        [h1, h2, b':', rest @ ..] => (time_text::number([*h1, *h2])?, rest),
        _ => return None,
    };
    let [m1, m2, b':', s1, s2, rest @ ..] = rest else { return None };
    let (minute, second) = (time_text::number([*m1, *m2])?, time_text::number([*s1, *s2])?);
    let clock_ms = i64::from(hour * 3_600 + minute * 60 + second) * 1_000;
    Some((midnight_ms + clock_ms, text.len() - rest.len()))
}

/// Milliseconds from 1970 to the beginning of a day. A day beyond the end of its month, up to the 31st, is one of the
/// next month's: a log's order matters, not its calendar.
fn day_ms(year: u32, month: [u8; 2], day: [u8; 2]) -> Option<i64> {
    let (month, day) = (time_text::number(month)?, time_text::number(day)?);
    let first = civil::Date::new(i16::try_from(year).ok()?, i8::try_from(month).ok()?, 1).ok()?;
    let days = i64::from(first.to_unix_epoch_day().day()) + i64::from(day) - 1;
    (1..=31).contains(&day).then_some(days * 86_400_000)
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
            ("2024-01-01 24:04:05-03x", 0, "x"),
            ("2024-01-02T03:04:05.x", 0, ".x"),
            ("2024-01-02T05:04:05+02:5", 0, ":5"),
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
            ("1970-01-01", 0),
            ("2000-02-29", 11_016),
            ("2000-03-01", 11_017),
            ("1969-12-31", -1),
            ("2100-03-01", 47_541),
            ("2100-02-29", 47_541),
            ("0000-01-01", -719_528),
            ("9999-11-31", 2_932_866),
        ] {
            assert_eq!(whole(date.as_bytes()), Some(expected * 86_400_000), "{date}");
        }
    }
}
