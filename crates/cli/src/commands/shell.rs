//! `tablesmith shell`: HBase's own shell language, from files, from the command line, or at a prompt.

use std::ffi::OsString;
use std::io::{self, IsTerminal};
use std::path::{Path, PathBuf};

use clap::Args;
use tablesmith_app::input_file::{self, InputKind};
use tablesmith_app::{data_directory, open};
use tablesmith_shell::{ScriptResult, Session, run_interactive};

use crate::arguments::{Format, Global};
use crate::failure::{Failure, Verdict};
use crate::interrupt::{Prompt, interruptible};

const EXAMPLES: &str = "\
Examples:
  tablesmith shell
  tablesmith shell -c \"create 't', {NAME => 'f', VERSIONS => 3}; put 't', 'row', 'f:q', 'value'; get 't', 'row'\"
  tablesmith shell --format json --store embedded:./tables one.hbsh two.hbsh
  tablesmith shell --store hbase://localhost:16000 -c \"status\"
  echo \"list\" | tablesmith shell";

/// Runs commands in HBase's shell language: at a prompt, from files, or from standard input
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct ShellArguments {
    /// Scripts to run, one after the other. Without any: standard input, at a terminal with a prompt
    #[arg(value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Commands to run, after those of the files
    #[arg(short, long, value_name = "COMMANDS")]
    command: Option<OsString>,
}

pub async fn run(global: &Global, arguments: ShellArguments) -> Result<Verdict, Failure> {
    let format = match global.format {
        Format::Text => tablesmith_shell::Format::Text,
        Format::Json => tablesmith_shell::Format::Json,
    };
    match scripts(arguments)? {
        Some(scripts) => verdict(interruptible(run_scripts(global, &scripts, format)).await?),
        None => prompt(global, format).await,
    }
}

/// A person has seen what failed, so that the session as a whole is fine.
async fn prompt(global: &Global, format: tablesmith_shell::Format) -> Result<Verdict, Failure> {
    let store = open::store(&global.context()).await?;
    let _prompt = Prompt::begin();
    run_interactive(store, format, data_directory::shell_history()).await.map_err(Failure::output)?;
    Ok(Verdict::Yes)
}

/// What there is to run; `None` when a person types it. Scripts are bytes: row keys and values need not be text.
fn scripts(arguments: ShellArguments) -> Result<Option<Vec<Vec<u8>>>, Failure> {
    let mut scripts = arguments
        .files
        .iter()
        .map(|path| input_file::read(path, InputKind::Script))
        .collect::<Result<Vec<_>, _>>()?;
    scripts.extend(arguments.command.map(OsString::into_encoded_bytes));
    if !scripts.is_empty() {
        return Ok(Some(scripts));
    }
    let input = io::stdin().lock();
    if input.is_terminal() {
        return Ok(None);
    }
    let script = input_file::read_from(input, Path::new("(standard input)"), InputKind::Script)?;
    Ok(Some(vec![script]))
}

/// Runs scripts in one session, until one of them ends it. The session flushes the output after each command.
async fn run_scripts(
    global: &Global,
    scripts: &[Vec<u8>],
    format: tablesmith_shell::Format,
) -> Result<ScriptResult, Failure> {
    let mut session = Session::new(open::store(&global.context()).await?, format);
    let mut out = io::BufWriter::new(io::stdout());
    for script in scripts {
        session.run_script(script, &mut out).await.map_err(Failure::output)?;
        if session.result().exit_requested {
            break;
        }
    }
    Ok(session.result())
}

fn verdict(result: ScriptResult) -> Result<Verdict, Failure> {
    match result {
        ScriptResult { store_failed: true, .. } => Err(Failure::StoreInScript),
        ScriptResult { failures: 0, .. } => Ok(Verdict::Yes),
        _ => Ok(Verdict::No),
    }
}
