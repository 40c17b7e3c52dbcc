//! How many rows are read of a strand at a time: a decider.

use super::request::Bounds;

/// Portions shorter than this cost more calls than they save memory.
const LEAST_ROWS: usize = 8;

/// How strands are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Portions {
    /// Rows of a portion.
    pub rows: u32,
    /// Whether a scanner stays open between portions.
    pub stay_open: bool,
}

impl Portions {
    /// For so many strands, of which so many rows are wanted together.
    pub fn of(strands: usize, limit: Option<u64>, bounds: &Bounds) -> Self {
        let strands = strands.max(1);
        let fitting = (bounds.first_rows / strands).max(LEAST_ROWS);
        let mut rows = bounds.portion_rows.min(fitting).max(1);
        if let Some(limit) = limit {
            rows = rows.min(share(limit, strands)).max(1);
        }
        Self { rows: u32::try_from(rows).unwrap_or(u32::MAX), stay_open: strands <= bounds.scanners }
    }
}

/// The rows of a limit that come from one strand when all are alike: hardly ever more than the mean and twice the standard
/// deviation of a Poisson distribution, and never more than all.
fn share(limit: u64, strands: usize) -> usize {
    let mean = limit as f64 / strands as f64;
    let most = ((mean + 2.0 * mean.sqrt()) as u64).saturating_add(1);
    usize::try_from(most.min(limit)).unwrap_or(usize::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_limit_makes_portions_short() {
        let rows = |strands, limit| Portions::of(strands, limit, &Bounds::default()).rows;
        assert_eq!(rows(16, None), 512);
        assert_eq!(rows(16, Some(100)), 12, "6 rows on average, and some more");
        assert_eq!(rows(16, Some(1)), 1);
        assert_eq!(rows(16, Some(0)), 1);
        assert_eq!(rows(16, Some(1_000_000)), 512);
        assert_eq!(rows(1, Some(100)), 100, "a single strand gives all");
        assert_eq!(rows(0, Some(u64::MAX)), 512);
    }

    #[test]
    fn many_strands_have_short_portions_and_no_open_scanners() {
        let few = Portions::of(64, None, &Bounds::default());
        let many = Portions::of(1_000, None, &Bounds::default());
        assert_eq!((few.rows, few.stay_open), (512, true));
        assert_eq!((many.rows, many.stay_open), (32, false));
        assert_eq!(Portions::of(10_000, None, &Bounds::default()).rows, 8);
    }
}
