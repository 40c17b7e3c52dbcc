//! How a command ends: with a verdict or a failure, and which exit code that is.

use std::io::{self, Write};
use std::process::ExitCode;

use tablesmith_app::{AppError, ErrorClass};
use tablesmith_papers::PaperError;
use tablesmith_store::StoreError;

use crate::interrupt;
use crate::terminal::{self, AnsiColor, Style};

/// What the tool found out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Everything is fine.
    Yes,
    /// The tool worked, and the answer is no: a command of a script failed, an answer is wrong.
    No,
}

impl Verdict {
    /// Yes, if it is.
    pub fn of(is_fine: bool) -> Self {
        if is_fine { Self::Yes } else { Self::No }
    }
}

/// Why the tool could not do its work.
#[derive(Debug)]
pub enum Failure {
    /// An operation did not succeed.
    App(AppError),
    /// An experiment of a paper came to nothing.
    Paper(PaperError),
    /// A store failed in a command of a script, which has said so.
    StoreInScript,
}

/// As shells report a program that Ctrl-C ended.
pub const INTERRUPTED: u8 = 130;

impl Failure {
    /// The output cannot be written.
    pub fn output(error: io::Error) -> Self {
        Self::App(AppError::Output(error))
    }

    fn code(&self) -> u8 {
        match self {
            // Nobody reads on: that is no failure of ours.
            Self::App(AppError::Output(error)) if error.kind() == io::ErrorKind::BrokenPipe => 0,
            Self::App(error) => code(error.class()),
            Self::Paper(error) => code(error.class()),
            Self::StoreInScript => 3,
        }
    }

    /// One sentence of what happened and what to do; `None` where nothing is left to say.
    fn message(&self) -> Option<String> {
        match self {
            Self::App(AppError::Output(error)) if error.kind() == io::ErrorKind::BrokenPipe => None,
            Self::App(error @ AppError::Cancelled) => Some(match interrupt::progress() {
                Some(done) => format!("{error}: {done}"),
                None => error.to_string(),
            }),
            Self::App(error) => Some(error.to_string()),
            Self::Paper(error) => Some(error.to_string()),
            Self::StoreInScript => None,
        }
    }

    /// Writes the message for people.
    pub fn report(&self) {
        if let Some(message) = self.message() {
            let style = Style::color(AnsiColor::Red).bold();
            // Where not even this can be written, the exit code still says it.
            let _ = writeln!(terminal::stderr(), "{style}error:{style:#} {message}");
        }
    }
}

impl From<AppError> for Failure {
    fn from(error: AppError) -> Self {
        Self::App(error)
    }
}

impl From<StoreError> for Failure {
    fn from(error: StoreError) -> Self {
        Self::App(error.into())
    }
}

impl From<PaperError> for Failure {
    fn from(error: PaperError) -> Self {
        match error {
            PaperError::App(error) => Self::App(error),
            error => Self::Paper(error),
        }
    }
}

fn code(class: ErrorClass) -> u8 {
    match class {
        ErrorClass::Input => 2,
        ErrorClass::Store => 3,
        ErrorClass::Cancelled => INTERRUPTED,
    }
}

/// 0 fine, 1 no, 2 wrong use, 3 a store failed, 130 interrupted.
pub fn exit_code(outcome: &Result<Verdict, Failure>) -> ExitCode {
    ExitCode::from(match outcome {
        Ok(Verdict::Yes) => 0,
        Ok(Verdict::No) => 1,
        Err(failure) => failure.code(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use tablesmith_app::input_file::InputKind;

    #[test]
    fn a_broken_pipe_ends_quietly() {
        let broken = Failure::output(io::ErrorKind::BrokenPipe.into());
        assert_eq!((broken.code(), broken.message()), (0, None));
        let full = Failure::output(io::ErrorKind::StorageFull.into());
        assert_eq!(full.code(), 3);
        assert!(full.message().is_some());
    }

    #[test]
    fn wrong_use_and_failing_stores_differ() {
        let error = io::ErrorKind::NotFound.into();
        let script = AppError::Unreadable { kind: InputKind::Script, path: "a.hbsh".into(), error };
        let script = Failure::from(script);
        assert_eq!(script.code(), 2);
        assert!(script.message().unwrap().contains("a.hbsh"));
        assert_eq!(Failure::from(StoreError::Locked("held".into())).code(), 3);
    }
}
