//! Decodes messages, and refuses those that would take far more memory than they have bytes.
//!
//! An entry of a list takes two bytes on the wire and up to some hundred in memory. Entries are counted before they are
//! decoded, along the shape of the message that `build.rs` takes from the `.proto` files.

use bytes::Bytes;
use prost::encoding::{DecodeContext, WireType, decode_key, decode_varint, skip_field};
use prost::{Message, Name};

use super::{ReplyError, WireError};
use crate::config::how_to_raise;

/// The fields of a message that take memory of their own: their numbers, and the place of the message that they hold.
type MessageShape = &'static [(u32, Option<usize>)];

/// The shapes of all messages, by name.
static SHAPES: &[(&str, MessageShape)] = &include!(concat!(env!("OUT_DIR"), "/shapes.rs"));

/// A message with fewer bytes is decoded without a count: whatever is in it takes little memory.
const UNCOUNTED_BYTES: usize = 1 << 20;
/// As deep as prost decodes messages in messages.
const DEPTH_MAX: u32 = 100;

/// Reads a message that may have so many entries.
pub(crate) fn decode<M: Message + Name + Default>(bytes: Bytes, entries_max: usize) -> Result<M, ReplyError> {
    // Fewer bytes than entries cannot be too many.
    if bytes.len() > UNCOUNTED_BYTES.min(entries_max) {
        let name = M::full_name();
        if let Ok(at) = SHAPES.binary_search_by(|(known, _)| (*known).cmp(&name)) {
            let mut left = entries_max;
            count(&bytes, at, DEPTH_MAX, &mut left, entries_max)?;
        }
    }
    Ok(M::decode(bytes).map_err(WireError::from)?)
}

/// Takes the entries of a message, and of the messages in it, off those that are left.
fn count(
    mut bytes: &[u8],
    shape: usize,
    depth: u32,
    left: &mut usize,
    entries_max: usize,
) -> Result<(), ReplyError> {
    let fields = SHAPES.get(shape).map_or(&[][..], |(_, fields)| fields);
    while !bytes.is_empty() {
        let (number, wire_type) = decode_key(&mut bytes).map_err(WireError::from)?;
        let entry = fields.iter().find(|(known, _)| *known == number);
        let (Some((_, inner)), WireType::LengthDelimited) = (entry, wire_type) else {
            skip_field(wire_type, number, &mut bytes, DecodeContext::default()).map_err(WireError::from)?;
            continue;
        };
        *left = left.checked_sub(1).ok_or_else(|| too_many(entries_max))?;
        let length = decode_varint(&mut bytes).map_err(WireError::from)?;
        let part = usize::try_from(length).ok().and_then(|length| bytes.split_at_checked(length));
        let (part, rest) = part
            .ok_or_else(|| WireError(format!("a part of {length} bytes announced, {} came", bytes.len())))?;
        if let Some(inner) = inner
            && depth > 0
        {
            count(part, *inner, depth - 1, left, entries_max)?;
        }
        bytes = rest;
    }
    Ok(())
}

fn too_many(entries_max: usize) -> ReplyError {
    ReplyError::TooLarge(format!(
        "it has more than {entries_max} entries; {}",
        how_to_raise("answer_entries_max", entries_max)
    ))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pb;

    fn names(count: usize) -> Bytes {
        let name = pb::TableName { namespace: "n".into(), qualifier: "q".into() };
        pb::GetTableNamesResponse { table_names: vec![name; count] }.encode_to_vec().into()
    }

    #[test]
    fn entries_are_counted_through_all_levels() {
        // Each name is an entry with two entries.
        let read = |entries_max| decode::<pb::GetTableNamesResponse>(names(1000), entries_max);
        assert_eq!(read(3000).unwrap().table_names.len(), 1000);
        assert!(matches!(read(2999), Err(ReplyError::TooLarge(_))));
    }

    #[test]
    fn what_is_cut_off_is_not_decoded() {
        let whole = names(1000);
        let cut = whole.slice(..whole.len() - 1);
        let error = decode::<pb::GetTableNamesResponse>(cut, 3000).unwrap_err();
        assert!(matches!(error, ReplyError::Malformed(_)), "{error:?}");
    }

    #[test]
    fn every_message_has_a_shape() {
        assert!(SHAPES.is_sorted_by_key(|(name, _)| *name));
        let name = pb::GetTableNamesResponse::full_name();
        assert!(SHAPES.iter().any(|(known, _)| *known == name), "{name}");
    }
}
