//! Cuts a script into words.

use bytes::Bytes;

use super::cursor::Cursor;
use super::fault::Fault;
use super::place::Span;
use super::token::Token;
use super::{literal, number};

/// Reads the words of a script, one after the other.
#[derive(Clone, Debug)]
pub struct Lexer<'a> {
    cursor: Cursor<'a>,
}

impl<'a> Lexer<'a> {
    /// Reads a script from byte `at` on.
    pub fn new(script: &'a [u8], at: usize) -> Self {
        Self { cursor: Cursor::new(script, at) }
    }

    /// The next word.
    pub fn next(&mut self) -> Result<(Token, Span), Fault> {
        self.skip_blanks()?;
        let start = self.cursor.at();
        let token = self.token()?;
        Ok((token, Span::new(start, self.cursor.at())))
    }

    /// Reads over blanks, comments, and line ends that a backslash takes away.
    fn skip_blanks(&mut self) -> Result<(), Fault> {
        loop {
            self.cursor.take_while(|byte| matches!(byte, b' ' | b'\t' | b'\r' | 0x0B | 0x0C));
            match self.cursor.peek() {
                Some(b'#') => {
                    self.cursor.take_while(|byte| byte != b'\n');
                }
                Some(b'\\') => {
                    let at = self.cursor.at();
                    if self.cursor.eat(b"\\\n") || self.cursor.eat(b"\\\r\n") {
                        continue;
                    }
                    return Err(match self.cursor.peek_at(1) {
                        None => Fault::incomplete(at, "a line should follow this '\\'"),
                        Some(_) => {
                            Fault::wrong(at, "'\\' outside of quotes stands at the end of a line only")
                        }
                    });
                }
                _ => return Ok(()),
            }
        }
    }

    fn token(&mut self) -> Result<Token, Fault> {
        let Some(byte) = self.cursor.peek() else { return Ok(Token::End) };
        if let Some(token) = self.punctuation() {
            return Ok(token);
        }
        match byte {
            b'\'' | b'"' => self.text_or_label(),
            b':' => self.symbol(),
            _ if number::begins(&self.cursor) => number::number(&mut self.cursor),
            _ if begins_name(byte) => Ok(self.name_or_label()),
            _ => Err(self.unexpected_character()),
        }
    }

    fn punctuation(&mut self) -> Option<Token> {
        if self.cursor.eat(b"=>") {
            return Some(Token::Arrow);
        }
        let token = match self.cursor.peek()? {
            b',' => Token::Comma,
            b'=' => Token::Assign,
            b'(' => Token::OpenParen,
            b')' => Token::CloseParen,
            b'[' => Token::OpenBracket,
            b']' => Token::CloseBracket,
            b'{' => Token::OpenBrace,
            b'}' => Token::CloseBrace,
            b';' => Token::Semicolon,
            b'\n' => Token::Newline,
            _ => return None,
        };
        self.cursor.next();
        Some(token)
    }

    fn text_or_label(&mut self) -> Result<Token, Fault> {
        let text = literal::quoted(&mut self.cursor)?;
        Ok(if self.eat_label_colon() { Token::Label(text) } else { Token::Text(text) })
    }

    /// `:name` or `:"any text"`; the shell's own options are texts, and so are symbols here.
    fn symbol(&mut self) -> Result<Token, Fault> {
        let start = self.cursor.at();
        self.cursor.next();
        match self.cursor.peek() {
            Some(b'\'' | b'"') => literal::quoted(&mut self.cursor).map(Token::Text),
            Some(byte) if begins_name(byte) => {
                Ok(Token::Text(Bytes::copy_from_slice(self.cursor.take_while(continues_name))))
            }
            _ => Err(Fault::wrong(start, "unexpected ':'")),
        }
    }

    fn name_or_label(&mut self) -> Token {
        let start = self.cursor.at();
        self.cursor.take_while(continues_name);
        if self.eat_label_colon() {
            let written = self.cursor.since(start);
            return Token::Label(Bytes::copy_from_slice(written.strip_suffix(b":").unwrap_or(written)));
        }
        while self.eat_path_separator() {
            self.cursor.take_while(continues_name);
        }
        Token::Name(String::from_utf8_lossy(self.cursor.since(start)).into_owned())
    }

    fn eat_label_colon(&mut self) -> bool {
        self.cursor.peek_at(1) != Some(b':') && self.cursor.eat(b":")
    }

    fn eat_path_separator(&mut self) -> bool {
        let separator: &[u8] = match (self.cursor.peek(), self.cursor.peek_at(1)) {
            (Some(b'.'), _) => b".",
            (Some(b':'), Some(b':')) => b"::",
            _ => return false,
        };
        self.cursor.peek_at(separator.len()).is_some_and(begins_name) && self.cursor.eat(separator)
    }

    fn unexpected_character(&self) -> Fault {
        let character = self.cursor.next_character();
        let hint = match character {
            '‘' | '’' | '“' | '”' | '´' | '`' => ": use the plain quotes ' or \"",
            _ => "",
        };
        Fault::wrong(self.cursor.at(), format!("unexpected {character:?}{hint}"))
    }
}

fn begins_name(byte: u8) -> bool {
    byte.is_ascii_alphabetic() || byte == b'_'
}

fn continues_name(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tokens(script: &str) -> Vec<Token> {
        let mut lexer = Lexer::new(script.as_bytes(), 0);
        let mut tokens = Vec::new();
        loop {
            match lexer.next().unwrap().0 {
                Token::End => return tokens,
                token => tokens.push(token),
            }
        }
    }

    fn name(name: &str) -> Token {
        Token::Name(name.to_owned())
    }

    #[test]
    fn words_of_a_command() {
        assert_eq!(
            tokens("put 't', {NAME=>1}; # 'comment'\n"),
            [
                name("put"),
                Token::Text("t".into()),
                Token::Comma,
                Token::OpenBrace,
                name("NAME"),
                Token::Arrow,
                Token::Int(1),
                Token::CloseBrace,
                Token::Semicolon,
                Token::Newline,
            ]
        );
    }

    #[test]
    fn names_have_paths_and_labels_a_colon() {
        assert_eq!(tokens("a.b.C::D.new"), [name("a.b.C::D.new")]);
        assert_eq!(tokens("NAME: 'x'"), [Token::Label("NAME".into()), Token::Text("x".into())]);
        assert_eq!(tokens("'k': :sym"), [Token::Label("k".into()), Token::Text("sym".into())]);
    }

    #[test]
    fn a_backslash_takes_the_line_end_away() {
        assert_eq!(tokens("a \\\n b \\\r\nc"), [name("a"), name("b"), name("c")]);
        assert!(Lexer::new(b"\\", 0).next().unwrap_err().incomplete);
        assert!(!Lexer::new(b"\\x", 0).next().unwrap_err().incomplete);
    }

    #[test]
    fn typographic_quotes_get_a_hint() {
        let fault = Lexer::new("‘t’".as_bytes(), 0).next().unwrap_err();
        assert!(fault.message.contains("plain quotes"), "{}", fault.message);
    }
}
