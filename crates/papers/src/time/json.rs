//! The experiment as JSON.

use crate::time::cosmology::Lines;
use crate::time::measure::Line;
use serde::{Serialize, Serializer};
use serde_json::{Value, json};

use super::run::{Outcome, Tried};

/// What others may rely on: the claims, and tables of what came out.
impl Serialize for Outcome {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        value(self).serialize(serializer)
    }
}

fn value(outcome: &Outcome) -> Value {
    let Lines { query_1, query_2, query_3 } = &outcome.cosmology.lines;
    let lines = |lines: &[Line]| lines.iter().map(line).collect::<Vec<_>>();
    let tried = |tried: &[Tried]| tried.iter().map(schema).collect::<Vec<_>>();
    json!({
        "experiment": "time",
        "store": outcome.evidence.store,
        "scale": outcome.scale,
        "seed": outcome.evidence.seed,
        "answers_equal": outcome.evidence.answers_equal,
        "claims": outcome.evidence.claims,
        "tables": {
            "bixi_schemas": tried(&outcome.bixi.tried),
            "bixi": outcome.bixi.lines.iter().map(|(_, one)| line(one)).collect::<Vec<_>>(),
            "cosmology_schemas": tried(&outcome.cosmology.tried),
            "query_1": lines(query_1),
            "query_2": lines(query_2),
            "query_3": lines(query_3),
        },
        "verdict": outcome.evidence.verdict,
        "notes": outcome.evidence.notes,
    })
}

fn schema(one: &Tried) -> Value {
    json!({
        "schema": one.name, "layout": one.layout, "readings": one.readings, "stored_bytes": one.stored_bytes,
        "regions": one.regions, "load_s": one.load_s,
    })
}

fn line(line: &Line) -> Value {
    json!({
        "question": line.question,
        "median_ms": line.cells.iter().map(|cell| cell.millis).collect::<Vec<_>>(),
        "working_regions": line.cells.iter().map(|cell| &cell.regions).collect::<Vec<_>>(),
        "found": line.found,
        "answers_equal": line.answers_equal,
    })
}
