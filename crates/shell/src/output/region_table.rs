//! The table that `list_regions` shows, and a region as JSON.

use serde_json::{Value, json};
use tablesmith_model::bytes_text::{printable, to_text};
use tablesmith_store::RegionInfo;

use super::RegionList;

/// A column of the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RegionColumn {
    /// The server that has the region.
    ServerName,
    /// The region's whole name.
    RegionName,
    /// The first row.
    StartKey,
    /// The first row after it.
    EndKey,
    /// Megabytes stored, as far as known.
    Size,
    /// Requests.
    Requests,
    /// How much of the data is on the region's server, as far as known.
    Locality,
}

impl RegionColumn {
    /// All columns, in order.
    pub const ALL: [Self; 7] = [
        Self::ServerName,
        Self::RegionName,
        Self::StartKey,
        Self::EndKey,
        Self::Size,
        Self::Requests,
        Self::Locality,
    ];

    /// The title.
    pub fn name(self) -> &'static str {
        match self {
            Self::ServerName => "SERVER_NAME",
            Self::RegionName => "REGION_NAME",
            Self::StartKey => "START_KEY",
            Self::EndKey => "END_KEY",
            Self::Size => "SIZE",
            Self::Requests => "REQ",
            Self::Locality => "LOCALITY",
        }
    }

    fn least_width(self) -> usize {
        match self {
            Self::ServerName | Self::RegionName => 12,
            Self::StartKey | Self::EndKey | Self::Locality => 10,
            Self::Size | Self::Requests => 5,
        }
    }

    fn text(self, region: &RegionInfo) -> String {
        match self {
            Self::ServerName => printable(&region.server).into_owned(),
            Self::RegionName => region.name(),
            Self::StartKey => to_text(&region.start),
            Self::EndKey => to_text(&region.end),
            Self::Size => {
                region.load.stored_bytes.map_or_else(String::new, |bytes| (bytes >> 20).to_string())
            }
            Self::Requests => region.load.reads.saturating_add(region.load.writes).to_string(),
            Self::Locality => String::new(),
        }
    }
}

/// The table.
pub fn text(list: &RegionList) -> String {
    let rows: Vec<Vec<String>> = list
        .regions
        .iter()
        .map(|region| list.columns.iter().map(|column| column.text(region)).collect())
        .collect();
    let widths: Vec<usize> = list
        .columns
        .iter()
        .enumerate()
        .map(|(at, column)| {
            let cells = rows.iter().filter_map(|row| row.get(at)).map(|cell| cell.chars().count());
            cells.max().unwrap_or(0).max(column.least_width())
        })
        .collect();
    let titles = list.columns.iter().map(|column| column.name().to_owned()).collect();
    let lines = widths.iter().map(|width| "-".repeat(*width)).collect();
    let mut text = String::new();
    for row in [titles, lines].into_iter().chain(rows) {
        for (cell, width) in row.iter().zip(&widths) {
            text.push_str(&format!(" {cell:>width$} |"));
        }
        text.push('\n');
    }
    text.push_str(&format!(" {} rows\n", list.regions.len()));
    text
}

/// A region as JSON.
pub fn json(region: &RegionInfo) -> Value {
    json!({
        "name": region.name(),
        "encoded_name": region.encoded_name(),
        "start": to_text(&region.start),
        "end": to_text(&region.end),
        "server": region.server,
        "reads": region.load.reads,
        "writes": region.load.writes,
        "stored_bytes": region.load.stored_bytes,
        "memstore_bytes": region.load.memstore_bytes,
        "store_files": region.load.store_files,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use tablesmith_store::RegionLoad;

    #[test]
    fn columns_are_as_wide_as_they_need() {
        let region = RegionInfo {
            table: "t".parse().unwrap(),
            id: 1,
            start: "a-long-start-key".into(),
            end: "z".into(),
            server: "s".into(),
            load: RegionLoad { reads: 2, writes: 3, ..RegionLoad::default() },
        };
        let list = RegionList {
            regions: vec![region],
            columns: vec![RegionColumn::StartKey, RegionColumn::Requests],
        };
        assert_eq!(
            text(&list),
            "        START_KEY |   REQ |\n ---------------- | ----- |\n a-long-start-key |     5 |\n 1 rows\n"
        );
    }
}
