//! The paper's claims, each beside what was measured.

use tablesmith_model::evidence::{Claim, Evidence, Pair};

/// "About" leaves so much room below, in shares: 34 % less is about reached with 29 % less.
const ABOUT: f64 = 0.05;
/// The paper's bound for every p.
const PAPER_P: f64 = 0.0001;
/// A difference counts when chance would show it this seldom.
const SIGNIFICANT: f64 = 0.01;

/// The claims of section V of the paper, and one of ours. Schemas that are not there make their claim fail.
pub fn claims(evidence: &Evidence) -> Vec<Claim> {
    let measured = Measured { evidence };
    vec![
        measured.reduction("s03", "ref01", 0.20, 0.0, "more than 20 %"),
        measured.reduction("s05", "ref01", 0.34, ABOUT, "about 34 %"),
        measured.reduction("s05", "ref02", 0.72, ABOUT, "about 72 %"),
        measured.best_reference(),
        measured.significance("s03"),
        measured.at_least_as_fast("ours05", "s05"),
    ]
}

struct Measured<'a> {
    evidence: &'a Evidence,
}

impl Measured<'_> {
    fn mean_ms(&self, design: &str) -> Option<f64> {
        self.evidence.designs.iter().find(|measured| measured.name == design).map(|found| found.reads.mean_ms)
    }

    /// The share of `than`'s mean that `design` saves.
    fn saved(&self, design: &str, than: &str) -> Option<f64> {
        Some(1.0 - self.mean_ms(design)? / self.mean_ms(than)?)
    }

    fn pair(&self, one: &str, other: &str) -> Option<&Pair> {
        let is = |pair: &&Pair| (pair.a == one && pair.b == other) || (pair.a == other && pair.b == one);
        self.evidence.pairs.iter().find(is)
    }

    fn reduction(&self, design: &str, than: &str, wanted: f64, room: f64, paper: &str) -> Claim {
        let saved = self.saved(design, than);
        let holds = saved.is_some_and(|saved| saved >= wanted - room);
        Claim {
            claim: format!("{design} answers faster than {than} on average"),
            paper: format!("{paper} less"),
            measured: saved.map_or_else(not_measured, less),
            holds,
            reason: (!holds).then(|| self.why_less(design, than)),
        }
    }

    /// Why less is saved than the paper says: what both have to read.
    fn why_less(&self, design: &str, than: &str) -> String {
        let bytes = |name: &str| {
            let found = self.evidence.designs.iter().find(|measured| measured.name == name)?;
            let calls = found.reads.queries.max(1) as f64;
            found.stats.bytes.map(|bytes| bytes as f64 / calls)
        };
        match (bytes(design), bytes(than)) {
            (Some(own), Some(other)) => format!(
                "a call reads {:.0} % of the bytes that it reads on {than}; the rest of its time does not depend on families",
                100.0 * own / other.max(1.0)
            ),
            _ => "the store does not tell how many bytes it reads; the page shows which queries gain"
                .to_owned(),
        }
    }

    fn best_reference(&self) -> Claim {
        let one = self.mean_ms("ref01");
        let others: Vec<(&str, Option<f64>)> =
            ["ref02", "ref03"].into_iter().map(|name| (name, self.saved("ref01", name))).collect();
        let holds = one.is_some() && others.iter().all(|(_, saved)| saved.is_some_and(|saved| saved > 0.0));
        let told: Vec<String> = others
            .iter()
            .map(|(name, saved)| format!("{} than {name}", saved.map_or_else(not_measured, less)))
            .collect();
        let better = others.iter().filter(|(_, saved)| saved.is_some_and(|saved| saved <= 0.0));
        let better: Vec<&str> = better.map(|(name, _)| *name).collect();
        Claim {
            claim: "ref01, one family, is the best of the references".to_owned(),
            paper: "the lowest mean of the three".to_owned(),
            measured: told.join(", "),
            holds,
            reason: (!holds).then(|| {
                match better.as_slice() {
                    [] => "a reference was not measured".to_owned(),
                    names => format!(
                        "{}: reading less saves more than reading several families costs; most time goes into the cells that \
                         are looked at",
                        names.join(" and ")
                    ),
                }
            }),
        }
    }

    fn significance(&self, design: &str) -> Claim {
        let pairs: Vec<(&str, Option<&Pair>)> = ["ref01", "ref02", "ref03"]
            .into_iter()
            .map(|reference| (reference, self.pair(design, reference)))
            .collect();
        let is_faster = |reference: &str| self.saved(design, reference).is_some_and(|saved| saved > 0.0);
        let holds = pairs
            .iter()
            .all(|(reference, pair)| pair.is_some_and(|pair| pair.p < PAPER_P) && is_faster(reference));
        let told = |(reference, pair): &(&str, Option<&Pair>)| match pair {
            Some(pair) => format!("{reference}: t = {:.1}, p = {}", pair.t, p_text(pair.p)),
            None => format!("{reference}: {}", not_measured()),
        };
        let slower: Vec<&str> =
            pairs.iter().map(|(name, _)| *name).filter(|reference| !is_faster(reference)).collect();
        Claim {
            claim: format!("{design} is faster than each reference, and not by chance"),
            paper: "p < 0.0001 in three paired t-tests".to_owned(),
            measured: pairs.iter().map(told).collect::<Vec<_>>().join("; "),
            holds,
            reason: (!holds).then(|| match slower.as_slice() {
                [] => "the differences are there, but too few queries were replayed to be so sure".to_owned(),
                names => format!("{design} is not faster than {}", names.join(" and ")),
            }),
        }
    }

    fn at_least_as_fast(&self, design: &str, than: &str) -> Claim {
        let saved = self.saved(design, than);
        // Slower by chance is not slower.
        let by_chance = self.pair(design, than).is_some_and(|pair| pair.p >= SIGNIFICANT);
        let holds = saved.is_some_and(|saved| saved >= 0.0 || by_chance);
        Claim {
            claim: format!("{design} (better evolution, the store's own cost) is at least as fast as {than}"),
            paper: "not in the paper".to_owned(),
            measured: saved.map_or_else(not_measured, less),
            holds,
            reason: (!holds).then(|| "the store's cost misjudges one of the two".to_owned()),
        }
    }
}

