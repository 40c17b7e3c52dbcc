//! The words of the language.

use bytes::Bytes;

/// One word of a script.
#[derive(Clone, Debug, PartialEq)]
pub enum Token {
    /// A bare name: a command, a constant, a Java class with its package.
    Name(String),
    /// `NAME:` before a value, the newer way to write a key.
    Label(Bytes),
    /// A quoted literal or a symbol.
    Text(Bytes),
    /// A whole number.
    Int(i128),
    /// Any other number.
    Float(f64),
    /// `,`
    Comma,
    /// `=>`
    Arrow,
    /// `=`
    Assign,
    /// `(`
    OpenParen,
    /// `)`
    CloseParen,
    /// `[`
    OpenBracket,
    /// `]`
    CloseBracket,
    /// `{`
    OpenBrace,
    /// `}`
    CloseBrace,
    /// `;`
    Semicolon,
    /// The end of a line.
    Newline,
    /// The end of the script.
    End,
}

impl Token {
    /// The word as a message names it.
    pub fn describe(&self) -> String {
        match self {
            Self::Name(name) => format!("'{name}'"),
            Self::Label(label) => format!("'{}:'", String::from_utf8_lossy(label)),
            Self::Text(_) => "a quoted text".to_owned(),
            Self::Int(number) => format!("the number {number}"),
            Self::Float(number) => format!("the number {number}"),
            Self::Comma => "','".to_owned(),
            Self::Arrow => "'=>'".to_owned(),
            Self::Assign => "'='".to_owned(),
            Self::OpenParen => "'('".to_owned(),
            Self::CloseParen => "')'".to_owned(),
            Self::OpenBracket => "'['".to_owned(),
            Self::CloseBracket => "']'".to_owned(),
            Self::OpenBrace => "'{'".to_owned(),
            Self::CloseBrace => "'}'".to_owned(),
            Self::Semicolon => "';'".to_owned(),
            Self::Newline => "the end of the line".to_owned(),
            Self::End => "the end of the script".to_owned(),
        }
    }
}
