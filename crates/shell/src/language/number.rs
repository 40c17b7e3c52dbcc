//! Numbers as Ruby writes them: `1_000`, `-5`, `0x1f`, `017`, `1.5e3`.

use super::cursor::Cursor;
use super::fault::Fault;
use super::token::Token;

/// Whether a number comes next.
pub fn begins(cursor: &Cursor<'_>) -> bool {
    let sign = usize::from(matches!(cursor.peek(), Some(b'-' | b'+')));
    cursor.peek_at(sign).is_some_and(|byte| byte.is_ascii_digit())
}

/// Reads a number.
pub fn number(cursor: &mut Cursor<'_>) -> Result<Token, Fault> {
    let start = cursor.at();
    let negative = cursor.eat(b"-");
    if !negative {
        cursor.eat(b"+");
    }
    let token = match radix(cursor) {
        Some(radix) => whole(cursor, radix, negative, start)?,
        None => decimal(cursor, negative, start)?,
    };
    match cursor.peek() {
        Some(byte) if byte.is_ascii_alphanumeric() || byte == b'_' => Err(no_number(cursor, start)),
        _ => Ok(token),
    }
}

/// Reads the prefix of a number that is not decimal.
fn radix(cursor: &mut Cursor<'_>) -> Option<u32> {
    for (prefixes, radix) in [([b"0x", b"0X"], 16), ([b"0b", b"0B"], 2), ([b"0o", b"0O"], 8)] {
        if prefixes.iter().any(|prefix| cursor.eat(*prefix)) {
            return Some(radix);
        }
    }
    let octal = cursor.peek() == Some(b'0') && matches!(cursor.peek_at(1), Some(b'0'..=b'9' | b'_'));
    octal.then_some(8)
}

fn digits(cursor: &mut Cursor<'_>, is_digit: impl Fn(u8) -> bool) -> Option<String> {
    let written = cursor.take_while(|byte| is_digit(byte) || byte == b'_');
    let lone_underscore =
        written.is_empty() || written.ends_with(b"_") || written.windows(2).any(|pair| pair == b"__");
    let digits = written.iter().filter(|&&byte| byte != b'_').map(|&byte| char::from(byte)).collect();
    (!lone_underscore).then_some(digits)
}

fn whole(cursor: &mut Cursor<'_>, radix: u32, negative: bool, start: usize) -> Result<Token, Fault> {
    match digits(cursor, |byte| char::from(byte).is_digit(radix)) {
        Some(digits) => integer(&digits, radix, negative, start),
        None => Err(no_number(cursor, start)),
    }
}

fn integer(digits: &str, radix: u32, negative: bool, start: usize) -> Result<Token, Fault> {
    let sign = if negative { "-" } else { "" };
    i128::from_str_radix(&format!("{sign}{digits}"), radix)
        .map(Token::Int)
        .map_err(|_| Fault::wrong(start, "this number is too large"))
}

fn decimal(cursor: &mut Cursor<'_>, negative: bool, start: usize) -> Result<Token, Fault> {
    let is_digit = |byte: u8| byte.is_ascii_digit();
    let Some(mut text) = digits(cursor, is_digit) else { return Err(no_number(cursor, start)) };
    let mut float = false;
    if cursor.peek() == Some(b'.') && cursor.peek_at(1).is_some_and(is_digit) {
        cursor.next();
        let Some(fraction) = digits(cursor, is_digit) else { return Err(no_number(cursor, start)) };
        text = format!("{text}.{fraction}");
        float = true;
    }
    let sign_bytes = usize::from(matches!(cursor.peek_at(1), Some(b'-' | b'+')));
    if matches!(cursor.peek(), Some(b'e' | b'E')) && cursor.peek_at(1 + sign_bytes).is_some_and(is_digit) {
        cursor.next();
        let sign = if cursor.eat(b"-") { "-" } else { "" };
        cursor.eat(b"+");
        let Some(exponent) = digits(cursor, is_digit) else { return Err(no_number(cursor, start)) };
        text = format!("{text}e{sign}{exponent}");
        float = true;
    }
    if !float {
        return integer(&text, 10, negative, start);
    }
    let sign = if negative { -1.0 } else { 1.0 };
    text.parse::<f64>().map(|number| Token::Float(sign * number)).map_err(|_| no_number(cursor, start))
}

fn no_number(cursor: &mut Cursor<'_>, start: usize) -> Fault {
    cursor.take_while(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    let written = String::from_utf8_lossy(cursor.since(start)).into_owned();
    Fault::wrong(start, format!("'{written}' is no number: put quotes around a text"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Token, Fault> {
        number(&mut Cursor::new(text.as_bytes(), 0))
    }

    #[test]
    fn numbers_of_every_kind() {
        for (written, meant) in [
            ("0", Token::Int(0)),
            ("-5,", Token::Int(-5)),
            ("+7", Token::Int(7)),
            ("1_000_000", Token::Int(1_000_000)),
            ("0x1F", Token::Int(31)),
            ("-0b101", Token::Int(-5)),
            ("017", Token::Int(15)),
            ("0o17", Token::Int(15)),
            ("9223372036854775808", Token::Int(1 << 63)),
            ("1.5", Token::Float(1.5)),
            ("-2.5e-3 ", Token::Float(-0.0025)),
            ("1e3", Token::Float(1000.0)),
        ] {
            assert_eq!(read(written).unwrap(), meant, "{written}");
        }
    }

    #[test]
    fn words_that_begin_like_numbers_are_refused() {
        for wrong in ["1a", "1_", "1__0", "0x", "08", "1e5x", "99999999999999999999999999999999999999999"] {
            assert!(read(wrong).is_err(), "{wrong}");
        }
    }
}
