//! The layouts that can hold a table's readings, and why others cannot.

use tablesmith_model::duration_text;
use tablesmith_model::series::{CellShape, Dimension, KeyOrder, SeriesLayout, Span};
use tablesmith_model::workload::{SequenceKind, Table};

use super::facts::Facts;
use super::predict::Shape;

const MINUTE: u64 = 60_000;
const HOUR: u64 = 60 * MINUTE;
const DAY: u64 = 24 * HOUR;

/// What a row of time can hold, besides one reading and all of them.
const TIME_SPANS: [u64; 7] = [MINUTE, 10 * MINUTE, HOUR, 6 * HOUR, DAY, 7 * DAY, 30 * DAY];
/// What a row of another sequence can hold.
const NUMBER_SPANS: [u64; 6] = [10, 100, 1_000, 10_000, 100_000, 1_000_000];
/// Readings that a row must have for it to be worth sharing.
const ROW_READINGS_LEAST: f64 = 2.0;
/// A row that is larger is a burden: a region is never cut inside it.
const ROW_BYTES_MOST: f64 = 64.0 * 1_048_576.0;
/// A packed cell that is larger takes too long to rewrite; HBase refuses ten times as much.
const PACKED_BYTES_MOST: f64 = 1_048_576.0;
/// Prefixes for each server, so that each has some to do and can give some away.
const PREFIXES_PER_SERVER: u64 = 3;
/// Servers of a cluster of which nobody says how many it has.
const SERVERS_ASSUMED: u64 = 3;

/// Layouts, and what was left out.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Enumerated {
    /// The layouts that can hold the readings.
    pub layouts: Vec<SeriesLayout>,
    /// What cannot, and why.
    pub rejected: Vec<Rejected>,
}

/// Layouts that were left out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rejected {
    /// Which ones: a name, or the part of a name that they share.
    pub layouts: String,
    /// Why.
    pub reason: String,
}

/// What is asked of layouts besides holding the readings.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Demands {
    /// Region servers, where that is known.
    pub servers: Option<u32>,
    /// Whether readings are written while others are read.
    pub has_writes: bool,
}

/// All layouts of a table that can hold its readings.
pub fn enumerate(table: &Table, facts: &Facts, demands: Demands) -> Enumerated {
    let Ok(tall) = SeriesLayout::tall(table) else { return Enumerated::default() };
    let metrics = facts.metrics.iter().map(|metric| metric.name.clone()).collect();
    let mut found = Enumerated::default();
    let base = SeriesLayout { metrics, ..tall };
    let spans = found.spans(facts);
    let orders = found.orders(demands);
    let shapes = found.shapes(facts);
    for dimension in found.dimensions(facts) {
        let of_rows = [Span::Each];
        let spans: &[Span] = if dimension == Dimension::Row { &of_rows } else { &spans };
        for span in spans.iter().copied() {
            for cells in shapes.iter().copied() {
                let plain = SeriesLayout { dimension, span, cells, ..base.clone() };
                if let Some(reason) = too_large(&plain, facts) {
                    found.reject(
                        format!("{}/{}/*/{}", dimension.name(), span.name(facts.kind), cells.name()),
                        reason,
                    );
                    continue;
                }
                let ordered = orders.iter().map(|order| SeriesLayout { order: *order, ..plain.clone() });
                found.layouts.extend(ordered.filter(|layout| layout.check(table).is_ok()));
            }
        }
    }
    found
}

impl Enumerated {
    fn reject(&mut self, layouts: impl Into<String>, reason: impl Into<String>) {
        self.rejected.push(Rejected { layouts: layouts.into(), reason: reason.into() });
    }

    fn dimensions(&mut self, facts: &Facts) -> Vec<Dimension> {
        if facts.first < 0 {
            self.reject(
                "versions/*",
                "there are readings from before 1970 (or below 0), which cannot be versions",
            );
        }
        Dimension::ALL
            .into_iter()
            .filter(|dimension| *dimension != Dimension::Version || facts.first >= 0)
            .collect()
    }

    /// Spans that hold several readings, up to the first that holds all there are.
    fn spans(&mut self, facts: &Facts) -> Vec<Span> {
        let widths: &[u64] = match facts.kind {
            SequenceKind::Time => &TIME_SPANS,
            SequenceKind::Sequence => &NUMBER_SPANS,
        };
        let daily = |width: &u64| !facts.is_daily || width.is_multiple_of(DAY);
        let holds_several = |width: u64| width as f64 >= ROW_READINGS_LEAST * facts.interval;
        let mut spans = Vec::new();
        for width in widths.iter().copied().filter(daily) {
            let name = Span::Of(width).name(facts.kind);
            if !holds_several(width) {
                let every = every(facts);
                self.reject(
                    format!("*/{name}/*"),
                    format!("with a reading every {every} such a row has no two of them"),
                );
            } else if width as f64 > facts.extent() {
                self.reject(
                    format!("*/{name}/*"),
                    "such a row holds all readings of an entity, as one without a span does",
                );
            } else {
                spans.push(Span::Of(width));
            }
        }
        spans.push(Span::Unbounded);
        spans
    }

