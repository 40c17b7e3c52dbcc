//! What each operation of a store takes, in milliseconds.

use super::Operations;

/// A price list. `calibrate` measures one for a store; [`Prices::guessed`] is for when nothing was measured.
#[derive(Clone, Debug, PartialEq)]
pub struct Prices {
    /// The name that results print.
    pub name: String,
    /// The id of the calibration that measured them; none when they are guesses.
    pub calibration: Option<String>,
    /// Milliseconds that one operation of each kind takes.
    pub each_ms: Operations,
}

impl Prices {
    /// The name of the guessed list.
    pub const DEFAULT_NAME: &str = "default";

    /// The name of a list that was measured.
    pub const MEASURED_NAME: &str = "store";

    /// Guesses for a typical HBase cluster on solid disks, most blocks not in the cache. None of them was measured; their
    /// ratios matter more than their size.
    pub fn guessed() -> Self {
        let each_ms = Operations {
            // A round trip in one data centre, with the server's queue.
            calls: 0.3,
            // Opening a scanner.
            regions: 0.2,
            // One block of 64 KB from a solid disk; a spinning disk takes forty times as long.
            seeks: 0.2,
            // Making a row of what the families gave.
            rows: 0.000_5,
            // Finding where a row begins and ends in a family.
            family_rows: 0.000_5,
            // Comparing with what is asked for.
            cells: 0.000_15,
            // 200 MB a second through checksum and decoding.
            bytes: 0.000_005,
            // Copying into the answer, and reading it there.
            cells_returned: 0.000_3,
            // 100 MB a second over the network.
            bytes_returned: 0.000_01,
            // The log's way to three disks.
            write_calls: 0.5,
            // Its share of a batch: lock and sequence number.
            puts: 0.01,
            // A place in the memory of each family.
            family_puts: 0.002,
            cells_written: 0.001,
            // Written about three times: log, flush, and compactions.
            bytes_written: 0.000_03,
        };
        Self { name: Self::DEFAULT_NAME.to_owned(), calibration: None, each_ms }
    }

    /// What operations take, in milliseconds.
    pub fn cost(&self, operations: &Operations) -> f64 {
        let (each_ms, amounts) = (self.each_ms.amounts(), operations.amounts());
        each_ms.into_iter().zip(amounts).map(|(price, amount)| price * amount).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cost_is_price_times_operations() {
        let each_ms = Operations { seeks: 2.0, cells: 0.5, ..Operations::NONE };
        let prices = Prices { name: "test".into(), calibration: None, each_ms };
        for (index, price) in each_ms.amounts().into_iter().enumerate() {
            let mut amounts = [0.0; Operations::COUNT];
            amounts[index] = 10.0;
            assert_eq!(prices.cost(&Operations::from_amounts(amounts)), 10.0 * price);
        }
        assert_eq!(prices.cost(&Operations::from_amounts([1.0; Operations::COUNT])), 2.5);
        assert_eq!(prices.cost(&Operations::NONE), 0.0);
    }

    #[test]
    fn guesses_are_positive_and_say_that_they_are_guesses() {
        let guessed = Prices::guessed();
        assert!(guessed.each_ms.amounts().into_iter().all(|price| price > 0.0 && price < 1.0));
        assert_eq!((guessed.name.as_str(), guessed.calibration), ("default", None));
    }
}
