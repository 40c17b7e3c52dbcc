//! The bytes that are stored as a cell's value.
//!
//! ```text
//!  flags    ttl_ms, only with flag 1   value
//! ┌────────┬──────────────────────────┬──────────────┐
//! │ 1 byte │ 8 bytes, big-endian      │ any number   │
//! └────────┴──────────────────────────┴──────────────┘
//! ```

/// The cell has a time to live of its own.
const HAS_TTL: u8 = 1;
const FLAGS_BYTES: usize = 1;
const TTL_BYTES: usize = 8;

/// A value with the cell's own time to live.
pub(crate) fn encode(value: &[u8], ttl_ms: Option<i64>) -> Vec<u8> {
    // Exactly as long as needed: what is longer is moved when it is handed on.
    let ttl_bytes = if ttl_ms.is_some() { TTL_BYTES } else { 0 };
    let mut bytes = Vec::with_capacity(FLAGS_BYTES + ttl_bytes + value.len());
    match ttl_ms {
        None => bytes.push(0),
        Some(ttl_ms) => {
            bytes.push(HAS_TTL);
            bytes.extend_from_slice(&ttl_ms.to_be_bytes());
        }
    }
    bytes.extend_from_slice(value);
    bytes
}

/// What stands before a value.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Header {
    /// Where the value begins.
    pub value_at: usize,
    /// The cell's own time to live.
    pub ttl_ms: Option<i64>,
}

/// Reads the beginning of what [`encode`] made; `None` when it did not make it.
#[inline]
pub(crate) fn header(bytes: &[u8]) -> Option<Header> {
    match *bytes.first()? {
        0 => Some(Header { value_at: FLAGS_BYTES, ttl_ms: None }),
        HAS_TTL => {
            let ttl_ms = i64::from_be_bytes(*bytes.get(FLAGS_BYTES..)?.first_chunk::<TTL_BYTES>()?);
            Some(Header { value_at: FLAGS_BYTES + TTL_BYTES, ttl_ms: Some(ttl_ms) })
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_come_back() {
        for value in [&b""[..], b"v", b"\0\x01"] {
            for ttl_ms in [None, Some(0), Some(86_400_000)] {
                let bytes = encode(value, ttl_ms);
                let header = header(&bytes).unwrap();
                assert_eq!((&bytes[header.value_at..], header.ttl_ms), (value, ttl_ms));
            }
        }
    }

    #[test]
    fn damaged_values_are_noticed() {
        assert_eq!(header(b""), None);
        assert_eq!(header(b"\x02v"), None);
        assert_eq!(header(b"\x01short"), None);
    }
}
