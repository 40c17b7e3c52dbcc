//! Bytes that a store as HBase must read, with writes, space and seeks turned into bytes by prices.
//!
//! A cell carries the row key, the names of its family and column and some bytes of its own. A family is read in whole
//! blocks. A get reads at least one block of each family that it touches, for each row; a scan reads its rows of each
//! family side by side. A seek into a family is priced in bytes: what could have been read in the meantime. A write goes
//! to every family that holds a column of it, so that copies are written as often as they are there, and every stored
//! byte costs a little all the time.

use super::{Cost, Pricing, Weighed, cover};
use crate::families::{Access, Ask, Problem};

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
        let stored_a_row = |column: &crate::families::Column| {
            let names = self.family_name_bytes + column.name.len() as f64;
            column.filled * (problem.key_bytes + names + self.cell_bytes + column.bytes)
        };
        Box::new(Prepared {
            prices: self,
            rows: problem.rows as f64,
            calls: problem.asks.iter().map(|ask| ask.rate).sum(),
            cells: problem.columns.iter().map(stored_a_row).collect(),
        })
    }
}

struct Prepared<'a> {
    prices: &'a Bytes,
    rows: f64,
    calls: f64,
    /// Bytes that each column takes in a row, on average.
    cells: Vec<f64>,
}

impl Prepared<'_> {
    fn read(&self, ask: &Ask, family_bytes_a_row: f64) -> f64 {
        let in_blocks =
            |bytes: f64| (bytes / self.prices.block_bytes).ceil().max(1.0) * self.prices.block_bytes;
        match ask.access {
            Access::Scan => self.prices.seek_bytes + in_blocks(ask.rows * family_bytes_a_row),
            _ => ask.rows * (self.prices.seek_bytes + in_blocks(family_bytes_a_row)),
        }
    }

    fn written(&self, ask: &Ask, family: &Weighed) -> f64 {
        let columns = ask.columns.iter().filter(|column| family.columns.contains(*column));
        let cells: f64 = columns.map(|column| self.weight(column)).sum();
        ask.rows * (self.prices.written_family_bytes + self.prices.written_byte * cells)
    }
}

impl Pricing for Prepared<'_> {
    fn weight(&self, column: usize) -> f64 {
        self.cells.get(column).copied().unwrap_or(0.0)
    }

    fn ask(&self, ask: &Ask, touched: &[&Weighed], loaded: &mut Vec<usize>) -> f64 {
        if ask.access == Access::Write {
            loaded.extend(0..touched.len());
            return ask.rate * touched.iter().map(|family| self.written(ask, family)).sum::<f64>();
        }
        let price = |family: &Weighed| self.read(ask, family.weight);
        cover::cheapest(&ask.columns, touched, price, loaded);
        ask.rate * loaded.iter().filter_map(|at| touched.get(*at)).map(|family| price(family)).sum::<f64>()
    }

    fn whole(&self, families: &[(f64, f64)]) -> f64 {
        let bytes_a_row: f64 = families.iter().map(|(bytes, _)| bytes).sum();
        self.prices.stored_byte * self.rows * bytes_a_row * self.calls
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::families::{Column, ColumnSet};

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
