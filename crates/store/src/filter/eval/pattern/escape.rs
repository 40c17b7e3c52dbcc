//! What a backslash and the characters after it mean.

use regex_syntax::hir::ClassUnicode;

use super::characters::{self, negate, set};
use super::node::{Assertion, Node};
use super::parse::Parser;
use super::property::property;

/// What an escape stands for.
pub(super) enum Escape {
    /// One code point.
    Literal(u32),
    /// One character of a set.
    Set(ClassUnicode),
    /// Something that cannot stand in brackets.
    Node(Node),
}

impl Parser {
    /// Reads an escape; the backslash is read already.
    pub(super) fn escape(&mut self) -> Result<Escape, String> {
        let letter = self.source.next_value().ok_or("it ends with a backslash")?;
        if let Some(set) = predefined(letter) {
            return Ok(Escape::Set(set));
        }
        if let Some(node) = self.place(letter) {
            return Ok(Escape::Node(node));
        }
        match letter {
            'p' | 'P' => self.property(letter == 'P').map(Escape::Set),
            '1'..='9' => Ok(Escape::Node(self.numbered_reference(u32::from(letter) - u32::from('0')))),
            'k' => self.named_reference().map(Escape::Node),
            'R' => {
                let line_feed = [set(&[('\r', '\r')]), set(&[('\n', '\n')])].map(Node::Set);
                let one = Node::Set(characters::vertical_space());
                Ok(Escape::Node(Node::Alternate(vec![Node::Concat(line_feed.into()), one])))
            }
            letter => self.code_point(letter).map(Escape::Literal),
        }
    }

    fn place(&self, letter: char) -> Option<Node> {
        let assertion = match letter {
            // "Where the last match ended" is the begin, when a text is looked through once.
            'A' | 'G' => Assertion::TextStart,
            'z' => Assertion::TextEnd,
            'Z' => Assertion::LastLineEnd { unix: self.flags.unix_lines },
            'b' => Assertion::WordBoundary { negated: false },
            'B' => Assertion::WordBoundary { negated: true },
            _ => return None,
        };
        Some(Node::Assert(assertion))
    }

    fn code_point(&mut self, letter: char) -> Result<u32, String> {
        match letter {
            'a' => Ok(0x07),
            'e' => Ok(0x1B),
            'f' => Ok(0x0C),
            'n' => Ok(0x0A),
            'r' => Ok(0x0D),
            't' => Ok(0x09),
            'c' => {
                let control =
                    self.source.next_value().ok_or("an escape of a control character has no letter")?;
                Ok(u32::from(control) ^ 64)
            }
            '0' => self.octal(),
            'x' => self.hexadecimal(),
            'u' => self.utf16(),
            letter if letter.is_ascii_alphabetic() => {
                Err(format!("there is no escape \\{letter}, or it is not supported"))
            }
            other => Ok(u32::from(other)),
        }
    }

    /// One to three digits, up to 377.
    fn octal(&mut self) -> Result<u32, String> {
        let first = self.source.take_digit(8).ok_or("an octal escape has no digits")?;
        let Some(second) = self.source.take_digit(8) else { return Ok(first) };
        let two = first * 8 + second;
        let third = if first <= 3 { self.source.take_digit(8) } else { None };
        Ok(third.map_or(two, |third| two * 8 + third))
    }

    /// Two digits, or any number of them in braces.
    fn hexadecimal(&mut self) -> Result<u32, String> {
        let wrong = "a hexadecimal escape is \\xhh or \\x{h…h}, up to 10FFFF";
        if !self.source.take('{') {
            return self.digits(2).ok_or_else(|| wrong.to_owned());
        }
        let mut code_point = self.source.take_digit(16).ok_or(wrong)?;
        while let Some(digit) = self.source.take_digit(16) {
            code_point = code_point * 16 + digit;
            if code_point > u32::from(char::MAX) {
                return Err(wrong.to_owned());
            }
        }
        if self.source.take('}') { Ok(code_point) } else { Err(wrong.to_owned()) }
    }

    /// Four digits; two such escapes that make a surrogate pair are one character.
    fn utf16(&mut self) -> Result<u32, String> {
        let unit = self.digits(4).ok_or("a Unicode escape has four hexadecimal digits")?;
        let after = self.source.place();
        if (0xD800..0xDC00).contains(&unit)
            && self.source.take('\\')
            && self.source.take('u')
            && let Some(low) = self.digits(4)
            && (0xDC00..0xE000).contains(&low)
        {
            return Ok(0x1_0000 + ((unit - 0xD800) << 10) + (low - 0xDC00));
        }
        self.source.go_to(after);
        Ok(unit)
    }

    fn digits(&mut self, count: usize) -> Option<u32> {
        let mut number = 0;
        for _ in 0..count {
            number = number * 16 + self.source.take_digit(16)?;
        }
        Some(number)
    }

    /// `\pL` or `\p{name}`; the `p` is read already.
    fn property(&mut self, is_negated: bool) -> Result<ClassUnicode, String> {
        let mut name = String::new();
        if self.source.take('{') {
            loop {
                match self.source.next_value().ok_or("the name of a character property does not end")? {
                    '}' => break,
                    letter => name.push(letter),
                }
            }
        } else {
            name.push(self.source.next_value().ok_or("a character property has no name")?);
        }
        let class = property(&name, self.flags.ignore_case)?;
        Ok(if is_negated { negate(class) } else { class })
    }

    /// As many digits belong to the number as there are groups before it to refer to.
    fn numbered_reference(&mut self, first: u32) -> Node {
        let mut group = first as usize;
        loop {
            let before = self.source.place();
            let Some(digit) = self.source.take_digit(10) else { break };
            let longer = group * 10 + digit as usize;
            if longer > self.group_count {
                self.source.go_to(before);
                break;
            }
            group = longer;
        }
        Node::Backreference { group, ignore_case: self.flags.ignore_case }
    }

    fn named_reference(&mut self) -> Result<Node, String> {
        if !self.source.take('<') {
            return Err("a reference to a named group is written \\k<name>".to_owned());
        }
        let name = self.group_name()?;
        let group = self.group_named(&name).ok_or_else(|| format!("there is no group {name} before it"))?;
        Ok(Node::Backreference { group, ignore_case: self.flags.ignore_case })
    }
}

fn predefined(letter: char) -> Option<ClassUnicode> {
    let class = match letter.to_ascii_lowercase() {
        'd' => characters::digit(),
        'h' => characters::horizontal_space(),
        's' => characters::space(),
        'v' => characters::vertical_space(),
        'w' => characters::word(),
        _ => return None,
    };
    Some(if letter.is_ascii_uppercase() { negate(class) } else { class })
}