fn not_measured() -> String {
    "not measured".to_owned()
}

/// A share as people say it: "36.1 % less", "4.0 % more".
fn less(saved: f64) -> String {
    if saved >= 0.0 {
        format!("{:.1} % less", 100.0 * saved)
    } else {
        format!("{:.1} % more", -100.0 * saved)
    }
}

fn p_text(p: f64) -> String {
    if p < PAPER_P { "under 0.0001".to_owned() } else { format!("{p:.4}") }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tablesmith_model::evidence::{MeasuredDesign, Summary};

    fn evidence(means: &[(&str, f64)], p: f64) -> Evidence {
        let design = |(name, mean_ms): &(&str, f64)| MeasuredDesign {
            name: (*name).to_owned(),
            reads: Summary { mean_ms: *mean_ms, queries: 100, ..Summary::default() },
            ..MeasuredDesign::default()
        };
        let pair = |reference: &str| Pair { a: "s03".into(), b: reference.into(), p, ..Pair::default() };
        Evidence {
            designs: means.iter().map(design).collect(),
            pairs: ["ref01", "ref02", "ref03"].map(pair).into(),
            ..Evidence::default()
        }
    }

    const PAPER: [(&str, f64); 6] = [
        ("ref01", 100.0),
        ("ref02", 236.0),
        ("ref03", 120.0),
        ("s03", 79.0),
        ("s05", 66.0),
        ("ours05", 60.0),
    ];

    #[test]
    fn what_the_paper_measured_holds() {
        let claims = claims(&evidence(&PAPER, 1e-9));
        assert!(claims.iter().all(|claim| claim.holds && claim.reason.is_none()), "{claims:#?}");
        assert_eq!(claims[0].measured, "21.0 % less");
    }

    #[test]
    fn what_does_not_hold_says_why() {
        let mut means = PAPER;
        means[2].1 = 90.0;
        means[3].1 = 95.0;
        let claims = claims(&evidence(&means, 0.02));
        let holds: Vec<bool> = claims.iter().map(|claim| claim.holds).collect();
        assert_eq!(holds, [false, true, true, false, false, true]);
        assert!(claims.iter().all(|claim| claim.holds != claim.reason.is_some()));
        assert!(claims[3].reason.as_ref().unwrap().starts_with("ref03: reading less"));
        assert!(claims[4].reason.as_ref().unwrap().contains("not faster than ref03"));
    }

    #[test]
    fn what_was_not_measured_does_not_hold() {
        assert!(claims(&Evidence::default()).iter().all(|claim| !claim.holds && claim.reason.is_some()));
    }
}
