//! The shell's language: Ruby's way of writing a call with literals, and no more of Ruby than that.
//!
//! `reader` gives a script's commands one by one, `parser` reads one of them from the words of the `lexer`,
//! [`Value`] is what they are given.

mod cursor;
mod fault;
mod lexer;
mod literal;
mod number;
mod parser;
mod place;
mod reader;
mod token;
mod value;

pub use fault::{Fault, SyntaxError};
pub use parser::Command;
pub use place::{Lines, Place, Span};
pub use reader::{Step, step};
pub use value::Value;
