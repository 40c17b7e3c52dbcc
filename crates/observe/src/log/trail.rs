//! The order of a log's calls: which template, when, how many. It is what an exact division by time needs.
//!
//! A call takes some three bytes: the differences to the call before, written with seven bits a byte. What goes beyond
//! [`MEMORY_BYTES`] lies in a temporary file, so that memory stays bounded whatever the log's size.

use std::io::{self, BufReader, BufWriter, Read, Seek, SeekFrom, Write};

use tablesmith_model::varint;
use tempfile::SpooledTempFile;

/// What is kept in memory before a file is used.
const MEMORY_BYTES: usize = 64 * 1024 * 1024;

/// Times are found by dividing their range so often at each pass.
const BUCKETS: u64 = 4096;

/// The calls of a log in the order of the log.
pub(super) struct Trail {
    file: BufWriter<SpooledTempFile>,
    /// The bytes of the entry that is being written.
    entry: Vec<u8>,
    entries: u64,
    last_time: i64,
    calls: u64,
    range: Option<(i64, i64)>,
}

/// One entry: a template, when it was called, and how often.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Entry {
    template: u32,
    time: i64,
    calls: u64,
}

/// Where a part ends: so many calls at this time still belong to it, and all before.
#[derive(Debug, Clone, Copy)]
struct Boundary {
    time: i64,
    calls_at_time: u64,
}

impl Trail {
    pub fn new() -> Self {
        let file = BufWriter::with_capacity(64 * 1024, SpooledTempFile::new(MEMORY_BYTES));
        Self { file, entry: Vec::new(), entries: 0, last_time: 0, calls: 0, range: None }
    }

    /// Adds calls of a template.
    pub fn push(&mut self, template: u32, time: i64, calls: u64) -> io::Result<()> {
        let difference = time.wrapping_sub(self.last_time);
        // Small numbers for small differences of either sign.
        let folded = ((difference << 1) ^ (difference >> 63)) as u64;
        self.last_time = time;
        self.calls += calls;
        self.range = Some(self.range.map_or((time, time), |(first, last)| (first.min(time), last.max(time))));
        self.entries += 1;
        self.entry.clear();
        for number in [u64::from(template), folded, calls] {
            varint::write(number, &mut self.entry);
        }
        self.file.write_all(&self.entry)
    }

    /// Divides the calls by time into parts of these shares, and adds each call to a part of its template. Calls of the
    /// same time are divided in the order of the log; a log that is not in order is divided as if it were.
    pub fn divide(mut self, shares: [f64; 3], mut add: impl FnMut(u32, [u64; 3])) -> io::Result<()> {
        self.file.flush()?;
        let [training, validation, _] = shares;
        let rank = |share: f64| ((share * self.calls as f64).round() as u64).min(self.calls);
        let (first, second) = (rank(training), rank(training + validation));
        let mut boundaries = [self.boundary(first)?, self.boundary(second.max(first))?];
        self.each(|entry| {
            let [first, second] = boundaries.each_mut().map(|boundary| {
                let before = match entry.time.cmp(&boundary.time) {
                    std::cmp::Ordering::Less => entry.calls,
                    std::cmp::Ordering::Equal => entry.calls.min(boundary.calls_at_time),
                    std::cmp::Ordering::Greater => 0,
                };
                if entry.time == boundary.time {
                    boundary.calls_at_time -= before;
                }
                before
            });
            add(entry.template, [first, second.saturating_sub(first), entry.calls - second]);
        })
    }

