//! Counts by time, in at most [`SLICES_MAX`] slices of equal width, though the range of times is not known ahead.
//!
//! A slice is 2ⁿ milliseconds wide and begins at a multiple of its width. When a time comes that would need too many
//! slices, n grows by one and neighbours are added up. Each template keeps only the slices in which it occurs, and adds
//! up neighbours when it is next touched.

/// More slices than this are never kept.
pub const SLICES_MAX: u64 = 64;

/// The slices of a log: how wide they are, and which of them are in use.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Grid {
    /// A slice is 2 to this power wide.
    level: u32,
    /// The first and the last time so far.
    range: Option<(i64, i64)>,
}

/// The counts of one template.
#[derive(Debug, Clone, Default)]
pub(super) struct Counts {
    level: u32,
    /// Slices with their counts, in order of time.
    counts: Vec<(i64, u64)>,
}

impl Grid {
    /// Makes room for a time.
    pub fn include(&mut self, time: i64) {
        let (first, last) =
            self.range.map_or((time, time), |(first, last)| (first.min(time), last.max(time)));
        self.range = Some((first, last));
        while (last >> self.level).abs_diff(first >> self.level) >= SLICES_MAX {
            self.level += 1;
        }
    }

    /// Where the first slice begins, how wide each is, and how many there are.
    pub fn slices(&self) -> (i64, i64, usize) {
        let Some((first, last)) = self.range else { return (0, 1, 0) };
        let slot = first >> self.level;
        let count = (last >> self.level).abs_diff(slot) as usize + 1;
        (slot << self.level, 1 << self.level.min(62), count)
    }

    /// All counts of a template, one for each slice.
    pub fn dense(&self, counts: &mut Counts) -> Vec<u64> {
        counts.coarsen(self.level);
        let (_, _, slices) = self.slices();
        let first = self.range.map_or(0, |(first, _)| first >> self.level);
        let mut dense = vec![0; slices];
        for (slot, count) in &counts.counts {
            if let Some(place) = dense.get_mut(slot.abs_diff(first) as usize) {
                *place += count;
            }
        }
        dense
    }
}

impl Counts {
    /// Counts calls at a time that the grid has room for.
    pub fn add(&mut self, grid: &Grid, time: i64, calls: u64) {
        if self.level != grid.level {
            self.coarsen(grid.level);
        }
        let slot = time >> self.level;
        match self.counts.last_mut() {
            Some((last, count)) if *last == slot => *count += calls,
            Some((last, _)) if *last > slot => {
                match self.counts.binary_search_by_key(&slot, |(slot, _)| *slot) {
                    Ok(at) => self.counts.get_mut(at).into_iter().for_each(|(_, count)| *count += calls),
                    Err(at) => self.counts.insert(at, (slot, calls)),
                }
            }
            Some(_) | None => self.counts.push((slot, calls)),
        }
    }

    fn coarsen(&mut self, level: u32) {
        let shift = level.saturating_sub(self.level);
        self.level = level;
        self.counts.iter_mut().for_each(|(slot, _)| *slot >>= shift);
        self.counts.dedup_by(|next, kept| {
            let same = next.0 == kept.0;
            if same {
                kept.1 += next.1;
            }
            same
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slices_widen_until_all_times_fit_and_no_count_is_lost() {
        let mut grid = Grid::default();
        let (mut even, mut odd) = (Counts::default(), Counts::default());
        // Not in order, and before 1970 too.
        let times: Vec<i64> = (0..10_000).map(|at| (at * 7_919) % 10_007 * 50 - 20_000).collect();
        for (at, time) in times.iter().enumerate() {
            grid.include(*time);
            if at % 2 == 0 { even.add(&grid, *time, 1) } else { odd.add(&grid, *time, 3) }
        }
        let (start, width, count) = grid.slices();
        assert!(count as u64 <= SLICES_MAX && count > 30, "{count}");
        assert!(start <= -20_000 && start + width * count as i64 > *times.iter().max().unwrap());
        assert_eq!(grid.dense(&mut even).iter().sum::<u64>(), 5_000);
        let dense = grid.dense(&mut odd);
        assert_eq!(dense.iter().sum::<u64>(), 15_000);
        for (slot, count) in dense.iter().enumerate() {
            let from = start + width * slot as i64;
            let expected =
                times.iter().skip(1).step_by(2).filter(|time| (from..from + width).contains(time)).count();
            assert_eq!(*count, 3 * expected as u64, "slice {slot}");
        }
    }

    #[test]
    fn the_farthest_times_fit() {
        let mut grid = Grid::default();
        let mut counts = Counts::default();
        for time in [i64::MIN, i64::MAX, 0] {
            grid.include(time);
            counts.add(&grid, time, 1);
        }
        assert_eq!(grid.dense(&mut counts).iter().sum::<u64>(), 3);
    }
}
