//! Rows of `hbase:meta`, and the question that finds a region there.

use std::cmp::Ordering;

use bytes::Bytes;

use super::cache::Seek;
use super::{Location, Region, meta_row};
use crate::cell::Row;
use crate::wire::WireError;
use crate::{HostPort, ServerName, TableName, pb};

const FAMILY: &[u8] = b"info";
/// Sorts behind the id of every region.
const LAST_ID: &str = "99999999999999";
/// Regions that one question brings: the one wanted and those before it, which are often wanted next.
const REGIONS_AT_ONCE: u32 = 10;

/// What a row of `hbase:meta` says.
#[derive(Debug)]
pub(crate) struct MetaRow {
    pub region: Region,
    pub server: Option<ServerName>,
}

impl MetaRow {
    pub fn read(row: &Row) -> Result<Option<Self>, WireError> {
        let Some(value) = row.value(FAMILY, b"regioninfo") else { return Ok(None) };
        let region = Region::from_meta(row.shared_key(), value)?;
        let text =
            |qualifier: &[u8]| Some(std::str::from_utf8(row.value(FAMILY, qualifier)?).ok()?.to_owned());
        let address = text(b"server").and_then(|server| server.parse::<HostPort>().ok());
        let start_code = (row.value(FAMILY, b"serverstartcode"))
            .and_then(|code| code.first_chunk::<8>())
            .map_or(0, |code| u64::from_be_bytes(*code));
        Ok(Some(Self { region, server: address.map(|address| ServerName { address, start_code }) }))
    }

    pub fn location(self) -> Option<Location> {
        let server = self.server?;
        Some(Location { address: server.address.clone(), server: Some(server), region: self.region })
    }
}

/// Backwards from the last place where the region wanted could stand.
pub(crate) fn question(table: &TableName, seek: Seek<'_>) -> pb::Scan {
    let (start_row, include_start_row) = match seek {
        Seek::Row(row) => (meta_row(table, row, LAST_ID), true),
        // A name right behind this table's: the next one before it is the table's last region.
        Seek::Before([]) => (Bytes::from(format!("{table}\0,,")), false),
        Seek::Before(row) => (meta_row(table, row, ""), false),
    };
    pb::Scan {
        start_row: Some(start_row),
        include_start_row: Some(include_start_row),
        stop_row: Some(meta_row(table, b"", "")),
        include_stop_row: Some(true),
        reversed: Some(true),
        ..scan(REGIONS_AT_ONCE)
    }
}

/// All regions of a table that begin at `start` or after it.
pub(crate) fn regions_from(table: &TableName, start: &[u8]) -> pb::Scan {
    pb::Scan {
        start_row: Some(meta_row(table, start, "")),
        stop_row: Some(Bytes::from(format!("{table}\0,,"))),
        ..scan(1000)
    }
}

fn scan(rows: u32) -> pb::Scan {
    let family = Bytes::from_static(FAMILY);
    pb::Scan {
        column: vec![pb::Column { family, qualifier: Vec::new() }],
        max_versions: Some(1),
        caching: Some(rows),
        ..pb::Scan::default()
    }
}

/// The order of rows in `hbase:meta`, which is not that of their bytes: by table, then by start key, then by the rest, since
/// a start key may have any bytes, also smaller ones than the comma behind it.
pub(crate) fn compare_rows(one: &[u8], other: &[u8]) -> Ordering {
    parts(one).cmp(&parts(other))
}

/// `table,start,id.hash.` in its parts: no table and no id has a comma.
fn parts(row: &[u8]) -> (&[u8], &[u8], &[u8]) {
    let is_comma = |byte: &u8| *byte == b',';
    let mut by_table = row.splitn(2, is_comma);
    let table = by_table.next().unwrap_or_default();
    let mut by_id = by_table.next().unwrap_or_default().rsplitn(2, is_comma);
    let id = by_id.next().unwrap_or_default();
    (table, by_id.next().unwrap_or_default(), id)
}

/// How many rows of meta one question asks for.
pub(crate) fn rows_at_once() -> u32 {
    REGIONS_AT_ONCE
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_of_meta_are_in_the_order_of_their_start_keys() {
        let rows: [&[u8]; 6] =
            [b"t,,1.a.", b"t,\x01,9.b.", b"t,\x01\x00,3.c.", b"t,\x01\x00,4.d.", b"t,a,b,1.e.", b"t0,,1.f."];
        assert!(rows.is_sorted_by(|one, other| compare_rows(one, other).is_lt()));
        assert!(!rows.is_sorted(), "and not in that of their bytes");
        assert_eq!(compare_rows(rows[0], rows[0]), Ordering::Equal);
        assert_eq!(parts(b"no commas"), (&b"no commas"[..], &b""[..], &b""[..]));
    }
}
