//! Lengths of time in the text of a statement: `INTERVAL '7 days'`, `date_trunc('hour', at)`.
//!
//! The resolver says that a column is compared with an expression, not with which; the text says how long.

/// Units by the beginning of their names, in milliseconds; those that begin alike, the longer first.
const UNITS: [(&str, f64); 9] = [
    ("millisecond", 1.0),
    ("second", 1e3),
    ("minute", 60e3),
    ("month", 30.0 * 86_400e3),
    ("hour", 3_600e3),
    ("day", 86_400e3),
    ("week", 7.0 * 86_400e3),
    ("quarter", 91.0 * 86_400e3),
    ("year", 365.0 * 86_400e3),
];

/// Functions that cut time into stretches; their first text says how long these are.
const CUTTERS: [&str; 3] = ["date_trunc", "time_bucket", "date_bin"];

/// The longest `INTERVAL` of a statement, in milliseconds.
pub fn interval_ms(sql: &str) -> Option<f64> {
    let lower = sql.to_ascii_lowercase();
    let lengths = lower.match_indices("interval").filter_map(|(at, word)| {
        let rest = lower.get(at + word.len()..)?.trim_start();
        length(rest)
    });
    lengths.max_by(f64::total_cmp)
}

/// How long the stretches are that a statement cuts time into, in milliseconds.
pub fn stretch_ms(sql: &str) -> Option<f64> {
    let lower = sql.to_ascii_lowercase();
    CUTTERS.iter().find_map(|cutter| {
        let after = lower.split_once(cutter)?.1.trim_start().strip_prefix('(')?.trim_start();
        length(after.strip_prefix("interval").unwrap_or(after).trim_start())
    })
}

/// `'7 days'`, `'7' day`, `7 day` or `'hour'`, in milliseconds.
fn length(text: &str) -> Option<f64> {
    let words: String =
        text.chars().take(40).map(|letter| if letter == '\'' { ' ' } else { letter }).collect();
    let words = words.trim_start();
    let end = words.find(|letter: char| !letter.is_ascii_digit() && letter != '.').unwrap_or(words.len());
    let (number, unit) = words.split_at_checked(end)?;
    let number = if number.is_empty() { 1.0 } else { number.parse().ok()? };
    let unit = unit.trim_start();
    let (_, unit_ms) = UNITS.into_iter().find(|(name, _)| unit.starts_with(name))?;
    Some(number * unit_ms)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_are_found_in_statements() {
        for (sql, expected) in [
            ("SELECT 1 WHERE at >= now() - INTERVAL '7 days'", Some(604_800e3)),
            ("… at > ? - interval '90' minute AND at < ?", Some(5_400e3)),
            ("… at > now() - interval 1 hour and b < now() - interval 2 second", Some(3_600e3)),
            ("… at > now() - interval ?", None),
            ("SELECT intervals FROM t", None),
        ] {
            assert_eq!(interval_ms(sql), expected, "{sql}");
        }
    }

    #[test]
    fn stretches_are_found_in_statements() {
        for (sql, expected) in [
            ("SELECT date_trunc('hour', at), avg(b)", Some(3_600e3)),
            ("SELECT time_bucket(INTERVAL '5 minutes', at)", Some(300e3)),
            ("SELECT date_trunc(?, at)", None),
            ("SELECT at", None),
        ] {
            assert_eq!(stretch_ms(sql), expected, "{sql}");
        }
    }
}
