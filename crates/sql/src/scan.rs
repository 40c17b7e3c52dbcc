//! Cuts SQL text into tokens, for any dialect and any bytes: what is not SQL comes out as tokens too.
//!
//! Written by hand because it runs on every statement of a log: it allocates nothing and looks at each byte once.
//! Where dialects differ in what ends a string, [`Dialect::Generic`] takes the likelier reading.

use crate::dialect::Dialect;

/// What a token is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Word,
    /// A quoted name.
    Quoted,
    /// A text literal, with its prefix (`E'…'`) if it has one.
    Text,
    Number,
    Parameter,
    Operator,
    Comma,
    Dot,
    Open,
    Close,
    Semicolon,
}

/// A token: what it is, and where it begins and ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Token {
    pub kind: Kind,
    pub start: usize,
    pub end: usize,
}

/// The words of a text that stand outside of quotes and comments.
pub fn words(text: &[u8], dialect: Dialect) -> impl Iterator<Item = &[u8]> {
    let mut scanner = Scanner::new(text, dialect);
    std::iter::from_fn(move || {
        loop {
            let token = scanner.next()?;
            if token.kind == Kind::Word {
                return Some(scanner.bytes(token));
            }
        }
    })
}

/// Walks over a text.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Scanner<'a> {
    text: &'a [u8],
    at: usize,
    dialect: Dialect,
    /// The text ended inside a quotation or a comment.
    unfinished: bool,
    open: Option<Open>,
    /// Bytes at the end of the text that read otherwise when more follows: a mark that may be doubled, half an escape.
    half_bytes: usize,
}

/// What a text ended in the middle of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Open {
    /// A text or name between two marks.
    Quoted { mark: u8, escapes: bool },
    /// A text in single quotes whose dialect is not known.
    Text,
    /// A dollar-quoted text: where its tag stands.
    Tag { start: usize, end: usize },
    /// A comment up to the end of the line.
    Line,
    /// A block comment: how deep it is nested.
    Block { depth: usize },
}

const SPACE: u8 = 1;
const LETTER: u8 = 2;
const DIGIT: u8 = 4;

#[expect(clippy::indexing_slicing, reason = "worked out by the compiler: a wrong index does not compile")]
static CLASS: [u8; 256] = {
    let mut class = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        class[byte] = match byte as u8 {
            0..=b' ' => SPACE,
            b'a'..=b'z' | b'A'..=b'Z' | b'_' | b'@' | b'$' | 0x80.. => LETTER,
            b'0'..=b'9' => DIGIT,
            _ => 0,
        };
        byte += 1;
    }
    class
};

#[inline]
fn is(byte: u8, class: u8) -> bool {
    CLASS.get(usize::from(byte)).is_some_and(|found| found & class != 0)
}

impl<'a> Scanner<'a> {
    pub(crate) fn new(text: &'a [u8], dialect: Dialect) -> Self {
        Self { text, at: 0, dialect, unfinished: false, open: None, half_bytes: 0 }
    }

