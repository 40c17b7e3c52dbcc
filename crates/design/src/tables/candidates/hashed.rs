//! Hashed parts: a digest of fixed length in place of a text in the key.
//!
//! # What
//! `md5(follower)` in place of `follower`: 16 bytes, whatever the text (Khurana, figure 11).
//!
//! # Why
//! Every cell carries its row's key, so that long texts in it are stored again and again; and digests spread evenly, so that
//! split points are known without looking at the data.
//!
//! # When
//! No range and no order needs the part (a digest keeps none), and texts are longer than a digest. A column that has to come
//! back is then stored in a cell.

use tablesmith_model::key::Part;
use tablesmith_model::key::digest::DIGEST_BYTES;
use tablesmith_model::value::ValueType;
use tablesmith_model::workload::Workload;
use tablesmith_plan::{StoredRows, statistics};

/// The same rows with long texts of the key hashed; `None` where that brings nothing.
pub fn of(entry: &StoredRows, workload: &Workload) -> Option<StoredRows> {
    let is_long = |field: &String| {
        let column = entry.record.column(field).map(|of| statistics::column(workload, &of));
        column.is_some_and(|column| {
            column.value_type == ValueType::String && statistics::value_bytes(&column) > DIGEST_BYTES as f64
        })
    };
    let mut rows = entry.rows.clone();
    let mut hashed: Vec<String> = Vec::new();
    for part in &mut rows.key.parts {
        if let Part::Field(field) = part
            && is_long(field)
        {
            hashed.push(field.clone());
            *part = Part::Md5 { field: field.clone(), bytes: None };
        }
    }
    if hashed.is_empty() || entry.is_wide() && entry.is_base_of(&entry.rows.from, workload) {
        return None;
    }
    if !entry.is_wide() {
        let known: Vec<String> = rows.cells.iter().flat_map(|cells| cells.columns.clone()).collect();
        let cells = rows.cells.first_mut()?;
        cells.columns.extend(hashed.into_iter().filter(|field| !known.contains(field)));
    }
    StoredRows::new(rows, workload)
}
