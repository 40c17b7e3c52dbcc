//! A session at a terminal: a prompt with history and completion.

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use rustyline::completion::{Completer, Pair};
use rustyline::error::ReadlineError;
use rustyline::highlight::Highlighter;
use rustyline::hint::Hinter;
use rustyline::history::{DefaultHistory, History};
use rustyline::validate::Validator;
use rustyline::{DefaultEditor, Editor, Helper};
use tablesmith_model::bytes_text::printable;
use tablesmith_store::Store;

use crate::commands::{Confirm, Confirmation, registry};
use crate::completion;
use crate::language::{self, Lines, Step};
use crate::session::{Format, ScriptResult, Session};

type LineEditor = Editor<ShellHelper, DefaultHistory>;

/// Reads commands from the terminal until `exit` or Ctrl-D. Ctrl-C gives up the command that is typed or runs.
/// `history` is the file that remembers the commands of earlier sessions.
pub async fn run_interactive(
    store: Arc<dyn Store>,
    format: Format,
    history: Option<PathBuf>,
) -> io::Result<ScriptResult> {
    let mut editor = LineEditor::new().map_err(terminal_error)?;
    editor.set_helper(Some(ShellHelper::default()));
    if let Some(path) = &history {
        load_history(&mut editor, path)?;
    }
    if format == Format::Text {
        let version = env!("CARGO_PKG_VERSION");
        writeln!(
            io::stdout(),
            "tablesmith shell {version}: 'help' shows the commands, 'exit' or Ctrl-D ends."
        )?;
    }
    let mut prompt =
        Prompt { store: store.clone(), session: Session::new(store, format), typed: Vec::new(), line: 1 };
    prompt.refresh_tables(&mut editor).await;
    while !prompt.session.result().exit_requested && !prompt.session.reader_gone() {
        match prompt.read_line(&mut editor) {
            Ok(line) => match prompt.take_line(&line, &mut editor).await {
                Err(error) if error.kind() == io::ErrorKind::BrokenPipe => break,
                other => other?,
            },
            Err(ReadlineError::Interrupted) => prompt.typed.clear(),
            Err(ReadlineError::Eof) => break,
            Err(error) => return Err(terminal_error(error)),
        }
    }
    if let Some(path) = &history {
        editor.append_history(path).map_err(terminal_error)?;
    }
    Ok(prompt.session.result())
}

fn load_history(editor: &mut LineEditor, path: &Path) -> io::Result<()> {
    match editor.load_history(path) {
        Err(ReadlineError::Io(error)) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        other => other.map_err(terminal_error),
    }
}

fn terminal_error(error: ReadlineError) -> io::Error {
    match error {
        ReadlineError::Io(error) => error,
        other => io::Error::other(other),
    }
}

/// How a command at the prompt ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum CommandEnd {
    Finished,
    Interrupted,
}

/// What is typed and not yet run, and the session that runs it.
struct Prompt {
    store: Arc<dyn Store>,
    session: Session,
    typed: Vec<u8>,
    line: usize,
}

impl Prompt {
    /// Waits for a line. Nothing else happens meanwhile, so the thread may wait as well.
    fn read_line(&mut self, editor: &mut LineEditor) -> Result<String, ReadlineError> {
        let mark = if self.typed.is_empty() { "0>" } else { "1*" };
        let line = editor.readline(&format!("tablesmith:{:03}:{mark} ", self.line))?;
        self.line += 1;
        Ok(line)
    }

    /// Runs the commands that the line completes, and keeps the beginning of one that goes on.
    async fn take_line(&mut self, line: &str, editor: &mut LineEditor) -> io::Result<()> {
        self.typed.extend_from_slice(line.as_bytes());
        self.typed.push(b'\n');
        let width = editor.dimensions().map_or(0, |(columns, _)| usize::from(columns));
        self.session.set_width(width);
        let script = std::mem::take(&mut self.typed);
        let mut at = 0;
        loop {
            match language::step(&script, at, |_| false) {
                Step::End => break,
                Step::Fault(fault, _) if fault.incomplete => {
                    self.typed = script.get(at..).unwrap_or_default().to_vec();
                    return Ok(());
                }
                Step::Fault(fault, _) => {
                    self.session.report(fault.in_script(&mut Lines::new(&script)), &mut io::stdout()).await?;
                    break;
                }
                Step::Command(command, next) => {
                    let changes_tables =
                        registry::find(&command.name).is_some_and(|command| command.changes_tables());
                    let ended = self.run(command).await?;
                    if changes_tables {
                        self.refresh_tables(editor).await;
                    }
                    // Whoever stops a command does not want those that were to follow it.
                    if ended == CommandEnd::Interrupted {
                        break;
                    }
                    at = next;
                }
            }
            if self.session.result().exit_requested {
                break;
            }
        }
        let entry = String::from_utf8_lossy(&script).trim().to_owned();
        if !entry.is_empty() {
            editor.history_mut().add_owned(entry).map_err(terminal_error)?;
        }
        Ok(())
    }

    /// Runs a command; Ctrl-C drops it.
    async fn run(&mut self, command: language::Command) -> io::Result<CommandEnd> {
        let mut out = io::stdout();
        tokio::select! {
            finished = self.session.run_command(command, &AskAtTerminal, &mut out) => {
                finished.map(|()| CommandEnd::Finished)
            }
            _ = tokio::signal::ctrl_c() => {
                writeln!(io::stdout(), "\ninterrupted").map(|()| CommandEnd::Interrupted)
            }
        }
    }

    /// Completion is a help only: a store that cannot say its tables now will say so to the next command.
    async fn refresh_tables(&self, editor: &mut LineEditor) {
        if let (Ok(tables), Some(helper)) = (self.store.list_tables().await, editor.helper_mut()) {
            helper.tables = tables.iter().map(ToString::to_string).collect();
        }
    }
}

/// Asks the person at the terminal.
struct AskAtTerminal;

impl Confirm for AskAtTerminal {
    fn confirm(&self, tables: &[String], question: &str) -> Confirmation {
        match ask(tables, question) {
            Ok(line) if Confirmation::from_line(line.as_bytes()) == Confirmation::Yes => Confirmation::Yes,
            // Whoever was asked and typed something else, Ctrl-C or Ctrl-D has answered.
            _ => Confirmation::No,
        }
    }
}

/// Shows the tables and the question, and waits for a line. It has an editor of its own, which knows Ctrl-C but no history.
fn ask(tables: &[String], question: &str) -> Result<String, ReadlineError> {
    let mut out = io::stdout();
    for table in tables {
        writeln!(out, "{}", printable(table))?;
    }
    writeln!(out, "\n{question}")?;
    DefaultEditor::new()?.readline("")
}

/// Knows the words that can be completed.
#[derive(Default)]
struct ShellHelper {
    tables: Vec<String>,
}

impl Completer for ShellHelper {
    type Candidate = Pair;

    fn complete(
        &self,
        line: &str,
        at: usize,
        _: &rustyline::Context<'_>,
    ) -> rustyline::Result<(usize, Vec<Pair>)> {
        let (start, words) = completion::complete(line, at, &self.tables);
        let pair = |word: String| Pair { display: printable(&word).into_owned(), replacement: word };
        Ok((start, words.into_iter().map(pair).collect()))
    }
}

impl Hinter for ShellHelper {
    type Hint = String;
}
impl Highlighter for ShellHelper {}
impl Validator for ShellHelper {}
impl Helper for ShellHelper {}
