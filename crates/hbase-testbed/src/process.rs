//! One JVM of a cluster, under watch: it ends with us, and says what we wait for on its standard output.

use std::fs::{self, File};
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, TryRecvError};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use crate::error::Error;
use crate::java::last_lines;

/// A running program that ends when its standard input does: see `Launcher.java`. Killed on drop.
#[derive(Debug)]
pub(crate) struct Process {
    name: String,
    child: Child,
    pipes: Mutex<Pipes>,
    log: PathBuf,
}

#[derive(Debug)]
struct Pipes {
    /// Held open: closing it ends the program, and the system closes it when we die, whatever kills us.
    commands: ChildStdin,
    answers: Receiver<String>,
}

impl Process {
    /// Starts the program; what it writes to standard error is added to `NAME.log` in `logs`.
    pub(crate) fn start(name: &str, command: &mut Command, logs: &Path) -> Result<Self, Error> {
        let log = logs.join(format!("{name}.log"));
        let file = File::options().create(true).append(true).open(&log).map_err(Error::file(&log))?;
        let mut child = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(file)
            .spawn()
            .map_err(|error| Error::not_started("java", &error))?;
        let (Some(commands), Some(output)) = (child.stdin.take(), child.stdout.take()) else {
            return Err(Error::File { path: log, source: std::io::ErrorKind::BrokenPipe.into() });
        };
        let pipes = Mutex::new(Pipes { commands, answers: lines_of(output) });
        Ok(Self { name: name.to_owned(), child, pipes, log })
    }

    /// Sends a command, and waits for the answer that begins with the same word.
    pub(crate) fn ask(&self, command: &str, limit: Duration) -> Result<String, Error> {
        let mut pipes = self.pipes();
        pipes.tell(command);
        pipes.wait_for(command.split(' ').next().unwrap_or(command), limit).map_err(|why| self.error(why))
    }

    /// Sends a command.
    pub(crate) fn tell(&self, command: &str) {
        self.pipes().tell(command);
    }

    /// Waits for a line that begins with `word`, and gives the rest of it.
    pub(crate) fn wait_for(&self, word: &str, limit: Duration) -> Result<String, Error> {
        self.pipes().wait_for(word, limit).map_err(|why| self.error(why))
    }

    fn pipes(&self) -> MutexGuard<'_, Pipes> {
        self.pipes.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether the program has ended: its output is then closed.
    pub(crate) fn has_ended(&self) -> bool {
        self.pipes().answers.try_recv() == Err(TryRecvError::Disconnected)
    }

    /// Waits for the program to end by itself, and well.
    pub(crate) fn wait_for_end(mut self) -> Result<(), Error> {
        match self.child.wait() {
            Ok(status) if status.success() => Ok(()),
            Ok(status) => Err(self.error(format!("ended ({status})"))),
            Err(error) => Err(self.error(format!("cannot be waited for ({error})"))),
        }
    }

    /// Ends the program at once, as `kill -9` does.
    pub(crate) fn kill(&mut self) {
        // Both fail only when it has ended already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }

    /// An error about this process, with the end of its log.
    pub(crate) fn error(&self, what: String) -> Error {
        let text = fs::read(&self.log).unwrap_or_default();
        let tail = last_lines(&String::from_utf8_lossy(&text), 30);
        Error::Server { name: self.name.clone(), what, log: self.log.clone(), tail }
    }
}

impl Pipes {
    fn tell(&mut self, command: &str) {
        // A program that has ended is found out by the missing answer.
        let _ = writeln!(self.commands, "{command}");
    }

    fn wait_for(&self, word: &str, limit: Duration) -> Result<String, String> {
        let deadline = Instant::now() + limit;
        loop {
            let left = deadline.saturating_duration_since(Instant::now());
            match self.answers.recv_timeout(left) {
                Ok(line) => match line.split_once(' ') {
                    Some((first, rest)) if first == word => return Ok(rest.to_owned()),
                    Some(("failed", why)) => return Err(format!("failed at {word:?}: {why}")),
                    _ => {}
                },
                Err(RecvTimeoutError::Timeout) => {
                    return Err(format!("did not say {word:?} in {} s", limit.as_secs()));
                }
                Err(RecvTimeoutError::Disconnected) => return Err("has ended".to_owned()),
            }
        }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.kill();
    }
}

/// Reads lines in a thread of its own, which ends with the program: reading with a time limit needs no more than this.
fn lines_of(output: ChildStdout) -> Receiver<String> {
    let (sender, receiver) = mpsc::channel();
    std::thread::spawn(move || {
        for line in BufReader::new(output).lines().map_while(Result::ok) {
            if sender.send(line).is_err() {
                break;
            }
        }
    });
    receiver
}
