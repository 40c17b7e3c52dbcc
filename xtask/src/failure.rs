//! Why a command of xtask did not succeed.

use std::fmt;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// What went wrong, as a sentence that says what to do next.
#[derive(Debug)]
pub enum Failure {
    /// The words on the command line mean nothing.
    Usage(&'static str),
    /// A step failed; `repeat` runs it again.
    Step { name: String, repeat: String, why: String },
    /// A tool is missing and may not be installed from here.
    MissingTool { name: &'static str, install: String },
    /// A file cannot be read or written.
    File { path: PathBuf, error: std::io::Error },
    /// HBase did not start or stop; the sentence is the testbed's.
    Hbase(String),
    /// A check found something; the findings are printed already.
    Found { what: String, fix: String },
}

impl Failure {
    /// A failure about one file.
    pub fn file(path: &Path, error: std::io::Error) -> Self {
        Self::File { path: path.to_owned(), error }
    }

    /// A failure of the testbed.
    pub fn hbase(error: &hbase_testbed::Error) -> Self {
        Self::Hbase(error.to_string())
    }

    /// 2 for wrong use, 1 for everything that was tried and failed.
    pub fn exit_code(&self) -> ExitCode {
        ExitCode::from(if matches!(self, Self::Usage(_)) { 2 } else { 1 })
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Usage(usage) => write!(f, "no such command.\n\n{usage}"),
            Self::Step { name, repeat, why } => {
                write!(f, "{name} failed ({why}). Repeat it with: {repeat}")
            }
            Self::MissingTool { name, install } => {
                write!(f, "{name} is missing. Install it with: {install}")
            }
            Self::File { path, error } => write!(f, "{}: {error}", path.display()),
            Self::Hbase(why) => f.write_str(why),
            Self::Found { what, fix } => write!(f, "{what}. {fix}"),
        }
    }
}
