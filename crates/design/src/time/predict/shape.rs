//! What readings look like in a layout: how many share a row, how many cells and bytes they are.

use tablesmith_model::cost::CELL_OVERHEAD_BYTES;
use tablesmith_model::series::{
    CellShape, Dimension, FAMILY, KeyOrder, SeriesLayout, Span, TOGETHER_QUALIFIER,
};

use crate::time::facts::{Facts, Metric};

/// Bytes of a time in a row key.
const TIME_BYTES: f64 = 8.0;
/// Bytes of the digest that spreads entities, and of a remainder.
const DIGEST_BYTES: f64 = 4.0;
const REMAINDER_BYTES: f64 = 2.0;

/// The readings of a table in a layout, on average.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Shape {
    /// Readings of one row.
    pub row_readings: f64,
    /// Rows of one entity.
    pub entity_rows: f64,
    /// Cells of one row.
    pub row_cells: f64,
    /// Bytes of one row, as stored.
    pub row_bytes: f64,
}

impl Shape {
    /// The shape of readings in a layout.
    pub fn of(layout: &SeriesLayout, facts: &Facts) -> Self {
        let each = facts.readings_per_entity();
        let row_readings = match layout.span {
            Span::Each => 1.0,
            Span::Of(width) => (facts.readings_within(width as f64)).clamp(1.0, each),
            Span::Unbounded => each,
        };
        let (row_cells, row_bytes) = match layout.dimension {
            Dimension::Packed => packed(layout, facts, row_readings),
            _ => {
                let (cells, bytes) = reading(layout, facts);
                (cells * row_readings, bytes * row_readings)
            }
        };
        Self { row_readings, entity_rows: (each / row_readings).max(1.0), row_cells, row_bytes }
    }

    /// Bytes of one reading, as stored.
    pub fn reading_bytes(&self) -> f64 {
        self.row_bytes / self.row_readings
    }
}

/// Bytes of a row key.
pub fn key_bytes(layout: &SeriesLayout, facts: &Facts) -> f64 {
    let prefix = match layout.order {
        KeyOrder::EntityTime | KeyOrder::TimeEntity | KeyOrder::ReversedEntityTime => 0.0,
        KeyOrder::HashedEntityTime => DIGEST_BYTES,
        KeyOrder::SaltedEntityTime { .. } | KeyOrder::BucketedTime { .. } => REMAINDER_BYTES,
    };
    let time = if layout.span == Span::Unbounded { 0.0 } else { TIME_BYTES };
    prefix + facts.entity_bytes + time
}

/// Bytes of a cell besides its qualifier and its value.
fn around(layout: &SeriesLayout, facts: &Facts) -> f64 {
    key_bytes(layout, facts) + FAMILY.len() as f64 + CELL_OVERHEAD_BYTES
}

/// Cells and bytes of one reading that is not packed.
fn reading(layout: &SeriesLayout, facts: &Facts) -> (f64, f64) {
    let around = around(layout, facts);
    let offset = match (layout.dimension, layout.span) {
        (Dimension::Qualifier, Span::Of(width)) if u32::try_from(width).is_ok() => 4.0,
        (Dimension::Qualifier, _) => 8.0,
        _ => 0.0,
    };
    match layout.cells {
        CellShape::EachMetric => {
            let cell = |metric: &Metric| around + offset + metric.name.len() as f64 + metric.bytes;
            let cells = facts.metrics.iter().map(|metric| metric.filled).sum();
            (cells, facts.metrics.iter().map(|metric| metric.filled * cell(metric)).sum())
        }
        CellShape::Together => {
            (1.0, around + offset + TOGETHER_QUALIFIER.len() as f64 + entry(&facts.metrics))
        }
    }
}

/// Cells and bytes of a row whose readings are packed.
fn packed(layout: &SeriesLayout, facts: &Facts, row_readings: f64) -> (f64, f64) {
    let around = around(layout, facts);
    // Seven bits a byte of the distance to the reading before.
    let distance = (facts.interval.max(1.0).log2() / 7.0).floor() + 1.0;
    match layout.cells {
        CellShape::EachMetric => {
            let one = |metric: &Metric| {
                let entries = row_readings * metric.filled;
                around + metric.name.len() as f64 + entries * (distance + entry(std::slice::from_ref(metric)))
            };
            (facts.metrics.len() as f64, facts.metrics.iter().map(one).sum())
        }
        CellShape::Together => {
            let entries = row_readings * (distance + entry(&facts.metrics));
            (1.0, around + TOGETHER_QUALIFIER.len() as f64 + entries)
        }
    }
}

/// Bytes of the values of some metrics side by side, with the bits that say which are missing.
fn entry(metrics: &[Metric]) -> f64 {
    let values: f64 = metrics.iter().map(|metric| metric.filled * metric.bytes).sum();
    (metrics.len() as f64 / 8.0).ceil() + values
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::time::testing::{facts, table};

    fn shape(dimension: Dimension, span: Span, cells: CellShape) -> Shape {
        let layout = SeriesLayout { dimension, span, cells, ..SeriesLayout::tall(&table(2)).unwrap() };
        Shape::of(&layout, &facts(2))
    }

    #[test]
    fn a_tall_row_is_one_reading_and_a_day_has_1440() {
        let tall = shape(Dimension::Row, Span::Each, CellShape::EachMetric);
        // Key 7 + 8, family 1, qualifier 2, value 8, and 20 around each of two cells.
        assert_eq!((tall.row_readings, tall.row_cells, tall.row_bytes), (1.0, 2.0, 92.0));
        let day = shape(Dimension::Version, Span::Of(86_400_000), CellShape::EachMetric);
        assert!((day.row_readings - 1_440.0).abs() < 1.0 && (day.entity_rows - 10.0).abs() < 0.1, "{day:?}");
        assert_eq!(day.reading_bytes(), 92.0);
        let all = shape(Dimension::Qualifier, Span::Unbounded, CellShape::Together);
        // Key 7, family 1, qualifier 8 + 1, two values of 8 and a byte of bits.
        assert_eq!((all.row_readings, all.reading_bytes()), (14_400.0, 54.0));
    }

    #[test]
    fn packing_saves_most_of_the_bytes() {
        let hour = shape(Dimension::Packed, Span::Of(3_600_000), CellShape::Together);
        assert!((hour.row_readings - 60.0).abs() < 0.1 && hour.row_cells == 1.0);
        assert!(hour.reading_bytes() < 22.0, "{}", hour.reading_bytes());
    }
}
