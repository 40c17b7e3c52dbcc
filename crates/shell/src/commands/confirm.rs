//! Questions before many tables change at once, and how they are answered. Only "yes" means yes.

use std::sync::atomic::{AtomicBool, Ordering};

/// What became of a question.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Confirmation {
    /// Go on.
    Yes,
    /// Do nothing.
    No,
    /// Nobody answered: do nothing, and say so.
    Missing,
}

impl Confirmation {
    /// The answer that a line gives: `y`, `yes`, `n` or `no`. Any other line is no answer.
    pub fn from_line(line: &[u8]) -> Self {
        match line.trim_ascii().to_ascii_lowercase().as_slice() {
            b"y" | b"yes" => Self::Yes,
            b"n" | b"no" => Self::No,
            _ => Self::Missing,
        }
    }
}

/// Answers a question before many tables change at once.
pub trait Confirm: Send + Sync {
    /// Whether to go on. `tables` are those concerned.
    fn confirm(&self, tables: &[String], question: &str) -> Confirmation;
}

/// The line after a command of a script, which answers the command's question.
pub(crate) struct AnswerInScript {
    answer: Confirmation,
    after: usize,
    asked: AtomicBool,
}

impl AnswerInScript {
    /// The answer to a command that ends at byte `at`.
    pub(crate) fn after(script: &[u8], at: usize) -> Self {
        let rest = script.get(at..).unwrap_or_default();
        let ends_line = |byte: &u8| matches!(byte, b';' | b' ' | b'\t' | b'\r');
        let line_end = rest.iter().position(|byte| !ends_line(byte)).unwrap_or(rest.len());
        let line = rest.get(line_end..).and_then(|rest| rest.strip_prefix(b"\n")).unwrap_or_default();
        let line = line.split(|&byte| byte == b'\n').next().unwrap_or_default();
        let after = at + line_end + 1 + line.len();
        Self { answer: Confirmation::from_line(line), after, asked: AtomicBool::new(false) }
    }

    /// Where the script goes on: after the answer, if there was a question and this is an answer.
    pub(crate) fn next(&self, at: usize) -> usize {
        let answered = self.answer != Confirmation::Missing && self.asked.load(Ordering::Relaxed);
        if answered { self.after } else { at }
    }
}

impl Confirm for AnswerInScript {
    fn confirm(&self, _: &[String], _: &str) -> Confirmation {
        self.asked.store(true, Ordering::Relaxed);
        self.answer
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_yes_means_yes() {
        for line in ["y", " Y\r", "yes", "YES\t"] {
            assert_eq!(Confirmation::from_line(line.as_bytes()), Confirmation::Yes, "{line:?}");
        }
        for line in ["n", "NO "] {
            assert_eq!(Confirmation::from_line(line.as_bytes()), Confirmation::No, "{line:?}");
        }
        for line in ["", " ", "yy", "yes please", "y;", "y 1", "ja", "nope", "'y'", "maybe"] {
            assert_eq!(Confirmation::from_line(line.as_bytes()), Confirmation::Missing, "{line:?}");
        }
    }

    #[test]
    fn an_answer_is_read_once_and_only_after_a_question() {
        let script = b"drop_all 'a' ; \r\n y \nlist";
        let end = b"drop_all 'a'".len();
        let answer = AnswerInScript::after(script, end);
        assert_eq!(answer.next(end), end);
        assert_eq!(answer.confirm(&[], ""), Confirmation::Yes);
        assert_eq!(script.get(answer.next(end)..), Some(&b"\nlist"[..]));
    }

    #[test]
    fn what_is_no_answer_is_the_next_command() {
        for script in ["x", "x\n", "x\nlist", "x\n\ny", "x; y", "x;list\ny"] {
            let answer = AnswerInScript::after(script.as_bytes(), 1);
            assert_eq!((answer.confirm(&[], ""), answer.next(1)), (Confirmation::Missing, 1), "{script:?}");
        }
    }
}
