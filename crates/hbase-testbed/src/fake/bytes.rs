//! Just enough of HBase's wire format to write replies by hand, right ones and wrong ones.

/// A number of the protobuf wire format.
pub fn varint(mut value: u64) -> Vec<u8> {
    let mut out = Vec::new();
    while value >= 0x80 {
        out.push(value as u8 | 0x80);
        value >>= 7;
    }
    out.push(value as u8);
    out
}

/// A field of bytes, text or a message; its number is below 16.
pub fn field(field: u8, bytes: &[u8]) -> Vec<u8> {
    let mut out = vec![field << 3 | 2];
    out.extend(varint(bytes.len() as u64));
    out.extend(bytes);
    out
}

/// A field of a number or flag; its number is below 16.
pub fn number(field: u8, value: u64) -> Vec<u8> {
    let mut out = vec![field << 3];
    out.extend(varint(value));
    out
}

/// A cell of a cell block: a value with timestamp 1.
pub fn cell(row: &[u8], family: &[u8], qualifier: &[u8], value: &[u8]) -> Vec<u8> {
    let key_bytes = 2 + row.len() + 1 + family.len() + qualifier.len() + 9;
    let mut out = Vec::new();
    out.extend(((8 + key_bytes + value.len()) as u32).to_be_bytes());
    out.extend((key_bytes as u32).to_be_bytes());
    out.extend((value.len() as u32).to_be_bytes());
    out.extend((row.len() as u16).to_be_bytes());
    out.extend(row);
    out.push(family.len() as u8);
    out.extend(family);
    out.extend(qualifier);
    out.extend(1u64.to_be_bytes());
    out.push(4);
    out.extend(value);
    out
}

/// A frame that answers a call.
pub fn reply(id: u32, message: &[u8], cells: &[u8]) -> Vec<u8> {
    let mut header = number(1, id.into());
    if !cells.is_empty() {
        header.extend(field(3, &number(1, cells.len() as u64)));
    }
    framed(&[&delimited(&header), &delimited(message), cells])
}

/// A frame that answers a call with an exception; with a port the region has moved there, on loopback.
pub fn exception(id: u32, class: &str, moved_to: Option<u16>) -> Vec<u8> {
    let mut exception = [field(1, class.as_bytes()), field(2, class.as_bytes())].concat();
    if let Some(port) = moved_to {
        exception.extend(field(3, b"127.0.0.1"));
        exception.extend(number(4, port.into()));
    }
    let header = [number(1, id.into()), field(2, &exception)].concat();
    framed(&[&delimited(&header)])
}

fn delimited(message: &[u8]) -> Vec<u8> {
    let mut out = varint(message.len() as u64);
    out.extend(message);
    out
}

fn framed(parts: &[&[u8]]) -> Vec<u8> {
    let body = parts.concat();
    let mut frame = (body.len() as u32).to_be_bytes().to_vec();
    frame.extend(body);
    frame
}

/// The id, the method and the message of a call; `None` when the frame is none.
pub(super) fn read_call(mut frame: &[u8]) -> Option<(u32, String, Vec<u8>)> {
    let mut header = take_delimited(&mut frame)?;
    let (mut id, mut method) = (0, String::new());
    while !header.is_empty() {
        let key = take_varint(&mut header)?;
        match (key >> 3, key & 7) {
            (1, 0) => id = take_varint(&mut header)? as u32,
            (3, 2) => method = String::from_utf8(take_delimited(&mut header)?.to_vec()).ok()?,
            (_, 0) => drop(take_varint(&mut header)?),
            (_, 2) => drop(take_delimited(&mut header)?),
            _ => return None,
        }
    }
    // The cells of writes come after the message and are of no interest.
    Some((id, method, take_delimited(&mut frame)?.to_vec()))
}

fn take_delimited<'a>(bytes: &mut &'a [u8]) -> Option<&'a [u8]> {
    let length = usize::try_from(take_varint(bytes)?).ok()?;
    let (taken, rest) = bytes.split_at_checked(length)?;
    *bytes = rest;
    Some(taken)
}

fn take_varint(bytes: &mut &[u8]) -> Option<u64> {
    let mut value = 0;
    for shift in (0..64).step_by(7) {
        let (byte, rest) = bytes.split_first()?;
        *bytes = rest;
        value |= u64::from(byte & 0x7f) << shift;
        if *byte < 0x80 {
            return Some(value);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_call_is_read_as_it_is_written() {
        let header = [number(1, 300), field(3, b"Scan"), number(4, 1), number(7, 10_000)].concat();
        let frame = [delimited(&header), delimited(b"message"), b"cells".to_vec()].concat();
        assert_eq!(read_call(&frame), Some((300, "Scan".to_owned(), b"message".to_vec())));
        assert_eq!(read_call(&frame[..4]), None);
    }
}
