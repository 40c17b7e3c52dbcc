//! Runs the program in a home of its own, so that tests neither see nor change the user's data.

use std::ffi::OsStr;
use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use serde_json::Value;
use tempfile::TempDir;

/// A home with a data directory.
pub struct Home(TempDir);

/// What a run of the program left.
#[derive(Debug)]
pub struct Run {
    /// Its exit code; -1 when a signal ended it.
    pub code: i32,
    /// What it wrote.
    pub stdout: Vec<u8>,
    /// What it wrote for people.
    pub stderr: String,
}

impl Home {
    /// An empty one.
    pub fn new() -> Self {
        Self(TempDir::with_prefix("tablesmith-test-").unwrap())
    }

    /// A path in it.
    pub fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    /// Writes a file and returns its path.
    pub fn file(&self, name: &str, content: impl AsRef<[u8]>) -> PathBuf {
        let path = self.path(name);
        std::fs::write(&path, content).unwrap();
        path
    }

    /// The program, ready to be started.
    pub fn command<I: AsRef<OsStr>>(&self, arguments: impl IntoIterator<Item = I>) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_tablesmith"));
        command
            .args(arguments)
            .current_dir(self.0.path())
            .env("HOME", self.0.path())
            .env("TMPDIR", self.0.path())
            .env("XDG_DATA_HOME", self.path("data"))
            .env("XDG_CACHE_HOME", self.path("cache"))
            .env("LOCALAPPDATA", self.path("data"))
            .env_remove("CLICOLOR_FORCE")
            .env_remove("NO_COLOR");
        command
    }

    /// Runs the program without any input.
    pub fn run<I: AsRef<OsStr>>(&self, arguments: impl IntoIterator<Item = I>) -> Run {
        self.run_with_input(arguments, b"")
    }

    /// Runs the program with an input that is not a terminal.
    pub fn run_with_input<I: AsRef<OsStr>>(
        &self,
        arguments: impl IntoIterator<Item = I>,
        input: &[u8],
    ) -> Run {
        let mut child = self
            .command(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        // A program that does not read its input closes it: that is its right.
        let _ = child.stdin.take().unwrap().write_all(input);
        let output = child.wait_with_output().unwrap();
        Run {
            code: output.status.code().unwrap_or(-1),
            stdout: output.stdout,
            stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
        }
    }
}

impl Run {
    /// What it wrote, as text.
    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.stdout).into_owned()
    }

    /// What it wrote, as one JSON value for each line.
    pub fn json(&self) -> Vec<Value> {
        let parse = |line: &str| serde_json::from_str(line).unwrap_or_else(|error| panic!("{line}: {error}"));
        self.text().lines().map(parse).collect()
    }
}
