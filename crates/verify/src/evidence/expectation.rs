//! A claim that measuring confirms or not: `A < B`.

use std::fmt;
use std::str::FromStr;

use tablesmith_model::evidence::Pair;

use super::pairs::between;

/// A difference counts when chance alone would bring it, or more, in fewer cases than this.
pub const LEVEL: f64 = 0.01;

/// That one design answers faster than another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Expectation {
    /// The design that is said to be faster.
    pub faster: String,
    /// The design that is said to be slower.
    pub slower: String,
}

impl Expectation {
    /// Whether it is so beyond doubt: a difference in this direction, significant at [`LEVEL`].
    pub fn holds(&self, pairs: &[Pair]) -> bool {
        between(pairs, &self.faster, &self.slower).is_some_and(|pair| pair.difference > 0.0 && pair.p < LEVEL)
    }
}

impl FromStr for Expectation {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text.split_once('<').map(|(faster, slower)| (faster.trim(), slower.trim())) {
            Some((faster, slower)) if faster == slower => {
                Err(format!("`{faster}` cannot be faster than itself"))
            }
            Some((faster, slower)) if !faster.is_empty() && !slower.is_empty() && !slower.contains('<') => {
                Ok(Self { faster: faster.to_owned(), slower: slower.to_owned() })
            }
            _ => Err("a claim is \"A < B\": the design A answers faster than the design B".to_owned()),
        }
    }
}

impl fmt::Display for Expectation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} < {}", self.faster, self.slower)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn claims_are_read() {
        let claim: Expectation = " s05<ref01 ".parse().unwrap();
        assert_eq!((claim.faster.as_str(), claim.slower.as_str()), ("s05", "ref01"));
        assert_eq!(claim.to_string().parse(), Ok(claim));
        for wrong in ["", "a", "a <", "< b", "a < b < c", "a > b", "a < a"] {
            assert!(wrong.parse::<Expectation>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn a_claim_needs_the_right_direction_and_certainty() {
        let claim = Expectation { faster: "a".into(), slower: "b".into() };
        let pair = |difference, p| Pair { a: "a".into(), b: "b".into(), difference, p, ..Pair::default() };
        assert!(claim.holds(&[pair(1.0, 0.001)]));
        assert!(!claim.holds(&[pair(1.0, 0.01)]));
        assert!(!claim.holds(&[pair(-1.0, 0.001)]));
        let other = Expectation { faster: "b".into(), slower: "a".into() };
        assert!(other.holds(&[pair(-1.0, 0.001)]));
        assert!(!Expectation { faster: "a".into(), slower: "c".into() }.holds(&[pair(1.0, 0.001)]));
    }
}
