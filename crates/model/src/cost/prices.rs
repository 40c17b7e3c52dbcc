//! What each operation of a store takes, in milliseconds.

use super::Operations;

/// A price list. `calibrate` measures one for a store; [`Prices::guessed`] is for when nothing was measured.
#[derive(Clone, Debug, PartialEq)]
pub struct Prices {
    /// The name that results print.
    pub name: String,
    /// The id of the calibration that measured them; none when they are guesses.
    pub calibration: Option<String>,
    /// A call, there and back.
    pub call_ms: f64,
    /// A seek into a family.
    pub seek_ms: f64,
    /// A row looked at.
    pub row_ms: f64,
    /// A cell looked at.
    pub cell_ms: f64,
    /// A byte read.
    pub byte_ms: f64,
    /// A region that a call goes to.
    pub region_ms: f64,
    /// A row put or deleted.
    pub put_ms: f64,
    /// A byte written.
    pub byte_written_ms: f64,
}

impl Prices {
    /// The name of the guessed list.
    pub const DEFAULT_NAME: &str = "default";

    /// Guesses for a typical HBase cluster on solid disks, most blocks not in the cache. None of them was measured; their
    /// ratios matter more than their size.
    pub fn guessed() -> Self {
        let per_operation = Operations {
            // A round trip in one data centre, with the server's queue.
            calls: 0.3,
            // One block of 64 KB from a solid disk; a spinning disk takes forty times as long.
            seeks: 0.2,
            // Finding where a row begins among several files.
            rows: 0.001,
            // Comparing, and copying into the answer.
            cells: 0.000_3,
            // 100 MB a second through checksum, decoding and network.
            bytes: 0.000_01,
            // Opening a scanner.
            regions: 0.2,
            // Its share of a batch: lock, log and memory.
            puts: 0.02,
            // Written about three times: log, flush, and compactions.
            bytes_written: 0.000_03,
        };
        Self::from_per_operation(Self::DEFAULT_NAME.to_owned(), None, per_operation.amounts())
    }

    /// What operations take, in milliseconds.
    pub fn cost(&self, operations: &Operations) -> f64 {
        self.per_operation().into_iter().zip(operations.amounts()).map(|(price, amount)| price * amount).sum()
    }

    /// The prices in milliseconds, in the order of [`Operations::NAMES`].
    pub fn per_operation(&self) -> [f64; 8] {
        [
            self.call_ms,
            self.seek_ms,
            self.row_ms,
            self.cell_ms,
            self.byte_ms,
            self.region_ms,
            self.put_ms,
            self.byte_written_ms,
        ]
    }

    /// The list of prices in milliseconds, in the order of [`Operations::NAMES`].
    pub fn from_per_operation(name: String, calibration: Option<String>, prices_ms: [f64; 8]) -> Self {
        let [call_ms, seek_ms, row_ms, cell_ms, byte_ms, region_ms, put_ms, byte_written_ms] = prices_ms;
        Self {
            name,
            calibration,
            call_ms,
            seek_ms,
            row_ms,
            cell_ms,
            byte_ms,
            region_ms,
            put_ms,
            byte_written_ms,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cost_is_price_times_operations() {
        let prices =
            Prices::from_per_operation("test".into(), None, [1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0]);
        for (index, price) in prices.per_operation().into_iter().enumerate() {
            let mut amounts = [0.0; 8];
            amounts[index] = 10.0;
            assert_eq!(prices.cost(&Operations::from_amounts(amounts)), 10.0 * price);
        }
        assert_eq!(prices.cost(&Operations::from_amounts([1.0; 8])), 36.0);
        assert_eq!(prices.cost(&Operations::NONE), 0.0);
    }

    #[test]
    fn guesses_are_positive_and_say_that_they_are_guesses() {
        let guessed = Prices::guessed();
        assert!(guessed.per_operation().into_iter().all(|price| price > 0.0 && price < 1.0));
        assert_eq!((guessed.name.as_str(), guessed.calibration), ("default", None));
    }
}
