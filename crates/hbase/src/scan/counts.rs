//! The numbers that a scan's reply has for each row, read apart from the rest of its message.
//!
//! HBase sends a count and a flag for each row, each with a tag of its own: two thousand bytes for every thousand rows.
//! A general decoder takes as long for them as the rows themselves take, so they are picked out here.

use prost::encoding::{DecodeContext, decode_key, skip_field};

use crate::wire::WireError;

/// Tag of `cells_per_result`, a number.
const CELLS: u8 = 1 << 3;
/// Tag of `partial_flag_per_result`, a number.
const PARTIAL: u8 = 7 << 3;

/// A scan's reply in parts.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Counts {
    /// How many cells each row has.
    pub cells: Vec<u32>,
    /// For each row, whether it is only a piece. May be shorter.
    pub partial: Vec<bool>,
    /// The message without the two.
    pub rest: Vec<u8>,
}

impl Counts {
    /// Reads a message that can have so many rows, since it has no more cells.
    pub fn read(message: &[u8], rows_max: usize) -> Result<Self, WireError> {
        let mut counts =
            Self { cells: Vec::with_capacity((message.len() / 4).min(rows_max)), ..Self::default() };
        let mut left = message;
        while let Some((tag, after_tag)) = left.split_first() {
            match *tag {
                CELLS if counts.cells.len() == rows_max => return Err(too_many(rows_max)),
                CELLS => counts.cells.push(number(after_tag, &mut left)? as u32),
                PARTIAL if counts.partial.len() == rows_max => return Err(too_many(rows_max)),
                PARTIAL => counts.partial.push(number(after_tag, &mut left)? != 0),
                _ => {
                    let begun = left;
                    let (tag, wire_type) = decode_key(&mut left)?;
                    skip_field(wire_type, tag, &mut left, DecodeContext::default())?;
                    let field = begun.get(..begun.len() - left.len()).unwrap_or_default();
                    counts.rest.extend_from_slice(field);
                }
            }
        }
        Ok(counts)
    }
}

fn too_many(rows_max: usize) -> WireError {
    WireError(format!("it announces more than {rows_max} rows, for which it has no cells"))
}

/// Reads a number; most have one byte.
#[inline]
fn number<'a>(bytes: &'a [u8], left: &mut &'a [u8]) -> Result<u64, WireError> {
    *left = bytes;
    match bytes.split_first() {
        Some((byte, after)) if *byte < 0x80 => {
            *left = after;
            Ok(u64::from(*byte))
        }
        _ => Ok(prost::encoding::decode_varint(left)?),
    }
}

#[cfg(test)]
mod tests {
    use prost::Message;

    use super::*;
    use crate::pb;

    fn response() -> pb::ScanResponse {
        pb::ScanResponse {
            cells_per_result: vec![1, 127, 128, 0, u32::MAX],
            scanner_id: Some(7),
            more_results: Some(true),
            partial_flag_per_result: vec![false, true],
            heartbeat_message: Some(true),
            mvcc_read_point: Some(u64::MAX),
            ..pb::ScanResponse::default()
        }
    }

    #[test]
    fn the_parts_are_those_of_the_message() {
        let whole = response();
        let counts = Counts::read(&whole.encode_to_vec(), 5).unwrap();
        assert_eq!(
            (&counts.cells, &counts.partial),
            (&whole.cells_per_result, &whole.partial_flag_per_result)
        );
        let rest = pb::ScanResponse::decode(&*counts.rest).unwrap();
        let without =
            pb::ScanResponse { cells_per_result: Vec::new(), partial_flag_per_result: Vec::new(), ..whole };
        assert_eq!(rest, without);
    }

    #[test]
    fn rows_without_cells_do_not_pile_up() {
        let whole = response().encode_to_vec();
        assert!(Counts::read(&whole, 4).is_err());
        let flags = pb::ScanResponse { partial_flag_per_result: vec![true; 6], ..Default::default() };
        assert!(Counts::read(&flags.encode_to_vec(), 5).is_err());
    }

    #[test]
    fn a_message_cut_short_is_an_error_or_a_shorter_message() {
        let whole = response().encode_to_vec();
        for length in 0..whole.len() {
            let cut = whole.get(..length).unwrap();
            assert_eq!(Counts::read(cut, 5).is_ok(), pb::ScanResponse::decode(cut).is_ok(), "{length}");
        }
    }
}
