//! How many rows of two files belong together: pairs with the same value in a column of each.
//!
//! The values of one file are counted, then those of the other look for them. When there are too many, only values whose
//! hashes end in zeros are counted, in both files the same ones, and what is found stands for all: an estimate that is right
//! on average.

use std::collections::HashMap;
use std::path::Path;

use super::ProfileError;
use super::found::Count;
use super::measure::hash;
use super::run::Progress;
use super::source::{self, Kind};

/// Different values that are counted at most: some 32 MiB.
const COUNTED: usize = 1 << 20;

/// A column of a file.
pub type ColumnAt<'a> = (&'a Path, &'a str);

/// Pairs of rows with the same value, as text, in a column of each file; a row without a value belongs to none.
pub fn joined_rows(
    one: ColumnAt<'_>,
    other: ColumnAt<'_>,
    progress: &mut dyn FnMut(&Path, Progress),
) -> Result<Count, ProfileError> {
    pairs(one, other, COUNTED, progress)
}

fn pairs(
    one: ColumnAt<'_>,
    other: ColumnAt<'_>,
    most: usize,
    progress: &mut dyn FnMut(&Path, Progress),
) -> Result<Count, ProfileError> {
    let mut counted: HashMap<u64, u64> = HashMap::new();
    let mut zeros = 0;
    let is_taken = |hash: u64, zeros: u32| hash.trailing_zeros() >= zeros;
    each_value(one, progress, &mut |value| {
        let hash = hash(value);
        if is_taken(hash, zeros) {
            *counted.entry(hash).or_default() += 1;
        }
        while counted.len() > most {
            zeros += 1;
            counted.retain(|hash, _| is_taken(*hash, zeros));
        }
    })?;
    let mut found = 0_u64;
    each_value(other, progress, &mut |value| {
        found = found.saturating_add(counted.get(&hash(value)).copied().unwrap_or(0));
    })?;
    Ok(Count { count: found.saturating_mul(1 << zeros.min(63)), exact: zeros == 0 })
}

/// Every value of a column that is there.
fn each_value(
    (path, column): ColumnAt<'_>,
    progress: &mut dyn FnMut(&Path, Progress),
    take: &mut dyn FnMut(&[u8]),
) -> Result<(), ProfileError> {
    let mut source = source::open(path)?;
    while let Some(batch) = source.next()? {
        // Columns of JSON lines come up while reading.
        let place = source.columns().iter().position(|name| name == column);
        let values = place.into_iter().flat_map(|place| batch.column(place));
        values.filter(|(kind, _)| *kind != Kind::Null).for_each(|(_, value)| take(value));
        let (bytes, total) = source.position();
        progress(path, Progress { bytes, total });
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::fmt::Write;

    use super::*;

    /// Users 0 to 999: the number n has 1 + n % 5 rows here and 2 + n % 3 there.
    fn files() -> (tempfile::TempDir, u64) {
        let directory = tempfile::tempdir().unwrap();
        let (mut here, mut there, mut both) = ("by,x\n,7\n".to_owned(), "who\n\n".to_owned(), 0);
        for n in 0..1_000_u64 {
            let (one, two) = (1 + n % 5, 2 + n % 3);
            (0..one).for_each(|_| writeln!(here, "u{n},1").unwrap());
            (0..two).for_each(|_| writeln!(there, "u{n}").unwrap());
            both += one * two;
        }
        std::fs::write(directory.path().join("here.csv"), here).unwrap();
        std::fs::write(directory.path().join("there.csv"), there).unwrap();
        (directory, both)
    }

    #[test]
    fn pairs_are_counted_or_estimated() {
        let (directory, both) = files();
        let (here, there) = (directory.path().join("here.csv"), directory.path().join("there.csv"));
        let count = |most| pairs((&here, "by"), (&there, "who"), most, &mut |_, _| ()).unwrap();
        assert_eq!(count(1_000), Count { count: both, exact: true });
        let estimate = count(250);
        assert!(!estimate.exact, "{estimate:?}");
        assert!(estimate.count.abs_diff(both) < both / 4, "{estimate:?} for {both}");
        let nothing = pairs((&here, "x"), (&there, "who"), 10, &mut |_, _| ()).unwrap();
        assert_eq!(nothing, Count { count: 0, exact: true });
    }
}
