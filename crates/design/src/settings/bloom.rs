//! `BLOOMFILTER`: which files of a region are not looked into.

use tablesmith_model::design::Setting;

use super::{NOT_MEASURED, Rule, Usage};

/// A row with fewer cells is found as well by its key.
const MANY_CELLS: f64 = 16.0;

pub const RULE: Rule = Rule {
    setting: "BLOOMFILTER",
    rule: "ROW (the default) where rows are read by their keys; ROWCOL where single cells of rows with many cells are, for then most \
           files have the row and not the cell; NONE where rows are only scanned, which no filter helps (HBase in Action, section 4.7).",
    measured: NOT_MEASURED,
    decide,
};

fn decide(usage: &Usage) -> Option<(Setting, String)> {
    let text = |value: &str, reason: &str| Some((Setting::Text(value.to_owned()), reason.to_owned()));
    if usage.cell_gets > usage.gets && usage.row_cells >= MANY_CELLS {
        return text(
            "ROWCOL",
            "single cells of long rows are read: files with the row, but not the cell, are passed over",
        );
    }
    let is_read_by_key = usage.gets + usage.cell_gets > 0.0;
    if !is_read_by_key && usage.scans > 0.0 {
        return text("NONE", "rows are only scanned, which no filter helps");
    }
    None
}
