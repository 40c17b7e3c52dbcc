//! The characters of a pattern, one after the other; quotations (`\Q…\E`) are resolved.

/// A character of the pattern, and whether it stands in a quotation.
#[derive(Clone, Copy, Debug)]
struct Character {
    value: char,
    is_quoted: bool,
}

/// A pattern and the place in it.
#[derive(Debug)]
pub(super) struct Source {
    characters: Vec<Character>,
    at: usize,
}

/// What comes next: a character with its special meaning, or one that stands for itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Next {
    Plain(char),
    Quoted(char),
}

impl Source {
    pub(super) fn new(pattern: &str) -> Self {
        let mut characters = Vec::new();
        let mut rest = pattern.chars().peekable();
        let mut is_quoted = false;
        while let Some(value) = rest.next() {
            match (value, rest.peek()) {
                ('\\', Some('E')) if is_quoted => {
                    rest.next();
                    is_quoted = false;
                }
                ('\\', Some('Q')) if !is_quoted => {
                    rest.next();
                    is_quoted = true;
                }
                ('\\', Some(_)) if !is_quoted => {
                    characters.push(Character { value, is_quoted });
                    characters.extend(rest.next().map(|value| Character { value, is_quoted }));
                }
                _ => characters.push(Character { value, is_quoted }),
            }
        }
        Self { characters, at: 0 }
    }

    /// Where it is, to come back to.
    pub(super) fn place(&self) -> usize {
        self.at
    }

    /// Goes back to a place.
    pub(super) fn go_to(&mut self, place: usize) {
        self.at = place;
    }

    /// The next character.
    pub(super) fn peek(&self) -> Option<Next> {
        self.characters.get(self.at).map(|character| match character.is_quoted {
            true => Next::Quoted(character.value),
            false => Next::Plain(character.value),
        })
    }

    /// Takes the next character.
    pub(super) fn next(&mut self) -> Option<Next> {
        let next = self.peek();
        self.at += usize::from(next.is_some());
        next
    }

    /// Takes the next character whatever it is, without meaning.
    pub(super) fn next_value(&mut self) -> Option<char> {
        self.next().map(|(Next::Plain(value) | Next::Quoted(value))| value)
    }

    /// Takes the next character if it is this one, with its meaning.
    pub(super) fn take(&mut self, wanted: char) -> bool {
        let is_it = self.peek() == Some(Next::Plain(wanted));
        self.at += usize::from(is_it);
        is_it
    }

    /// Takes the next character if it is a digit of this base.
    pub(super) fn take_digit(&mut self, base: u32) -> Option<u32> {
        let Some(Next::Plain(value)) = self.peek() else { return None };
        let digit = value.to_digit(base)?;
        self.at += 1;
        Some(digit)
    }

    /// Jumps over blanks and comments.
    pub(super) fn skip_comments(&mut self) {
        while let Some(Next::Plain(value)) = self.peek() {
            if value == '#' {
                let is_line_end = |value| matches!(value, '\n' | '\r' | '\u{85}' | '\u{2028}' | '\u{2029}');
                while self.next_value().is_some_and(|value| !is_line_end(value)) {}
            } else if matches!(value, ' ' | '\t'..='\r') {
                self.at += 1;
            } else {
                break;
            }
        }
    }
}
