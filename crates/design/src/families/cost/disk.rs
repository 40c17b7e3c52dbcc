//! Seconds of disk time in the model of the published comparison of vertical partitioning algorithms
//! (Jindal, Palatinus, Pavlov and Dittrich, "A Comparison of Knives for Bread Slicing", PVLDB 6(6), 2013).
//!
//! A query reads in full every family that has a column it needs. These families share a buffer in proportion to their
//! row widths; each is read one share at a time, a seek each. No header, key or processor time.

use super::{Cost, Pricing, Weighed};
use crate::families::{Access, Ask, Problem};

/// The disk of the comparison.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Disk {
    /// Bytes of a block.
    pub block_bytes: f64,
    /// Bytes of the buffer that all families of a query share.
    pub buffer_bytes: f64,
    /// Seconds of a seek.
    pub seek_s: f64,
    /// Bytes a second.
    pub bandwidth: f64,
}

impl Default for Disk {
    fn default() -> Self {
        Self { block_bytes: 8_192.0, buffer_bytes: 8_388_608.0, seek_s: 0.008, bandwidth: 96_468_992.0 }
    }
}

impl Disk {
    /// Seconds to read a family of so many bytes a row, when the query's families have so many together.
    pub fn family_s(&self, rows: f64, width: f64, widths_together: f64) -> f64 {
        let blocks = (width * rows / self.block_bytes).ceil();
        let share = (self.buffer_bytes * width / widths_together).floor().max(self.block_bytes);
        let blocks_a_refill = (share / self.block_bytes).floor();
        self.seek_s * (blocks / blocks_a_refill).ceil() + blocks * self.block_bytes / self.bandwidth
    }
}

impl Cost for Disk {
    fn name(&self) -> &'static str {
        "disk"
    }

    fn unit(&self) -> &'static str {
        "s"
    }

    fn allows_duplicates(&self) -> bool {
        false
    }

    fn pricing<'a>(&'a self, problem: &'a Problem) -> Box<dyn Pricing + 'a> {
        Box::new(Prepared { disk: self, problem })
    }
}

struct Prepared<'a> {
    disk: &'a Disk,
    problem: &'a Problem,
}

impl Pricing for Prepared<'_> {
    fn weight(&self, column: usize) -> f64 {
        self.problem.columns.get(column).map_or(0.0, |column| column.bytes)
    }

    fn ask(&self, ask: &Ask, touched: &[&Weighed], loaded: &mut Vec<usize>) -> f64 {
        if ask.access == Access::Write {
            return 0.0;
        }
        loaded.extend(0..touched.len());
        let together: f64 = touched.iter().map(|family| family.weight).sum();
        let rows = self.problem.rows as f64;
        let widths = touched.iter().map(|family| family.weight).filter(|width| *width > 0.0);
        ask.rate * widths.map(|width| self.disk.family_s(rows, width, together)).sum::<f64>()
    }

    fn whole(&self, _families: &[(f64, f64)]) -> f64 {
        0.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::families::{Column, ColumnSet};

    /// TPC-H's partsupp at scale factor 10, with the five queries that read it.
    fn partsupp() -> Problem {
        let column = |(name, bytes): (&str, f64)| Column { name: name.to_owned(), bytes, filled: 1.0 };
        let ask = |columns: &[usize]| Ask {
            name: String::new(),
            access: Access::Scan,
            columns: columns.iter().copied().collect(),
            rows: 8_000_000.0,
            rate: 1.0,
        };
        Problem {
            rows: 8_000_000,
            columns: [
                ("PartKey", 4.0),
                ("SuppKey", 4.0),
                ("AvailQty", 4.0),
                ("SupplyCost", 4.0),
                ("Comment", 199.0),
            ]
            .map(column)
            .into(),
            asks: vec![ask(&[0, 1, 3]), ask(&[0, 1, 3]), ask(&[0, 1, 2, 3]), ask(&[0, 1]), ask(&[0, 1, 2])],
            ..Problem::default()
        }
    }

    #[test]
    fn the_worked_example_of_partsupp() {
        let mut problem = partsupp();
        let families: Vec<ColumnSet> =
            [&[0, 1][..], &[2], &[3], &[4]].map(|family| family.iter().copied().collect()).into();
        assert!((Disk::default().of(&problem, &families) - 6.000_223).abs() < 1e-6);
        problem.asks.truncate(1);
        assert!((Disk::default().of(&problem, &families) - 1.187_245).abs() < 1e-6);
    }

    #[test]
    fn writes_cost_nothing_here() {
        let mut problem = partsupp();
        let before = Disk::default().of(&problem, &problem.one_family());
        problem.asks.push(Ask { access: Access::Write, ..problem.asks[0].clone() });
        assert_eq!(Disk::default().of(&problem, &problem.one_family()), before);
    }
}
