//! Reads a script command by command, and finds the way back after one that cannot be read.

use super::fault::Fault;
use super::parser::{self, Command};

/// What comes next in a script.
#[derive(Clone, Debug, PartialEq)]
pub enum Step {
    /// A command, and the place after it.
    Command(Command, usize),
    /// Something that cannot be read, and where reading can go on.
    Fault(Fault, usize),
    /// Nothing more.
    End,
}

/// The next command from byte `at` on.
///
/// After a fault, reading goes on at the first later line that begins with the name of a command, at the latest after
/// the line of the fault. So a forgotten quote or bracket costs one command, not the rest of the script.
pub fn step(script: &[u8], at: usize, is_command: impl Fn(&str) -> bool) -> Step {
    match parser::command(script, at) {
        Ok(Some((command, next))) => Step::Command(command, next),
        Ok(None) => Step::End,
        Err(fault) => {
            let resume = resume_at(script, at, &fault, is_command);
            Step::Fault(fault, resume)
        }
    }
}

fn resume_at(script: &[u8], at: usize, fault: &Fault, is_command: impl Fn(&str) -> bool) -> usize {
    let start = first_word(script, at);
    let last = if fault.incomplete { script.len() } else { after_line(script, fault.at) };
    let mut line = after_line(script, start);
    while line < last && !begins_with_command(script, line, &is_command) {
        line = after_line(script, line);
    }
    line.min(last)
}

/// Where the command begins: blanks, line ends and semicolons before it are not part of it.
fn first_word(script: &[u8], at: usize) -> usize {
    let rest = script.get(at..).unwrap_or_default();
    let blank = |byte: &u8| byte.is_ascii_whitespace() || *byte == b';';
    at + rest.iter().position(|byte| !blank(byte)).unwrap_or(rest.len())
}

/// The beginning of the line after the one of byte `at`.
fn after_line(script: &[u8], at: usize) -> usize {
    let rest = script.get(at..).unwrap_or_default();
    at + rest.iter().position(|&byte| byte == b'\n').map_or(rest.len(), |newline| newline + 1)
}

fn begins_with_command(script: &[u8], at: usize, is_command: impl Fn(&str) -> bool) -> bool {
    let rest = script.get(at..).unwrap_or_default();
    let line = rest.split(|&byte| byte == b'\n').next().unwrap_or_default();
    let in_name = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
    let word = line.trim_ascii_start().split(|&byte| !in_name(byte)).next().unwrap_or_default();
    std::str::from_utf8(word).is_ok_and(is_command)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Names of the commands read, `!` for faults.
    fn names(script: &str) -> Vec<String> {
        let (mut at, mut names) = (0, Vec::new());
        loop {
            match step(script.as_bytes(), at, |word| ["get", "put", "list"].contains(&word)) {
                Step::End => return names,
                Step::Command(command, next) => {
                    names.push(command.name);
                    at = next;
                }
                Step::Fault(_, next) => {
                    assert!(next > at, "reading must go on");
                    names.push("!".to_owned());
                    at = next;
                }
            }
        }
    }

    #[test]
    fn a_forgotten_quote_costs_one_command() {
        assert_eq!(names("list\nput 't\nget 'x'\nlist"), ["list", "!", "get", "list"]);
        assert_eq!(names("put 't', {A=>1\nget 'x'"), ["!", "get"]);
        assert_eq!(names("put 't', {A=>1\n  B=>2\nC}\n list"), ["!", "!", "list"]);
        assert_eq!(names("put \"no\nmore"), ["!"]);
    }

    #[test]
    fn a_wrong_line_costs_that_line() {
        assert_eq!(names("put ] ; list\nlist"), ["!", "list"]);
        assert_eq!(names("\n\n  '\n"), ["!"]);
    }
}
