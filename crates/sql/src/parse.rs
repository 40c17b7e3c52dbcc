//! From text to the parser's tree.

use sqlparser::ast::Statement;
use sqlparser::dialect::Dialect;
use sqlparser::keywords::Keyword;
use sqlparser::parser::{Parser, ParserError};
use sqlparser::tokenizer::{Token, Tokenizer};

use crate::resolve::stack_bytes;

/// What the likeliest parser has against a text; none when it takes it.
pub fn complaint(sql: &str, dialect: crate::Dialect) -> Option<String> {
    let parser = dialect.parsers().into_iter().next()?;
    let bytes = stack_bytes(sql);
    let parsed = stacker::maybe_grow(bytes, bytes, || statements(parser, sql).err());
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
