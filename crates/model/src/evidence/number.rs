//! Numbers that JSON cannot write: it has neither infinity nor "not a number", so both are written as `null`.

use serde::{Deserialize, Deserializer};

/// Reads a number; `null` is "not a number".
pub fn or_nan<'de, D: Deserializer<'de>>(from: D) -> Result<f64, D::Error> {
    Ok(Option::deserialize(from)?.unwrap_or(f64::NAN))
}

/// Reads numbers; each `null` is "not a number".
pub fn each_or_nan<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<f64>, D::Error> {
    let numbers: Vec<Option<f64>> = Vec::deserialize(from)?;
    Ok(numbers.into_iter().map(|number| number.unwrap_or(f64::NAN)).collect())
}

#[cfg(test)]
mod tests {
    use super::super::{Distribution, Evidence, MeasuredDesign, Pair, Summary};

    #[test]
    fn what_json_cannot_write_comes_back_as_not_a_number() {
        let reads = Summary {
            mean_ms: f64::NAN,
            distribution: Distribution(vec![1.0, f64::INFINITY]),
            ..Summary::default()
        };
        let evidence = Evidence {
            designs: vec![MeasuredDesign { reads, ..MeasuredDesign::default() }],
            pairs: vec![Pair { t: f64::INFINITY, p: 0.0, ..Pair::default() }],
            ..Evidence::default()
        };
        let text = serde_json::to_string(&evidence).unwrap();
        let back: Evidence = serde_json::from_str(&text).unwrap();
        assert!(back.pairs[0].t.is_nan() && back.pairs[0].p == 0.0);
        let reads = &back.designs[0].reads;
        assert!(reads.mean_ms.is_nan() && reads.distribution.0[0] == 1.0 && reads.distribution.0[1].is_nan());
    }
}
