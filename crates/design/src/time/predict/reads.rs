//! What each kind of read takes.

use tablesmith_model::cost::Operations;
use tablesmith_model::series::{Dimension, Span};

use super::fetch::{Ground, Walk};
use crate::time::query::{Group, Whose};

impl Ground<'_> {
    /// A stretch of some entities.
    pub fn range(&self, whose: Whose, length: f64, metrics: &[String]) -> Operations {
        self.operations(self.walk(whose, self.part(length)), metrics)
    }

    /// The newest readings of one entity: its last row and those before it; where times come first, past everybody else's.
    pub fn latest(&self, n: f64, metrics: &[String]) -> Operations {
        let n = n.min(self.facts.readings_per_entity());
        // The newest row is half full on average.
        let (half, row_readings) = match self.layout.span {
            Span::Of(_) => (0.5, self.shape.row_readings),
            Span::Each | Span::Unbounded => (0.0, self.shape.row_readings),
        };
        let rows = (n / row_readings + half).max(1.0);
        let walked = match self.layout.dimension {
            Dimension::Row | Dimension::Version => n,
            // Columns stand oldest first.
            Dimension::Qualifier | Dimension::Packed => ((rows - half) * row_readings).max(n),
        };
        let others = match self.layout.order.is_time_first() {
            true => self.facts.entities / self.layout.order.buckets().unwrap_or(1) as f64,
            false => 1.0,
        };
        let calls = if self.layout.dimension == Dimension::Row { 1.0 } else { rows };
        let walk = Walk {
            calls,
            scans: 1.0,
            seeks: rows,
            rows: rows * others,
            walked: walked * others,
            fetched: walked,
        };
        self.operations(walk, metrics)
    }

    /// The readings of one moment.
    pub fn instant(&self, whose: Whose, metrics: &[String]) -> Operations {
        self.operations(self.walk(whose, self.moment()), metrics)
    }

    /// Sums over a stretch: regions go through it, and only what they found travels.
    pub fn aggregate(&self, whose: Whose, length: f64, group: Group, metrics: &[String]) -> Operations {
        let read = self.range(whose, length, metrics);
        let stretches = |width: f64| (length / width.max(1.0) + 1.0).min(self.part(length).asked.max(1.0));
        let entities = whose.count(self.facts.entities);
        let groups = match group {
            Group::All => 1.0,
            Group::Entity => entities,
            Group::Bucket(width) => stretches(width),
            Group::EntityAndBucket(width) => entities * stretches(width),
        };
        Operations { cells_returned: read.cells_returned.min(groups), bytes_returned: 0.0, ..read }
    }

    /// Two moments of everybody: two walks where a moment stands together, else one.
    pub fn compare(&self) -> Operations {
        let walks = if self.layout.order.is_time_first() { 2.0 } else { 1.0 };
        self.instant(Whose::All, &[]) * walks
    }
}
