//! Decides which experiments are done: together they tell every price from every other.
//!
//! Prices are told apart by what differs: gets and scans (regions), numbers of rows (rows beside calls and seeks), numbers
//! of families (seeks, and rows of families beside rows), few and many cells (cells beside rows), small and large values
//! (bytes beside cells), one column of many and all of them (what is returned beside what is looked at), borders of
//! regions, and for writes batches, families, cells and values.

use std::time::Duration;

use super::experiment::{Experiment, Task};
use super::shape::Shape;

/// With less time than this the tables have fewer rows.
const TIME_FOR_ALL_ROWS: Duration = Duration::from_secs(30);
/// The share of rows that there are at least.
const LEAST_SHARE: f64 = 0.02;

/// Rows of scans: few, where the call is most of it, and many, where rows are.
const SCANS: [u64; 3] = [1, 30, 600];

const fn filled(
    name: &'static str,
    families: usize,
    width: usize,
    value_bytes: usize,
    rows: u64,
    regions: u64,
) -> Shape {
    Shape { name, families, width, value_bytes, rows, regions, is_filled: true }
}

const NARROW: Shape = filled("narrow", 1, 4, 16, 30_000, 1);
const MIDDLE: Shape = filled("middle", 1, 16, 16, 8_000, 1);
const WIDE: Shape = filled("wide", 1, 48, 16, 3_000, 1);
const LARGE: Shape = filled("large", 1, 4, 500, 4_000, 1);
const FAMILIES: Shape = filled("families", 5, 3, 16, 8_000, 1);
const WIDE_FAMILIES: Shape = filled("wide_families", 4, 14, 16, 3_000, 1);
const LARGE_FAMILIES: Shape = filled("large_families", 3, 2, 500, 3_000, 1);
const REGIONS: Shape = filled("regions", 2, 4, 16, 8_000, 8);
/// Written to: small and large cells.
const WRITTEN: Shape = Shape { is_filled: false, ..filled("written", 5, 12, 16, 1_000_000, 1) };
const LARGE_WRITTEN: Shape = Shape { is_filled: false, ..filled("large_written", 3, 3, 1_000, 1_000_000, 1) };

const SHAPES: [Shape; 10] =
    [NARROW, MIDDLE, WIDE, LARGE, FAMILIES, WIDE_FAMILIES, LARGE_FAMILIES, REGIONS, WRITTEN, LARGE_WRITTEN];

/// What is done.
pub struct Plan {
    /// On these tables.
    pub shapes: Vec<Shape>,
    pub experiments: Vec<Experiment>,
}

/// Decides on tables and experiments for so much time.
pub fn plan(time: Duration) -> Plan {
    let share = (time.as_secs_f64() / TIME_FOR_ALL_ROWS.as_secs_f64()).clamp(LEAST_SHARE, 1.0);
    let sized = |shape: Shape| Shape { rows: (shape.rows as f64 * share) as u64, ..shape };
    let mut experiments = [reads(), scans_over_borders(), writes()].concat();
    for experiment in &mut experiments {
        experiment.shape = sized(experiment.shape);
        if let Task::Scan { rows, .. } = &mut experiment.task {
            // Within a region there have to be places to begin at; over a border, half of the rows on each side of it.
            *rows = (*rows).min(experiment.shape.rows / experiment.shape.regions / 2);
        }
    }
    Plan { shapes: SHAPES.map(sized).into(), experiments }
}

fn reads() -> Vec<Experiment> {
    let mut all = Vec::new();
    for (shape, families, columns) in [
        (NARROW, &[1][..], &[1, 4][..]),
        (MIDDLE, &[1], &[1, 5, 16]),
        (WIDE, &[1], &[1, 6, 48]),
        (LARGE, &[1], &[1, 4]),
        (FAMILIES, &[1, 2, 5], &[1, 3]),
        (WIDE_FAMILIES, &[1, 2, 4], &[1, 4, 14]),
        (LARGE_FAMILIES, &[1, 3], &[1, 2]),
    ] {
        for (families, columns) in pairs(families, columns) {
            let experiment = |task| Experiment { shape, task, families, columns };
            all.push(experiment(Task::Get));
            all.extend(SCANS.map(|rows| experiment(Task::Scan { rows, borders: 0 })));
        }
    }
    all
}

fn scans_over_borders() -> Vec<Experiment> {
    let mut all = Vec::new();
    for (families, columns) in pairs(&[1, 2], &[4]) {
        for (rows, borders) in [(2, 0), (2, 1), (40, 0), (40, 1)] {
            all.push(Experiment { shape: REGIONS, task: Task::Scan { rows, borders }, families, columns });
        }
    }
    all
}

fn writes() -> Vec<Experiment> {
    let mut all = Vec::new();
    for (shape, families, columns, batches) in [
        (WRITTEN, &[1, 2, 5][..], &[1, 12][..], &[1, 10, 100][..]),
        (LARGE_WRITTEN, &[1, 3], &[1, 3], &[1, 30]),
    ] {
        for (families, columns) in pairs(families, columns) {
            let put = |rows: &u64| Experiment { shape, task: Task::Put { rows: *rows }, families, columns };
            all.extend(batches.iter().map(put));
        }
    }
    all
}

fn pairs(some: &[usize], others: &[usize]) -> Vec<(usize, usize)> {
    some.iter().flat_map(|one| others.iter().map(|other| (*one, *other))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::calibrate::fit::{Sample, fit};
    use tablesmith_model::cost::{Operations, Prices};

    #[test]
    fn experiments_fit_their_tables() {
        for seconds in [0, 3, 60] {
            let plan = plan(Duration::from_secs(seconds));
            for experiment in plan.experiments {
                assert!(plan.shapes.contains(&experiment.shape), "{experiment}");
                assert!(experiment.families <= experiment.shape.families, "{experiment}");
                assert!(experiment.columns <= experiment.shape.width, "{experiment}");
                if let Task::Scan { rows, borders } = experiment.task {
                    let region_rows = experiment.shape.rows / experiment.shape.regions;
                    assert!(rows > borders && rows < region_rows, "{experiment}");
                }
            }
        }
    }

    /// Exact times give exact prices: no price is a mixture of others.
    #[test]
    fn experiments_tell_every_price_from_every_other() {
        for (index, name) in Operations::NAMES.into_iter().enumerate() {
            let mut amounts = Prices::guessed().each_ms.amounts();
            amounts[index] *= 3.0;
            let prices = Prices { each_ms: Operations::from_amounts(amounts), ..Prices::guessed() };
            let sample = |experiment: Experiment| Sample {
                what: experiment.to_string(),
                operations: experiment.operations(),
                measured_ms: prices.cost(&experiment.operations()),
            };
            let samples: Vec<Sample> = plan(TIME_FOR_ALL_ROWS).experiments.into_iter().map(sample).collect();
            let (found, fit) = fit(&samples);
            for ((found, right), of) in found.amounts().into_iter().zip(amounts).zip(Operations::NAMES) {
                assert!(
                    (found / right - 1.0).abs() < 1e-6,
                    "with more for {name}, {of} is {found}, not {right}"
                );
            }
            assert!(fit.r2 > 0.999_999, "{}", fit.r2);
        }
    }
}
