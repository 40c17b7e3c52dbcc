//! Seconds to read a family, from below.

use crate::families::Problem;
use crate::families::cost::Disk;

/// Sums of widths in different orders differ by less than this part of them; bounds give way by as much.
const NOISE: f64 = 1e-12;

/// At least the seconds of a family under a query. Grows with the widths that are read together.
pub(super) trait Seconds: Sync {
    /// For a family of so many bytes a row, when the query reads so many together and needs so many.
    fn at_least(&self, width: f64, together: f64, needed: f64) -> f64;
}

/// [`Disk::family_s`] itself, or a little less where another order of summing could have given less.
pub(super) struct Rounded {
    pub(super) disk: Disk,
    pub(super) rows: f64,
}

impl Seconds for Rounded {
    fn at_least(&self, width: f64, together: f64, _needed: f64) -> f64 {
        if width <= 0.0 {
            return 0.0;
        }
        let disk = &self.disk;
        let blocks = (width * self.rows / disk.block_bytes * (1.0 - NOISE)).ceil();
        let share = (disk.buffer_bytes * width / together * (1.0 + NOISE)).floor().max(disk.block_bytes);
        let blocks_a_refill = (share / disk.block_bytes).floor();
        disk.seek_s * (blocks / blocks_a_refill).ceil() + blocks * disk.block_bytes / disk.bandwidth
    }
}

/// Without rounding: no steps as columns move from one family to another.
///
/// With the rounding left out, f_pq ≤ max(F·s_p / (S·B), 1) and nb_p ≥ N·s_p / B, so that
///
///   ceil(nb_p / f_pq) ≥ N · min(S / F, s_p / B) ≥ N · min(S / F, s / B)   for s, the narrowest column,
///
/// which is concave in S and does not depend on s_p. A family that is read takes one seek and one block at least: where
/// that says more of what a query needs, it is taken instead.
pub(super) struct Smooth {
    disk: Disk,
    rows: f64,
    narrowest: f64,
}

impl Smooth {
    /// For a problem's rows and columns.
    pub(super) fn new(disk: Disk, problem: &Problem) -> Self {
        let widths = problem.columns.iter().map(|column| column.bytes).filter(|width| *width > 0.0);
        Self { disk, rows: problem.rows as f64, narrowest: widths.fold(f64::INFINITY, f64::min) }
    }

    /// At least the seeks into a family.
    pub(super) fn seeks(&self, together: f64, needed: f64) -> f64 {
        let least_of_all = self.rows.min(1.0);
        let seeks = |together: f64| {
            self.rows * (together / self.disk.buffer_bytes).min(self.narrowest / self.disk.block_bytes)
        };
        if seeks(needed) <= least_of_all { least_of_all } else { seeks(together) * (1.0 - NOISE) }
    }

    /// At least the seconds to bring in a family's bytes.
    pub(super) fn transfer_s(&self, width: f64, needed: f64) -> f64 {
        if self.is_block(needed) {
            return self.rows.min(1.0) * self.disk.block_bytes / self.disk.bandwidth;
        }
        self.rows * width * (1.0 - NOISE) / self.disk.bandwidth
    }

    /// At least the seconds that so many bytes a row more take, in families that are read anyway.
    pub(super) fn more_s(&self, width: f64, needed: f64) -> f64 {
        if self.is_block(needed) { 0.0 } else { self.transfer_s(width, needed) }
    }

    /// Whether counting blocks by the family says more than counting bytes.
    fn is_block(&self, needed: f64) -> bool {
        self.rows * needed <= self.disk.block_bytes
    }
}

impl Seconds for Smooth {
    fn at_least(&self, width: f64, together: f64, needed: f64) -> f64 {
        if width <= 0.0 {
            return 0.0;
        }
        self.disk.seek_s * self.seeks(together, needed) + self.transfer_s(width, needed)
    }
}