    /// The place in time order after so many calls.
    fn boundary(&mut self, rank: u64) -> io::Result<Boundary> {
        let Some((mut first, mut last)) = self.range else {
            return Ok(Boundary { time: 0, calls_at_time: 0 });
        };
        // Calls before `first`.
        let mut before = 0;
        loop {
            let width = (last.abs_diff(first) / BUCKETS).saturating_add(1);
            let mut buckets = vec![0_u64; BUCKETS as usize];
            self.each(|entry| {
                if (first..=last).contains(&entry.time)
                    && let Some(bucket) = buckets.get_mut((entry.time.abs_diff(first) / width) as usize)
                {
                    *bucket += entry.calls;
                }
            })?;
            let mut at = 0;
            for calls in buckets {
                if before + calls > rank {
                    break;
                }
                before += calls;
                at += 1;
            }
            if at == BUCKETS {
                // All calls come before.
                return Ok(Boundary { time: i64::MAX, calls_at_time: u64::MAX });
            }
            first = first.saturating_add_unsigned(at * width);
            if width == 1 {
                return Ok(Boundary { time: first, calls_at_time: rank - before });
            }
            last = last.min(first.saturating_add_unsigned(width - 1));
        }
    }

    /// Goes over all entries.
    fn each(&mut self, mut see: impl FnMut(Entry)) -> io::Result<()> {
        let file = self.file.get_mut();
        file.seek(SeekFrom::Start(0))?;
        let mut reader = BufReader::with_capacity(64 * 1024, file);
        let mut time = 0_i64;
        for _ in 0..self.entries {
            let template = read_number(&mut reader)?;
            let folded = read_number(&mut reader)?;
            let calls = read_number(&mut reader)?;
            time = time.wrapping_add((folded >> 1) as i64 ^ -((folded & 1) as i64));
            see(Entry { template: template as u32, time, calls });
        }
        Ok(())
    }
}

/// Reads a number.
fn read_number(file: &mut impl Read) -> io::Result<u64> {
    let mut byte = [0];
    let number = varint::read_from(|| file.read_exact(&mut byte).map(|()| byte).map(|[byte]| byte))?;
    number.ok_or_else(|| io::ErrorKind::InvalidData.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn divided(entries: &[(u32, i64, u64)], shares: [f64; 3]) -> Vec<[u64; 3]> {
        let mut trail = Trail::new();
        for (template, time, calls) in entries {
            trail.push(*template, *time, *calls).unwrap();
        }
        let mut parts = vec![[0; 3]; 4];
        trail
            .divide(shares, |template, counts| {
                for (sum, count) in parts[template as usize].iter_mut().zip(counts) {
                    *sum += count;
                }
            })
            .unwrap();
        parts
    }

    /// The same by sorting.
    fn sorted(entries: &[(u32, i64, u64)], shares: [f64; 3]) -> Vec<[u64; 3]> {
        let mut calls: Vec<(i64, u32)> = entries
            .iter()
            .flat_map(|(template, time, calls)| (0..*calls).map(|_| (*time, *template)))
            .collect();
        calls.sort_by_key(|(time, _)| *time);
        let first = (shares[0] * calls.len() as f64).round() as usize;
        let second = ((shares[0] + shares[1]) * calls.len() as f64).round() as usize;
        let mut parts = vec![[0; 3]; 4];
        for (at, (_, template)) in calls.iter().enumerate() {
            parts[*template as usize][usize::from(at >= first) + usize::from(at >= second)] += 1;
        }
        parts
    }

    #[test]
    fn parts_are_exact_in_time_order_whatever_the_order_of_the_log() {
        let mut random = fastrand::Rng::with_seed(5);
        for case in 0..200 {
            let spread = [1, 3, 1_000, 10_000_000_000][case % 4];
            let entries: Vec<(u32, i64, u64)> = (0..random.usize(..60))
                .map(|_| (random.u32(..4), random.i64(0..spread) - spread / 2, 1 + random.u64(..3)))
                .collect();
            for shares in [[0.6, 0.2, 0.2], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0], [0.5, 0.5, 0.0]] {
                assert_eq!(
                    divided(&entries, shares),
                    sorted(&entries, shares),
                    "case {case} {shares:?} {entries:?}"
                );
            }
        }
    }

    #[test]
    fn the_farthest_times_are_kept() {
        let entries = [(0, i64::MIN, 1), (1, i64::MAX, 1), (2, 0, 1), (3, i64::MIN, 1)];
        assert_eq!(divided(&entries, [0.5, 0.25, 0.25]), sorted(&entries, [0.5, 0.25, 0.25]));
    }
}
