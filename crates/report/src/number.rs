//! Numbers for people. What is no number is a dash.

/// What stands for a number that is not there.
pub const NONE: &str = "–";

/// A number with so many digits that count, its thousands apart: `0.0412`, `12.3`, `1,230`.
pub fn significant(value: f64, digits: i32) -> String {
    if !value.is_finite() {
        return NONE.to_owned();
    }
    if value == 0.0 {
        return "0".to_owned();
    }
    let exponent = value.abs().log10().floor() as i32;
    if !(-6..15).contains(&exponent) {
        let places = usize::try_from(digits - 1).unwrap_or_default();
        return minus(&format!("{value:.places$e}"));
    }
    let places = (digits - 1 - exponent).clamp(0, 12);
    let unit = 10_f64.powi((exponent + 1 - digits).max(0));
    let rounded = (value / unit).round() * unit;
    decimal(if places == 0 { rounded } else { value }, usize::try_from(places).unwrap_or_default())
}

/// A number with so many places after the point, its thousands apart.
pub fn decimal(value: f64, places: usize) -> String {
    if !value.is_finite() {
        return NONE.to_owned();
    }
    let text = format!("{:.places$}", value.abs());
    let (whole, fraction) = text.split_once('.').unwrap_or((&text, ""));
    let is_zero = text.chars().all(|letter| "0.".contains(letter));
    let sign = if value < 0.0 && !is_zero { "−" } else { "" };
    let point = if fraction.is_empty() { "" } else { "." };
    format!("{sign}{}{point}{fraction}", thousands(whole))
}

/// A whole number with its thousands apart: `12,345`.
pub fn grouped(number: u64) -> String {
    thousands(&number.to_string())
}

fn thousands(digits: &str) -> String {
    let mut text = String::with_capacity(digits.len() + digits.len() / 3);
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// Milliseconds without their unit.
pub fn ms(value: f64) -> String {
    significant(value, 3)
}

/// Milliseconds in the unit that suits them: `870 µs`, `12.3 ms`, `1.24 s`.
pub fn time(ms: f64) -> String {
    match ms.abs() {
        size if !size.is_finite() => NONE.to_owned(),
        size if size >= 1_000.0 => format!("{} s", significant(ms / 1_000.0, 3)),
        size if size >= 1.0 || size == 0.0 => format!("{} ms", significant(ms, 3)),
        _ => format!("{} µs", significant(ms * 1_000.0, 3)),
    }
}

/// Bytes in the largest unit that leaves a whole part: `1.40 MB`.
pub fn bytes(count: f64) -> String {
    let units = ["B", "kB", "MB", "GB", "TB", "PB"];
    let mut size = count;
    for (index, unit) in units.iter().enumerate() {
        if size.abs() < 999.5 || index + 1 == units.len() {
            let is_whole = index == 0 && size.fract() == 0.0;
            let text = if is_whole { decimal(size, 0) } else { significant(size, 3) };
            return if text == NONE { text } else { format!("{text} {unit}") };
        }
        size /= 1_000.0;
    }
    NONE.to_owned()
}

/// A share of one in hundredths, with a sign only when it is less than nothing: `36 %`.
pub fn percent(share: f64) -> String {
    let hundredths = share * 100.0;
    if !hundredths.is_finite() {
        return NONE.to_owned();
    }
    let places = if hundredths.abs() < 9.95 { 1 } else { 0 };
    format!("{} %", decimal(hundredths, places))
}

/// A probability: one that is next to nothing is only bounded.
pub fn probability(p: f64) -> String {
    match p {
        p if !p.is_finite() => NONE.to_owned(),
        p if p < 0.0001 => "< 0.0001".to_owned(),
        p => decimal(p, if p < 0.01 { 4 } else { 3 }),
    }
}

/// A typeset minus instead of a hyphen.
fn minus(text: &str) -> String {
    text.replace('-', "−")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_digits_that_count_are_kept() {
        let texts = [0.0, 0.041_234, 12.345, 1_234.5, 123_456.0, -0.5, 9.999].map(ms);
        assert_eq!(texts, ["0", "0.0412", "12.3", "1,230", "123,000", "−0.500", "10.00"]);
        assert_eq!(significant(1.5e-9, 3), "1.50e−9");
        assert_eq!(significant(f64::MAX, 2), "1.8e308");
    }

    #[test]
    fn what_is_no_number_is_a_dash() {
        for value in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
            let texts =
                [ms(value), time(value), bytes(value), percent(value), probability(value), decimal(value, 2)];
            assert!(texts.iter().all(|text| text == NONE), "{texts:?}");
        }
    }

    #[test]
    fn units_suit_the_number() {
        assert_eq!([0.0, 0.87, 12.34, 1_240.0].map(time), ["0 ms", "870 µs", "12.3 ms", "1.24 s"]);
        assert_eq!([0.0, 12.0, 1_400.0, 2.5e9].map(bytes), ["0 B", "12 B", "1.40 kB", "2.50 GB"]);
        assert_eq!([0.364, -0.0123, 0.0].map(percent), ["36 %", "−1.2 %", "0.0 %"]);
        assert_eq!([0.00001, 0.0042, 0.25].map(probability), ["< 0.0001", "0.0042", "0.250"]);
    }

    #[test]
    fn nothing_has_no_sign() {
        assert_eq!(decimal(-0.001, 1), "0.0");
    }
}
