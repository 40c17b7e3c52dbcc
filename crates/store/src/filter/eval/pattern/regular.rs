//! Patterns that are regular, on the `regex` crate.

use regex::Regex;
use regex_syntax::hir::{Capture, Class, Hir, HirKind, Look, Repetition};

use super::node::{Assertion, Greed, Node};

/// A pattern in the crate's own language. Two things mean the same there only for certain texts.
#[derive(Clone, Debug)]
pub(super) struct Regular {
    regex: Regex,
    /// It asks for the last line's end, which is the text's end if no line end is there.
    asks_last_line_end: bool,
    /// It asks for words, which only in ASCII are the same.
    asks_words: bool,
}

impl Regular {
    /// The pattern, if it is regular and not too large for the crate.
    pub(super) fn new(node: &Node) -> Option<Self> {
        let mut translation = Translation::default();
        let regex = Regex::new(&translation.translate(node)?.to_string()).ok()?;
        let Translation { asks_last_line_end, asks_words } = translation;
        Some(Self { regex, asks_last_line_end, asks_words })
    }

    /// Whether the pattern means the same here for this text.
    pub(super) fn serves(&self, text: &str) -> bool {
        let ends_line = || text.ends_with(['\n', '\r', '\u{85}', '\u{2028}', '\u{2029}']);
        !(self.asks_last_line_end && ends_line() || self.asks_words && !text.is_ascii())
    }

    pub(super) fn is_found_in(&self, text: &str) -> bool {
        self.regex.is_match(text)
    }
}

/// A repetition inside of another is printed without parentheses: `a+` and `?` would become `a+?`.
fn parenthesised(hir: Hir) -> Hir {
    match hir.kind() {
        HirKind::Repetition(_) => Hir::capture(Capture { index: 1, name: None, sub: Box::new(hir) }),
        _ => hir,
    }
}

#[derive(Default)]
struct Translation {
    asks_last_line_end: bool,
    asks_words: bool,
}

impl Translation {
    fn translate(&mut self, node: &Node) -> Option<Hir> {
        Some(match node {
            Node::Empty => Hir::empty(),
            Node::Set(class) => Hir::class(Class::Unicode(class.clone())),
            Node::Assert(assertion) => Hir::look(self.look(*assertion)?),
            Node::Concat(nodes) => Hir::concat(self.translate_all(nodes)?),
            Node::Alternate(nodes) => Hir::alternation(self.translate_all(nodes)?),
            Node::Capture(node, _) => self.translate(node)?,
            Node::Repeat { node, min, max, greed } if *greed != Greed::Possessive => {
                let sub = Box::new(parenthesised(self.translate(node)?));
                Hir::repetition(Repetition { min: *min, max: *max, greedy: true, sub })
            }
            Node::Repeat { .. } | Node::Look { .. } | Node::Atomic(_) | Node::Backreference { .. } => {
                return None;
            }
        })
    }

    fn translate_all(&mut self, nodes: &[Node]) -> Option<Vec<Hir>> {
        nodes.iter().map(|node| self.translate(node)).collect()
    }

    fn look(&mut self, assertion: Assertion) -> Option<Look> {
        Some(match assertion {
            Assertion::TextStart => Look::Start,
            Assertion::TextEnd => Look::End,
            Assertion::LastLineEnd { .. } => {
                self.asks_last_line_end = true;
                Look::End
            }
            Assertion::WordBoundary { negated } => {
                self.asks_words = true;
                if negated { Look::WordAsciiNegate } else { Look::WordAscii }
            }
            Assertion::LineStart { .. } | Assertion::LineEnd { .. } => return None,
        })
    }
}
