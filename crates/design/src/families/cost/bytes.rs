//! Bytes that a store as HBase must read, with writes, space and seeks turned into bytes by prices.
//!
//! A cell carries the row key, the names of its family and column and some bytes of its own. A family is read in whole
//! blocks. A get reads at least one block of each family that it touches, for each row; a scan reads its rows of each
//! family side by side. A seek into a family is priced in bytes: what could have been read in the meantime. A write goes
//! to every family that holds a column of it, so that copies are written as often as they are there, and every stored
//! byte costs a little all the time.

use super::linear::{CellBytes, ColumnPrices, Linear, stored_bytes};
use super::{Cost, Pricing};
use crate::families::{Column, Problem};

/// What is counted, and what each operation is worth in bytes read.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bytes {
    /// Bytes of a block.
    pub block_bytes: f64,
    /// Bytes that a cell has besides row key, names and value: lengths, timestamp, kind.
    pub cell_bytes: f64,
    /// Bytes of a family's name, which every cell carries. Short names are the custom.
    pub family_name_bytes: f64,
    /// What a seek into a family is worth, in bytes read.
    pub seek_bytes: f64,
    /// What a byte written is worth: it goes to a log, is flushed, and compacted a few times.
    pub written_byte: f64,
    /// What it is worth that one more family takes part in the write of a row.
    pub written_family_bytes: f64,
    /// What a byte that is stored is worth, for each call.
    pub stored_byte: f64,
}

impl Default for Bytes {
    fn default() -> Self {
        Self {
            block_bytes: 65_536.0,
            cell_bytes: 20.0,
            family_name_bytes: 1.0,
            seek_bytes: 65_536.0,
            written_byte: 4.0,
            written_family_bytes: 256.0,
            stored_byte: 1e-6,
        }
    }
}

impl Cost for Bytes {
    fn name(&self) -> &'static str {
        "bytes"
    }

    fn unit(&self) -> &'static str {
        "bytes"
    }

    fn allows_duplicates(&self) -> bool {
        true
    }

    fn pricing<'a>(&'a self, problem: &'a Problem) -> Box<dyn Pricing + 'a> {
        Box::new(self.prices(problem))
    }

    fn linear(&self, problem: &Problem) -> Option<Linear> {
        Some(self.prices(problem))
    }
}

impl Bytes {
    fn prices(&self, problem: &Problem) -> Linear {
        let cell = CellBytes { overhead: self.cell_bytes, family_name: self.family_name_bytes };
        let column = |column: &Column| {
            let read = stored_bytes(problem, column, cell);
            ColumnPrices { read, written: self.written_byte * read, ..ColumnPrices::default() }
        };
        let calls: f64 = problem.asks.iter().map(|ask| ask.rate).sum();
        Linear {
            columns: problem.columns.iter().map(column).collect(),
            seek: self.seek_bytes,
            block: Some(self.block_bytes),
            family_put: self.written_family_bytes,
            stored: self.stored_byte * problem.rows as f64 * calls,
            scale: 1.0,
            ..Linear::default()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::families::{Access, Ask, ColumnSet};

    /// Two columns "a" and "bb" of 100 and 1000 bytes, the second in half of a million rows; keys of 10 bytes.
    fn problem(asks: Vec<Ask>) -> Problem {
        let column = |name: &str, bytes: f64, filled: f64| Column { name: name.to_owned(), bytes, filled };
        Problem {
            rows: 1_000_000,
            key_bytes: 10.0,
            columns: vec![column("a", 100.0, 1.0), column("bb", 1_000.0, 0.5)],
            asks,
            ..Problem::default()
        }
    }

    fn ask(access: Access, columns: &[usize], rows: f64) -> Ask {
        Ask { name: String::new(), access, columns: columns.iter().copied().collect(), rows, rate: 2.0 }
    }

    fn families(columns: &[&[usize]]) -> Vec<ColumnSet> {
        columns.iter().map(|family| family.iter().copied().collect()).collect()
    }

    /// Cells: 10 + 1 + 1 + 20 + 100 = 132 bytes, and half of 10 + 1 + 2 + 20 + 1000 = 516.5.
    const CELLS: [f64; 2] = [132.0, 516.5];
    const BLOCK: f64 = 65_536.0;
    const SEEK: f64 = 65_536.0;

    fn without_space() -> Bytes {
        Bytes { stored_byte: 0.0, ..Bytes::default() }
    }

    #[test]
    fn a_get_reads_a_block_of_each_family_for_each_row() {
        let problem = problem(vec![ask(Access::Get, &[0, 1], 3.0)]);
        assert_eq!(without_space().of(&problem, &families(&[&[0], &[1]])), 2.0 * 3.0 * 2.0 * (SEEK + BLOCK));
        assert_eq!(without_space().of(&problem, &families(&[&[0, 1]])), 2.0 * 3.0 * (SEEK + BLOCK));
    }

    #[test]
    fn a_scan_reads_whole_blocks_and_seeks_once_a_family() {
        let problem = problem(vec![ask(Access::Scan, &[0], 1_000.0)]);
        let blocks = |bytes: f64| (bytes / BLOCK).ceil() * BLOCK;
        assert_eq!(
            without_space().of(&problem, &families(&[&[0], &[1]])),
            2.0 * (SEEK + blocks(1_000.0 * CELLS[0]))
        );
        assert_eq!(
            without_space().of(&problem, &families(&[&[0, 1]])),
            2.0 * (SEEK + blocks(1_000.0 * (CELLS[0] + CELLS[1])))
        );
    }

    #[test]
    fn a_read_takes_the_cheapest_copy() {
        let problem = problem(vec![ask(Access::Scan, &[0], 1_000.0)]);
        let alone = without_space().of(&problem, &families(&[&[0], &[1]]));
        assert_eq!(without_space().of(&problem, &families(&[&[0], &[0, 1]])), alone);
    }

    #[test]
    fn a_copy_is_written_again() {
        let problem = problem(vec![ask(Access::Write, &[0], 5.0)]);
        let once = 2.0 * 5.0 * (256.0 + 4.0 * CELLS[0]);
        assert_eq!(without_space().of(&problem, &families(&[&[0], &[1]])), once);
        assert_eq!(without_space().of(&problem, &families(&[&[0], &[0, 1]])), 2.0 * once);
    }

    #[test]
    fn a_copy_takes_space_for_every_call() {
        let problem = problem(vec![ask(Access::Get, &[1], 1.0)]);
        let with = |stored: &[&[usize]]| {
            Bytes::default().of(&problem, &families(stored)) - without_space().of(&problem, &families(stored))
        };
        let copy = with(&[&[0], &[0, 1]]) - with(&[&[0], &[1]]);
        assert!((copy - 2.0 * CELLS[0]).abs() < 1e-6, "{copy}");
    }
}
