//! The least and the greatest value of a column, in the order of its type, though that is known only at the end: as
//! texts, as numbers and as times side by side, as long as each is possible.

use std::cmp::Ordering;

use tablesmith_model::value::{Moment, Value, ValueType};

/// Longer texts are not told: nobody asks for ranges of them.
const TOLD_BYTES_MAX: usize = 40;

/// The least and the greatest value so far, in every order that is possible.
#[derive(Debug, Default)]
pub struct Extremes {
    texts: Ends<()>,
    numbers: Ends<Number>,
    times: Ends<i64>,
}

/// The ends of one order. A value has its key in that order; without one it lies by its bytes.
#[derive(Debug)]
struct Ends<K> {
    least: Option<(K, Vec<u8>)>,
    greatest: Option<(K, Vec<u8>)>,
}

impl<K> Default for Ends<K> {
    fn default() -> Self {
        Self { least: None, greatest: None }
    }
}

/// A number; whole ones are told apart where doubles cannot.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Number {
    near: f64,
    whole: i64,
}

impl PartialOrd for Number {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.near.partial_cmp(&other.near)?.then_with(|| self.whole.cmp(&other.whole)))
    }
}

impl<K: PartialOrd + Copy> Ends<K> {
    fn see(&mut self, key: K, text: &[u8]) {
        let order = |held: &(K, Vec<u8>)| key.partial_cmp(&held.0).unwrap_or(Ordering::Equal);
        if self.least.as_ref().is_none_or(|least| order(least).is_lt()) {
            self.least = Some((key, text.to_vec()));
        }
        if self.greatest.as_ref().is_none_or(|greatest| order(greatest).is_gt()) {
            self.greatest = Some((key, text.to_vec()));
        }
    }
}

impl Ends<()> {
    fn see_text(&mut self, text: &[u8]) {
        if self.least.as_ref().is_none_or(|((), least)| text < least.as_slice()) {
            self.least = Some(((), text.to_vec()));
        }
        if self.greatest.as_ref().is_none_or(|((), greatest)| text > greatest.as_slice()) {
            self.greatest = Some(((), text.to_vec()));
        }
    }
}

/// What a column can still be.
#[derive(Clone, Copy, Debug)]
pub struct Possible {
    /// Numbers of some kind.
    pub numbers: bool,
    /// Days or moments.
    pub times: bool,
}

impl Extremes {
    /// Sees a value.
    pub fn see(&mut self, value: &[u8], possible: Possible) {
        // Texts count too as long as the type is open: the next value may be neither number nor time.
        self.texts.see_text(value);
        if !possible.numbers && !possible.times {
            return;
        }
        let Ok(text) = std::str::from_utf8(value) else { return };
        if possible.numbers
            && let Some(number) = number(text)
        {
            self.numbers.see(number, value);
        }
        if possible.times
            && let Some(moment) = Moment::parse(text.trim())
        {
            self.times.see(moment.micros(), value);
        }
    }

    /// The least and the greatest value of this type, as text, where they can be told.
    pub fn of_type(self, value_type: ValueType) -> (Option<String>, Option<String>) {
        fn ends<K>(ends: Ends<K>) -> (Option<Vec<u8>>, Option<Vec<u8>>) {
            (ends.least.map(|(_, text)| text), ends.greatest.map(|(_, text)| text))
        }
        let (least, greatest) = match value_type {
            ValueType::Int | ValueType::Float | ValueType::Decimal => ends(self.numbers),
            ValueType::Date | ValueType::Timestamp => ends(self.times),
            ValueType::String => ends(self.texts),
            // Two values, or bytes that no person reads.
            ValueType::Bool | ValueType::Bytes => (None, None),
        };
        (told(least, value_type), told(greatest, value_type))
    }
}

fn number(text: &str) -> Option<Number> {
    if let Ok(whole) = text.parse::<i64>() {
        return Some(Number { near: whole as f64, whole });
    }
    let near: f64 = text.parse().ok()?;
    (!near.is_nan()).then_some(Number { near, whole: 0 })
}

/// A text that a person can read and the type can hold.
fn told(text: Option<Vec<u8>>, value_type: ValueType) -> Option<String> {
    let text = String::from_utf8(text?).ok()?;
    let is_short = text.len() <= TOLD_BYTES_MAX && !text.contains(char::is_control);
    (is_short && Value::parse(value_type, &text).is_ok()).then_some(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(value_type: ValueType, values: &[&str]) -> (Option<String>, Option<String>) {
        let mut extremes = Extremes::default();
        let possible = Possible { numbers: true, times: true };
        values.iter().for_each(|value| extremes.see(value.as_bytes(), possible));
        extremes.of_type(value_type)
    }

    #[track_caller]
    fn check(value_type: ValueType, values: &[&str], least: &str, greatest: &str) {
        assert_eq!(of(value_type, values), (Some(least.to_owned()), Some(greatest.to_owned())));
    }

    #[test]
    fn every_type_has_its_order() {
        check(ValueType::Int, &["9", "10", "-3"], "-3", "10");
        check(ValueType::String, &["9", "10", "-3"], "-3", "9");
        check(ValueType::Decimal, &["9.50", "10.25"], "9.50", "10.25");
        check(ValueType::Float, &["1e3", "NaN", "-2.5"], "-2.5", "1e3");
        check(ValueType::Date, &["2024-02-01", "2023-12-31"], "2023-12-31", "2024-02-01");
        let times = ["2024-01-01T10:00:00+02:00", "2024-01-01 09:00"];
        check(ValueType::Timestamp, &times, times[0], times[1]);
        let large = ["9223372036854775806", "9223372036854775807", "9223372036854775805"];
        check(ValueType::Int, &large, large[2], large[1]);
    }

    #[test]
    fn what_nobody_could_read_is_not_told() {
        let long = "x".repeat(TOLD_BYTES_MAX + 1);
        assert_eq!(of(ValueType::String, &[&long, "a"]), (Some("a".to_owned()), None));
        assert_eq!(of(ValueType::String, &["a\nb"]), (None, None));
        assert_eq!(of(ValueType::Bool, &["true", "false"]), (None, None));
        assert_eq!(of(ValueType::Int, &[]), (None, None));
    }
}
