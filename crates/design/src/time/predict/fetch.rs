//! What a store goes through to give the readings of a stretch, as `access::series` carries it out.
//!
//! Rows that are known are fetched by key, when they are few; else ranges of keys are scanned. Keys that begin with the
//! entity keep an entity's rows together: a stretch of one is one scan, and a stretch of all is a walk through the whole
//! table. Keys that begin with the time keep a moment together, and the other way round.

use tablesmith_model::cost::Operations;
use tablesmith_model::series::{CellShape, Dimension, SeriesLayout, Span};

use super::Shape;
use crate::time::facts::Facts;
use crate::time::query::Whose;

/// Rows of one entity are fetched by key up to so many, and as a range beyond.
const ROWS_BY_KEY: f64 = 4.0;
/// So many rows are fetched by key where a range would have those of other entities too.
const ROWS_AMONG_OTHERS: f64 = 1_024.0;
/// Rows that are fetched by key in one call.
const GETS_PER_CALL: f64 = 256.0;
/// What a reading that is unpacked takes of what a cell takes that is returned: it is decoded, not copied.
pub const UNPACKED_SHARE: f64 = 0.2;

/// A layout with what is known of the readings in it.
pub struct Ground<'a> {
    pub layout: &'a SeriesLayout,
    pub facts: &'a Facts,
    pub shape: Shape,
    pub regions: f64,
}

/// What one entity's part of a stretch is.
#[derive(Clone, Copy, Debug)]
pub struct Part {
    /// Readings that are asked for.
    pub asked: f64,
    /// Rows that have some of them.
    pub rows: f64,
    /// Whether they all lie in one row.
    pub is_one_row: bool,
}

/// What is gone through, and what travels.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Walk {
    /// Calls from the client.
    pub calls: f64,
    /// Scans that are begun, each in a region.
    pub scans: f64,
    /// Places in the table that are looked up.
    pub seeks: f64,
    /// Rows that are gone through.
    pub rows: f64,
    /// Readings that are gone through.
    pub walked: f64,
    /// Readings that travel to the client, asked for or not.
    pub fetched: f64,
}

