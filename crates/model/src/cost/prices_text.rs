//! Price lists as TOML (a calibration's file) and as JSON.
//!
//! ```toml
//! name = "store"
//! calibration = "c1f0"
//! [prices]            # milliseconds each
//! calls = 0.3
//! seeks = 0.2
//! ```

use std::fmt::Write;

use serde_json::{Map, Value, json};

use super::{Operations, Prices};
use crate::document::{self, Section};
use crate::problem::{self, Problem};

/// What one operation of each name is called, in the order of [`Operations::NAMES`].
const UNITS: [&str; 8] = [
    "ms per call",
    "ms per seek",
    "ms per row",
    "ms per cell",
    "ms per byte",
    "ms per region",
    "ms per put",
    "ms per byte written",
];

/// A price list that cannot be used: everything that is wrong in it, in the order of the text.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}", problem::list(.problems))]
pub struct PricesError {
    /// The problems, at least one.
    pub problems: Vec<Problem>,
}

impl Prices {
    /// Reads a price list.
    pub fn parse_toml(text: &str) -> Result<Self, PricesError> {
        document::read(text, read).map_err(|problems| PricesError { problems })
    }

    /// Prints what [`Prices::parse_toml`] reads.
    pub fn to_toml(&self) -> String {
        let quoted = |text: &str| toml_edit::Value::from(text).to_string();
        let mut text = format!("name = {}\n", quoted(&self.name));
        if let Some(calibration) = &self.calibration {
            // Writing to a string cannot fail.
            let _ = writeln!(text, "calibration = {}", quoted(calibration));
        }
        text.push_str("\n[prices] # milliseconds each\n");
        for (name, price_ms) in Operations::NAMES.into_iter().zip(self.per_operation()) {
            let _ = writeln!(text, "{name} = {}", toml_edit::Value::from(price_ms));
        }
        text
    }

    /// The list as JSON: each price with its unit.
    pub fn to_json(&self) -> Value {
        let priced = Operations::NAMES.into_iter().zip(self.per_operation()).zip(UNITS);
        let prices: Map<String, Value> = priced
            .map(|((name, price_ms), unit)| (name.to_owned(), json!({ "value": price_ms, "unit": unit })))
            .collect();
        json!({ "name": self.name, "calibration": self.calibration, "prices": prices })
    }

    /// Reads what [`Prices::to_json`] makes; `None` when a price is missing or not a number from 0 up.
    pub fn from_json(json: &Value) -> Option<Self> {
        let mut prices_ms = [0.0; 8];
        for (price_ms, name) in prices_ms.iter_mut().zip(Operations::NAMES) {
            *price_ms =
                json.get("prices")?.get(name)?.get("value")?.as_f64().filter(|price| *price >= 0.0)?;
        }
        let calibration = json.get("calibration").and_then(Value::as_str).map(str::to_owned);
        Some(Self::from_per_operation(json.get("name")?.as_str()?.to_owned(), calibration, prices_ms))
    }
}

fn read(root: &Section<'_>) -> Option<Prices> {
    let name = root.required("name", "a string").and_then(|name| name.string()).unwrap_or_default();
    let calibration = root.entry("calibration").and_then(|id| id.string()).map(str::to_owned);
    let section = root.required("prices", "a table of prices").and_then(|prices| prices.section())?;
    let mut prices_ms = [0.0; 8];
    for (price_ms, name) in prices_ms.iter_mut().zip(Operations::NAMES) {
        let Some(entry) = section.required(name, "milliseconds") else { continue };
        match entry.number() {
            Some(number) if number < 0.0 => {
                entry.note(format!("`{name}` is {number}"), "milliseconds, not negative");
            }
            number => *price_ms = number.unwrap_or_default(),
        }
    }
    section.finish();
    root.finish();
    Some(Prices::from_per_operation(name.to_owned(), calibration, prices_ms))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn odd() -> Prices {
        let prices_ms = [1.0, 0.1, 1e-9, 2.5e-7, 0.0, 3.0, 4.0, 5.0];
        Prices::from_per_operation("a \"name\"".into(), Some("c1f0".into()), prices_ms)
    }

    #[test]
    fn both_formats_come_back() {
        for prices in [odd(), Prices::guessed()] {
            assert_eq!(Prices::parse_toml(&prices.to_toml()), Ok(prices.clone()));
            assert_eq!(Prices::from_json(&prices.to_json()), Some(prices));
        }
    }

    #[test]
    fn a_bad_list_says_all_that_is_wrong() {
        let text = odd().to_toml().replace("calls = 1.0", "calls = -1").replace("rows =", "lines =");
        let problems = Prices::parse_toml(&text).unwrap_err().problems;
        let told: Vec<&str> = problems.iter().map(|problem| problem.message.as_str()).collect();
        assert_eq!(
            told,
            ["`rows` is missing in [prices]", "`calls` is -1", "unknown key `lines` in [prices]"]
        );
        assert_eq!(Prices::from_json(&json!({ "name": "x", "prices": {} })), None);
        let mut negative = odd().to_json();
        negative["prices"]["puts"]["value"] = json!(-1);
        assert_eq!(Prices::from_json(&negative), None);
    }
}
