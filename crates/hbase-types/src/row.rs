//! What a row key may be.

use crate::InvalidRequest;

/// The longest row key HBase takes: a signed 16-bit length.
pub const MAX_ROW_BYTES: usize = i16::MAX as usize;

/// The first key after `row` in byte order: the same bytes with a zero appended.
pub fn successor(row: &[u8]) -> Vec<u8> {
    let mut next = Vec::with_capacity(row.len() + 1);
    next.extend_from_slice(row);
    next.push(0);
    next
}

/// The first key after all keys that begin with `prefix`; `None` when there is no such key (all bytes are 0xFF).
pub fn prefix_end(prefix: &[u8]) -> Option<Vec<u8>> {
    let mut end = prefix.to_vec();
    while let Some(last) = end.pop() {
        if let Some(next) = last.checked_add(1) {
            end.push(next);
            return Some(end);
        }
    }
    None
}

/// Whether a row key can be one: not empty, and not too long.
pub fn check(row: &[u8]) -> Result<(), InvalidRequest> {
    match row.len() {
        0 => Err(InvalidRequest::EmptyRow),
        1..=MAX_ROW_BYTES => Ok(()),
        bytes => Err(InvalidRequest::LongRow { bytes }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prefix_end_carries() {
        assert_eq!(prefix_end(b"ab"), Some(b"ac".to_vec()));
        assert_eq!(prefix_end(b"a\xff\xff"), Some(b"b".to_vec()));
        assert_eq!(prefix_end(b"\xff"), None);
        assert_eq!(prefix_end(b""), None);
    }
}
