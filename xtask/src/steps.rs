//! Steps that are announced, timed and summed up; the first that fails ends the run.

use std::process::Command;
use std::time::{Duration, Instant};

use crate::failure::Failure;

/// What was done so far.
#[derive(Default)]
pub struct Steps {
    done: Vec<(String, Duration)>,
}

impl Steps {
    /// Runs a command, with its output on the terminal.
    pub fn command(&mut self, name: &str, line: &Line) -> Result<(), Failure> {
        self.work(name, &line.to_string(), || line.run())
    }

    /// Runs a piece of this program; `repeat` is the command that does the same.
    pub fn work(
        &mut self,
        name: &str,
        repeat: &str,
        work: impl FnOnce() -> Result<(), String>,
    ) -> Result<(), Failure> {
        println!("── {name}: {repeat}");
        let begun = Instant::now();
        let result = work();
        self.done.push((name.to_owned(), begun.elapsed()));
        result.map_err(|why| {
            self.print_summary();
            Failure::Step { name: name.to_owned(), repeat: repeat.to_owned(), why }
        })
    }

    /// Prints the time of each step.
    pub fn print_summary(&self) {
        println!("── summary");
        for (name, time) in &self.done {
            println!("   {name:<10} {:>7.1} s", time.as_secs_f64());
        }
        let total: Duration = self.done.iter().map(|(_, time)| *time).sum();
        println!("   {:<10} {:>7.1} s", "all", total.as_secs_f64());
    }
}

/// A command line, kept so that it can be run and also shown.
pub struct Line {
    variables: Vec<(&'static str, String)>,
    words: Vec<String>,
}

impl Line {
    /// A command of cargo: the cargo that runs this program.
    pub fn cargo(arguments: &[&str]) -> Self {
        let words = std::iter::once("cargo").chain(arguments.iter().copied()).map(str::to_owned).collect();
        Self { variables: Vec::new(), words }
    }

    /// Any command.
    pub fn new(words: &[&str]) -> Self {
        Self { variables: Vec::new(), words: words.iter().map(|&word| word.to_owned()).collect() }
    }

    /// The same with an environment variable.
    pub fn with(mut self, name: &'static str, value: impl ToString) -> Self {
        self.variables.push((name, value.to_string()));
        self
    }

    /// Something to start; the caller decides where its output goes.
    pub fn command(&self) -> Command {
        let program = match self.words.first().map(String::as_str) {
            Some("cargo") => std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()),
            other => other.unwrap_or_default().into(),
        };
        let mut command = Command::new(program);
        command
            .args(self.words.iter().skip(1))
            .envs(self.variables.iter().map(|(name, value)| (name, value)));
        command
    }

    /// Runs it to its end.
    pub fn run(&self) -> Result<(), String> {
        match self.command().status() {
            Ok(status) if status.success() => Ok(()),
            Ok(status) => Err(status.to_string()),
            Err(error) => Err(error.to_string()),
        }
    }

    /// Whether it runs and succeeds, without showing anything.
    pub fn succeeds(&self) -> bool {
        self.command().output().is_ok_and(|output| output.status.success())
    }
}

impl std::fmt::Display for Line {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        for (name, value) in &self.variables {
            write!(f, "{name}={value} ")?;
        }
        f.write_str(&self.words.join(" "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_step_that_fails_names_the_command_to_repeat() {
        let mut steps = Steps::default();
        steps.command("version", &Line::cargo(&["--version"])).unwrap();
        let failure =
            steps.command("nonsense", &Line::cargo(&["no-such-command"]).with("SOAK", "1")).unwrap_err();
        assert!(failure.to_string().contains("Repeat it with: SOAK=1 cargo no-such-command"), "{failure}");
        assert_eq!(steps.done.len(), 2);
    }

    #[test]
    fn a_program_that_is_not_there_fails() {
        assert!(!Line::new(&["no-such-program-here"]).succeeds());
        assert!(Line::new(&["no-such-program-here"]).run().is_err());
    }
}
