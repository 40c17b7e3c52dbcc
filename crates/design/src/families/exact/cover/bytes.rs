//! Lower bounds for the `bytes` cost, with copies.
//!
//! Columns that are yet to be placed make families wider and covers dearer, never the other way round. So a read costs at
//! least the cheapest cover of what it needs among what is placed; and since Σ ceil(x) ≥ ceil(Σ x), what it needs besides
//! adds its bytes to the blocks of that cover. Each column is stored and written once at least.

use super::search::Bounds;
use crate::families::cost::{Bytes, Pricing};
use crate::families::exact::reduce::Elements;
use crate::families::{Access, Problem};

/// Sums in different orders differ by less than this part; bounds give way by as much.
const NOISE: f64 = 1e-12;

/// A read: so many seeks and bytes a family, so many times.
struct Read {
    needs: u32,
    times: f64,
    /// Rows that lie side by side.
    rows: f64,
    needs_bytes: f64,
    /// Bytes a row of needs that are in no element that is searched.
    outside_bytes: f64,
}

struct Write {
    needs: u32,
    times: f64,
    outside_bytes: f64,
}

/// Bounds of the `bytes` cost of one problem.
pub(super) struct BytesBounds {
    bytes: Bytes,
    /// Stored bytes a row of each element.
    cells: Vec<f64>,
    cells_together: f64,
    stored: f64,
    reads: Vec<Read>,
    writes: Vec<Write>,
    /// Whether elements are bundles: then blocks are not rounded, so that parting a bundle cannot be cheaper.
    is_smooth: bool,
}

impl BytesBounds {
    /// The bounds for groupings of elements.
    pub(super) fn new(bytes: Bytes, problem: &Problem, pricing: &dyn Pricing, elements: &Elements) -> Self {
        let cells: Vec<f64> = elements
            .columns
            .iter()
            .map(|element| element.iter().map(|column| pricing.weight(column)).sum())
            .collect();
        let calls: f64 = problem.asks.iter().map(|ask| ask.rate).sum();
        let mut bounds = Self {
            bytes,
            cells_together: cells.iter().sum(),
            cells,
            stored: bytes.stored_byte * problem.rows as f64 * calls,
            reads: Vec::new(),
            writes: Vec::new(),
            is_smooth: elements.are_bundles,
        };
        for ask in problem.asks.iter().filter(|ask| !ask.columns.is_empty()) {
            let needs = elements.touched_by(&ask.columns);
            let needs_bytes: f64 = ask.columns.iter().map(|column| pricing.weight(column)).sum();
            let outside_bytes = (needs_bytes - bounds.bytes_of(needs)).max(0.0);
            match ask.access {
                Access::Scan => {
                    let (times, rows) = (ask.rate, ask.rows);
                    bounds.reads.push(Read { needs, times, rows, needs_bytes, outside_bytes });
                }
                Access::Get => {
                    let times = ask.rate * ask.rows;
                    bounds.reads.push(Read { needs, times, rows: 1.0, needs_bytes, outside_bytes });
                }
                Access::Write => {
                    bounds.writes.push(Write { needs, times: ask.rate * ask.rows, outside_bytes });
                }
            }
        }
        bounds
    }

    fn bytes_of(&self, set: u32) -> f64 {
        let cells = self.cells.iter().take(32).enumerate();
        cells.filter(|(element, _)| set >> element & 1 == 1).map(|(_, cell)| cell).sum()
    }

    /// At least what a read costs when it takes these families, and so many bytes a row from somewhere besides.
    fn read(&self, read: &Read, families: impl Iterator<Item = f64>, besides: f64) -> f64 {
        let block = self.bytes.block_bytes;
        let in_blocks = |bytes: f64| (read.rows * bytes / block * (1.0 - NOISE)).ceil().max(1.0);
        let (mut count, mut blocks, mut together) = (0.0, 0.0, besides);
        for bytes in families {
            count += 1.0;
            blocks += in_blocks(bytes);
            together += bytes;
        }
        count = f64::max(count, 1.0);
        let blocks = if !self.is_smooth {
            f64::max(blocks, in_blocks(together))
        } else if read.rows * read.needs_bytes <= block {
            count
        } else {
            read.rows * together / block * (1.0 - NOISE)
        };
        read.times * (count * self.bytes.seek_bytes + blocks * block)
    }

    /// At least the cheapest cover of what is placed.
    fn cheapest_read(&self, read: &Read, families: &[(u32, f64)], placed: u32) -> f64 {
        let besides = read.outside_bytes + self.bytes_of(read.needs & !placed);
        let open = read.needs & placed;
        let covers = |chosen: u32| {
            let chosen_sets = chosen_of(families, chosen);
            chosen_sets.fold(0, |sets, (set, _)| sets | set) & open == open
        };
        let useful = families.iter().enumerate().filter(|(_, (set, _))| set & open != 0);
        let useful = useful.fold(0_u32, |bits, (family, _)| bits | 1 << family);
        let mut least = f64::INFINITY;
        let mut chosen = useful;
        loop {
            if covers(chosen) {
                let bytes = chosen_of(families, chosen).map(|(_, bytes)| *bytes);
                least = least.min(self.read(read, bytes, besides));
            }
            if chosen == 0 {
                return least;
            }
            chosen = (chosen - 1) & useful;
        }
    }

    fn written(&self, write: &Write, families: &[(u32, f64)], placed: u32) -> f64 {
        let touched = families.iter().filter(|(set, _)| set & write.needs != 0);
        let (mut count, mut bytes) = (0.0, write.outside_bytes + self.bytes_of(write.needs & !placed));
        for (set, _) in touched {
            count += 1.0;
            bytes += self.bytes_of(set & write.needs);
        }
        let families = f64::max(count, 1.0) * self.bytes.written_family_bytes;
        write.times * (families + bytes * self.bytes.written_byte)
    }
}

fn chosen_of(families: &[(u32, f64)], chosen: u32) -> impl Iterator<Item = &(u32, f64)> {
    families.iter().enumerate().filter(move |(family, _)| chosen >> family & 1 == 1).map(|(_, family)| family)
}

impl Bounds for BytesBounds {
    fn at_least(&self, families: &[u32], placed: u32) -> f64 {
        let families: Vec<(u32, f64)> = families.iter().map(|set| (*set, self.bytes_of(*set))).collect();
        let copies: f64 = families.iter().map(|(_, bytes)| bytes).sum();
        let unplaced = self.cells_together - self.bytes_of(placed);
        let reads: f64 = self.reads.iter().map(|read| self.cheapest_read(read, &families, placed)).sum();
        let writes: f64 = self.writes.iter().map(|write| self.written(write, &families, placed)).sum();
        reads + writes + self.stored * (copies + unplaced.max(0.0))
    }

    fn at_least_with(&self, _families: usize) -> f64 {
        self.at_least(&[], 0)
    }
}
