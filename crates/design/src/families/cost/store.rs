//! Milliseconds that a call takes on a store, with prices that were measured there: price × operations.
//!
//! A read of a family seeks into it, once for a scan and once a row for a get, and goes through all cells of its rows,
//! whether they are asked for or not. What goes to the client and the call itself cost the same for every grouping. The
//! answer is the mean of all calls, each weighed by its rate.

use tablesmith_model::cost::{CELL_OVERHEAD_BYTES, Operations, Prices};

use super::linear::{CellBytes, ColumnPrices, Linear, stored_bytes};
use super::{Cost, Pricing};
use crate::families::{Column, Problem};

/// Names of families are one letter, as is the custom.
const CELL_BYTES: CellBytes = CellBytes { overhead: CELL_OVERHEAD_BYTES, family_name: 1.0 };

/// What it is worth that something is stored, for each call: this share of what it takes to read it. A copy that no read
/// is better for is then not made.
const STORED_SHARE: f64 = 1e-6;

/// What calls take on a store.
#[derive(Clone, Debug, PartialEq)]
pub struct Store {
    /// What each operation takes there.
    pub prices: Prices,
}

impl Cost for Store {
    fn name(&self) -> &'static str {
        Prices::MEASURED_NAME
    }

    fn unit(&self) -> &'static str {
        "ms"
    }

    fn allows_duplicates(&self) -> bool {
        true
    }

    fn pricing<'a>(&'a self, problem: &'a Problem) -> Box<dyn Pricing + 'a> {
        Box::new(self.linear_prices(problem))
    }

    fn linear(&self, problem: &Problem) -> Option<Linear> {
        Some(self.linear_prices(problem))
    }
}

impl Store {
    fn linear_prices(&self, problem: &Problem) -> Linear {
        let Operations { calls, regions, seeks, rows, family_rows, write_calls, puts, family_puts, .. } =
            self.prices.each_ms;
        let all_calls: f64 = problem.asks.iter().map(|ask| ask.rate).sum();
        Linear {
            columns: problem.columns.iter().map(|column| self.column(problem, column)).collect(),
            call: calls,
            scan: regions,
            row: rows,
            seek: seeks,
            family_row: family_rows,
            block: None,
            write_call: write_calls,
            put: puts,
            family_put: family_puts,
            stored: STORED_SHARE * problem.rows as f64,
            scale: if all_calls > 0.0 { 1.0 / all_calls } else { 1.0 },
        }
    }

    fn column(&self, problem: &Problem, column: &Column) -> ColumnPrices {
        let each_ms = &self.prices.each_ms;
        let (cells, bytes) = (column.filled, stored_bytes(problem, column, CELL_BYTES));
        ColumnPrices {
            read: cells * each_ms.cells + bytes * each_ms.bytes,
            returned: cells * each_ms.cells_returned + bytes * each_ms.bytes_returned,
            written: cells * each_ms.cells_written + bytes * each_ms.bytes_written,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::families::{Access, Ask, ColumnSet};

    /// Two columns of 100 and 1000 bytes, the second in half of the rows; keys of 10 bytes.
    fn problem(asks: Vec<Ask>) -> Problem {
        let column = |name: &str, bytes: f64, filled: f64| Column { name: name.to_owned(), bytes, filled };
        let columns = vec![column("a", 100.0, 1.0), column("bb", 1_000.0, 0.5)];
        Problem { rows: 0, key_bytes: 10.0, columns, asks, ..Problem::default() }
    }

    fn ask(access: Access, columns: &[usize], rows: f64, rate: f64) -> Ask {
        Ask { name: String::new(), access, columns: columns.iter().copied().collect(), rows, rate }
    }

    fn families(columns: &[&[usize]]) -> Vec<ColumnSet> {
        columns.iter().map(|family| family.iter().copied().collect()).collect()
    }

    /// Bytes of both cells as stored: 10 + 1 + 1 + 20 + 100, and half of 10 + 1 + 2 + 20 + 1000.
    const BYTES: [f64; 2] = [132.0, 516.5];

    /// Another power of two for each operation, so that sums are exact and tell what was counted.
    fn priced() -> Store {
        let mut price = 1.0 / 1_024.0;
        let each_ms = Operations::from_amounts([0.0; Operations::COUNT].map(|_| {
            price *= 2.0;
            price
        }));
        Store { prices: Prices { each_ms, ..Prices::guessed() } }
    }

    fn cost(ask: Ask, grouping: &[&[usize]]) -> f64 {
        priced().of(&problem(vec![ask]), &families(grouping))
    }

    /// The operations of a call, priced.
    fn of(operations: Operations) -> f64 {
        priced().prices.cost(&operations)
    }

    #[test]
    fn a_scan_seeks_once_into_each_family_and_goes_through_all_its_cells() {
        let scan = |grouping: &[&[usize]]| cost(ask(Access::Scan, &[0], 8.0, 3.0), grouping);
        let read = Operations {
            calls: 1.0,
            regions: 1.0,
            seeks: 1.0,
            rows: 8.0,
            family_rows: 8.0,
            cells: 8.0,
            bytes: 8.0 * BYTES[0],
            cells_returned: 8.0,
            bytes_returned: 8.0 * BYTES[0],
            ..Operations::NONE
        };
        assert_eq!(scan(&[&[0], &[1]]), of(read));
        let wide = Operations { cells: 8.0 * 1.5, bytes: 8.0 * (BYTES[0] + BYTES[1]), ..read };
        assert_eq!(scan(&[&[0, 1]]), of(wide));
        assert_eq!(scan(&[&[0], &[0, 1]]), of(read), "the cheapest copy is read");
    }

    #[test]
    fn a_get_seeks_into_each_family_for_each_row() {
        let get = Operations {
            calls: 4.0,
            seeks: 8.0,
            rows: 4.0,
            family_rows: 8.0,
            cells: 4.0 * 1.5,
            bytes: 4.0 * (BYTES[0] + BYTES[1]),
            cells_returned: 4.0 * 1.5,
            bytes_returned: 4.0 * (BYTES[0] + BYTES[1]),
            ..Operations::NONE
        };
        assert_eq!(cost(ask(Access::Get, &[0, 1], 4.0, 1.0), &[&[0], &[1]]), of(get));
    }

    #[test]
    fn a_copy_is_written_again() {
        let put = Operations {
            calls: 1.0,
            write_calls: 1.0,
            puts: 4.0,
            family_puts: 8.0,
            cells_written: 8.0,
            bytes_written: 8.0 * BYTES[0],
            ..Operations::NONE
        };
        assert_eq!(cost(ask(Access::Write, &[0], 4.0, 1.0), &[&[0], &[0, 1]]), of(put));
    }

    #[test]
    fn the_cost_is_that_of_a_call_on_average() {
        let asks = vec![ask(Access::Get, &[0], 1.0, 30.0), ask(Access::Scan, &[1], 100.0, 10.0)];
        let alone = |ask: &Ask| cost(ask.clone(), &[&[0], &[1]]);
        let mean = (3.0 * alone(&asks[0]) + alone(&asks[1])) / 4.0;
        let together = priced().of(&problem(asks), &families(&[&[0], &[1]]));
        assert!((together - mean).abs() < 1e-9 * mean, "{together}, not {mean}");
    }
}
