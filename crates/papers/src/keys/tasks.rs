//! How input files become map tasks: the partitioning of table I of the paper.

use std::ops::Range;

/// The paper's numbers of files.
pub const FILES: [u32; 8] = [1, 2, 4, 8, 10, 20, 40, 80];
/// Size of the data and of a block of HDFS, in MB.
const DATA_MB: f64 = 3_070.0;
const BLOCK_MB: f64 = 128.0;
/// Map tasks of table I where they are fewer than the blocks; which blocks went together is not told.
const MAPS: [(u32, usize); 3] = [(10, 25), (20, 26), (80, 32)];

/// The rows that each map task reads, counted from 0: blocks of each file, small ones together, as far as they fit
/// into a block and the paper's number of tasks is not reached.
pub fn map_tasks(files: u32, rows: usize) -> Vec<Vec<Range<usize>>> {
    let files = files.max(1);
    let blocks_per_file = (DATA_MB / f64::from(files) / BLOCK_MB).ceil().max(1.0) as usize;
    let block_rows = ((rows as f64 * BLOCK_MB / DATA_MB).round() as usize).max(1);
    let mut tasks: Vec<Vec<Range<usize>>> = Vec::new();
    for file in 0..files as usize {
        let (begin, end) = (rows * file / files as usize, rows * (file + 1) / files as usize);
        for block in 0..blocks_per_file {
            let from = (begin + block * block_rows).min(end);
            let to = if block + 1 == blocks_per_file { end } else { (from + block_rows).min(end) };
            if from < to {
                tasks.push(std::iter::once(from..to).collect());
            }
        }
    }
    let wanted = MAPS.iter().find(|(of_files, _)| *of_files == files).map_or(usize::MAX, |(_, maps)| *maps);
    while tasks.len() > wanted && join_two(&mut tasks, block_rows) {}
    tasks
}

/// Joins the smallest task with the largest that still fits; false when none does.
fn join_two(tasks: &mut Vec<Vec<Range<usize>>>, block_rows: usize) -> bool {
    let size = |task: &Vec<Range<usize>>| task.iter().map(Range::len).sum::<usize>();
    let Some(smallest) = (0..tasks.len()).min_by_key(|index| tasks.get(*index).map(size)) else {
        return false;
    };
    let taken = tasks.remove(smallest);
    let room = block_rows.saturating_sub(size(&taken));
    let fits = tasks.iter_mut().filter(|task| size(task) <= room).max_by_key(|task| size(task));
    match fits {
        Some(task) => {
            task.extend(taken);
            true
        }
        None => {
            tasks.insert(smallest, taken);
            false
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tasks_are_as_many_as_in_the_papers_table() {
        let maps = FILES.map(|files| map_tasks(files, 4_000_000).len());
        assert_eq!(maps, [24, 24, 24, 24, 25, 26, 40, 32]);
    }

    #[test]
    fn every_row_is_read_once() {
        for (files, rows) in [(1, 4_000_000), (10, 4_000_000), (80, 4_000), (80, 5), (3, 1_000), (0, 7)] {
            let mut seen: Vec<Range<usize>> = map_tasks(files, rows).into_iter().flatten().collect();
            seen.sort_by_key(|stretch| stretch.start);
            let mut next = 0;
            for stretch in seen {
                assert_eq!(stretch.start, next, "{files} files, {rows} rows");
                next = stretch.end;
            }
            assert_eq!(next, rows);
        }
    }

    #[test]
    fn no_task_is_larger_than_a_block() {
        let block = (4_000_000.0 * BLOCK_MB / DATA_MB) as usize + 1;
        for files in FILES {
            let sizes = map_tasks(files, 4_000_000)
                .into_iter()
                .map(|task| task.iter().map(Range::len).sum::<usize>());
            assert!(sizes.max().unwrap() <= block + 100, "{files}");
        }
    }
}
