//! The commands, one file each. They only parse and call.

pub mod apply;
pub mod calibrate;
pub mod check;
pub mod completions;
pub mod ddl;
pub mod demo;
pub mod design;
pub mod families;
mod family_methods;
pub mod generate;
pub mod init;
pub mod keys;
pub mod load;
pub mod query;
pub mod repair;
pub mod report;
pub mod reproduce;
mod reproduce_follows;
mod reproduce_keys;
mod reproduce_time;
pub mod schema;
#[allow(
    clippy::disallowed_methods,
    reason = "the shell escapes control characters itself, in the notation of HBase"
)]
pub mod shell;
pub mod store;
pub mod time;
pub mod verify;

use crate::arguments::{Arguments, Command};
use crate::failure::{Failure, Verdict};
use crate::interrupt::{self, interruptible};

/// Runs the command that was typed.
pub async fn run(Arguments { global, command }: Arguments) -> Result<Verdict, Failure> {
    interrupt::note_progress(when_interrupted(&command));
    match command {
        Command::Shell(arguments) => shell::run(&global, arguments).await,
        // These stop by themselves: they drop their temporary tables first, or count what they have done.
        Command::Repair(arguments) => repair::run(&global, arguments).await,
        Command::Time(arguments) => time::run(&global, arguments).await,
        Command::Verify(arguments) => verify::run(&global, arguments).await,
        Command::Reproduce(arguments) => reproduce::run(&global, &arguments).await,
        Command::Demo(arguments) => demo::run(&global, arguments).await,
        Command::Calibrate(arguments) => calibrate::run(&global, &arguments).await,
        // These can be dropped between any two calls to a store.
        Command::Design(arguments) => interruptible(design::run(&global, arguments)).await,
        Command::Families(arguments) => interruptible(families::run(&global, arguments)).await,
        Command::Keys(arguments) => interruptible(keys::run(&global, arguments)).await,
        Command::Apply(arguments) => interruptible(apply::run(&global, arguments)).await,
        Command::Load(arguments) => interruptible(load::run(&global, arguments)).await,
        Command::Query(arguments) => interruptible(query::run(&global, arguments)).await,
        Command::Store(arguments) => store::run(&global, arguments).await,
        Command::Check(arguments) => interruptible(check::run(&global, &arguments)).await,
        // These never wait for anybody.
        Command::Generate(arguments) => generate::run(&global, &arguments),
        Command::Init(arguments) => init::run(&global, arguments),
        Command::Report(arguments) => report::run(&global, arguments),
        Command::Ddl(arguments) => ddl::run(&global, &arguments),
        Command::Schema(arguments) => schema::run(&arguments),
        Command::Completions(arguments) => completions::run(&arguments),
    }
}

/// What is done when a command is interrupted before it has said more.
fn when_interrupted(command: &Command) -> &'static str {
    match command {
        Command::Shell(_) => "what was acknowledged is kept",
        Command::Apply(_) => {
            "the tables are as they were, or some are created or altered; run the same command again for the rest"
        }
        Command::Load(_) => "no rows loaded yet; run the same command again",
        Command::Repair(_) => "index tables are checked in part; run the same command again",
        Command::Generate(_) => "the files are not complete; run the same command again",
        Command::Init(_) => "the workload is not written; run the same command again",
        Command::Store(arguments) => arguments.when_interrupted(),
        _ => "nothing was changed or written",
    }
}
