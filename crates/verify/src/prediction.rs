//! How good a cost is at telling designs apart: what it predicted beside what was measured.

use tablesmith_model::evidence::{Evidence, Predicted, Prediction};

use crate::evidence::LEVEL;
use crate::statistics::spearman;

/// Sets predictions, by the designs' names, beside the means that were measured.
pub fn prediction(
    evidence: &Evidence,
    cost: &str,
    calibration: Option<String>,
    predicted: &[(String, f64)],
) -> Prediction {
    let of = |name: &str| predicted.iter().find(|(design, _)| design == name).map(|(_, cost)| *cost);
    let designs: Vec<Predicted> = evidence
        .designs
        .iter()
        .filter_map(|design| {
            let predicted = of(&design.name)?;
            let measured_ms = design.reads.mean_ms;
            Some(Predicted { design: design.name.clone(), predicted, measured_ms, ..Predicted::default() })
        })
        .collect();
    let (significant_pairs, ordered_right) = ordered(evidence, of);
    let costs: Vec<f64> = designs.iter().map(|design| design.predicted).collect();
    let means: Vec<f64> = designs.iter().map(|design| design.measured_ms).collect();
    Prediction {
        cost: cost.to_owned(),
        calibration,
        spearman: if designs.len() < 3 { None } else { spearman(&costs, &means) },
        significant_pairs,
        ordered_right,
        worst: worst(&designs),
        designs,
    }
}

/// Pairs whose measured difference is significant, and those of them that the prediction orders as measured.
fn ordered<'a>(evidence: &'a Evidence, predicted: impl Fn(&'a str) -> Option<f64>) -> (u64, u64) {
    let (mut significant, mut right) = (0, 0);
    for pair in evidence.pairs.iter().filter(|pair| pair.p < LEVEL) {
        let (Some(a), Some(b)) = (predicted(&pair.a), predicted(&pair.b)) else { continue };
        significant += 1;
        // A pair's difference is b − a.
        if (b - a) * pair.difference > 0.0 {
            right += 1;
        }
    }
    (significant, right)
}

/// The design that is furthest, in shares of its prediction, from the line of least squares through all.
fn worst(designs: &[Predicted]) -> Option<String> {
    let count = designs.len() as f64;
    let mean = |of: &dyn Fn(&Predicted) -> f64| designs.iter().map(of).sum::<f64>() / count;
    let (x, y) = (mean(&|design| design.predicted), mean(&|design| design.measured_ms));
    let spread = designs.iter().map(|design| (design.predicted - x).powi(2)).sum::<f64>();
    let both = designs.iter().map(|design| (design.predicted - x) * (design.measured_ms - y)).sum::<f64>();
    let slope = if spread > 0.0 { both / spread } else { 0.0 };
    let miss = |design: &Predicted| {
        let line = y + slope * (design.predicted - x);
        ((design.measured_ms - line) / line.abs().max(f64::MIN_POSITIVE)).abs()
    };
    designs.iter().max_by(|a, b| miss(a).total_cmp(&miss(b))).map(|design| design.design.clone())
}

#[cfg(test)]
mod tests {
    use super::*;
    use tablesmith_model::evidence::{MeasuredDesign, Pair, Summary};

    #[test]
    fn ranks_pairs_and_the_worst_miss_are_told() {
        let design = |(name, mean_ms): (&str, f64)| MeasuredDesign {
            name: name.to_owned(),
            reads: Summary { mean_ms, ..Summary::default() },
            ..MeasuredDesign::default()
        };
        let pair = |a: &str, b: &str, difference: f64, p: f64| Pair {
            a: a.to_owned(),
            b: b.to_owned(),
            difference,
            p,
            ..Pair::default()
        };
        let evidence = Evidence {
            designs: [("a", 1.0), ("b", 2.0), ("c", 9.0), ("d", 4.0)].map(design).into(),
            // c is dearer than d, other than predicted; a and b do not differ for sure.
            pairs: vec![
                pair("a", "b", 1.0, 0.4),
                pair("a", "c", 8.0, 0.001),
                pair("b", "d", 2.0, 0.001),
                pair("c", "d", -5.0, 0.001),
            ],
            ..Evidence::default()
        };
        let predicted =
            [("a", 10.0), ("b", 20.0), ("c", 30.0), ("d", 40.0)].map(|(name, cost)| (name.to_owned(), cost));
        let told = prediction(&evidence, "store", Some("c1f0".into()), &predicted);
        assert_eq!((told.significant_pairs, told.ordered_right), (3, 2));
        // Ranks 1 2 3 4 against 1 2 4 3: 1 − 6·2 / (4·15).
        assert!((told.spearman.unwrap() - 0.8).abs() < 1e-12);
        assert_eq!(told.worst.as_deref(), Some("c"));
    }

    #[test]
    fn designs_without_a_prediction_are_left_out() {
        let evidence = Evidence { designs: vec![MeasuredDesign::default()], ..Evidence::default() };
        let told = prediction(&evidence, "store", None, &[]);
        assert!(told.designs.is_empty() && told.spearman.is_none() && told.worst.is_none());
    }
}
