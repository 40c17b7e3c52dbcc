//! What the Java client measured.

use std::time::Duration;

/// What one piece of work took.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Measured {
    /// Operations that succeeded; what one is depends on the work. Of a scan there are none, only rows.
    pub operations: u64,
    /// Operations that failed. The log has the first failure.
    pub failures: u64,
    /// From the first start to the last end.
    pub wall: Duration,
    /// Time that the whole JVM spent on processors.
    pub cpu: Duration,
    /// Half of the operations took at most this.
    pub p50: Duration,
    /// 99 in 100 operations took at most this.
    pub p99: Duration,
    /// The longest time in which no operation ended well.
    pub longest_gap: Duration,
    /// Rows that a scan saw.
    pub rows: u64,
    /// Cells that a scan saw.
    pub cells: u64,
    /// Bytes of row keys, qualifiers and values that a scan saw.
    pub bytes: u64,
}

impl Measured {
    /// Reads the words `name=value` of an answer. What is not there is 0: work without operations has none.
    pub(super) fn read(answer: &str) -> Self {
        let number = |name: &str| -> u64 {
            let value = answer.split(' ').find_map(|word| word.strip_prefix(name)?.strip_prefix('='));
            value.and_then(|value| value.parse().ok()).unwrap_or(0)
        };
        let time = |name| Duration::from_micros(number(name));
        Self {
            operations: number("operations"),
            failures: number("failures"),
            wall: time("wall_us"),
            cpu: time("cpu_us"),
            p50: time("p50_us"),
            p99: time("p99_us"),
            longest_gap: time("longest_gap_us"),
            rows: number("rows"),
            cells: number("cells"),
            bytes: number("bytes"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_is_read() {
        let measured = Measured::read("operations=7 wall_us=1500000 p99_us=12 rows=3");
        let expected = Measured {
            operations: 7,
            wall: Duration::from_millis(1500),
            p99: Duration::from_micros(12),
            rows: 3,
            ..Measured::default()
        };
        assert_eq!(measured, expected);
    }
}
