//! Numbers and bars for people.

use std::time::Duration;

pub use tablesmith_report::number::grouped;

/// A number with its thousands apart, where it is known.
pub fn grouped_or_dash(number: Option<u64>) -> String {
    number.map_or_else(|| "–".to_owned(), grouped)
}

/// Bytes in the largest unit that leaves a whole part: `1.4 MB`.
pub fn bytes(count: u64) -> String {
    const UNITS: [&str; 3] = ["kB", "MB", "GB"];
    let mut size = count as f64;
    let mut unit = "B";
    for larger in UNITS {
        if size < 1_000.0 {
            break;
        }
        size /= 1_000.0;
        unit = larger;
    }
    if unit == "B" { format!("{count} B") } else { format!("{size:.1} {unit}") }
}

/// Seconds, milliseconds or microseconds, whichever has a whole part.
pub fn time(duration: Duration) -> String {
    match duration.as_secs_f64() {
        seconds if seconds >= 1.0 => format!("{seconds:.2} s"),
        seconds if seconds >= 0.001 => format!("{:.1} ms", seconds * 1e3),
        seconds => format!("{:.0} µs", seconds * 1e6),
    }
}

/// Bytes as the shell's double quotes take them, all in hexadecimal: `\x20\xA0`.
pub fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("\\x{byte:02X}")).collect()
}

/// A bar of at most `columns`, drawn to an eighth of a column.
pub fn bar(value: u64, largest: u64, columns: u64) -> String {
    const EIGHTHS: [&str; 8] = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"];
    let eighths = if largest == 0 {
        0
    } else {
        // A little is more than nothing: it gets the thinnest bar.
        (u128::from(value.min(largest)) * u128::from(columns) * 8 / u128::from(largest))
            .max(u128::from(value > 0))
    };
    let full = "█".repeat(usize::try_from(eighths / 8).unwrap_or_default());
    let rest = usize::try_from(eighths % 8).unwrap_or_default();
    format!("{full}{}", EIGHTHS.get(rest).copied().unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thousands_stand_apart() {
        let texts = [0, 999, 1_000, 1_234_567].map(grouped);
        assert_eq!(texts, ["0", "999", "1,000", "1,234,567"]);
        assert_eq!(grouped_or_dash(None), "–");
    }

    #[test]
    fn units_fit() {
        assert_eq!([0, 999, 1_000, 1_440_000].map(bytes), ["0 B", "999 B", "1.0 kB", "1.4 MB"]);
        assert_eq!(
            [40, 1_500, 2_346_000].map(Duration::from_micros).map(time),
            ["40 µs", "1.5 ms", "2.35 s"]
        );
    }

    #[test]
    fn printable_bytes_are_hexadecimal_too() {
        assert_eq!(hex(b" \xA0"), "\\x20\\xA0");
    }

    #[test]
    fn bars_are_in_proportion() {
        assert_eq!(bar(8, 8, 4), "████");
        assert_eq!(bar(9, 8, 4), "████");
        assert_eq!(bar(3, 8, 4), "█▌");
        assert_eq!(bar(1, 1_000_000, 4), "▏");
        assert_eq!((bar(0, 8, 4), bar(0, 0, 4)), (String::new(), String::new()));
        assert_eq!(bar(u64::MAX, u64::MAX, 2), "██");
    }
}
