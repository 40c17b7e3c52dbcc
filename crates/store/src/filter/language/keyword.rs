//! The words that stand between and before filters.

use crate::filter::{Filter, ListOp};

/// An operator of the language.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Keyword {
    Or,
    And,
    Skip,
    While,
    /// A list of one in which all must pass.
    All,
    /// A list of one in which one must pass.
    One,
}

impl Keyword {
    const ALL: [Self; 6] = [Self::Or, Self::And, Self::Skip, Self::While, Self::All, Self::One];

    /// The word.
    pub(super) fn text(self) -> &'static str {
        match self {
            Self::Or => "OR",
            Self::And => "AND",
            Self::Skip => "SKIP",
            Self::While => "WHILE",
            Self::All => "ALL",
            Self::One => "ONE",
        }
    }

    /// The keyword that begins at a byte of the text, if one does: it needs a blank or parenthesis on both sides.
    pub(super) fn at(text: &[u8], at: usize) -> Option<Self> {
        Self::ALL.into_iter().find(|keyword| keyword.is_at(text, at))
    }

    fn is_at(self, text: &[u8], at: usize) -> bool {
        let word = self.text().as_bytes();
        let before = at.checked_sub(1).and_then(|before| text.get(before));
        let can_begin = match before {
            None => !self.is_binary(),
            Some(b' ' | b')') => true,
            Some(b'(') => !self.is_binary(),
            Some(_) => false,
        };
        let rest = text.get(at..).unwrap_or_default();
        can_begin && rest.starts_with(word) && matches!(rest.get(word.len()), Some(b' ' | b'('))
    }

    /// Whether it stands between two filters.
    fn is_binary(self) -> bool {
        matches!(self, Self::Or | Self::And)
    }

    /// The lower, the stronger it binds.
    pub(super) fn precedence(self) -> u8 {
        match self {
            Self::Skip | Self::While | Self::All | Self::One => 1,
            Self::And => 2,
            Self::Or => 3,
        }
    }

    /// The kind of list that a binary keyword makes.
    pub(super) fn list_op(self) -> Option<ListOp> {
        match self {
            Self::And => Some(ListOp::All),
            Self::Or => Some(ListOp::One),
            _ => None,
        }
    }

    /// What a keyword before a filter makes of it.
    pub(super) fn wrap(self, filter: Filter) -> Filter {
        match self {
            Self::Skip => Filter::Skip(Box::new(filter)),
            Self::While => Filter::While(Box::new(filter)),
            Self::And | Self::All => Filter::List(ListOp::All, vec![filter]),
            Self::Or | Self::One => Filter::List(ListOp::One, vec![filter]),
        }
    }
}
