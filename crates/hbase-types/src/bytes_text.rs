//! Bytes as text, the way HBase prints and reads them: printable ASCII as it is, everything else as `\xNN`. Text from
//! outside can be made safe to print in the same way.

use std::borrow::Cow;

/// Prints bytes as HBase's `Bytes.toStringBinary` does: `a\x00b`. The backslash itself is escaped too.
pub fn to_text(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len());
    for &byte in bytes {
        match byte {
            b' '..=b'~' if byte != b'\\' => text.push(char::from(byte)),
            _ => push_escaped(byte, &mut text),
        }
    }
    text
}

fn push_escaped(byte: u8, text: &mut String) {
    const HEX: [char; 16] = ['0', '1', '2', '3', '4', '5', '6', '7', '8', '9', 'A', 'B', 'C', 'D', 'E', 'F'];
    text.push_str("\\x");
    for nibble in [byte >> 4, byte & 0x0F] {
        text.extend(HEX.get(usize::from(nibble)));
    }
}

/// Text from outside (a name, a message of a server) as one line that no terminal obeys: each character that is not
/// [printable](is_printable) becomes the `\xNN` of its UTF-8 bytes. Letters of all languages stay, and so does the
/// backslash: this is to be read, not to be read back.
pub fn printable(text: &str) -> Cow<'_, str> {
    escape_unless(text, is_printable)
}

/// The same for text of several lines: line ends stay, and tabs, with which lines of stack traces begin.
pub fn printable_lines(text: &str) -> Cow<'_, str> {
    escape_unless(text, |character| matches!(character, '\n' | '\t') || is_printable(character))
}

/// Whether a terminal only shows a character. It obeys control characters, and those that change the direction of
/// writing make one name look like another.
pub fn is_printable(character: char) -> bool {
    let changes_direction = matches!(
        character,
        '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}'
    );
    !character.is_control() && !changes_direction
}

fn escape_unless(text: &str, stays: impl Fn(char) -> bool) -> Cow<'_, str> {
    if text.chars().all(&stays) {
        return Cow::Borrowed(text);
    }
    let mut escaped = String::with_capacity(text.len() + 16);
    for character in text.chars() {
        if stays(character) {
            escaped.push(character);
        } else {
            character.encode_utf8(&mut [0; 4]).bytes().for_each(|byte| push_escaped(byte, &mut escaped));
        }
    }
    Cow::Owned(escaped)
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
    fn no_terminal_obeys_what_is_printable() {
        let hostile = "a\u{1b}[2J\u{7}\u{7f}\u{9b}\u{202e}\tb\r\n";
        assert_eq!(printable(hostile), "a\\x1B[2J\\x07\\x7F\\xC2\\x9B\\xE2\\x80\\xAE\\x09b\\x0D\\x0A");
        assert_eq!(printable_lines("a\n\tb\r\u{1b}"), "a\n\tb\\x0D\\x1B");
        for plain in ["", "größe ✓ 日本 \\x00", "🙂"] {
            assert!(matches!(printable(plain), Cow::Borrowed(same) if same == plain), "{plain}");
        }
        for character in (0..=0x2100).filter_map(char::from_u32) {
            assert!(printable(&character.to_string()).chars().all(is_printable), "{character:?}");
        }
    }

    #[test]
    fn a_backslash_without_digits_stays() {
        assert_eq!(from_text(br"a\xZZ\y\x4"), br"a\xZZ\y\x4");
        assert_eq!(from_text(br"\x4a\x4A"), b"JJ");
    }
}
