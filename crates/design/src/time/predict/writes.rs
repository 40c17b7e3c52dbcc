//! What writing readings takes.

use tablesmith_model::cost::Operations;
use tablesmith_model::series::Dimension;

use super::fetch::{Ground, UNPACKED_SHARE};

/// Rows that are written in one call.
const ROWS_PER_CALL: f64 = 500.0;
/// Packed rows that are written in one call.
const PACKED_ROWS_PER_CALL: f64 = 64.0;

impl Ground<'_> {
    /// Readings that arrive together: of as many entities as there are, one moment after the other.
    pub fn write(&self, readings: f64) -> Operations {
        let readings = readings.max(1.0);
        let (cells, bytes) = self.reading_size();
        let rows = match self.layout.dimension {
            Dimension::Row => readings,
            _ => {
                let moments = (readings / self.facts.entities).max(1.0);
                readings.min(self.facts.entities) * (moments / self.shape.row_readings).max(1.0)
            }
        };
        let calls = (rows / ROWS_PER_CALL).ceil();
        let put = Operations {
            calls,
            write_calls: calls,
            puts: rows,
            family_puts: rows,
            cells_written: cells * readings,
            bytes_written: bytes * readings,
            ..Operations::NONE
        };
        if self.layout.dimension != Dimension::Packed {
            return put;
        }
        // What is there is fetched and written again with the new reading, if nobody else has changed it: a get, another
        // one for the condition, and a put. A row is half full on average, and has a cell that counts its writes.
        let (row_cells, half_bytes) = (self.shape.row_cells + 1.0, self.shape.row_bytes / 2.0);
        let calls = (rows / PACKED_ROWS_PER_CALL).ceil();
        Operations {
            calls: 2.0 * calls,
            write_calls: calls,
            seeks: 2.0 * rows,
            rows: 2.0 * rows,
            family_rows: 2.0 * rows,
            cells: 2.0 * rows * row_cells,
            bytes: rows * half_bytes,
            cells_returned: rows * row_cells + rows * self.shape.row_readings * UNPACKED_SHARE,
            bytes_returned: rows * half_bytes,
            cells_written: rows * row_cells,
            bytes_written: rows * half_bytes,
            ..put
        }
    }
}