    /// The bytes of a token.
    #[inline]
    pub(crate) fn bytes(&self, token: Token) -> &'a [u8] {
        self.text.get(token.start..token.end).unwrap_or_default()
    }

    /// How far the text has been read.
    pub(crate) fn position(&self) -> usize {
        self.at
    }

    /// Whether the text ended inside a quotation or a comment.
    pub(crate) fn unfinished(&self) -> bool {
        self.unfinished
    }

    /// What the text ended in the middle of.
    pub(crate) fn open(&self) -> Option<Open> {
        self.open
    }

    /// Bytes at the end of the text that may read otherwise when more follows.
    pub(crate) fn half_bytes(&self) -> usize {
        self.half_bytes
    }

    /// Goes on in the middle of something, at the beginning of the text: `tag` ends a dollar-quoted one.
    pub(crate) fn go_on(&mut self, open: Open, tag: &[u8]) {
        match open {
            Open::Quoted { mark, escapes } => drop(self.quoted_rest(mark, escapes, Kind::Text)),
            Open::Text => drop(self.text_rest()),
            Open::Tag { .. } => {
                self.skip_past_tag(tag);
                self.open = self.unfinished.then_some(open);
            }
            Open::Line => self.skip_past(b'\n'),
            Open::Block { depth } => self.skip_block_rest(depth),
        }
    }

    /// Whether an opening parenthesis comes directly next.
    #[inline]
    pub(crate) fn before_parenthesis(&self) -> bool {
        self.peek(0) == b'('
    }

    /// The byte so far ahead; 0 after the end.
    #[inline]
    fn peek(&self, ahead: usize) -> u8 {
        self.text.get(self.at + ahead).copied().unwrap_or(0)
    }

    #[inline]
    fn rest(&self) -> &'a [u8] {
        self.text.get(self.at..).unwrap_or_default()
    }

    /// Passes over bytes of the class.
    #[inline]
    fn skip_class(&mut self, class: u8) {
        let rest = self.rest();
        self.at += rest.iter().position(|&byte| !is(byte, class)).unwrap_or(rest.len());
    }

    /// Goes to just after the next `byte`, or to the end of an unfinished text.
    fn skip_past(&mut self, byte: u8) {
        match self.rest().iter().position(|&found| found == byte) {
            Some(at) => self.at += at + 1,
            None => {
                self.at = self.text.len();
                self.open = Some(Open::Line);
            }
        }
    }

    /// The next token.
    #[inline]
    pub(crate) fn next(&mut self) -> Option<Token> {
        loop {
            self.skip_class(SPACE);
            let start = self.at;
            let first = *self.text.get(start)?;
            let kind = if is(first, LETTER) {
                self.word(first)
            } else if is(first, DIGIT) {
                self.number()
            } else {
                match first {
                    b',' => self.single(Kind::Comma),
                    b'(' => self.single(Kind::Open),
                    b')' => self.single(Kind::Close),
                    b'\'' => self.text_literal(self.dialect == Dialect::MySql),
                    b'"' if self.dialect == Dialect::MySql => self.quoted(b'"', true, Kind::Text),
                    b'"' => self.quoted(b'"', false, Kind::Quoted),
                    b'`' => self.quoted(b'`', false, Kind::Quoted),
                    b';' => self.single(Kind::Semicolon),
                    b'.' if is(self.peek(1), DIGIT) && !self.after_name() => self.number(),
                    b'.' => self.single(Kind::Dot),
                    b'?' => self.single(Kind::Parameter),
                    _ if self.skip_comment(first) => continue,
                    _ => self.operator(first),
                }
            };
            return Some(Token { kind, start, end: self.at });
        }
    }

    /// Whether the byte before belongs to a name, so that `.5` after it is no number.
    fn after_name(&self) -> bool {
        let before = self.at.checked_sub(1).and_then(|at| self.text.get(at)).copied().unwrap_or(0);
        is(before, LETTER | DIGIT) || matches!(before, b'"' | b'`' | b']')
    }

    fn single(&mut self, kind: Kind) -> Kind {
        self.at += 1;
        kind
    }

    #[inline]
    fn word(&mut self, first: u8) -> Kind {
        if first == b'$' {
            return self.dollar();
        }
        let start = self.at;
        self.skip_class(LETTER | DIGIT);
        if self.peek(0) == b'\'' && self.is_prefix(start) {
            let escapes = self.dialect == Dialect::MySql || matches!(first, b'e' | b'E');
            return self.text_literal(escapes);
        }
        Kind::Word
    }

    /// Whether the word before a quotation mark belongs to the literal: `E'…'`, `X'…'`, `_utf8'…'`.
    fn is_prefix(&self, start: usize) -> bool {
        match self.text.get(start..self.at) {
            Some([letter]) => {
                matches!(letter, b'e' | b'E' | b'x' | b'X' | b'b' | b'B' | b'n' | b'N' | b'r' | b'R')
            }
            Some([b'_', ..]) => true,
            _ => false,
        }
    }

    /// `$1`, `$tag$text$tag$`, or a word that begins so.
    fn dollar(&mut self) -> Kind {
        self.at += 1;
        if is(self.peek(0), DIGIT) {
            self.skip_class(DIGIT);
            return Kind::Parameter;
        }
        let tag_bytes = self.rest().iter().position(|&byte| byte == b'$' || !is(byte, LETTER | DIGIT));
        let tag_end = tag_bytes.map(|bytes| self.at + bytes).filter(|&end| self.text.get(end) == Some(&b'$'));
        match tag_end {
            Some(end) if self.dialect != Dialect::MySql => {
                let start = self.at - 1;
                let tag = self.text.get(start..=end).unwrap_or_default();
                self.at = end + 1;
                self.skip_past_tag(tag);
                self.open = self.unfinished.then_some(Open::Tag { start, end: end + 1 });
                Kind::Text
            }
            _ => {
                self.skip_class(LETTER | DIGIT);
                Kind::Word
            }
        }
    }

    /// Goes to just after the closing tag of a dollar-quoted text.
    fn skip_past_tag(&mut self, tag: &[u8]) {
        while let Some(at) = self.rest().iter().position(|&byte| byte == b'$') {
            self.at += at;
            if self.rest().starts_with(tag) {
                self.at += tag.len();
                return;
            }
            self.at += 1;
        }
        self.at = self.text.len();
        self.unfinished = true;
    }

    #[inline]
    fn number(&mut self) -> Kind {
        loop {
            let rest = self.rest();
            let taken = rest.iter().position(|&byte| !is(byte, LETTER | DIGIT) && byte != b'.');
            self.at += taken.unwrap_or(rest.len());
            let before = self.at.checked_sub(1).and_then(|at| self.text.get(at)).copied().unwrap_or(0);
            let exponent = matches!(before, b'e' | b'E') && matches!(self.peek(0), b'+' | b'-');
            if !(exponent && is(self.peek(1), DIGIT)) {
                return Kind::Number;
            }
            self.at += 1;
        }
    }

    /// A text in single quotes. A backslash before a quote means different things: with `escapes` the text goes on;
    /// in PostgreSQL and SQLite it ends; unknown, it goes on unless what follows looks like the text's end.
    fn text_literal(&mut self, escapes: bool) -> Kind {
        if escapes {
            return self.quoted(b'\'', true, Kind::Text);
        }
        if matches!(self.dialect, Dialect::Postgres | Dialect::Sqlite) {
            return self.quoted(b'\'', false, Kind::Text);
        }
        self.at += 1;
        self.text_rest()
    }

    fn text_rest(&mut self) -> Kind {
        let mut after_backslash = None;
        loop {
            let rest = self.rest();
            let Some(found) = rest.iter().position(|&byte| byte == b'\'' || byte == b'\\') else {
                return self.never_ends(Kind::Text, Open::Text);
            };
            self.at += found;
            match (self.peek(0), self.peek(1)) {
                (b'\'', b'\'') | (b'\\', b'\\') => self.at += 2,
                (b'\'', _) => {
                    let follows_backslash = after_backslash == Some(self.at);
                    return self.closing(Kind::Text, 1 + usize::from(follows_backslash));
                }
                (_, b'\'') if !matches!(self.peek(2), 0..=b' ' | b',' | b')' | b';' | b':') => self.at += 2,
                _ => {
                    self.at += 1;
                    after_backslash = Some(self.at);
                    self.half_at_end(1);
                }
            }
        }
    }

    /// A text or name between two marks; a doubled mark stands for itself.
    fn quoted(&mut self, mark: u8, escapes: bool, kind: Kind) -> Kind {
        self.at += 1;
        self.quoted_rest(mark, escapes, kind)
    }

    fn quoted_rest(&mut self, mark: u8, escapes: bool, kind: Kind) -> Kind {
        loop {
            let rest = self.rest();
            let Some(found) = rest.iter().position(|&byte| byte == mark || (escapes && byte == b'\\')) else {
                return self.never_ends(kind, Open::Quoted { mark, escapes });
            };
            self.at += found;
            match (self.peek(0), self.peek(1)) {
                (byte, next) if byte == mark && next == mark => self.at += 2,
                (byte, _) if byte == mark => return self.closing(kind, 1),
                _ => {
                    self.at += 1;
                    self.half_at_end(1);
                    self.at = (self.at + 1).min(self.text.len());
                }
            }
        }
    }

    /// Passes the mark that closes a quotation; at the end of the text it may be the first of two.
    fn closing(&mut self, kind: Kind, half_bytes: usize) -> Kind {
        let kind = self.single(kind);
        self.half_at_end(half_bytes);
        kind
    }

    /// Notes that the last bytes may read otherwise, when they are those at the end of the text.
    fn half_at_end(&mut self, bytes: usize) {
        if self.at == self.text.len() {
            self.half_bytes = bytes;
        }
    }

    fn never_ends(&mut self, kind: Kind, open: Open) -> Kind {
        self.at = self.text.len();
        self.unfinished = true;
        self.open = Some(open);
        kind
    }

    /// Passes over a comment if one begins here.
    fn skip_comment(&mut self, first: u8) -> bool {
        match (first, self.peek(1)) {
            (b'-', b'-') => self.skip_past(b'\n'),
            (b'#', _) if self.dialect == Dialect::MySql => self.skip_past(b'\n'),
            (b'#', b' ') if self.dialect == Dialect::Generic => self.skip_past(b'\n'),
            (b'/', b'*') => self.skip_block_comment(),
            _ => return false,
        }
        true
    }

    fn skip_block_comment(&mut self) {
        self.at += 2;
        self.skip_block_rest(1);
    }

    /// Block comments nest in PostgreSQL alone.
    fn skip_block_rest(&mut self, mut depth: usize) {
        while self.at < self.text.len() {
            match (self.peek(0), self.peek(1)) {
                (b'/', b'*') if self.dialect == Dialect::Postgres => depth += 1,
                (b'*', b'/') => depth -= 1,
                (first, _) => {
                    self.at += 1;
                    self.half_at_end(usize::from(matches!(first, b'/' | b'*')));
                    continue;
                }
            }
            self.at += 2;
            if depth == 0 {
                return;
            }
        }
        self.at = self.text.len();
        self.unfinished = true;
        self.open = Some(Open::Block { depth });
    }

    fn operator(&mut self, first: u8) -> Kind {
        let (second, third) = (self.peek(1), self.peek(2));
        match (first, second) {
            (b':', b'a'..=b'z' | b'A'..=b'Z' | b'_') => {
                self.at += 1;
                self.skip_class(LETTER | DIGIT);
                return Kind::Parameter;
            }
            (b'%', b's' | b'd') if !is(third, LETTER | DIGIT) && !self.after_name() => {
                self.at += 2;
                return Kind::Parameter;
            }
            (b'%', b'(') => return self.named_percent(),
            _ => {}
        }
        self.at += match (first, second, third) {
            (b'-', b'>', b'>') | (b'#', b'>', b'>') | (b'!', b'~', b'*') | (b'<', b'=', b'>') => 3,
            (b'<', b'=' | b'>' | b'<' | b'@', _)
            | (b'>', b'=' | b'>', _)
            | (b'!', b'=' | b'~', _)
            | (b':', b':' | b'=', _)
            | (b'|', b'|', _)
            | (b'&', b'&', _)
            | (b'-' | b'#' | b'=', b'>', _)
            | (b'~', b'*' | b'~', _)
            | (b'=', b'=', _) => 2,
            _ => 1,
        };
        Kind::Operator
    }

    /// `%(name)s`, else the operator `%`.
    fn named_percent(&mut self) -> Kind {
        let rest = self.rest().get(2..).unwrap_or_default();
        let name_bytes = rest.iter().position(|&byte| !is(byte, LETTER | DIGIT)).unwrap_or(rest.len());
        match rest.get(name_bytes..) {
            Some([b')', b's' | b'd', ..]) if name_bytes > 0 => {
                self.at += name_bytes + 4;
                Kind::Parameter
            }
            _ => self.single(Kind::Operator),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tokens(text: &str, dialect: Dialect) -> Vec<(Kind, &str)> {
        let mut scanner = Scanner::new(text.as_bytes(), dialect);
        std::iter::from_fn(|| scanner.next())
            .map(|token| (token.kind, &text[token.start..token.end]))
            .collect()
    }

    fn texts(text: &str, dialect: Dialect) -> Vec<&str> {
        tokens(text, dialect).into_iter().map(|(_, text)| text).collect()
    }

    #[test]
    fn numbers_names_and_parameters_are_told_apart() {
        use Kind::{Dot, Number, Operator, Parameter, Quoted, Text, Word};
        assert_eq!(
            tokens("a.b1 1.5e-3 .5 0xFF $1 :name ? %s %(x)s \"q\" `r` E'\\'' x::int", Dialect::Generic),
            [
                (Word, "a"),
                (Dot, "."),
                (Word, "b1"),
                (Number, "1.5e-3"),
                (Number, ".5"),
                (Number, "0xFF"),
                (Parameter, "$1"),
                (Parameter, ":name"),
                (Parameter, "?"),
                (Parameter, "%s"),
                (Parameter, "%(x)s"),
                (Quoted, "\"q\""),
                (Quoted, "`r`"),
                (Text, "E'\\''"),
                (Word, "x"),
                (Operator, "::"),
                (Word, "int"),
            ]
        );
    }

    #[test]
    fn a_backslash_before_a_quote_is_read_as_the_dialect_does() {
        assert_eq!(texts(r"'C:\' , 'b'", Dialect::Postgres), [r"'C:\'", ",", "'b'"]);
        assert_eq!(texts(r"'it\'s' , 'b'", Dialect::MySql), [r"'it\'s'", ",", "'b'"]);
        assert_eq!(texts(r"'C:\' , 'b'", Dialect::Generic), [r"'C:\'", ",", "'b'"]);
        assert_eq!(texts(r"'it\'s' , 'b'", Dialect::Generic), [r"'it\'s'", ",", "'b'"]);
        assert_eq!(texts(r"'a\\' , 'b'", Dialect::Generic), [r"'a\\'", ",", "'b'"]);
    }

    #[test]
    fn comments_are_passed_over() {
        assert_eq!(texts("a -- x\n/* b */ c /* /* */ d", Dialect::Generic), ["a", "c", "d"]);
        assert_eq!(texts("a /* /* */ b */ c", Dialect::Postgres), ["a", "c"]);
        assert_eq!(texts("a #x\nb", Dialect::MySql), ["a", "b"]);
    }

    #[test]
    fn dollar_quotes_end_at_their_own_tag() {
        assert_eq!(texts("$a$ it's $b$ $a$ x", Dialect::Postgres), ["$a$ it's $b$ $a$", "x"]);
        assert_eq!(texts("$$x$$", Dialect::Generic), ["$$x$$"]);
    }

    #[test]
    fn an_unfinished_quotation_is_noticed() {
        for text in ["'a", "\"a", "`a", "/* a", "$x$ a", r"'a\", "'a''"] {
            let mut scanner = Scanner::new(text.as_bytes(), Dialect::Generic);
            while scanner.next().is_some() {}
            assert!(scanner.unfinished(), "{text}");
            assert_eq!(scanner.position(), text.len(), "{text}");
        }
    }
}
