//! One filter's text, taken apart: its name and its arguments.

use bytes::Bytes;
use tablesmith_model::bytes_text::to_text;

use super::error::{ParseError, Problem};

/// A filter's name and arguments.
pub(super) struct Simple<'a> {
    /// The name.
    pub(super) name: &'a [u8],
    /// The arguments, in order.
    pub(super) arguments: Vec<Argument<'a>>,
    /// The byte where it begins.
    pub(super) offset: usize,
    /// The byte behind it.
    pub(super) end: usize,
}

/// One argument and the byte where it begins.
pub(super) struct Argument<'a> {
    pub(super) offset: usize,
    pub(super) text: Text<'a>,
}

/// What an argument says.
pub(super) enum Text<'a> {
    /// In quotes, which are gone.
    Quoted(Bytes),
    /// Without quotes: a number, a word, a sign.
    Bare(&'a [u8]),
}

/// Takes the filter apart that begins at a byte of the text.
pub(super) fn split(text: &[u8], offset: usize) -> Result<Simple<'_>, ParseError> {
    let end = end_of_arguments(text, offset).ok_or_else(|| Problem::OpenArguments.at(text.len()))?;
    let simple = text.get(offset..end).unwrap_or_default();
    let no_arguments = || Problem::NoArguments.at(end);
    // What stands between a blank after the name and the parenthesis is not looked at.
    let name = simple.iter().position(|byte| matches!(byte, b'(' | b' ')).and_then(|at| simple.get(..at));
    let open = simple.iter().position(|&byte| byte == b'(');
    let name = name.filter(|name| !name.is_empty()).ok_or_else(no_arguments)?;
    let arguments = split_arguments(text, offset + open.ok_or_else(no_arguments)? + 1, end)?;
    Ok(Simple { name, arguments, offset, end })
}

/// Whether the quote at a byte is followed by another: two quotes stand for one inside of a text.
fn is_doubled(text: &[u8], at: usize) -> bool {
    text.get(at + 1) == Some(&b'\'')
}

/// The byte behind the first closing parenthesis outside of quotes.
fn end_of_arguments(text: &[u8], offset: usize) -> Option<usize> {
    let mut in_quotes = false;
    let mut at = offset;
    loop {
        match text.get(at)? {
            b'\'' if is_doubled(text, at) => at += 1,
            b'\'' => in_quotes = !in_quotes,
            b')' if !in_quotes => return Some(at + 1),
            _ => {}
        }
        at += 1;
    }
}

fn split_arguments(text: &[u8], start: usize, end: usize) -> Result<Vec<Argument<'_>>, ParseError> {
    let text = text.get(..end).unwrap_or_default();
    let mut arguments = Vec::new();
    let mut at = start;
    while let Some(&byte) = text.get(at) {
        let offset = at;
        if is_separator(byte) {
            at += 1;
        } else if byte == b'\'' {
            let close = closing_quote(text, at).ok_or_else(|| Problem::OpenQuote.at(end))?;
            let quoted = undouble(text.get(at + 1..close).unwrap_or_default());
            arguments.push(Argument { offset, text: Text::Quoted(quoted) });
            // The byte behind the quote is jumped over, whatever it is.
            at = close + 2;
        } else {
            let rest = text.get(at..).unwrap_or_default();
            let length = rest.iter().position(|&byte| is_separator(byte)).unwrap_or(rest.len());
            let bare = rest.get(..length).unwrap_or_default();
            arguments.push(Argument { offset, text: Text::Bare(bare) });
            at += length + 1;
        }
    }
    Ok(arguments)
}

fn is_separator(byte: u8) -> bool {
    matches!(byte, b' ' | b',' | b')')
}

/// The quote that ends the text which the quote at `open` begins.
fn closing_quote(text: &[u8], open: usize) -> Option<usize> {
    let mut at = open + 1;
    loop {
        match text.get(at)? {
            b'\'' if is_doubled(text, at) => at += 2,
            b'\'' => return Some(at),
            _ => at += 1,
        }
    }
}

/// The text with every two quotes made one.
fn undouble(quoted: &[u8]) -> Bytes {
    let mut bytes = Vec::with_capacity(quoted.len());
    let mut rest = quoted;
    while let Some((&byte, after)) = rest.split_first() {
        bytes.push(byte);
        rest = match after {
            [b'\'', after @ ..] if byte == b'\'' => after,
            _ => after,
        };
    }
    bytes.into()
}

impl Argument<'_> {
    /// The error that something else is expected here.
    pub(super) fn expected(&self, expected: &'static str) -> ParseError {
        let found = match &self.text {
            Text::Quoted(bytes) => format!("'{}'", to_text(bytes)),
            Text::Bare(bytes) => to_text(bytes),
        };
        Problem::Argument { expected, found }.at(self.offset)
    }

    /// A text in quotes.
    pub(super) fn quoted(&self) -> Result<Bytes, ParseError> {
        match &self.text {
            Text::Quoted(bytes) => Ok(bytes.clone()),
            Text::Bare(_) => Err(self.expected("a text in single quotes")),
        }
    }

    /// A word, number or sign without quotes.
    pub(super) fn bare(&self) -> Option<&[u8]> {
        match self.text {
            Text::Quoted(_) => None,
            Text::Bare(bytes) => Some(bytes),
        }
    }

    /// `true` or `false`, in any case.
    pub(super) fn boolean(&self) -> Result<bool, ParseError> {
        match self.bare() {
            Some(word) if word.eq_ignore_ascii_case(b"true") => Ok(true),
            Some(word) if word.eq_ignore_ascii_case(b"false") => Ok(false),
            _ => Err(self.expected("true or false")),
        }
    }

    /// A whole number of 64 bits.
    pub(super) fn long(&self) -> Result<i64, ParseError> {
        let number = self.bare().and_then(read_long);
        number.ok_or_else(|| self.expected("a whole number without quotes"))
    }

    /// A number that is not negative, as far as the type goes; the filter's own checks know the true limit.
    pub(super) fn count<T: TryFrom<i64>>(&self) -> Result<T, ParseError> {
        T::try_from(self.long()?)
            .map_err(|_| self.expected("a whole number that is not negative nor too great"))
    }
}

/// Reads digits, with a minus before them or not. As in HBase's parser a lone minus is zero, and a number that is
/// so much too great that its sign has come round to positive again goes unnoticed.
fn read_long(text: &[u8]) -> Option<i64> {
    let (is_negative, digits) = match text {
        [b'-', digits @ ..] => (true, digits),
        digits => (false, digits),
    };
    let mut number: i64 = 0;
    for &digit in digits {
        if !digit.is_ascii_digit() {
            return None;
        }
        number = number.wrapping_mul(10).wrapping_add(i64::from(digit - b'0'));
        if number < 0 {
            return None;
        }
    }
    Some(if is_negative { -number } else { number })
}
