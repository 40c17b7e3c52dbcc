//! `tablesmith apply`: a store gets the tables of a design.

use std::io::Write;
use std::path::PathBuf;

use clap::Args;
use tablesmith_access::{FamilyName, Step};
use tablesmith_app::apply::{self, ApplyOptions};

use crate::arguments::{Format, Global};
use crate::failure::{Failure, Verdict};
use crate::show::show;
use crate::{terminal, text};

const EXAMPLES: &str = "\
Examples:
  tablesmith apply design.toml
  tablesmith apply design.toml --yes --store hbase://localhost:16000
  tablesmith apply design.toml --yes --lose stations:old

Without --yes it says what it would do. Twice is the same as once. Families that the design does not have stay, and so do
more versions and a longer TTL than it says: data goes only where --lose names the family.";

/// Makes the tables of a design in a store, or brings those that are there to what it says
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct ApplyArguments {
    /// The design
    #[arg(value_name = "DESIGN.toml")]
    design: PathBuf,
    /// Does it; without it, only says what would be done
    #[arg(short, long)]
    yes: bool,
    /// A family whose data may go: because the design does not have it, or keeps less of it
    #[arg(long, value_name = "TABLE:FAMILY")]
    lose: Vec<FamilyName>,
}

pub async fn run(global: &Global, arguments: ApplyArguments) -> Result<Verdict, Failure> {
    let ApplyArguments { design, yes, lose } = arguments;
    let mut done = |step: &Step| {
        if global.format == Format::Text {
            // A reader that has gone away must not keep the rest from being done.
            let _ = writeln!(terminal::stdout(), "done: {step}");
        }
    };
    let result = apply::run(&global.context(), &ApplyOptions { design, yes, lose }, &mut done).await?;
    show(global, &result, text::apply::write)?;
    Ok(Verdict::Yes)
}
