//! From text to the parser's tree.

use sqlparser::ast::Statement;
use sqlparser::dialect::Dialect;
use sqlparser::keywords::Keyword;
use sqlparser::parser::{Parser, ParserError};
use sqlparser::tokenizer::{Token, Tokenizer};

/// Longer texts are not parsed.
pub(crate) const PARSED_BYTES_MAX: usize = 64 * 1024;

/// Deeper parentheses are nobody's query, and parsers try them in more than one way at every level.
pub(crate) const NESTING_MAX: usize = 40;

/// A syntax tree is at most half as deep as its text is long; this much stack for each byte holds any walk over it.
const STACK_BYTES_PER_BYTE: usize = 1024;

/// What every statement may use of the stack, however short it is.
const STACK_BYTES_MIN: usize = 1024 * 1024;

/// Does something with the tree of a text that is this long, on a stack that is large enough. Trees must be dropped there, too.
pub(crate) fn on_large_stack<T>(text_bytes: usize, work: impl FnOnce() -> T) -> T {
    let bytes = STACK_BYTES_MIN + text_bytes * STACK_BYTES_PER_BYTE;
    stacker::maybe_grow(bytes, bytes, work)
}

/// What the likeliest parser has against a text; none when it takes it.
pub fn complaint(sql: &str, dialect: crate::Dialect) -> Option<String> {
    let parser = dialect.parsers().into_iter().next()?;
    let parsed = on_large_stack(sql.len(), || statements(parser, sql).err());
    parsed.map(|error| match error {
        ParserError::TokenizerError(why) | ParserError::ParserError(why) => why,
        ParserError::RecursionLimitExceeded => "it is nested too deeply".to_owned(),
    })
}

/// The statements of a text. `user` is a name here, as tables and columns are called so often; to the parser it would be the
/// function that says who is asking.
pub(crate) fn statements(dialect: &dyn Dialect, sql: &str) -> Result<Vec<Statement>, ParserError> {
    let mut tokens = Tokenizer::new(dialect, sql).tokenize_with_location()?;
    for token in &mut tokens {
        if let Token::Word(word) = &mut token.token
            && word.keyword == Keyword::USER
        {
            word.keyword = Keyword::NoKeyword;
        }
    }
    Parser::new(dialect).with_tokens_with_locations(tokens).parse_statements()
}
