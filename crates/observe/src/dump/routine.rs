//! Triggers, functions and procedures: statements inside their bodies are not statements of the dump.

use tablesmith_sql::{Dialect, words};

use super::statements::begins_with;

/// Words of a statement among which its kind stands.
const KIND_WITHIN: usize = 8;

/// Whether statements are part of a body, and how deep.
#[derive(Debug, Default)]
pub(super) struct Routine {
    depth: usize,
}

impl Routine {
    /// Whether a statement declares a routine or is part of one's body: `BEGIN` and `CASE` go on to their `END`.
    pub fn has(&mut self, statement: &[u8], dialect: Dialect) -> bool {
        if self.depth > 0 && begins_with(statement, b"CREATE TABLE") {
            // No body declares tables: this one never ended.
            self.depth = 0;
        }
        if self.depth == 0 && !declares_routine(statement, dialect) {
            return false;
        }
        for word in words(statement, dialect) {
            match word {
                word if is(word, "BEGIN") || is(word, "CASE") => self.depth += 1,
                word if is(word, "END") => self.depth = self.depth.saturating_sub(1),
                _ => {}
            }
        }
        true
    }
}

fn declares_routine(statement: &[u8], dialect: Dialect) -> bool {
    begins_with(statement, b"CREATE")
        && words(statement, dialect).take(KIND_WITHIN).any(|word| {
            ["TRIGGER", "FUNCTION", "PROCEDURE", "EVENT", "PACKAGE"].iter().any(|kind| is(word, kind))
        })
        && !begins_with(statement, b"CREATE TABLE")
}

fn is(word: &[u8], other: &str) -> bool {
    word.eq_ignore_ascii_case(other.as_bytes())
}
