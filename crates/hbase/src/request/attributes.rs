//! What travels beside a request under a name.

use bytes::Bytes;

use crate::pb;

/// Cells live so many milliseconds.
pub(super) fn ttl(ttl_ms: i64) -> pb::NameBytesPair {
    pair("_ttl", Bytes::copy_from_slice(&ttl_ms.to_be_bytes()))
}

/// Markers and everything that they hide. HBase writes "true" as a byte of ones.
pub(super) fn raw() -> pb::NameBytesPair {
    pair("_raw_", Bytes::from_static(&[0xff]))
}

/// The new values are not wanted.
pub(super) fn without_results() -> pb::NameBytesPair {
    pair("_rr_", Bytes::from_static(&[0]))
}

fn pair(name: &str, value: Bytes) -> pb::NameBytesPair {
    pb::NameBytesPair { name: name.to_owned(), value: Some(value) }
}
