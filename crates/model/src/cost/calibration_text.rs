//! Calibrations as TOML, which a person may edit, and as JSON.
//!
//! ```toml
//! store = "5f0c…"                    # what identifies it
//! address = "embedded:./tables"
//! measured_at = "2026-01-31T12:00:00Z"
//! [fit]
//! r2 = 0.98
//! worst = { what = "a get of 8 families", predicted_ms = 0.2, measured_ms = 0.3 }
//! [prices]                           # milliseconds each
//! calls = 0.3
//! ```

use std::fmt::Write;

use serde_json::{Map, Value, json};

use super::{Calibration, Experiment, Fit, Operations};
use crate::document::{self, Section};
use crate::problem::{self, Problem};
use crate::value::Moment;

/// What stands at the head of a file.
const HEAD: &str = "\
# What operations take on one store, as `tablesmith calibrate` measured it. Prices may be edited: the id that results
# print is made from them. Measure anew to have the measured ones back.
";

/// A calibration that cannot be used: everything that is wrong in it, in the order of the text.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}", problem::list(.problems))]
pub struct CalibrationError {
    /// The problems, at least one.
    pub problems: Vec<Problem>,
}

impl Calibration {
    /// Reads a calibration.
    pub fn parse_toml(text: &str) -> Result<Self, CalibrationError> {
        document::read(text, read).map_err(|problems| CalibrationError { problems })
    }

    /// Prints what [`Calibration::parse_toml`] reads, each price with its unit and what it is.
    pub fn to_toml(&self) -> String {
        let quoted = |text: &str| toml_edit::Value::from(text).to_string();
        let number = |number: f64| toml_edit::Value::from(number).to_string();
        let Fit { r2, worst } = &self.fit;
        let mut text = format!(
            "{HEAD}store = {}\naddress = {}\nmeasured_at = {}\n\n\
             [fit] # 1 would be perfect; the experiment that the prices explain worst\n\
             r2 = {}\nworst = {{ what = {}, predicted_ms = {}, measured_ms = {} }}\n\n[prices]\n",
            quoted(&self.store),
            quoted(&self.address),
            quoted(&self.measured_at.to_string()),
            number(*r2),
            quoted(&worst.what),
            number(worst.predicted_ms),
            number(worst.measured_ms),
        );
        let explained = Operations::SINGULARS.into_iter().zip(Operations::MEANINGS);
        for ((name, price_ms), (one, meaning)) in self.each_ms.named().zip(explained) {
            // Writing to a string cannot fail.
            let _ = writeln!(text, "# {meaning}\n{name} = {} # ms per {one}", number(price_ms));
        }
        text
    }

    /// `{"id", "store", "prices": {name: {"value", "unit"}}, "fit": {"r2", "worst"}}`, with where and when.
    pub fn to_json(&self) -> Value {
        let priced = self.each_ms.named().zip(Operations::SINGULARS);
        let prices: Map<String, Value> = priced
            .map(|((name, price_ms), one)| {
                (name.to_owned(), json!({ "value": price_ms, "unit": format!("ms per {one}") }))
            })
            .collect();
        let Fit { r2, worst } = &self.fit;
        json!({
            "id": self.id(),
            "store": self.store,
            "address": self.address,
            "measured_at": self.measured_at.to_string(),
            "prices": prices,
            "fit": { "r2": r2, "worst": {
                "what": worst.what, "predicted_ms": worst.predicted_ms, "measured_ms": worst.measured_ms,
            } },
        })
    }
}

fn read(root: &Section<'_>) -> Option<Calibration> {
    let string = |section: &Section<'_>, key| {
        section.required(key, "a string").and_then(|entry| entry.string()).unwrap_or_default().to_owned()
    };
    let number = |section: &Section<'_>, key| {
        section.required(key, "a number").and_then(|entry| entry.number()).unwrap_or_default()
    };
    let (store, address) = (string(root, "store"), string(root, "address"));
    let measured_at = root.required("measured_at", "a time such as 2026-01-31T12:00:00Z").and_then(|entry| {
        let moment = Moment::parse(entry.string()?);
        if moment.is_none() {
            entry.note("this is no time", "one such as 2026-01-31T12:00:00Z");
        }
        moment
    });
    let fit = root.required("fit", "a table").and_then(|fit| fit.section());
    let fit = fit.and_then(|fit| {
        let r2 = number(&fit, "r2");
        let worst = fit.required("worst", "a table").and_then(|worst| worst.section())?;
        let (what, predicted_ms) = (string(&worst, "what"), number(&worst, "predicted_ms"));
        let worst_experiment = Experiment { what, predicted_ms, measured_ms: number(&worst, "measured_ms") };
        worst.finish();
        fit.finish();
        Some(Fit { r2, worst: worst_experiment })
    });
    let each_ms = root.required("prices", "a table of prices").and_then(|prices| prices.section());
    let each_ms = each_ms.map(|section| prices(&section));
    root.finish();
    Some(Calibration { store, address, measured_at: measured_at?, fit: fit?, each_ms: each_ms? })
}

fn prices(section: &Section<'_>) -> Operations {
    let price_ms = |name: &'static str| {
        let Some(entry) = section.required(name, "milliseconds") else { return 0.0 };
        match entry.number() {
            Some(number) if number < 0.0 || !number.is_finite() => {
                entry.note(format!("`{name}` is {number}"), "milliseconds, not negative");
                0.0
            }
            number => number.unwrap_or_default(),
        }
    };
    let each_ms = Operations::from_amounts(Operations::NAMES.map(price_ms));
    section.finish();
    each_ms
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cost::Prices;

    fn odd() -> Calibration {
        Calibration {
            store: "a \"name\"".into(),
            address: "embedded:./tables".into(),
            measured_at: Moment::parse("2026-01-31T12:00:00Z").unwrap(),
            fit: Fit {
                r2: 0.5,
                worst: Experiment { what: "a get".into(), predicted_ms: 1e-9, measured_ms: 2.0 },
            },
            each_ms: Operations { cells: 2.5e-7, seeks: 0.0, calls: 1.0, ..Prices::guessed().each_ms },
        }
    }

    #[test]
    fn a_file_comes_back() {
        assert_eq!(Calibration::parse_toml(&odd().to_toml()), Ok(odd()));
    }

    #[test]
    fn every_price_has_a_unit_and_a_meaning() {
        let (text, json) = (odd().to_toml(), odd().to_json());
        for (name, meaning) in Operations::NAMES.into_iter().zip(Operations::MEANINGS) {
            assert!(text.contains(&format!("# {meaning}\n{name} = ")), "{name}");
            assert!(json["prices"][name]["unit"].as_str().unwrap().starts_with("ms per "), "{name}");
        }
        assert_eq!(json["prices"]["cells"]["value"], 2.5e-7);
        assert_eq!((&json["id"], &json["fit"]["r2"]), (&json!(odd().id()), &json!(0.5)));
    }

    #[test]
    fn a_bad_file_says_all_that_is_wrong() {
        let text = odd().to_toml().replace("calls = 1.0", "calls = -1").replace("\nrows =", "\nlines =");
        let text = text.replace("2026-01-31T", "today");
        let problems = Calibration::parse_toml(&text).unwrap_err().problems;
        let told: Vec<&str> = problems.iter().map(|problem| problem.message.as_str()).collect();
        assert_eq!(
            told,
            [
                "this is no time",
                "`rows` is missing in [prices]",
                "`calls` is -1",
                "unknown key `lines` in [prices]"
            ]
        );
    }
}
