//! Puts words together to commands.
//!
//! ```text
//! command   = [ variable "=" ] [ variable "." ] name [ "(" [ arguments ] ")" | arguments ]
//! arguments = argument { "," argument }
//! argument  = value | pair                        pairs come last and make one hash
//! pair      = value "=>" value | label value
//! value     = text { text } | number | name | "[" [ arguments ] "]" | "{" [ pair { "," pair } ] "}"
//!           | class ".new" [ "(" [ arguments ] ")" ]
//! ```
//! A line end ends a command, except inside brackets and after a comma, an arrow, a label or a backslash.

use super::fault::Fault;
use super::lexer::Lexer;
use super::place::Span;
use super::token::Token;
use super::value::Value;

/// Values nest at most so deep: enough for any command, and no risk for the stack.
const MAX_DEPTH: usize = 64;

/// One command of a script.
#[derive(Clone, Debug, PartialEq)]
pub struct Command {
    /// `t = create …`: the name under which the table is known from now on.
    pub variable: Option<String>,
    /// `t.scan`: the table's name in the script.
    pub receiver: Option<String>,
    /// The command's name.
    pub name: String,
    /// What it is given.
    pub arguments: Vec<Value>,
    /// Where it stands.
    pub span: Span,
}

/// Reads the command that begins at or after byte `at`, with the place after it. `None` when there is none.
pub fn command(script: &[u8], at: usize) -> Result<Option<(Command, usize)>, Fault> {
    let mut parser = Parser::new(script, at)?;
    while matches!(parser.token, Token::Newline | Token::Semicolon) {
        parser.advance()?;
    }
    if parser.token == Token::End {
        return Ok(None);
    }
    let command = parser.command()?;
    Ok(Some((command, parser.span.start)))
}

struct Parser<'a> {
    lexer: Lexer<'a>,
    token: Token,
    span: Span,
    last_end: usize,
    depth: usize,
}

impl<'a> Parser<'a> {
    fn new(script: &'a [u8], at: usize) -> Result<Self, Fault> {
        let mut lexer = Lexer::new(script, at);
        let (token, span) = lexer.next()?;
        Ok(Self { lexer, token, span, last_end: at, depth: 0 })
    }

    /// Goes to the next word. Inside brackets the ends of lines mean nothing.
    fn advance(&mut self) -> Result<(), Fault> {
        self.last_end = self.span.end;
        loop {
            (self.token, self.span) = self.lexer.next()?;
            if self.depth == 0 || self.token != Token::Newline {
                return Ok(());
            }
        }
    }

    /// Goes to the next word, which may stand in a later line.
    fn advance_over_lines(&mut self) -> Result<(), Fault> {
        self.advance()?;
        while self.token == Token::Newline {
            self.advance()?;
        }
        Ok(())
    }

    fn command(&mut self) -> Result<Command, Fault> {
        let start = self.span.start;
        let mut name = self.name()?;
        let mut variable = None;
        if self.token == Token::Assign {
            self.advance()?;
            variable = Some(std::mem::replace(&mut name, self.name()?));
        }
        let receiver =
            name.rsplit_once('.').map(|(receiver, method)| (receiver.to_owned(), method.to_owned()));
        let (receiver, name) = receiver.map_or((None, name), |(receiver, method)| (Some(receiver), method));
        let arguments = self.command_arguments()?;
        if !self.at_command_end() {
            return Err(self.unexpected("a ',' or the end of the command"));
        }
        Ok(Command { variable, receiver, name, arguments, span: Span::new(start, self.last_end) })
    }

    fn name(&mut self) -> Result<String, Fault> {
        match &self.token {
            Token::Name(name) => {
                let name = name.clone();
                self.advance()?;
                Ok(name)
            }
            _ => Err(self.unexpected("a command")),
        }
    }

    fn at_command_end(&self) -> bool {
        matches!(self.token, Token::Newline | Token::Semicolon | Token::End)
    }

    fn command_arguments(&mut self) -> Result<Vec<Value>, Fault> {
        match self.token {
            Token::OpenParen => self.bracketed(&Token::CloseParen, Self::arguments),
            _ if self.at_command_end() => Ok(Vec::new()),
            _ => self.arguments(None),
        }
    }

