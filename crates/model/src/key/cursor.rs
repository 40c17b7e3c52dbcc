//! The text of a key part, taken from the front.

use super::part::{begins_name, continues_name};
use super::quoted::unquote;
use super::{Modulus, PartError};

/// What is left of a part's text.
pub(super) struct Cursor<'t> {
    text: &'t str,
    at: usize,
}

impl<'t> Cursor<'t> {
    pub(super) fn new(text: &'t str) -> Self {
        Self { text, at: 0 }
    }

    /// Where the cursor stands, in bytes.
    pub(super) fn at(&self) -> usize {
        self.at
    }

    fn rest(&self) -> &'t str {
        self.text.get(self.at..).unwrap_or_default()
    }

    pub(super) fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    pub(super) fn take(&mut self, character: char) -> bool {
        let taken = self.peek() == Some(character);
        if taken {
            self.at += character.len_utf8();
        }
        taken
    }

    pub(super) fn take_while(&mut self, accept: impl Fn(char) -> bool) -> &'t str {
        let rest = self.rest();
        let end = rest.find(|character| !accept(character)).unwrap_or(rest.len());
        self.at += end;
        rest.get(..end).unwrap_or_default()
    }

    pub(super) fn spaces(&mut self) {
        self.take_while(char::is_whitespace);
    }

    pub(super) fn fail<T>(
        &self,
        offset: usize,
        message: impl Into<String>,
        expected: impl Into<String>,
    ) -> Result<T, PartError> {
        Err(PartError {
            text: self.text.to_owned(),
            offset,
            message: message.into(),
            expected: expected.into(),
        })
    }

    /// Takes a character or says what stands there instead.
    pub(super) fn expect(&mut self, character: char) -> Result<(), PartError> {
        self.spaces();
        let at = self.at;
        if self.take(character) {
            return Ok(());
        }
        self.fail(at, self.found(), format!("`{character}`"))
    }

    pub(super) fn found(&self) -> String {
        match self.peek() {
            Some(character) => format!("`{character}` stands here"),
            None => "the text ends here".to_owned(),
        }
    }

    pub(super) fn name(&mut self, expected: &str) -> Result<&'t str, PartError> {
        if !self.peek().is_some_and(begins_name) {
            return self.fail(self.at, self.found(), expected);
        }
        Ok(self.take_while(continues_name))
    }

    pub(super) fn field(&mut self) -> Result<String, PartError> {
        self.spaces();
        if self.peek() == Some('"') { self.quoted_name() } else { self.name("a field").map(str::to_owned) }
    }

    pub(super) fn quoted_name(&mut self) -> Result<String, PartError> {
        let begin = self.at;
        match String::from_utf8(self.quoted()?) {
            Ok(name) if !name.is_empty() => Ok(name),
            Ok(_) => self.fail(begin, "the name is empty", "the name of a field"),
            Err(_) => self.fail(begin, "the name is not UTF-8", "the name of a field"),
        }
    }

    pub(super) fn quoted(&mut self) -> Result<Vec<u8>, PartError> {
        let begin = self.at;
        self.expect('"')?;
        let inside = self.take_while(|character| character != '"');
        if !self.take('"') {
            return self.fail(begin, "the quote is not closed", "`\"`");
        }
        Ok(unquote(inside))
    }

    pub(super) fn number(&mut self, expected: &str) -> Result<u64, PartError> {
        self.spaces();
        let begin = self.at;
        let digits = self.take_while(|character| character.is_ascii_digit() || character == '_');
        match digits.replace('_', "").parse() {
            Ok(number) => Ok(number),
            Err(_) if digits.is_empty() => self.fail(begin, self.found(), expected),
            Err(_) => self.fail(begin, format!("{digits} is too great"), expected),
        }
    }

    pub(super) fn number_within(&mut self, most: usize, expected: &str) -> Result<usize, PartError> {
        self.spaces();
        let begin = self.at;
        let number = self.number(expected)?;
        match usize::try_from(number).ok().filter(|number| (1..=most).contains(number)) {
            Some(number) => Ok(number),
            None => self.fail(begin, format!("{number} is out of range"), expected),
        }
    }

    pub(super) fn modulus(&mut self) -> Result<Modulus, PartError> {
        const EXPECTED: &str = "a whole number from 1: how many prefixes there are";
        self.spaces();
        let begin = self.at;
        match Modulus::new(self.number(EXPECTED)?) {
            Some(modulus) => Ok(modulus),
            None => self.fail(begin, "0 leaves no prefix", EXPECTED),
        }
    }
}
