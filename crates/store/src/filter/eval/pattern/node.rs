//! What a pattern says, as a tree.

use regex_syntax::hir::ClassUnicode;

/// A piece of a pattern.
#[derive(Clone, Debug)]
pub(super) enum Node {
    /// Nothing.
    Empty,
    /// One character of a set.
    Set(ClassUnicode),
    /// A place between characters.
    Assert(Assertion),
    /// One after the other.
    Concat(Vec<Node>),
    /// One of several, tried in order.
    Alternate(Vec<Node>),
    /// A group that can be referred to.
    Capture(Box<Node>, usize),
    /// Several times.
    Repeat {
        /// What.
        node: Box<Node>,
        /// At least so often.
        min: u32,
        /// At most so often.
        max: Option<u32>,
        /// Which number of times is tried first.
        greed: Greed,
    },
    /// Something that must stand, or not, before or behind this place.
    Look {
        /// What.
        node: Box<Node>,
        /// Before it instead of after.
        behind: bool,
        /// Must not.
        negative: bool,
    },
    /// Once found it is not looked for in another way.
    Atomic(Box<Node>),
    /// The same text as a group found.
    Backreference {
        /// The group.
        group: usize,
        /// ASCII letters in any case.
        ignore_case: bool,
    },
}

/// A place between characters. Line ends are `\n`, `\r\n`, `\r`, U+0085, U+2028 and U+2029; with `unix` only `\n`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Assertion {
    /// The text's begin.
    TextStart,
    /// The text's end.
    TextEnd,
    /// The text's end or before a line end that ends the text.
    LastLineEnd { unix: bool },
    /// A line's begin, but not the text's end.
    LineStart { unix: bool },
    /// A line's end.
    LineEnd { unix: bool },
    /// Where a word begins or ends, or where none does.
    WordBoundary { negated: bool },
}

/// Which number of repetitions is tried first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Greed {
    /// The most, then fewer.
    Greedy,
    /// The least, then more.
    Lazy,
    /// The most, and no fewer.
    Possessive,
}
