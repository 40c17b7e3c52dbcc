//! Characters in brackets: `[a-z&&[^x]]`.

use regex_syntax::hir::ClassUnicode;

use super::characters::{code_points, in_any_case, negate, one};
use super::escape::Escape;
use super::parse::Parser;
use super::source::Next;

impl Parser {
    /// Reads a class; its opening bracket is read already.
    pub(super) fn class(&mut self) -> Result<ClassUnicode, String> {
        self.enter()?;
        self.skip_comments();
        let is_negated = self.source.take('^');
        let class = self.union()?;
        // A union ends before a bracket.
        self.source.take(']');
        self.leave();
        Ok(if is_negated { negate(class) } else { class })
    }

    /// What stands in brackets up to the closing one, which stays. A bracket right at the begin is no closing one.
    fn union(&mut self) -> Result<ClassUnicode, String> {
        self.enter()?;
        let mut class: Option<ClassUnicode> = None;
        loop {
            self.skip_comments();
            let place = self.source.place();
            let item = match self.source.next().ok_or("a character class does not end")? {
                Next::Plain(']') if class.is_some() => {
                    self.source.go_to(place);
                    break;
                }
                Next::Plain('[') => self.class()?,
                Next::Plain('&') if self.source.take('&') => {
                    let right = self.intersected()?;
                    class = Some(intersect(class, right)?);
                    continue;
                }
                next => self.item(next)?,
            };
            class.get_or_insert_with(ClassUnicode::empty).union(&item);
        }
        self.leave();
        class.ok_or_else(|| "a character class is empty".to_owned())
    }

    /// What stands after `&&`. A run of characters after a class in brackets replaces it: Java's oddity.
    fn intersected(&mut self) -> Result<Option<ClassUnicode>, String> {
        let mut right: Option<ClassUnicode> = None;
        loop {
            self.skip_comments();
            match self.source.peek().ok_or("a character class does not end")? {
                Next::Plain(']' | '&') => return Ok(right),
                Next::Plain('[') => {
                    self.source.take('[');
                    let class = self.class()?;
                    right.get_or_insert_with(ClassUnicode::empty).union(&class);
                }
                _ => right = Some(self.union()?),
            }
        }
    }

    /// A character, a range, or an escape.
    fn item(&mut self, next: Next) -> Result<ClassUnicode, String> {
        let first = match next {
            Next::Plain('\\') => match self.escape()? {
                Escape::Literal(code_point) => code_point,
                Escape::Set(class) => return Ok(class),
                Escape::Node(_) => return Err("an escape in brackets stands for no character".to_owned()),
            },
            Next::Plain(value) | Next::Quoted(value) => u32::from(value),
        };
        self.skip_comments();
        let before_dash = self.source.place();
        if !self.source.take('-') {
            return Ok(one(first, self.flags));
        }
        if matches!(self.source.peek(), Some(Next::Plain('[' | ']'))) {
            self.source.go_to(before_dash);
            return Ok(one(first, self.flags));
        }
        let last = self.range_end()?;
        if last < first {
            return Err("a range of characters runs backwards".to_owned());
        }
        Ok(in_any_case(code_points(first, last), self.flags))
    }

    fn range_end(&mut self) -> Result<u32, String> {
        self.skip_comments();
        match self.source.next().ok_or("a character class does not end")? {
            Next::Plain('\\') => match self.escape()? {
                Escape::Literal(code_point) => Ok(code_point),
                _ => Err("a range of characters ends with no character".to_owned()),
            },
            Next::Plain(value) | Next::Quoted(value) => Ok(u32::from(value)),
        }
    }
}

fn intersect(left: Option<ClassUnicode>, right: Option<ClassUnicode>) -> Result<ClassUnicode, String> {
    match (left, right) {
        (None, None) => Err("&& stands between two classes of characters".to_owned()),
        (Some(class), None) | (None, Some(class)) => Ok(class),
        (Some(mut left), Some(right)) => {
            left.intersect(&right);
            Ok(left)
        }
    }
}