impl Ground<'_> {
    /// One entity's part of a stretch.
    pub fn part(&self, length: f64) -> Part {
        let asked = self.facts.readings_within(length);
        let (rows, is_one_row) = match self.layout.span {
            Span::Each => (asked, length <= 1.0),
            Span::Of(width) => {
                let width = width as f64;
                ((length / width + 1.0).min(self.shape.entity_rows), length <= width / 2.0)
            }
            Span::Unbounded => (1.0, true),
        };
        Part { asked, rows, is_one_row }
    }

    /// One entity's part of a moment.
    pub fn moment(&self) -> Part {
        let asked = self.facts.share_at_instant();
        Part { asked, rows: if self.layout.span == Span::Each { asked } else { 1.0 }, is_one_row: true }
    }

    /// How a stretch of some entities is fetched.
    pub fn walk(&self, whose: Whose, part: Part) -> Walk {
        let all = self.facts.entities;
        let is_time_first = self.layout.order.is_time_first();
        match whose {
            Whose::Named(named) => {
                let named = named.min(all);
                // A row for each reading cannot be known before it is found, unless the moment is.
                let is_known = self.layout.span != Span::Each || part.is_one_row;
                let is_few = match is_time_first {
                    true => part.rows * named <= ROWS_AMONG_OTHERS,
                    false => part.rows <= ROWS_BY_KEY,
                };
                match (is_known && is_few, is_time_first) {
                    (true, _) => self.by_key(named, part),
                    (false, false) => self.scanned(named, named, part),
                    (false, true) => self.among_others(named, part),
                }
            }
            Whose::All if is_time_first => self.scanned(self.prefixes(), all, part),
            Whose::All => self.whole_table(part),
        }
    }

    /// Over how many prefixes rows of a moment are spread.
    fn prefixes(&self) -> f64 {
        self.layout.order.buckets().map_or(1.0, |buckets| buckets as f64)
    }

    fn by_key(&self, entities: f64, part: Part) -> Walk {
        let rows = part.rows.max(part.asked.min(1.0)).max(f64::MIN_POSITIVE) * entities;
        let (walked, fetched) = self.in_rows(Part { is_one_row: true, ..part });
        Walk {
            calls: (rows / GETS_PER_CALL).ceil(),
            scans: 0.0,
            seeks: rows,
            rows,
            walked: walked * entities,
            fetched: fetched * entities,
        }
    }

    fn scanned(&self, scans: f64, entities: f64, part: Part) -> Walk {
        let (walked, fetched) = self.in_rows(part);
        Walk {
            calls: scans,
            scans,
            seeks: scans,
            rows: part.rows * entities,
            walked: walked * entities,
            fetched: fetched * entities,
        }
    }

    /// Rows of others stand between. The store is told a pattern of keys and jumps from one that fits to the next; they lie
    /// so close together that it goes through all the same blocks.
    fn among_others(&self, named: f64, part: Part) -> Walk {
        let scans = self.prefixes().min(named);
        let own = self.scanned(scans, named, part);
        let among = (self.facts.entities / self.prefixes() * scans / named.max(1.0)).max(1.0);
        Walk { rows: own.rows * among, walked: own.walked * among, ..own }
    }

    /// The rows of all times are gone through, and what is left out is left out late.
    fn whole_table(&self, part: Part) -> Walk {
        let (entities, each) = (self.facts.entities, self.facts.readings_per_entity());
        let (walked, fetched) = match self.layout.dimension {
            Dimension::Row | Dimension::Packed => (each, each),
            Dimension::Qualifier if part.is_one_row => {
                let found = (part.asked * self.shape.entity_rows).min(each);
                (found, found)
            }
            Dimension::Qualifier => (each, each),
            Dimension::Version => ((each + part.asked) / 2.0, part.asked),
        };
        Walk {
            calls: self.regions,
            scans: self.regions,
            seeks: self.regions,
            rows: self.shape.entity_rows * entities,
            walked: walked * entities,
            fetched: fetched * entities,
        }
    }

    /// Readings of one entity that are gone through and that travel, when only the rows of a stretch are read: columns can be
    /// found by their order in one row, versions stand newest first, and what is packed comes as a whole.
    pub fn in_rows(&self, part: Part) -> (f64, f64) {
        let in_rows = (part.rows * self.shape.row_readings).max(part.asked);
        match self.layout.dimension {
            Dimension::Row => (part.asked, part.asked),
            Dimension::Qualifier if part.is_one_row => (part.asked, part.asked),
            Dimension::Qualifier | Dimension::Packed => (in_rows, in_rows),
            Dimension::Version => (f64::midpoint(part.asked, in_rows), part.asked),
        }
    }

    /// Operations of a walk that reads these metrics.
    pub fn operations(&self, walk: Walk, metrics: &[String]) -> Operations {
        let (cells, bytes) = self.reading_size();
        let share = self.metric_share(metrics);
        let (cells_read, cells_returned) = match self.layout.dimension {
            // Readings of a packed row are a few cells, however many they are.
            Dimension::Packed => {
                let row_cells = self.shape.row_cells * walk.rows;
                (row_cells, row_cells * share + UNPACKED_SHARE * walk.fetched)
            }
            _ => (cells * walk.walked, cells * share * walk.fetched),
        };
        Operations {
            calls: walk.calls,
            regions: walk.scans,
            seeks: walk.seeks,
            rows: walk.rows,
            family_rows: walk.rows,
            cells: cells_read,
            bytes: bytes * walk.walked,
            cells_returned,
            bytes_returned: bytes * share * walk.fetched,
            ..Operations::NONE
        }
    }

    /// Cells and bytes of one reading.
    pub fn reading_size(&self) -> (f64, f64) {
        (self.shape.row_cells / self.shape.row_readings, self.shape.reading_bytes())
    }

    /// The share of a reading's cells that some metrics have.
    fn metric_share(&self, metrics: &[String]) -> f64 {
        let all = self.facts.metrics.len().max(1) as f64;
        match self.layout.cells {
            CellShape::Together => 1.0,
            CellShape::EachMetric => (metrics.len() as f64 / all).clamp(0.0, 1.0),
        }
    }
}
