//! The picture of key range × time: neighbours become one where there are more than a picture shows.

use super::judgement::Heat;

/// The most key ranges of a picture.
pub const MOST_RANGES: usize = 48;
/// The most columns of a picture.
pub const MOST_COLUMNS: usize = 96;

impl Heat {
    /// The picture of regions with these split points, from the rows of the regions slice by slice.
    pub(super) fn new(splits: &[Vec<u8>], slices: &[Vec<f64>]) -> Self {
        let regions = splits.len() + 1;
        let (tall, wide) = (regions.div_ceil(MOST_RANGES), slices.len().div_ceil(MOST_COLUMNS).max(1));
        let start = |region: usize| match region.checked_sub(1) {
            Some(before) => splits.get(before).cloned().unwrap_or_default(),
            None => Vec::new(),
        };
        let starts: Vec<Vec<u8>> = (0..regions).step_by(tall).map(start).collect();
        let columns: Vec<Vec<f64>> = slices.chunks(wide).map(|slices| column(slices, tall)).collect();
        let cell = |column: &Vec<f64>, range: usize| column.get(range).copied().unwrap_or(0.0);
        let rows = (0..starts.len()).map(|range| columns.iter().map(|column| cell(column, range)).collect());
        Self { rows: rows.collect(), starts }
    }
}

/// Some slices together, some regions together.
fn column(slices: &[Vec<f64>], tall: usize) -> Vec<f64> {
    let regions = slices.first().map_or(0, Vec::len);
    let mut column = vec![0.0; regions.div_ceil(tall.max(1))];
    for slice in slices {
        for (range, rows) in slice.chunks(tall.max(1)).enumerate() {
            if let Some(own) = column.get_mut(range) {
                *own += rows.iter().sum::<f64>();
            }
        }
    }
    column
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_large_table_is_drawn_small_and_whole() {
        let splits: Vec<Vec<u8>> = (1..100_u8).map(|region| vec![region]).collect();
        let slices = vec![vec![1.0; 100]; 200];
        let heat = Heat::new(&splits, &slices);
        assert!(heat.starts.len() <= MOST_RANGES && heat.rows.iter().all(|row| row.len() <= MOST_COLUMNS));
        assert_eq!(heat.starts.len(), heat.rows.len());
        assert_eq!(heat.starts[..2], [vec![], vec![3]]);
        assert_eq!(heat.rows.iter().flatten().sum::<f64>(), 20_000.0);
    }

    #[test]
    fn a_small_table_is_drawn_as_it_is() {
        let heat = Heat::new(&[b"m".to_vec()], &[vec![1.0, 0.0], vec![0.0, 2.0]]);
        assert_eq!(heat.rows, [[1.0, 0.0], [0.0, 2.0]]);
        assert_eq!(heat.starts, [b"".to_vec(), b"m".to_vec()]);
        assert_eq!(Heat::new(&[], &[]).rows, [Vec::<f64>::new()]);
    }
}
