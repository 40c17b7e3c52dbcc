//! Costs of the form that stores have: so much for each family that is read, and so much for what is in it.
//!
//! With w(f) the sum of what the columns of family f take to read in one row, a read of n rows side by side costs
//!
//!   seek + n · family_row + n · w(f)      for each family f that it loads,
//!
//! and a get of n rows n times that of one row. Of families with copies it loads the cheapest that have all it needs. A
//! write costs so much for each family that holds a column of it, and so much for each column there. What a call takes
//! whatever the families are is added, so that sums are whole costs. [`Bytes`](super::Bytes) and
//! [`Store`](super::Store) are two price lists of this form.

use super::{Pricing, Weighed, cover};
use crate::families::{Access, Ask, Problem};

/// A linear price list for one problem.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Linear {
    /// What each column takes in a row.
    pub columns: Vec<ColumnPrices>,
    /// A call.
    pub call: f64,
    /// A scan, besides the call.
    pub scan: f64,
    /// A row that is read, however many families of it.
    pub row: f64,
    /// A seek into a family.
    pub seek: f64,
    /// A row of a family that is read.
    pub family_row: f64,
    /// What is read of a family is rounded up to a multiple of this.
    pub block: Option<f64>,
    /// A call that writes, besides the call.
    pub write_call: f64,
    /// A row that is written, however many families of it.
    pub put: f64,
    /// A row of a family that is written.
    pub family_put: f64,
    /// What it costs that something is stored that takes 1 to read in a row, of all rows and for all calls together.
    pub stored: f64,
    /// What rates are multiplied by.
    pub scale: f64,
}

/// What one column takes in one row, on average over rows with and without a value.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ColumnPrices {
    /// To be read over.
    pub read: f64,
    /// To go to the client, besides.
    pub returned: f64,
    /// To be written.
    pub written: f64,
}

impl Linear {
    /// How often an ask reads, and how many rows side by side each time; for a write how often a row is written, and 1.
    pub fn times_and_rows(&self, ask: &Ask) -> (f64, f64) {
        let rate = ask.rate * self.scale;
        match ask.access {
            Access::Scan => (rate, ask.rows),
            Access::Get | Access::Write => (rate * ask.rows, 1.0),
        }
    }

    /// What an ask costs whatever the families are, at its rate.
    pub fn constant(&self, ask: &Ask) -> f64 {
        let returned: f64 = ask.columns.iter().map(|column| self.column(column).returned).sum();
        let calls = match ask.access {
            Access::Scan => self.call + self.scan + ask.rows * (self.row + returned),
            Access::Get => ask.rows * (self.call + self.row + returned),
            Access::Write => self.call + self.write_call + ask.rows * self.put,
        };
        ask.rate * self.scale * calls
    }

    /// What reading so many rows side by side of a family costs, once. The weight is what a row of it takes.
    pub fn read(&self, rows: f64, weight: f64) -> f64 {
        let all = rows * weight;
        let in_blocks = |block: f64| (all / block).ceil().max(1.0) * block;
        self.seek + rows * self.family_row + self.block.map_or(all, in_blocks)
    }

    /// The prices of a column.
    pub fn column(&self, column: usize) -> ColumnPrices {
        self.columns.get(column).copied().unwrap_or_default()
    }

    fn written(&self, ask: &Ask, family: &Weighed) -> f64 {
        let columns = ask.columns.iter().filter(|column| family.columns.contains(*column));
        self.family_put + columns.map(|column| self.column(column).written).sum::<f64>()
    }
}

impl Pricing for Linear {
    fn weight(&self, column: usize) -> f64 {
        self.column(column).read
    }

    fn ask(&self, ask: &Ask, touched: &[&Weighed], loaded: &mut Vec<usize>) -> f64 {
        let (times, rows) = self.times_and_rows(ask);
        if ask.access == Access::Write {
            loaded.extend(0..touched.len());
            let families: f64 = touched.iter().map(|family| self.written(ask, family)).sum();
            return self.constant(ask) + times * families;
        }
        let price = |family: &Weighed| self.read(rows, family.weight);
        cover::cheapest(&ask.columns, touched, price, loaded);
        let families: f64 = loaded.iter().filter_map(|at| touched.get(*at)).map(|family| price(family)).sum();
        self.constant(ask) + times * families
    }

    fn whole(&self, families: &[(f64, f64)]) -> f64 {
        self.stored * families.iter().map(|(weight, _)| weight).sum::<f64>()
    }
}

/// Bytes that a cell of a column takes where it is stored, on average over rows with and without a value: HBase stores
/// the row key and the names of family and column in every cell.
pub(super) fn stored_bytes(problem: &Problem, column: &crate::families::Column, cell: CellBytes) -> f64 {
    let names = cell.family_name + column.name.len() as f64;
    column.filled * (problem.key_bytes + names + cell.overhead + column.bytes)
}

/// Bytes of a cell besides row key, name and value.
#[derive(Clone, Copy, Debug)]
pub(super) struct CellBytes {
    /// Lengths, timestamp, kind.
    pub overhead: f64,
    /// The name of its family.
    pub family_name: f64,
}
