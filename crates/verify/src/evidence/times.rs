//! Response times, design by design.

use std::collections::BTreeMap;

use tablesmith_model::evidence::{Distribution, MeasuredQuery, Outlier, Summary};

use crate::replay::{Measured, Script};
use crate::statistics::{far_off, mean, percentiles, quantile, sorted};

/// The times of one design, beside the calls that they are of.
pub(super) struct Times<'a, C> {
    pub script: &'a Script<C>,
    pub measured: &'a Measured,
    pub design: usize,
}

impl<C> Times<'_, C> {
    /// The times of reading calls, or of writing ones; `None` when there are no such calls.
    pub fn summary(&self, writes: bool) -> Option<Summary> {
        let times = self.each().filter(|(_, call, _)| self.writes(*call) == writes).map(|(_, _, ms)| ms);
        let times = sorted(times.collect());
        Some(Summary {
            queries: times.len() as u64,
            mean_ms: mean(&times)?,
            median_ms: quantile(&times, 0.5)?,
            p95_ms: quantile(&times, 0.95)?,
            p99_ms: quantile(&times, 0.99)?,
            distribution: Distribution(percentiles(&times)),
        })
    }

    /// The queries by name, the most frequent first.
    pub fn by_query(&self) -> Vec<MeasuredQuery> {
        let mut queries: BTreeMap<usize, (Vec<f64>, u64)> = BTreeMap::new();
        for timed in &self.measured.turns {
            let (Some(query), Some(ms)) = (self.query(timed.call), timed.times_ms.get(self.design)) else {
                continue;
            };
            let (times, rows) = queries.entry(query).or_default();
            times.push(*ms);
            *rows += timed.rows;
        }
        let mut told: Vec<MeasuredQuery> = queries
            .into_iter()
            .map(|(query, (times, rows))| MeasuredQuery {
                name: self.script.queries.get(query).cloned().unwrap_or_default(),
                calls: times.len() as u64,
                mean_ms: mean(&times).unwrap_or_default(),
                rows: rows as f64 / times.len().max(1) as f64,
            })
            .collect();
        told.sort_by_key(|query| std::cmp::Reverse(query.calls));
        told
    }

    /// Times that are far from those of the same query, slowest first: a scan is not an outlier among gets.
    pub fn outliers(&self) -> Vec<Outlier> {
        let mut queries: BTreeMap<usize, Vec<(usize, f64)>> = BTreeMap::new();
        for (turn, call, ms) in self.each() {
            if let Some(query) = self.query(call) {
                queries.entry(query).or_default().push((turn, ms));
            }
        }
        let mut outliers = Vec::new();
        for (query, times) in queries {
            let name = self.script.queries.get(query).cloned().unwrap_or_default();
            let alone: Vec<f64> = times.iter().map(|(_, ms)| *ms).collect();
            let far = far_off(&alone).into_iter().filter_map(|place| times.get(place));
            outliers.extend(far.map(|(turn, ms)| Outlier {
                call: *turn as u64,
                query: name.clone(),
                ms: *ms,
            }));
        }
        outliers.sort_by(|one, other| other.ms.total_cmp(&one.ms));
        outliers
    }

    /// Turn, call and time.
    fn each(&self) -> impl Iterator<Item = (usize, usize, f64)> {
        let time =
            |timed: &crate::replay::Timed| Some((timed.turn, timed.call, *timed.times_ms.get(self.design)?));
        self.measured.turns.iter().filter_map(time)
    }

    fn query(&self, call: usize) -> Option<usize> {
        self.script.calls.get(call).map(|entry| entry.query)
    }

    fn writes(&self, call: usize) -> bool {
        self.script.calls.get(call).is_some_and(|entry| entry.writes)
    }
}
