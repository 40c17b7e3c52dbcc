//! `BLOOMFILTER`: which files of a region are not looked into.

use tablesmith_model::design::Setting;

use super::{Rule, Usage};

/// A row with fewer cells is found as well by its key.
const MANY_CELLS: f64 = 16.0;

pub const RULE: Rule = Rule {
    setting: "BLOOMFILTER",
    rule: "ROW (the default); ROWCOL where single cells of rows with many cells are read, for then most files have the row and not the \
           cell (HBase in Action, section 4.7). Never NONE: scans gain nothing by it, and a get that comes later would lose.",
    measured: "ROWCOL beside ROW, cells spread over 6 files: gets of a cell 1.4 times as fast; ROW beside NONE, rows spread over 6 files: gets \
               1.4 times as fast; NONE beside ROW: scans 0.9 times as fast, which is no gain",
    decide,
};

fn decide(usage: &Usage) -> Option<(Setting, String)> {
    let reason = "single cells of long rows are read: files with the row, but not the cell, are passed over"
        .to_owned();
    (usage.cell_gets > usage.gets && usage.row_cells >= MANY_CELLS)
        .then_some((Setting::Text("ROWCOL".to_owned()), reason))
}
