//! The experiment as JSON.

use crate::keys::claims::{CHARTED, EIGHT, FOUR};
use crate::keys::histogram::Histogram;
use crate::keys::point::LoadPoint;
use serde::{Serialize, Serializer};
use serde_json::{Value, json};

use super::run::Outcome;

/// What others may rely on: the claims, and tables of what came out.
impl Serialize for Outcome {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        value(self).serialize(serializer)
    }
}

fn value(outcome: &Outcome) -> Value {
    let from = |first_id| outcome.histograms.iter().filter(move |one| one.first_id == first_id);
    let charted = outcome
        .simulated
        .iter()
        .filter(|point| [CHARTED, EIGHT, FOUR].contains(&point.setting))
        .map(with_rates);
    json!({
        "experiment": "keys",
        "store": outcome.evidence.store,
        "scale": outcome.scale,
        "seed": outcome.evidence.seed,
        "claims": outcome.evidence.claims,
        "tables": {
            "md5_histogram": from(1).map(histogram).collect::<Vec<_>>(),
            "md5_histogram_from_0": from(0).map(histogram).collect::<Vec<_>>(),
            "simulated": outcome.simulated.iter().map(summary).collect::<Vec<_>>(),
            "simulated_over_time": charted.collect::<Vec<_>>(),
            "divisors": outcome.divisors.iter().map(|one| json!({
                "design": one.design.name(), "modulus": one.modulus, "load_s": one.load_s,
            })).collect::<Vec<_>>(),
            "hashing": {
                "id_s": outcome.hash_cost.id_s,
                "line_s": outcome.hash_cost.line_s,
                "line_bytes": outcome.hash_cost.line_bytes,
            },
            "measured": outcome.measured.iter().map(with_rates).collect::<Vec<_>>(),
            "check": outcome.checked.iter().map(|one| json!({
                "design": one.design.name(),
                "regions": one.setting.regions, "servers": one.setting.servers, "files": one.setting.files,
                "measured_s": one.measured_s, "simulated_s": one.simulated_s,
                "measured_ratio": one.measured_ratio, "simulated_ratio": one.simulated_ratio,
                "rows_equal": one.rows_equal, "holds": one.holds(),
            })).collect::<Vec<_>>(),
        },
        "verdict": outcome.evidence.verdict,
        "notes": outcome.evidence.notes,
    })
}

fn histogram(one: &Histogram) -> Value {
    json!({ "modulus": one.modulus, "ids": one.ids, "min": one.min, "max": one.max, "sd": one.sd })
}

fn summary(point: &LoadPoint) -> Value {
    json!({
        "design": point.design.name(),
        "regions": point.setting.regions, "servers": point.setting.servers, "files": point.setting.files,
        "map_tasks": point.clients,
        "load_s": point.load_s,
        "region_rows": spread(&point.region_rows),
        "server_rows": spread(&point.server_rows),
        "busiest_server_share": point.busiest_share(),
        "heat": point.heat(),
    })
}

fn with_rates(point: &LoadPoint) -> Value {
    let mut value = summary(point);
    if let Some(object) = value.as_object_mut() {
        object.insert("rows_of_regions".to_owned(), json!(point.region_rows));
        object.insert("rows_of_servers".to_owned(), json!(point.server_rows));
        object.insert("requests_per_second".to_owned(), json!(point.rates));
    }
    value
}

fn spread(rows: &[u64]) -> Value {
    let count = rows.len().max(1) as f64;
    let mean = rows.iter().sum::<u64>() as f64 / count;
    let variance = rows.iter().map(|rows| (*rows as f64 - mean).powi(2)).sum::<f64>() / count;
    json!({
        "min": rows.iter().min(), "max": rows.iter().max(), "mean": mean, "sd": variance.sqrt(),
    })
}
