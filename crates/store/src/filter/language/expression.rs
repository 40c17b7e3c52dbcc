//! Filters with operators between them: two stacks, one of operators and one of filters.

use super::error::{ParseError, Problem};
use super::keyword::Keyword;
use super::{arguments, registry};
use crate::filter::Filter;
use crate::filter::eval::{FilterError, MAX_DEPTH};

/// What waits on the stack of operators, with the byte where it stands.
#[derive(Clone, Copy)]
enum Waiting {
    Parenthesis,
    Keyword(Keyword, usize),
}

/// A filter that is read, and how deep filters stand in it.
struct Read {
    filter: Filter,
    depth: usize,
}

#[derive(Default)]
struct Stacks {
    waiting: Vec<Waiting>,
    read: Vec<Read>,
}

/// Reads a whole text.
pub(super) fn parse(text: &[u8]) -> Result<Filter, ParseError> {
    let mut stacks = Stacks::default();
    let mut at = 0;
    while let Some(&byte) = text.get(at) {
        if byte == b'(' {
            stacks.waiting.push(Waiting::Parenthesis);
        } else if let Some(keyword) = Keyword::at(text, at) {
            stacks.reduce_stronger_than(keyword)?;
            stacks.waiting.push(Waiting::Keyword(keyword, at));
            at += keyword.text().len() - 1;
        } else if byte == b')' {
            stacks.close_parenthesis(at)?;
        } else if byte != b' ' && byte != b'\t' {
            let simple = arguments::split(text, at)?;
            at = simple.end - 1;
            stacks.read.push(Read { filter: registry::build(&simple)?, depth: 1 });
        }
        at += 1;
    }
    stacks.finish(text.len())
}

impl Stacks {
    fn reduce_stronger_than(&mut self, keyword: Keyword) -> Result<(), ParseError> {
        while let Some(Waiting::Keyword(top, _)) = self.waiting.last()
            && top.precedence() < keyword.precedence()
        {
            self.reduce()?;
        }
        Ok(())
    }

    /// Carries out the topmost operator; AND and OR together with those of their kind right below.
    fn reduce(&mut self) -> Result<(), ParseError> {
        match self.waiting.pop() {
            Some(Waiting::Parenthesis) if self.read.is_empty() => Err(Problem::NoFilter.at(0)),
            None | Some(Waiting::Parenthesis) => Ok(()),
            Some(Waiting::Keyword(keyword, at)) => self.apply(keyword, at),
        }
    }

    fn apply(&mut self, keyword: Keyword, at: usize) -> Result<(), ParseError> {
        let operator = keyword.text();
        let Some(op) = keyword.list_op() else {
            let needed = "a filter after it";
            let inner = self.read.pop().ok_or_else(|| Problem::OperandMissing { operator, needed }.at(at))?;
            return self.push(keyword.wrap(inner.filter), inner.depth, at);
        };
        let mut operands = 2;
        while let Some(Waiting::Keyword(below, _)) = self.waiting.last()
            && *below == keyword
        {
            self.waiting.pop();
            operands += 1;
        }
        let first =
            self.read.len().checked_sub(operands).ok_or_else(|| {
                Problem::OperandMissing { operator, needed: "a filter on both sides" }.at(at)
            })?;
        let operands = self.read.split_off(first);
        let depth = operands.iter().map(|read| read.depth).max().unwrap_or(0);
        self.push(Filter::List(op, operands.into_iter().map(|read| read.filter).collect()), depth, at)
    }

    fn push(&mut self, filter: Filter, inner_depth: usize, at: usize) -> Result<(), ParseError> {
        let depth = inner_depth + 1;
        if depth > MAX_DEPTH {
            return Err(Problem::Filter(FilterError::TooDeep { max: MAX_DEPTH }).at(at));
        }
        self.read.push(Read { filter, depth });
        Ok(())
    }

    /// HBase drops the operator below the one that was carried out without looking at it; when that is not the open
    /// parenthesis, the text ends up refused.
    fn close_parenthesis(&mut self, at: usize) -> Result<(), ParseError> {
        match self.waiting.last() {
            None => return Err(Problem::Parenthesis.at(at)),
            Some(Waiting::Parenthesis) => {
                self.waiting.pop();
                return Ok(());
            }
            Some(Waiting::Keyword(..)) => {}
        }
        while !self.waiting.is_empty() {
            self.reduce()?;
            match self.waiting.pop() {
                None => return Err(Problem::Parenthesis.at(at)),
                Some(Waiting::Parenthesis) => return Ok(()),
                Some(Waiting::Keyword(..)) => {}
            }
        }
        Err(Problem::OperatorLost.at(at))
    }

    fn finish(mut self, end: usize) -> Result<Filter, ParseError> {
        while !self.waiting.is_empty() {
            self.reduce()?;
        }
        let last = self.read.pop().ok_or_else(|| Problem::NoFilter.at(end))?;
        if self.read.is_empty() { Ok(last.filter) } else { Err(Problem::NoOperatorBetween.at(end)) }
    }
}