    /// Reads an opening bracket, what stands inside, and the closing one.
    fn bracketed<T>(
        &mut self,
        close: &Token,
        inside: impl FnOnce(&mut Self, Option<&Token>) -> Result<T, Fault>,
    ) -> Result<T, Fault> {
        let open_at = self.span.start;
        if self.depth == MAX_DEPTH {
            return Err(Fault::wrong(open_at, "brackets are nested too deeply"));
        }
        self.depth += 1;
        self.advance()?;
        let content = inside(self, Some(close))?;
        if self.token != *close {
            return Err(match self.token {
                Token::End => {
                    Fault::incomplete(open_at, format!("a {} is missing for this", close.describe()))
                }
                _ => self.unexpected(&format!("a ',' or a {}", close.describe())),
            });
        }
        self.depth -= 1;
        self.advance()?;
        Ok(content)
    }

    /// Reads arguments up to, not including, `close`, or up to the end of the command.
    fn arguments(&mut self, close: Option<&Token>) -> Result<Vec<Value>, Fault> {
        let mut values = Vec::new();
        let mut pairs = Vec::new();
        while close.is_none_or(|close| self.token != *close) {
            let start = self.span.start;
            match self.argument()? {
                Argument::Pair(key, value) => pairs.push((key, value)),
                Argument::Value(value) if pairs.is_empty() => values.push(value),
                Argument::Value(_) => {
                    return Err(Fault::wrong(start, "a value without '=>' cannot follow values with it"));
                }
            }
            if !self.comma()? {
                break;
            }
        }
        if !pairs.is_empty() {
            values.push(Value::Hash(pairs));
        }
        Ok(values)
    }

    fn pairs(&mut self, close: Option<&Token>) -> Result<Vec<(Value, Value)>, Fault> {
        let mut pairs = Vec::new();
        while close.is_none_or(|close| self.token != *close) {
            match self.argument()? {
                Argument::Pair(key, value) => pairs.push((key, value)),
                Argument::Value(_) => return Err(self.unexpected("a '=>' with a value")),
            }
            if !self.comma()? {
                break;
            }
        }
        Ok(pairs)
    }

    /// Reads a comma, if there is one.
    fn comma(&mut self) -> Result<bool, Fault> {
        if self.token != Token::Comma {
            return Ok(false);
        }
        self.advance_over_lines().map(|()| true)
    }

    fn argument(&mut self) -> Result<Argument, Fault> {
        if let Token::Label(label) = &self.token {
            let key = Value::Text(label.clone());
            self.advance_over_lines()?;
            return Ok(Argument::Pair(key, self.value()?));
        }
        let value = self.value()?;
        if self.token != Token::Arrow {
            return Ok(Argument::Value(value));
        }
        self.advance_over_lines()?;
        Ok(Argument::Pair(value, self.value()?))
    }

    fn value(&mut self) -> Result<Value, Fault> {
        match &self.token {
            Token::Text(_) => self.text(),
            Token::Int(number) => {
                let value = Value::Int(*number);
                self.advance().map(|()| value)
            }
            Token::Float(number) => {
                let value = Value::Float(*number);
                self.advance().map(|()| value)
            }
            Token::Name(name) => {
                let name = name.clone();
                self.advance()?;
                self.named_value(name)
            }
            Token::OpenBracket => self.bracketed(&Token::CloseBracket, Self::arguments).map(Value::Array),
            Token::OpenBrace => self.bracketed(&Token::CloseBrace, Self::pairs).map(Value::Hash),
            _ => Err(self.unexpected("a value")),
        }
    }

    /// Literals side by side are one.
    fn text(&mut self) -> Result<Value, Fault> {
        let mut whole = Vec::new();
        while let Token::Text(text) = &self.token {
            whole.extend_from_slice(text);
            self.advance()?;
        }
        Ok(Value::text(whole))
    }

    fn named_value(&mut self, name: String) -> Result<Value, Fault> {
        if let Some(class) = name.strip_suffix(".new") {
            let class = class.to_owned();
            let arguments = match self.token {
                Token::OpenParen => self.bracketed(&Token::CloseParen, Self::arguments)?,
                _ => Vec::new(),
            };
            return Ok(Value::New { class, arguments });
        }
        Ok(match name.as_str() {
            "nil" => Value::Nil,
            "true" => Value::Bool(true),
            "false" => Value::Bool(false),
            _ => Value::Name(name),
        })
    }

