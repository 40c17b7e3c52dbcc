//! Quoted literals. Single quotes keep everything but `\\` and `\'`; double quotes know Ruby's escapes, which is how
//! people write bytes: `"\x00\xff"`.

use bytes::Bytes;

use super::cursor::Cursor;
use super::fault::Fault;

/// Reads a literal whose opening quote comes next.
pub fn quoted(cursor: &mut Cursor<'_>) -> Result<Bytes, Fault> {
    let start = cursor.at();
    let quote = cursor.next().unwrap_or(b'\'');
    let mut text = Vec::new();
    loop {
        let at = cursor.at();
        match cursor.next() {
            None => return Err(Fault::incomplete(start, "this quote is never closed")),
            Some(byte) if byte == quote => return Ok(text.into()),
            Some(b'\\') if quote == b'\'' => single_quoted_escape(cursor, &mut text),
            Some(b'\\') => escape(cursor, at, &mut text).map_err(|fault| unclosed_first(fault, start))?,
            Some(b'#') if quote == b'"' && matches!(cursor.peek(), Some(b'{')) => {
                return Err(Fault::wrong(
                    at,
                    "#{…} is not evaluated here: write '\\#{' for the characters themselves",
                ));
            }
            Some(byte) => text.push(byte),
        }
    }
}

/// A text that ends inside an escape is an open quote first of all.
fn unclosed_first(fault: Fault, quote_at: usize) -> Fault {
    if fault.incomplete { Fault::incomplete(quote_at, "this quote is never closed") } else { fault }
}

fn single_quoted_escape(cursor: &mut Cursor<'_>, text: &mut Vec<u8>) {
    match cursor.peek() {
        Some(byte @ (b'\\' | b'\'')) => {
            cursor.next();
            text.push(byte);
        }
        _ => text.push(b'\\'),
    }
}

/// Reads what follows a backslash in double quotes. `at` is the backslash's place.
fn escape(cursor: &mut Cursor<'_>, at: usize, text: &mut Vec<u8>) -> Result<(), Fault> {
    let Some(byte) = cursor.next() else { return Err(Fault::incomplete(at, "")) };
    match byte {
        b'n' => text.push(b'\n'),
        b't' => text.push(b'\t'),
        b'r' => text.push(b'\r'),
        b'a' => text.push(0x07),
        b'b' => text.push(0x08),
        b'e' => text.push(0x1B),
        b'f' => text.push(0x0C),
        b'v' => text.push(0x0B),
        b's' => text.push(b' '),
        b'\n' => {}
        b'0'..=b'7' => text.push(octal(cursor, byte)),
        b'x' => text.push(hexadecimal(cursor, at)?),
        b'u' => unicode(cursor, at, text)?,
        b'c' => text.push(control(cursor, at)?),
        b'C' if cursor.eat(b"-") => text.push(control(cursor, at)?),
        other => text.push(other),
    }
    Ok(())
}

fn octal(cursor: &mut Cursor<'_>, first: u8) -> u8 {
    let mut value = first - b'0';
    for _ in 0..2 {
        match cursor.peek() {
            Some(digit @ b'0'..=b'7') => {
                cursor.next();
                value = value.wrapping_shl(3) | (digit - b'0');
            }
            _ => break,
        }
    }
    value
}

fn hex_digit(byte: Option<u8>) -> Option<u32> {
    byte.and_then(|byte| char::from(byte).to_digit(16))
}

fn hexadecimal(cursor: &mut Cursor<'_>, at: usize) -> Result<u8, Fault> {
    let mut value: Option<u32> = None;
    for _ in 0..2 {
        let Some(digit) = hex_digit(cursor.peek()) else { break };
        cursor.next();
        value = Some(value.unwrap_or(0) * 16 + digit);
    }
    match value.and_then(|value| u8::try_from(value).ok()) {
        Some(byte) => Ok(byte),
        None if cursor.peek().is_none() => Err(Fault::incomplete(at, "")),
        None => Err(Fault::wrong(at, "'\\x' wants one or two hexadecimal digits, as in \"\\x0f\"")),
    }
}

