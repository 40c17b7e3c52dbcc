//! An experiment as JSON.

use serde::{Serialize, Serializer};
use serde_json::{Value, json};

use super::run::Outcome;

/// What others may rely on: the claims, and tables of what was measured.
impl Serialize for Outcome {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        value(self).serialize(serializer)
    }
}

fn value(outcome: &Outcome) -> Value {
    let evidence = &outcome.evidence;
    let origin =
        |name: &str| outcome.tried.iter().find(|tried| tried.name == name).map(|tried| tried.origin.as_str());
    let schemas: Vec<Value> = evidence
        .designs
        .iter()
        .map(|design| {
            json!({
                "name": design.name,
                "origin": origin(&design.name),
                "families": design.families.len(),
                "queries": design.reads.queries,
                "mean_ms": design.reads.mean_ms,
                "median_ms": design.reads.median_ms,
                "p95_ms": design.reads.p95_ms,
                "p99_ms": design.reads.p99_ms,
                "stats": design.stats,
            })
        })
        .collect();
    json!({
        "experiment": outcome.experiment,
        "store": evidence.store,
        "scale": outcome.scale,
        "seed": evidence.seed,
        "claims": evidence.claims,
        "tables": {
            "schemas": schemas,
            "pairs": evidence.pairs.iter().map(pair).collect::<Vec<_>>(),
            "prediction": evidence.prediction,
        },
        "verdict": evidence.verdict,
        "answers_equal": evidence.answers_equal,
        "stopped": evidence.stopped,
        "notes": evidence.notes,
    })
}

/// A pair without its distribution, which only pictures need.
fn pair(pair: &tablesmith_model::evidence::Pair) -> Value {
    json!({
        "a": pair.a, "b": pair.b, "difference": pair.difference, "low": pair.low, "high": pair.high,
        "t": pair.t, "p": pair.p, "effect": pair.effect, "share": pair.share,
    })
}