    fn unexpected(&self, wanted: &str) -> Fault {
        let message = format!("unexpected {}: {wanted} should stand here", self.token.describe());
        match self.token {
            Token::End => Fault::incomplete(self.span.start, message),
            _ => Fault::wrong(self.span.start, message),
        }
    }
}

enum Argument {
    Value(Value),
    Pair(Value, Value),
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(script: &str) -> Command {
        let (command, _) = command(script.as_bytes(), 0).unwrap().unwrap();
        command
    }

    fn text(text: &'static str) -> Value {
        Value::text(text)
    }

    fn fault(script: &str) -> Fault {
        command(script.as_bytes(), 0).unwrap_err()
    }

    #[test]
    fn the_last_hash_needs_no_braces() {
        let name = |name: &str| Value::Name(name.to_owned());
        let create = read("create 't', {NAME=>'f', VERSIONS=>3}, SPLITS => ['a',\n 'b'], NUMREGIONS: 2");
        assert_eq!(create.name, "create");
        assert_eq!(
            create.arguments,
            [
                text("t"),
                Value::Hash(vec![(name("NAME"), text("f")), (name("VERSIONS"), Value::Int(3))]),
                Value::Hash(vec![
                    (name("SPLITS"), Value::Array(vec![text("a"), text("b")])),
                    (text("NUMREGIONS"), Value::Int(2)),
                ]),
            ]
        );
    }

    #[test]
    fn parentheses_and_several_lines() {
        let with = read("scan('t',\n\n  {LIMIT\n=>\n1\n,}\n)");
        assert_eq!(with, Command { span: with.span, ..read("scan 't', {LIMIT=>1}") });
        assert_eq!(read("list()").arguments, []);
        assert_eq!(read("list # 'x'\nget").arguments, []);
        assert_eq!(read("put 't',\n  'r'").arguments, [text("t"), text("r")]);
        assert_eq!(read("put 'a' 'b'").arguments, [text("ab")]);
    }

    #[test]
    fn a_command_ends_at_a_semicolon_or_line_end() {
        let script = b"  \n;list 'a;b'; list\nget";
        let (first, after) = command(script, 0).unwrap().unwrap();
        let (second, after) = command(script, after).unwrap().unwrap();
        let (third, after) = command(script, after).unwrap().unwrap();
        assert_eq!([&first.name, &second.name, &third.name], ["list", "list", "get"]);
        assert_eq!(&script[first.span.start..first.span.end], b"list 'a;b'");
        assert_eq!(command(script, after).unwrap(), None);
    }

    #[test]
    fn tables_can_have_names_in_the_script() {
        let create = read("t1 = create 't1', 'f'");
        assert_eq!((create.variable.as_deref(), create.name.as_str()), (Some("t1"), "create"));
        let put = read("t1.put 'r', 'f:q', 'v'");
        assert_eq!((put.receiver.as_deref(), put.name.as_str()), (Some("t1"), "put"));
    }

    #[test]
    fn java_classes_can_be_made() {
        let filter = "org.apache.hadoop.hbase.filter.ColumnPaginationFilter";
        let Value::Hash(pairs) = read(&format!("scan 't', FILTER=>{filter}.new(1, 0)")).arguments.remove(1)
        else {
            panic!("no hash");
        };
        let arguments = vec![Value::Int(1), Value::Int(0)];
        assert_eq!(pairs[0].1, Value::New { class: filter.to_owned(), arguments });
    }

    #[test]
    fn what_can_go_on_is_incomplete() {
        for open in
            ["put 't',", "put 't', {", "put 't', {A=>", "put (", "put [1", "put 'a", "put \\", "t =", "x a:"]
        {
            assert!(fault(open).incomplete, "{open}");
        }
        for wrong in [
            "put 't' {A=>1}",
            "put ]",
            "put {1}",
            "'t'",
            "put 't',,",
            "put a=>1, 2",
            "t = 5",
            "put -",
            "put 1 2",
        ] {
            assert!(!fault(wrong).incomplete, "{wrong}");
        }
    }

    #[test]
    fn deep_nesting_is_refused() {
        let deep = format!("put {}1{}", "[".repeat(100_000), "]".repeat(100_000));
        assert!(fault(&deep).message.contains("too deeply"));
    }
}
