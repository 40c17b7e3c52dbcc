//! Lengths of time as people write them in files: `90s`, `72h`, `14d`.

use std::time::Duration;

/// The units, the longest first, in milliseconds.
const UNITS: [(&str, u64); 6] =
    [("w", 604_800_000), ("d", 86_400_000), ("h", 3_600_000), ("m", 60_000), ("s", 1_000), ("ms", 1)];

/// What a length of time looks like, for messages.
pub const EXPECTED: &str = "a number and a unit, as in \"72h\" (ms, s, m, h, d, w)";

/// The length of a text such as `72h`; `None` when it is none or too long to count.
pub fn parse(text: &str) -> Option<Duration> {
    let text = text.trim();
    let digits = text.find(|character: char| !character.is_ascii_digit())?;
    let (number, unit) = text.split_at_checked(digits)?;
    let (_, unit_ms) = UNITS.into_iter().find(|(name, _)| *name == unit.trim_start())?;
    number.parse::<u64>().ok()?.checked_mul(unit_ms).map(Duration::from_millis)
}

/// The text of a length, in the largest unit that it is a whole number of. Less than a millisecond is cut off.
pub fn print(duration: Duration) -> String {
    let millis = duration.as_millis();
    let fits = |unit_ms: u64| millis > 0 && millis.is_multiple_of(u128::from(unit_ms));
    let whole = UNITS.into_iter().find(|(_, unit_ms)| fits(*unit_ms));
    let (name, unit_ms) = whole.unwrap_or(("s", 1_000));
    format!("{}{name}", millis / u128::from(unit_ms))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_read_and_printed_back() {
        for (text, millis) in [("72h", 259_200_000), ("250ms", 250), ("90s", 90_000), ("3d", 259_200_000)] {
            assert_eq!(parse(text), Some(Duration::from_millis(millis)), "{text}");
        }
        assert_eq!(
            [5, 90_000, 259_200_000, 0].map(Duration::from_millis).map(print),
            ["5ms", "90s", "3d", "0s"]
        );
        assert_eq!(parse("2 w").map(print).as_deref(), Some("2w"));
    }

    #[test]
    fn nonsense_is_no_length() {
        for text in
            ["", "h", "72", "72 hours", "-1h", "1.5h", "99999999999999999999h", "18446744073709551615w", "ü"]
        {
            assert_eq!(parse(text), None, "{text}");
        }
    }
}