    fn orders(&mut self, demands: Demands) -> Vec<KeyOrder> {
        let servers = demands.servers.map_or(SERVERS_ASSUMED, u64::from).max(1);
        let buckets = servers * PREFIXES_PER_SERVER;
        let is_hot = demands.has_writes && demands.servers.is_some_and(|servers| servers > 1);
        if is_hot {
            self.reject(
                "*/time-entity/*",
                format!("all readings of a moment would go to one of {servers} servers; bucketed-{buckets}-time spreads them"),
            );
        }
        let mut orders = vec![KeyOrder::EntityTime];
        if !is_hot {
            orders.push(KeyOrder::TimeEntity);
        }
        orders.extend([
            KeyOrder::ReversedEntityTime,
            KeyOrder::HashedEntityTime,
            KeyOrder::SaltedEntityTime { buckets },
            KeyOrder::BucketedTime { buckets },
        ]);
        orders
    }

    fn shapes(&mut self, facts: &Facts) -> Vec<CellShape> {
        if facts.metrics.len() > 1 {
            return CellShape::ALL.to_vec();
        }
        self.reject("*/together", "there is one metric only: a cell of its own is the same with less");
        vec![CellShape::EachMetric]
    }
}

/// Why a row would be too large, if it is.
fn too_large(layout: &SeriesLayout, facts: &Facts) -> Option<String> {
    let row_bytes = Shape::of(layout, facts).row_bytes;
    let megabytes = row_bytes / 1_048_576.0;
    match layout.dimension {
        Dimension::Packed if row_bytes > PACKED_BYTES_MOST => Some(format!(
            "a packed cell would have {megabytes:.1} MiB, which every write of a reading would have to rewrite"
        )),
        _ if row_bytes > ROW_BYTES_MOST => {
            Some(format!("a row would have {megabytes:.0} MiB, and a region is never cut inside a row"))
        }
        _ => None,
    }
}

fn every(facts: &Facts) -> String {
    match facts.kind {
        SequenceKind::Time => {
            duration_text::print(std::time::Duration::from_millis(facts.interval.round() as u64))
        }
        SequenceKind::Sequence => facts.interval.round().to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::time::testing::{facts, table};

    fn names(found: &Enumerated) -> Vec<String> {
        found.layouts.iter().map(SeriesLayout::name).collect()
    }

    #[test]
    fn layouts_have_different_names_and_all_make_sense() {
        let table = table(2);
        let found = enumerate(&table, &facts(2), Demands::default());
        let mut names = names(&found);
        assert!(names.len() > 100, "{}", names.len());
        names.sort();
        names.dedup();
        assert_eq!(names.len(), found.layouts.len());
        assert!(found.layouts.iter().all(|layout| layout.check(&table).is_ok()));
        for name in
            ["tall/one/entity-time/each", "versions/1d/time-entity/together", "packed/all/entity-time/each"]
        {
            assert!(names.contains(&name.to_owned()), "{name}: {names:?}");
        }
    }

    #[test]
    fn what_makes_no_sense_is_left_out_with_its_reason() {
        let busy = Demands { servers: Some(5), has_writes: true };
        let old = Facts { first: -1, readings: 4e8, ..facts(1) };
        let found = enumerate(&table(1), &old, busy);
        let told: Vec<String> = found
            .rejected
            .iter()
            .map(|rejected| format!("{}: {}", rejected.layouts, rejected.reason))
            .collect();
        for (layouts, word) in [
            ("*/together", "one metric"),
            ("versions/*", "1970"),
            ("*/time-entity/*", "5 servers"),
            ("*/1m/*", "no two"),
            ("packed/all/*/each", "rewrite"),
            ("wide/all/*/each", "never cut"),
        ] {
            assert!(
                told.iter().any(|line| line.starts_with(layouts) && line.contains(word)),
                "{layouts}: {told:#?}"
            );
        }
        assert!(
            names(&found).iter().all(|name| !name.contains("/time-entity") && !name.starts_with("versions"))
        );
    }

    #[test]
    fn days_are_not_cut_and_numbers_have_spans_of_their_own() {
        let daily = Facts { is_daily: true, interval: DAY as f64, ..facts(1) };
        assert_eq!(Enumerated::default().spans(&daily), [Span::Of(7 * DAY), Span::Unbounded]);
        let numbers = Facts { kind: SequenceKind::Sequence, interval: 1.0, first: 0, last: 500, ..facts(1) };
        assert_eq!(Enumerated::default().spans(&numbers), [Span::Of(10), Span::Of(100), Span::Unbounded]);
    }
}
