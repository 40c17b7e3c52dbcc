//! Byte strings of any length inside a key: escaped, and ended by `00`.
//!
//! ```text
//!   byte of the string    in the key
//!   ------------------    ----------
//!   00                    01 01
//!   01                    01 02
//!   02 … FF               itself
//!   end of the string     00
//!   empty string          01 00        (so that a lone 00 is free for null)
//!   no string (null)      00
//! ```
//!
//! `00` stands nowhere but at the end, so a string ends before any longer one that it begins, whatever follows it in
//! the key: `"a"` is `61 00`, `"a\0"` is `61 01 01 00`. Ending in `00` with `00` escaped as `00 FF` would not do: the
//! next part may begin with `FF`.

use super::input::{Input, Reason};

/// Ends every string.
pub const END: u8 = 0x00;
/// Begins an escape.
const ESCAPE: u8 = 0x01;
/// After [`ESCAPE`]: the byte 00.
const ZERO: u8 = 0x01;
/// After [`ESCAPE`]: the byte 01.
const ONE: u8 = 0x02;

/// Appends the escaped bytes without an end: the beginning of every string that begins with `bytes`.
pub fn escape_prefix(bytes: &[u8], out: &mut Vec<u8>) {
    for byte in bytes {
        match byte {
            0x00 => out.extend([ESCAPE, ZERO]),
            0x01 => out.extend([ESCAPE, ONE]),
            _ => out.push(*byte),
        }
    }
}

/// Appends the escaped bytes and their end.
pub fn escape(bytes: &[u8], out: &mut Vec<u8>) {
    if bytes.is_empty() {
        out.push(ESCAPE);
    }
    escape_prefix(bytes, out);
    out.push(END);
}

/// Takes a string and its end from the input; `None` is null.
pub(super) fn unescape(input: &mut Input<'_>) -> Result<Option<Vec<u8>>, Reason> {
    let escaped = input.until(END)?;
    match escaped {
        [] => return Ok(None),
        [ESCAPE] => return Ok(Some(Vec::new())),
        _ => {}
    }
    let mut bytes = Vec::with_capacity(escaped.len());
    let mut escaped = escaped.iter();
    while let Some(byte) = escaped.next() {
        bytes.push(match *byte {
            ESCAPE => match escaped.next() {
                Some(&ZERO) => 0x00,
                Some(&ONE) => 0x01,
                _ => return Err("an escape is not finished"),
            },
            byte => byte,
        });
    }
    Ok(Some(bytes))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn escaped(bytes: &[u8]) -> Vec<u8> {
        let mut out = Vec::new();
        escape(bytes, &mut out);
        out
    }

    #[test]
    fn a_string_sorts_before_those_it_begins_whatever_follows() {
        let mut short = escaped(b"a");
        short.extend([0xFF; 4]);
        assert!(short < escaped(b"a\0") && short < escaped(b"a\x01") && short < escaped(b"ab"));
        assert!(escaped(b"") < escaped(b"\0") && escaped(b"\0") < escaped(b"\x01"));
    }

    #[test]
    fn a_prefix_begins_every_string_that_it_begins() {
        let mut prefix = Vec::new();
        escape_prefix(b"a\0", &mut prefix);
        assert!(escaped(b"a\0").starts_with(&prefix) && escaped(b"a\0\xFF").starts_with(&prefix));
        assert!(!escaped(b"a\x01").starts_with(&prefix));
    }

    #[test]
    fn what_is_not_escaped_well_is_refused() {
        for bytes in [&b"a"[..], b"\x01", b"\x01\x03\0", b"a\x01\0"] {
            assert!(unescape(&mut Input::new(bytes)).is_err(), "{bytes:?}");
        }
        assert_eq!(unescape(&mut Input::new(b"\0")), Ok(None));
        assert_eq!(unescape(&mut Input::new(b"\x01\0")), Ok(Some(vec![])));
    }
}
