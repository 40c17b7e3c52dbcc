//! The command line: what can be typed.

use std::ffi::OsString;
use std::io::Write;

use clap::builder::styling::{AnsiColor, Styles};
use clap::{Args, Parser, Subcommand, ValueEnum};
use tablesmith_app::{Context, StoreAddress};
use tablesmith_model::bytes_text::printable_lines;

use crate::commands::{
    apply, calibrate, check, completions, ddl, demo, design, families, generate, init, keys, load, query,
    repair, report, reproduce, schema, shell, store, time, verify,
};
use crate::{interrupt, progress, terminal};

const STYLES: Styles = Styles::styled()
    .header(AnsiColor::Green.on_default().bold())
    .usage(AnsiColor::Green.on_default().bold())
    .literal(AnsiColor::Cyan.on_default().bold())
    .placeholder(AnsiColor::Cyan.on_default());

const EXAMPLES: &str = "\
Examples:
  tablesmith demo
  tablesmith shell
  tablesmith shell -c \"create 't', 'f'; put 't', 'row', 'f:q', 'value'; scan 't'\"
  tablesmith --store embedded:./tables --format json shell script.hbsh
  tablesmith --store hbase://localhost:16000 shell

Exit codes: 0 fine, 1 the answer is no (a command of a script failed), 2 wrong use, 3 a store failed,
130 interrupted by Ctrl-C or SIGTERM.";

/// Wide-column tables, as HBase has them, in one program that needs nothing installed, or in an HBase cluster.
#[derive(Debug, Parser)]
#[command(name = "tablesmith", version, styles = STYLES, max_term_width = 100, after_help = EXAMPLES)]
pub struct Arguments {
    /// What every command takes.
    #[command(flatten)]
    pub global: Global,
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

/// Reads the command line; ends the process with what is wrong with it.
pub fn parse() -> Arguments {
    let is_plain =
        |argument: OsString| printable_lines(&argument.to_string_lossy()) == argument.to_string_lossy();
    match Arguments::try_parse() {
        Ok(arguments) => arguments,
        // The message repeats arguments, and with `*` the shell writes names of files there.
        Err(error) if error.use_stderr() && !std::env::args_os().all(is_plain) => {
            let _ = write!(terminal::stderr(), "{}", error.render());
            std::process::exit(error.exit_code())
        }
        Err(error) => error.exit(),
    }
}

/// Options that stand before or after the command.
#[derive(Debug, Args)]
#[command(next_help_heading = "Options for every command")]
pub struct Global {
    /// The store: embedded:DIR, hbase://HOST:PORT[,HOST:PORT] or hbase+zk://HOST:PORT[,…][/ZNODE].
    /// Without it: an embedded store in your data directory
    #[arg(long, global = true, value_name = "STORE")]
    pub store: Option<StoreAddress>,
    /// Change no file of an embedded store: for read-only media, and for what is intact in a damaged store
    #[arg(long, global = true)]
    pub read_only: bool,
    /// Region servers: those over which an embedded store spreads its regions (3 without it), or those that a table is
    /// designed for
    #[arg(long, global = true, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1_000))]
    pub servers: Option<u16>,
    /// How answers are printed
    #[arg(long, global = true, value_enum, value_name = "FORMAT", default_value_t = Format::Text)]
    pub format: Format,
    /// What everything random is made from: the same seed gives the same result
    #[arg(long, global = true, value_name = "N", default_value_t = 1)]
    pub seed: u64,
}

impl Global {
    /// The context of the command's work: this terminal hears of it, and Ctrl-C cancels it.
    pub fn context(&self) -> Context {
        Context {
            store: self.store.clone(),
            read_only: self.read_only,
            servers: self.servers,
            seed: self.seed,
            progress: progress::terminal(),
            cancellation: interrupt::cancellation().clone(),
        }
    }
}

/// How answers are printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// For people.
    Text,
    /// For programs: one object on one line.
    Json,
}

/// The commands.
#[derive(Debug, Subcommand)]
pub enum Command {
    Init(init::InitArguments),
    Design(design::DesignArguments),
    Families(families::FamiliesArguments),
    Keys(keys::KeysArguments),
    Time(time::TimeArguments),
    Apply(apply::ApplyArguments),
    Load(load::LoadArguments),
    Repair(repair::RepairArguments),
    Query(query::QueryArguments),
    Check(check::CheckArguments),
    Ddl(ddl::DdlArguments),
    Generate(generate::GenerateArguments),
    Shell(shell::ShellArguments),
    Store(store::StoreArguments),
    Calibrate(calibrate::CalibrateArguments),
    Verify(verify::VerifyArguments),
    Report(report::ReportArguments),
    Demo(demo::DemoArguments),
    Reproduce(reproduce::ReproduceArguments),
    Schema(schema::SchemaArguments),
    Completions(completions::CompletionsArguments),
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_definitions_are_sound() {
        Arguments::command().debug_assert();
    }

    #[test]
    fn options_stand_before_or_after_the_command() {
        for line in [["tablesmith", "--seed", "7", "demo"], ["tablesmith", "demo", "--seed", "7"]] {
            assert_eq!(Arguments::try_parse_from(line).unwrap().global.seed, 7);
        }
    }

    #[test]
    fn every_command_has_an_example() {
        for command in Arguments::command().get_subcommands() {
            let help = command.get_after_help().map(ToString::to_string).unwrap_or_default();
            assert!(
                help.contains(&format!("tablesmith {}", command.get_name())),
                "{}: {help}",
                command.get_name()
            );
        }
    }

    #[test]
    fn nonsense_is_refused() {
        for line in [["tablesmith", "shell", "--servers", "0"], ["tablesmith", "shell", "--store", "nowhere"]]
        {
            assert_eq!(Arguments::try_parse_from(line).unwrap_err().exit_code(), 2, "{line:?}");
        }
    }
}
