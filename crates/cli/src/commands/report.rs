//! `tablesmith report`: evidence as a page, as pictures, and as a few lines.

use std::path::PathBuf;

use clap::Args;
use tablesmith_app::report::{self, ReportOptions};

use crate::arguments::Global;
use crate::failure::{Failure, Verdict};
use crate::show::show;
use crate::text;

const EXAMPLES: &str = "\
Examples:
  tablesmith report evidence.json
  tablesmith report evidence.json -o verdict.html --pictures pictures

The evidence is what `tablesmith verify … --evidence evidence.json` writes. The page is one HTML file that needs nothing but
itself: open it in any browser, print it, send it.";

/// Shows evidence as a page with pictures
///
/// Writes one self-contained HTML page, and with --pictures its pictures as SVG files, and prints a summary
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct ReportArguments {
    /// The evidence, as verify wrote it
    #[arg(value_name = "EVIDENCE.json")]
    evidence: PathBuf,
    /// Where to write the page; without it: beside the evidence, with the ending .html
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Writes the pictures into this directory too, as SVG files
    #[arg(long, value_name = "DIR")]
    pictures: Option<PathBuf>,
}

pub fn run(global: &Global, arguments: ReportArguments) -> Result<Verdict, Failure> {
    let ReportArguments { evidence, output, pictures } = arguments;
    let result = report::run(&ReportOptions { evidence, output, pictures })?;
    show(global, &result, text::report::write)?;
    Ok(Verdict::Yes)
}