/// `\u12ab` is one character, `\u{12ab 1f600}` one or several.
fn unicode(cursor: &mut Cursor<'_>, at: usize, text: &mut Vec<u8>) -> Result<(), Fault> {
    const WANTED: &str =
        "'\\u' wants four hexadecimal digits, or some in braces: \"\\u00e9\", \"\\u{1f600}\"";
    if !cursor.eat(b"{") {
        let digits = cursor.clone().take_while(|byte| byte.is_ascii_hexdigit()).len();
        if digits < 4 && cursor.peek_at(digits).is_none() {
            return Err(Fault::incomplete(at, ""));
        }
        return push_character(cursor, 4, text).ok_or_else(|| Fault::wrong(at, WANTED));
    }
    loop {
        cursor.take_while(|byte| byte == b' ' || byte == b'\t');
        if cursor.eat(b"}") {
            return Ok(());
        }
        let digits = cursor.clone().take_while(|byte| byte.is_ascii_hexdigit()).len();
        if cursor.peek_at(digits).is_none() {
            return Err(Fault::incomplete(at, ""));
        }
        if digits == 0 || digits > 6 {
            return Err(Fault::wrong(at, WANTED));
        }
        push_character(cursor, digits, text).ok_or_else(|| Fault::wrong(at, WANTED))?;
    }
}

fn push_character(cursor: &mut Cursor<'_>, digits: usize, text: &mut Vec<u8>) -> Option<()> {
    let mut code = 0;
    for _ in 0..digits {
        code = code * 16 + hex_digit(cursor.next())?;
    }
    let character = char::from_u32(code)?;
    text.extend_from_slice(character.encode_utf8(&mut [0; 4]).as_bytes());
    Some(())
}

/// `\cA` is the control character of that letter; `\c?` is 0x7f.
fn control(cursor: &mut Cursor<'_>, at: usize) -> Result<u8, Fault> {
    match cursor.next() {
        None => Err(Fault::incomplete(at, "")),
        Some(b'?') => Ok(0x7F),
        Some(byte) => Ok(byte & 0x9F),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Bytes, Fault> {
        quoted(&mut Cursor::new(text.as_bytes(), 0))
    }

    #[test]
    fn double_quotes_know_rubys_escapes() {
        for (written, meant) in [
            (r#""a\x00\xfF\x4""#, &b"a\x00\xff\x04"[..]),
            (r#""\n\t\r\e\s\0\a\b\f\v""#, b"\n\t\r\x1b \0\x07\x08\x0c\x0b"),
            (r#""\003\0111\777""#, b"\x03\x091\xff"),
            (r#""\u00e9\u{41 1f600}""#, "éA😀".as_bytes()),
            (r#""\"\\\'\q\#""#, br#""\'q#"#),
            (r#""\cA\C-b\c?""#, b"\x01\x02\x7f"),
            ("\"a\\\nb\nc\"", b"ab\nc"),
        ] {
            assert_eq!(read(written).unwrap(), meant, "{written}");
        }
    }

    #[test]
    fn single_quotes_keep_nearly_everything() {
        assert_eq!(read(r"'a\x00\n\\\'\q'").unwrap(), &br"a\x00\n\'\q"[..]);
        assert_eq!(read("'#{x} # \"'").unwrap(), "#{x} # \"");
    }

    #[test]
    fn what_is_cut_short_is_incomplete() {
        for cut in ["'", "'a", r"'a\'", "\"", r#""\"#, r#""\x"#, r#""\u12"#, r#""\u{12"#, r#""\u{"#, r#""\c"#]
        {
            assert!(read(cut).unwrap_err().incomplete, "{cut}");
        }
        for wrong in
            [r#""\xg""#, r#""\u12g4""#, r#""\u{110000}""#, r#""\u{1234567}""#, r#""\ud800""#, "\"#{x}\""]
        {
            assert!(!read(wrong).unwrap_err().incomplete, "{wrong}");
        }
    }
}
