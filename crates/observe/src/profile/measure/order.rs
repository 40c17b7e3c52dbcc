//! Whether values rise in the order of the file, as text and as numbers.

use std::cmp::Ordering;

/// The last value, and which orders it and its predecessors keep.
#[derive(Debug, Default)]
pub struct Order {
    last: Option<Last>,
    /// Some value was above its predecessor.
    rose: bool,
    text_fell: bool,
    number_fell: bool,
    text_stayed: bool,
}

#[derive(Debug)]
struct Last {
    text: Vec<u8>,
    number: Option<f64>,
    whole: Option<i64>,
}

impl Order {
    /// Sees the next value.
    pub fn see(&mut self, value: &[u8]) {
        if self.text_fell && self.number_fell {
            return;
        }
        let text = std::str::from_utf8(value).unwrap_or_default();
        let whole = text.parse::<i64>().ok();
        let number = whole.map(|whole| whole as f64).or_else(|| text.parse().ok());
        if let Some(last) = &mut self.last {
            let by_text = value.cmp(&last.text);
            let by_number = match (whole, last.whole) {
                (Some(whole), Some(last)) => Some(whole.cmp(&last)),
                _ => number.zip(last.number).and_then(|(number, last)| number.partial_cmp(&last)),
            };
            self.rose |= by_text != Ordering::Equal;
            self.text_stayed |= by_text == Ordering::Equal;
            self.text_fell |= by_text == Ordering::Less;
            self.number_fell |= by_number.is_none_or(Ordering::is_lt);
            last.text.clear();
            last.text.extend_from_slice(value);
            (last.number, last.whole) = (number, whole);
        } else {
            self.number_fell = number.is_none();
            self.last = Some(Last { text: value.to_vec(), number, whole });
        }
    }

    /// Whether values never fell, and rose at least once.
    pub fn is_monotone(&self, as_numbers: bool) -> bool {
        self.rose && !if as_numbers { self.number_fell } else { self.text_fell }
    }

    /// Whether every value is above its predecessor: then no two are alike.
    pub fn is_strict(&self, as_numbers: bool) -> bool {
        self.is_monotone(as_numbers) && !self.text_stayed
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(values: &[&str]) -> Order {
        let mut order = Order::default();
        values.iter().for_each(|value| order.see(value.as_bytes()));
        order
    }

    #[test]
    fn numbers_rise_as_numbers() {
        let order = of(&["9", "10", "10", "11"]);
        assert!(order.is_monotone(true) && !order.is_monotone(false) && !order.is_strict(true));
        assert!(of(&["-1.5", "0", "1e3"]).is_strict(true));
        assert!(
            of(&["9223372036854775806", "9223372036854775807"]).is_strict(true),
            "beyond what a float can tell"
        );
        assert!(!of(&["9223372036854775807", "9223372036854775806"]).is_monotone(true));
    }

    #[test]
    fn texts_rise_as_texts() {
        assert!(of(&["2024-01-01", "2024-01-02"]).is_strict(false));
        assert!(!of(&["b", "a"]).is_monotone(false));
        assert!(!of(&["a", "a"]).is_monotone(false), "what never rises is constant");
        assert!(!of(&[]).is_monotone(false));
    }
}
