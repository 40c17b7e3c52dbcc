//! How a command ends: with a verdict or a failure, and which exit code that is.

use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use crate::interrupt;
use crate::terminal::{self, AnsiColor, Style};
use tablesmith_model::TableName;
use tablesmith_store::StoreError;

/// What the tool found out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Everything is fine.
    Yes,
    /// The tool worked, and the answer is no: a command of a script failed, an answer is wrong.
    No,
}

/// Why the tool could not do its work.
#[derive(Debug)]
pub enum Failure {
    /// A script that cannot be read.
    Script {
        /// Its path.
        path: PathBuf,
        /// Why.
        error: io::Error,
    },
    /// A file that was named cannot be read.
    Input {
        /// Its path.
        path: PathBuf,
        /// Why.
        error: io::Error,
    },
    /// A file is not what it should be; the message points at the places.
    BadFile(String),
    /// A file would be written over.
    Exists(PathBuf),
    /// A file cannot be written.
    CannotWrite {
        /// Its path.
        path: PathBuf,
        /// Why.
        error: io::Error,
    },
    /// There is nowhere to keep data by default.
    NoDataDirectory,
    /// The store failed.
    Store(StoreError),
    /// The store has no tables for a design yet.
    NoTables(TableName),
    /// A store failed in a command of a script, which has said so.
    StoreInScript,
    /// The output cannot be written.
    Output(io::Error),
    /// The operating system refused something that every command needs.
    System(io::Error),
    /// Ctrl-C or SIGTERM.
    Interrupted,
}

/// As shells report a program that Ctrl-C ended.
pub const INTERRUPTED: u8 = 130;

impl Failure {
    fn code(&self) -> u8 {
        match self {
            // Nobody reads on: that is no failure of ours.
            Self::Output(error) if error.kind() == io::ErrorKind::BrokenPipe => 0,
            Self::Script { .. }
            | Self::Input { .. }
            | Self::BadFile(_)
            | Self::Exists(_)
            | Self::CannotWrite { .. }
            | Self::NoTables(_)
            | Self::NoDataDirectory => 2,
            Self::Store(_) | Self::StoreInScript | Self::Output(_) | Self::System(_) => 3,
            Self::Interrupted => INTERRUPTED,
        }
    }

    /// One sentence of what happened and what to do; `None` where nothing is left to say.
    fn message(&self) -> Option<String> {
        Some(match self {
            Self::Script { path, error } => {
                format!("cannot read the script {}: {error}", path.display())
            }
            Self::Input { path, error } => format!("cannot read {}: {error}", path.display()),
            Self::BadFile(message) => message.clone(),
            Self::Exists(path) => {
                format!("{} exists: name another file with -o, or write over it with --force", path.display())
            }
            Self::CannotWrite { path, error } => format!("cannot write {}: {error}", path.display()),
            Self::NoDataDirectory => {
                "there is no data directory for you here (is HOME set?): name one with --store embedded:DIR"
                    .to_owned()
            }
            Self::Store(error) => error.to_string(),
            Self::NoTables(table) => format!(
                "the store has no table {table}: make the tables first, with tablesmith apply DESIGN.toml --yes, and load them"
            ),
            Self::Output(error) if error.kind() == io::ErrorKind::BrokenPipe => return None,
            Self::Output(error) => format!("cannot write the output: {error}"),
            Self::System(error) => format!("the operating system refused: {error}"),
            Self::StoreInScript => return None,
            Self::Interrupted => match interrupt::progress() {
                Some(done) => format!("interrupted: {done}"),
                None => "interrupted".to_owned(),
            },
        })
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

impl From<StoreError> for Failure {
    fn from(error: StoreError) -> Self {
        Self::Store(error)
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

    #[test]
    fn a_broken_pipe_ends_quietly() {
        let broken = Failure::Output(io::ErrorKind::BrokenPipe.into());
        assert_eq!((broken.code(), broken.message()), (0, None));
        let full = Failure::Output(io::ErrorKind::StorageFull.into());
        assert_eq!(full.code(), 3);
        assert!(full.message().is_some());
    }

    #[test]
    fn wrong_use_and_failing_stores_differ() {
        let script = Failure::Script { path: "a.hbsh".into(), error: io::ErrorKind::NotFound.into() };
        assert_eq!(script.code(), 2);
        assert!(script.message().unwrap().contains("a.hbsh"));
        assert_eq!(Failure::from(StoreError::Locked("held".into())).code(), 3);
    }
}
