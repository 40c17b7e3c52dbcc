//! Why a script cannot be read.

use std::fmt;

use super::place::{Lines, Place};

/// What the lexer and the parser say when they cannot go on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// Where, as a byte of the script.
    pub at: usize,
    /// What is wrong there.
    pub message: String,
    /// Whether more lines could make it right.
    pub incomplete: bool,
}

impl Fault {
    /// Something that no further line can make right.
    pub fn wrong(at: usize, message: impl Into<String>) -> Self {
        Self { at, message: message.into(), incomplete: false }
    }

    /// Something that goes on in the next line.
    pub fn incomplete(at: usize, message: impl Into<String>) -> Self {
        Self { at, message: message.into(), incomplete: true }
    }

    /// The same for people, with the place in the script.
    pub fn in_script(self, lines: &mut Lines<'_>) -> SyntaxError {
        SyntaxError { place: lines.place(self.at), message: self.message }
    }
}

/// A command that cannot be read. Prints the place and a picture of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SyntaxError {
    /// Where.
    pub place: Place,
    /// What is wrong there.
    pub message: String,
}

impl fmt::Display for SyntaxError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}\n{}", self.place, self.message, self.place.picture())
    }
}

impl std::error::Error for SyntaxError {}
