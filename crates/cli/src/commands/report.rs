//! `tablesmith report`: evidence as a page, as pictures, and as a few lines.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use clap::Args;
use serde_json::json;
use tablesmith_model::evidence::Evidence;

use crate::arguments::{Format, Global};
use crate::failure::{Failure, Verdict};
use crate::input_file::{self, InputKind};
use crate::output_file;
use crate::terminal;
use crate::text_width::text_width;

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

pub fn run(global: &Global, arguments: &ReportArguments) -> Result<Verdict, Failure> {
    let evidence = read(&arguments.evidence)?;
    let page = page_path(arguments)?;
    output_file::write(&page, &tablesmith_report::page(&evidence))?;
    let pictures = match &arguments.pictures {
        Some(directory) => write_pictures(directory, &evidence)?,
        None => Vec::new(),
    };
    print(global, &evidence, &page, &pictures).map_err(Failure::Output)?;
    Ok(Verdict::Yes)
}

fn read(path: &Path) -> Result<Evidence, Failure> {
    let text = input_file::read_text(path, InputKind::Evidence)?;
    serde_json::from_str(&text).map_err(|error| {
        let place = match error.line() {
            0 => String::new(),
            line => format!(":{line}:{}", error.column()),
        };
        Failure::BadFile(format!(
            "{}{place}: this is no evidence ({error}): make it with tablesmith verify … --evidence FILE",
            path.display()
        ))
    })
}

fn page_path(arguments: &ReportArguments) -> Result<PathBuf, Failure> {
    let page = arguments.output.clone().unwrap_or_else(|| arguments.evidence.with_extension("html"));
    if page == arguments.evidence {
        return Err(Failure::BadFile(format!(
            "the page would be written over the evidence {}: name another file with -o",
            page.display()
        )));
    }
    Ok(page)
}

fn write_pictures(directory: &Path, evidence: &Evidence) -> Result<Vec<PathBuf>, Failure> {
    fs::create_dir_all(directory)
        .map_err(|error| Failure::CannotWrite { path: directory.to_owned(), error })?;
    let mut paths = Vec::new();
    for picture in tablesmith_report::pictures(evidence) {
        let path = directory.join(format!("{}.svg", picture.name));
        output_file::write(&path, &picture.svg)?;
        paths.push(path);
    }
    Ok(paths)
}

fn print(global: &Global, evidence: &Evidence, page: &Path, pictures: &[PathBuf]) -> io::Result<()> {
    let mut out = terminal::stdout();
    if global.format == Format::Json {
        let value = json!({"verdict": evidence.verdict, "page": page, "pictures": pictures});
        return writeln!(out, "{value}");
    }
    write!(out, "{}", tablesmith_report::summary(evidence, text_width(), terminal::paint))?;
    writeln!(out, "\nthe page is in {}", page.display())?;
    for picture in pictures {
        writeln!(out, "a picture is in {}", picture.display())?;
    }
    Ok(())
}
