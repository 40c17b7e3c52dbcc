//! Text in double quotes: inside, `\xNN` stands for one byte, as HBase prints bytes.

use crate::bytes_text;

/// Bytes in quotes, so that [`unquote`] gives them back: printable text stays, other bytes become `\xNN`.
pub(super) fn quote(bytes: &[u8]) -> String {
    let mut quoted = String::from("\"");
    for chunk in bytes.utf8_chunks() {
        for character in chunk.valid().chars() {
            if character == '"' || character == '\\' || character.is_control() {
                let mut utf8 = [0; 4];
                for byte in character.encode_utf8(&mut utf8).bytes() {
                    quoted.push_str(&format!("\\x{byte:02X}"));
                }
            } else {
                quoted.push(character);
            }
        }
        quoted.push_str(&bytes_text::to_text(chunk.invalid()));
    }
    quoted.push('"');
    quoted
}

/// The bytes of what stands between two quotes.
pub(super) fn unquote(inside: &str) -> Vec<u8> {
    bytes_text::from_text(inside.as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_byte_comes_back() {
        for bytes in [&b"plain"[..], "größe \" \\x41".as_bytes(), &(0..=255).collect::<Vec<u8>>(), b""] {
            let quoted = quote(bytes);
            let inside = quoted.strip_prefix('"').unwrap().strip_suffix('"').unwrap();
            assert!(!inside.contains('"'), "{quoted}");
            assert_eq!(unquote(inside), bytes);
        }
        assert_eq!(quote("größe".as_bytes()), "\"größe\"");
    }
}
