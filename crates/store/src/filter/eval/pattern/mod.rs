//! Java's regular expressions, which is what HBase's pattern comparators speak.
//!
//! [`parse`] reads Java's syntax into a [`node::Node`]. Most patterns are regular in the strict sense; these run on the
//! `regex` crate, in linear time ([`regular`]). Look-around, back references and possessive repetition need to try
//! and go back, as Java itself does ([`program`], [`machine`]). The answer is only whether the pattern is found, so
//! that greedy and lazy make no difference to the former.
//!
//! Not known here, and refused: blocks (`\p{InGreek}`), character names (`\N{…}`), graphemes (`\X`, `\b{g}`) and the
//! flag `U`. On the other hand, what is looked for before a place may be of any length; Java wants a greatest one.

mod characters;
mod class;
mod escape;
mod flags;
mod machine;
mod node;
mod parse;
mod program;
mod property;
mod regular;
mod source;
#[cfg(test)]
mod tests;

use std::sync::Arc;

use super::FilterError;
use flags::Flags;
use program::Program;
use regular::Regular;

/// A pattern that is looked for anywhere in a text.
#[derive(Clone, Debug)]
pub(super) struct Pattern {
    regular: Option<Regular>,
    program: Arc<Program>,
}

impl Pattern {
    /// Compiles a pattern; `.` matches line ends too, as HBase has it.
    pub(super) fn new(pattern: &str, ignore_case: bool) -> Result<Self, FilterError> {
        let refused = |reason: String| FilterError::Pattern { pattern: pattern.to_owned(), reason };
        let node = parse::parse(pattern, Flags::of_filter(ignore_case)).map_err(refused)?;
        let program = Arc::new(Program::new(&node).map_err(refused)?);
        Ok(Self { regular: Regular::new(&node), program })
    }

    /// Whether the pattern is found in a text.
    pub(super) fn is_found_in(&self, text: &str) -> bool {
        match &self.regular {
            Some(regular) if regular.serves(text) => regular.is_found_in(text),
            _ => machine::is_found_in(&self.program, text),
        }
    }
}
