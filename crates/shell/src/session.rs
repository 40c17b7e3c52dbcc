//! Runs commands one after the other and prints what they answer.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::sync::Arc;
use std::time::Instant;

use tablesmith_store::Store;

use crate::commands::{AnswerInScript, Arguments, Confirm, Context, Usage, registry};
use crate::error::ShellError;
use crate::language::{self, Command, Lines, Step, SyntaxError, Value};
use crate::output::{DetachableOutput, Outcome, Printer, Reply};
use crate::{suggest, vocabulary};

/// How answers are printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// In the layout of HBase's shell.
    Text,
    /// One JSON object on one line for each command.
    Json,
}

/// What became of a script.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ScriptResult {
    /// How many commands there were, also those that cannot be read.
    pub commands: u64,
    /// How many of them failed.
    pub failures: u64,
    /// Whether the store itself failed, as opposed to refusing a request.
    pub store_failed: bool,
    /// Whether the script asked to end the session.
    pub exit_requested: bool,
}

/// A shell's session: the store it works on, how it prints, and what it remembers.
pub struct Session {
    store: Arc<dyn Store>,
    format: Format,
    printer: Printer,
    tables: BTreeMap<String, Value>,
    result: ScriptResult,
    reader_gone: bool,
}

impl Session {
    /// A session that prints lines as long as they are.
    pub fn new(store: Arc<dyn Store>, format: Format) -> Self {
        let printer = Printer::new(format, 0);
        let (tables, result) = (BTreeMap::new(), ScriptResult::default());
        Self { store, format, printer, tables, result, reader_gone: false }
    }

    /// Wraps text to a terminal of `columns` characters from now on; 0 does not wrap.
    pub fn set_width(&mut self, columns: usize) {
        self.printer = Printer::new(self.format, columns);
    }

    /// What became of the commands so far.
    pub fn result(&self) -> ScriptResult {
        self.result
    }

    /// Whether the output was a pipe that nobody reads any more.
    pub fn reader_gone(&self) -> bool {
        self.reader_gone
    }

    /// Runs a script to its end, or to the command that ends the session. Goes on after a command that fails, and also
    /// when nobody reads the output any more: what a script changes does not depend on who watches it.
    pub async fn run_script(
        &mut self,
        script: &[u8],
        out: &mut (dyn Write + Send),
    ) -> io::Result<ScriptResult> {
        let (mut at, mut lines) = (0, Lines::new(script));
        while !self.result.exit_requested {
            at = match language::step(script, at, |word| registry::find(word).is_some()) {
                Step::End => break,
                Step::Fault(fault, resume) => {
                    self.report(fault.in_script(&mut lines), out).await?;
                    resume
                }
                Step::Command(command, next) => {
                    let answer = AnswerInScript::after(script, next);
                    self.run_command(command, &answer, out).await?;
                    answer.next(next)
                }
            };
        }
        Ok(self.result)
    }

    /// Runs one command and prints what it answers. A reader that has gone is no error: the command is run.
    pub async fn run_command(
        &mut self,
        command: Command,
        confirm: &dyn Confirm,
        out: &mut (dyn Write + Send),
    ) -> io::Result<()> {
        let started = Instant::now();
        let known = registry::find(&command.name).map(|command| command.usage().name);
        let reply = self.execute(command, confirm).await;
        if let Ok(Reply { outcome: Outcome::Exit, .. }) = &reply {
            self.result.exit_requested = true;
        }
        let took = (!self.result.exit_requested).then_some(started);
        self.print(reply, known, took, out).await
    }

    /// Prints why something cannot be read.
    pub async fn report(&mut self, error: SyntaxError, out: &mut (dyn Write + Send)) -> io::Result<()> {
        self.print(Err(error.into()), None, None, out).await
    }

    /// Prints a reply, and how long it took since `started`, and counts it.
    async fn print(
        &mut self,
        reply: Result<Reply, ShellError>,
        command: Option<&str>,
        started: Option<Instant>,
        out: &mut (dyn Write + Send),
    ) -> io::Result<()> {
        let mut out = DetachableOutput::new(out, self.reader_gone);
        let failed = match self.printer.print(reply, command, &mut out).await {
            // The rest of the answer is not fetched for nobody.
            Err(error) if out.is_gone(&error) => None,
            other => other?,
        };
        if let Some(started) = started {
            self.printer.took(started.elapsed(), &mut out)?;
        }
        match out.flush() {
            Err(error) if out.is_gone(&error) => self.reader_gone = true,
            other => other?,
        }
        self.count(failed.as_ref());
        Ok(())
    }

    fn count(&mut self, failed: Option<&ShellError>) {
        self.result.commands += 1;
        if let Some(error) = failed {
            self.result.failures += 1;
            self.result.store_failed |= error.is_store_failure();
        }
    }

    async fn execute(&mut self, command: Command, confirm: &dyn Confirm) -> Result<Reply, ShellError> {
        let Some(found) = registry::find(&command.name) else { return Err(unknown_command(&command.name)) };
        let usage = found.usage();
        let mut arguments = Vec::with_capacity(command.arguments.len() + 1);
        if let Some(receiver) = &command.receiver {
            arguments.push(self.table_of(receiver)?);
        }
        for argument in command.arguments {
            arguments.push(match argument {
                Value::Name(word) if found.takes_bare_words() => Value::text(word),
                argument => vocabulary::resolve(argument, usage.options)?,
            });
        }
        check_count(usage, arguments.len())?;
        let table = arguments.first().cloned();
        let context = Context { store: &*self.store, confirm };
        let reply = found.run(&context, Arguments::new(arguments)).await?;
        if let (Some(variable), Some(table), "create" | "get_table") = (command.variable, table, usage.name) {
            self.tables.insert(variable, table);
        }
        Ok(reply)
    }

    fn table_of(&self, variable: &str) -> Result<Value, ShellError> {
        self.tables.get(variable).cloned().ok_or_else(|| {
            let hint = suggest::hint(variable, self.tables.keys().map(String::as_str));
            ShellError::Name(format!("no table has the name '{variable}' in this session{hint}"))
        })
    }
}

fn unknown_command(name: &str) -> ShellError {
    ShellError::Name(format!("unknown command '{name}'{}", suggest::hint(name, registry::names())))
}

fn check_count(usage: &Usage, given: usize) -> Result<(), ShellError> {
    let (least, most) = usage.arguments;
    if given >= least && most.is_none_or(|most| given <= most) {
        return Ok(());
    }
    let expected = match most {
        None => format!("{least}+"),
        Some(most) if most == least => least.to_string(),
        Some(most) => format!("{least}..{most}"),
    };
    let example = usage.examples.first().unwrap_or(&usage.name);
    let message = format!(
        "wrong number of arguments for {} (given {given}, expected {expected}), as in: {example}",
        usage.name
    );
    Err(ShellError::Argument(message))
}

/// Runs a script against a store; see [`Session::run_script`].
pub async fn run_script(
    store: Arc<dyn Store>,
    script: impl AsRef<[u8]>,
    format: Format,
    out: &mut (dyn Write + Send),
) -> io::Result<ScriptResult> {
    Session::new(store, format).run_script(script.as_ref(), out).await
}
