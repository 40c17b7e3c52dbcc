//! Reading Java's syntax.

use super::characters::{self, negate, one};
use super::escape::Escape;
use super::flags::Flags;
use super::node::{Assertion, Greed, Node};
use super::source::{Next, Source};

/// Groups and brackets may stand inside each other so deep: the way down is a recursion.
const MAX_DEPTH: usize = 100;

/// The state of reading.
pub(super) struct Parser {
    pub(super) source: Source,
    pub(super) flags: Flags,
    /// Groups opened up to here that can be referred to.
    pub(super) group_count: usize,
    names: Vec<(String, usize)>,
    depth: usize,
}

/// Reads a pattern; the error says what is wrong with it.
pub(super) fn parse(pattern: &str, flags: Flags) -> Result<Node, String> {
    let mut parser =
        Parser { source: Source::new(pattern), flags, group_count: 0, names: Vec::new(), depth: 0 };
    let node = parser.alternation()?;
    match parser.source.peek() {
        None => Ok(node),
        Some(_) => Err("a closing parenthesis has no opening one".to_owned()),
    }
}

impl Parser {
    /// Goes one level down; refuses if that is too deep.
    pub(super) fn enter(&mut self) -> Result<(), String> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            Err("groups stand inside each other too deep".to_owned())
        } else {
            Ok(())
        }
    }

    /// Goes one level up.
    pub(super) fn leave(&mut self) {
        self.depth -= 1;
    }

    /// Jumps over what does not count, if the flags say so.
    pub(super) fn skip_comments(&mut self) {
        if self.flags.comments {
            self.source.skip_comments();
        }
    }

    fn alternation(&mut self) -> Result<Node, String> {
        let mut branches = vec![self.sequence()?];
        while self.source.take('|') {
            branches.push(self.sequence()?);
        }
        Ok(if branches.len() == 1 { branches.remove(0) } else { Node::Alternate(branches) })
    }

    fn sequence(&mut self) -> Result<Node, String> {
        let mut nodes = Vec::new();
        loop {
            self.skip_comments();
            match self.source.peek() {
                None | Some(Next::Plain('|' | ')')) => break,
                Some(next) => {
                    let is_group = next == Next::Plain('(');
                    if let Some(atom) = self.atom(next)? {
                        nodes.push(self.repeated(atom, is_group)?);
                    }
                }
            }
        }
        Ok(if nodes.len() == 1 { nodes.remove(0) } else { Node::Concat(nodes) })
    }

    /// Reads what can be repeated; `None` for a group that only switches flags.
    fn atom(&mut self, next: Next) -> Result<Option<Node>, String> {
        let Next::Plain(value) = next else {
            return Ok(self.source.next_value().map(|value| Node::Set(one(u32::from(value), self.flags))));
        };
        let (unix, multiline) = (self.flags.unix_lines, self.flags.multiline);
        // A brace repeats nothing when nothing stands before it.
        if value == '{' {
            return Ok(Some(Node::Empty));
        }
        self.source.next();
        Ok(Some(match value {
            '(' => return self.group(),
            '[' => Node::Set(self.class()?),
            '\\' => match self.escape()? {
                Escape::Literal(code_point) => Node::Set(one(code_point, self.flags)),
                Escape::Set(class) => Node::Set(class),
                Escape::Node(node) => node,
            },
            '^' if multiline => Node::Assert(Assertion::LineStart { unix }),
            '^' => Node::Assert(Assertion::TextStart),
            '$' if multiline => Node::Assert(Assertion::LineEnd { unix }),
            '$' => Node::Assert(Assertion::LastLineEnd { unix }),
            '.' if self.flags.dot_all => Node::Set(characters::all()),
            '.' => Node::Set(negate(characters::line_end(unix))),
            '*' | '+' | '?' => return Err(format!("{value} repeats nothing")),
            literal => Node::Set(one(u32::from(literal), self.flags)),
        }))
    }

    /// Reads how often something is repeated, if it is. A repeated `\R` takes `\r\n` as one and does not reconsider.
    fn repeated(&mut self, node: Node, is_group: bool) -> Result<Node, String> {
        self.skip_comments();
        let (min, max) = if self.source.take('?') {
            (0, Some(1))
        } else if self.source.take('*') {
            (0, None)
        } else if self.source.take('+') {
            (1, None)
        } else if self.source.take('{') {
            self.counts()?
        } else {
            return Ok(node);
        };
        self.skip_comments();
        let greed = if self.source.take('?') {
            Greed::Lazy
        } else if self.source.take('+') {
            Greed::Possessive
        } else {
            Greed::Greedy
        };
        let node = match node {
            Node::Alternate(_) if !is_group => Box::new(Node::Atomic(Box::new(node))),
            node => Box::new(node),
        };
        Ok(Node::Repeat { node, min, max, greed })
    }

    /// `n}`, `n,}` or `n,m}`.
    fn counts(&mut self) -> Result<(u32, Option<u32>), String> {
        let min = self.count()?.ok_or("a repetition in braces has no number")?;
        let max = if self.source.take(',') { self.count()? } else { Some(min) };
        if !self.source.take('}') {
            return Err("a repetition in braces does not end".to_owned());
        }
        if max.is_some_and(|max| max < min) {
            return Err("a repetition's greatest number is below its least".to_owned());
        }
        Ok((min, max))
    }

    fn count(&mut self) -> Result<Option<u32>, String> {
        let mut count: Option<u32> = None;
        while let Some(digit) = self.source.take_digit(10) {
            let longer = count.unwrap_or(0).checked_mul(10).and_then(|tens| tens.checked_add(digit));
            let longer = longer.filter(|&longer| i32::try_from(longer).is_ok());
            count = Some(longer.ok_or("a number of repetitions is too great")?);
        }
        Ok(count)
    }

    /// Reads a group; its opening parenthesis is read already.
    fn group(&mut self) -> Result<Option<Node>, String> {
        let outer = self.flags;
        let node = if self.source.take('?') {
            match self.special_group()? {
                Some(node) => node,
                None => return Ok(None),
            }
        } else {
            self.capture()?
        };
        self.flags = outer;
        Ok(Some(node))
    }

    fn capture(&mut self) -> Result<Node, String> {
        self.group_count += 1;
        let group = self.group_count;
        Ok(Node::Capture(Box::new(self.group_body()?), group))
    }

    /// What a group holds, with its closing parenthesis.
    fn group_body(&mut self) -> Result<Node, String> {
        self.enter()?;
        let node = self.alternation()?;
        self.leave();
        if self.source.take(')') { Ok(node) } else { Err("a group does not end".to_owned()) }
    }

    /// Reads a group whose `(?` is read already.
    fn special_group(&mut self) -> Result<Option<Node>, String> {
        let place = self.source.place();
        let kind = self.source.next_value().ok_or("a group does not end")?;
        let look = |node, behind, negative| Node::Look { node: Box::new(node), behind, negative };
        Ok(Some(match kind {
            ':' => self.group_body()?,
            '=' | '!' => look(self.group_body()?, false, kind == '!'),
            '>' => Node::Atomic(Box::new(self.group_body()?)),
            '<' => {
                let is_negative = self.source.take('!');
                if is_negative || self.source.take('=') {
                    look(self.group_body()?, true, is_negative)
                } else {
                    let name = self.group_name()?;
                    if self.group_named(&name).is_some() {
                        return Err(format!("two groups are named {name}"));
                    }
                    self.names.push((name, self.group_count + 1));
                    self.capture()?
                }
            }
            _ => {
                self.source.go_to(place);
                return self.flag_group();
            }
        }))
    }

    /// `flags)`, which holds to the end of the group around it, or `flags:…)`.
    fn flag_group(&mut self) -> Result<Option<Node>, String> {
        let mut on = true;
        loop {
            match self.source.next_value().ok_or("a group does not end")? {
                '-' if on => on = false,
                ')' => return Ok(None),
                ':' => return self.group_body().map(Some),
                letter if self.flags.switch(letter, on) => {}
                letter => return Err(format!("there is no flag {letter}, or it is not supported")),
            }
        }
    }

    /// A name up to its `>`.
    pub(super) fn group_name(&mut self) -> Result<String, String> {
        let mut name = String::new();
        loop {
            match self.source.next_value() {
                Some('>') if !name.is_empty() => return Ok(name),
                Some(letter) if letter.is_ascii_alphabetic() => name.push(letter),
                Some(digit) if digit.is_ascii_digit() && !name.is_empty() => name.push(digit),
                _ => return Err("a group's name is letters and digits, then >".to_owned()),
            }
        }
    }

    /// The group of a name.
    pub(super) fn group_named(&self, name: &str) -> Option<usize> {
        self.names.iter().find(|(other, _)| other == name).map(|(_, group)| *group)
    }
}
