//! Bytes as text, the way HBase prints and reads them: printable ASCII as it is, everything else as `\xNN`.

/// Prints bytes as HBase's `Bytes.toStringBinary` does: `a\x00b`. The backslash itself is escaped too.
pub fn to_text(bytes: &[u8]) -> String {
    const HEX: [char; 16] = ['0', '1', '2', '3', '4', '5', '6', '7', '8', '9', 'A', 'B', 'C', 'D', 'E', 'F'];
    let mut text = String::with_capacity(bytes.len());
    for &byte in bytes {
        match byte {
            b' '..=b'~' if byte != b'\\' => text.push(char::from(byte)),
            _ => {
                text.push_str("\\x");
                for nibble in [byte >> 4, byte & 0x0F] {
                    text.extend(HEX.get(usize::from(nibble)));
                }
            }
        }
    }
    text
}

/// Reads what [`to_text`] prints, as HBase's `Bytes.toBytesBinary` does: `\xNN` with hexadecimal digits is one byte,
/// everything else stands for itself (also a backslash that does not begin such an escape).
pub fn from_text(text: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text;
    while let Some((&first, tail)) = rest.split_first() {
        if let [b'\\', b'x', high, low, after @ ..] = rest
            && let (Some(high), Some(low)) = (hex_digit(*high), hex_digit(*low))
        {
            bytes.push(high << 4 | low);
            rest = after;
        } else {
            bytes.push(first);
            rest = tail;
        }
    }
    bytes
}

fn hex_digit(byte: u8) -> Option<u8> {
    char::from(byte).to_digit(16).and_then(|digit| u8::try_from(digit).ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_byte_comes_back() {
        let all: Vec<u8> = (0..=255).collect();
        assert_eq!(from_text(to_text(&all).as_bytes()), all);
    }

    #[test]
    fn prints_as_hbase_does() {
        assert_eq!(to_text(b"?\xff a\\b\n~\x7f"), "?\\xFF a\\x5Cb\\x0A~\\x7F");
    }

    #[test]
    fn a_backslash_without_digits_stays() {
        assert_eq!(from_text(br"a\xZZ\y\x4"), br"a\xZZ\y\x4");
        assert_eq!(from_text(br"\x4a\x4A"), b"JJ");
    }
}
