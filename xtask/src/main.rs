//! The project's own tools, run as `cargo xtask COMMAND`.

mod commands;
mod docs;
mod failure;
mod picture;
mod repo;
mod steps;
mod tidy;
mod tools;

use std::process::ExitCode;

use crate::commands::hbase::Wanted;
use crate::failure::Failure;
use crate::repo::Repo;

const USAGE: &str = "\
Usage: cargo xtask COMMAND

  test           everything that must hold before a change goes in: format, lints, tidy, tests, docs
  deny           licences, sources, duplicates and advisories of the dependencies (installs cargo-deny)
  soak           the same tests with larger numbers (TABLESMITH_SOAK=1)
  bench [NAME]   benchmarks in release mode, with ratios against raw storage
  hbase up       starts a real HBase to play with, in the background (--distributed: a process for each server;
                 NAME=VALUE: a property of hbase-site.xml)
  hbase status   says where it is and who is in it
  hbase down     stops it
  tidy           crate layering, dead files, forbidden words, module comments, file lengths
  docs           writes the pages of docs/ that come from the program itself
  docs --check   fails when one of them is out of date
  picture        draws docs/demo.svg from a real run of the demo";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match run(&arguments) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            eprintln!("xtask: {failure}");
            failure.exit_code()
        }
    }
}

fn run(arguments: &[String]) -> Result<(), Failure> {
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let repo = Repo::find()?;
    match words.as_slice() {
        ["test"] => commands::test::run(&repo),
        ["deny"] => commands::deny::run(),
        ["soak"] => commands::soak::run(&repo),
        ["bench", names @ ..] => commands::bench::run(names),
        ["hbase", words @ ..] => hbase(&repo, words),
        ["tidy"] => commands::tidy::run(&repo),
        ["docs"] => commands::docs::write(&repo),
        ["docs", "--check"] => commands::docs::check(&repo),
        ["picture"] => commands::picture::run(&repo),
        ["help" | "--help" | "-h"] => {
            println!("{USAGE}");
            Ok(())
        }
        _ => Err(Failure::Usage(USAGE)),
    }
}

fn hbase(repo: &Repo, words: &[&str]) -> Result<(), Failure> {
    let wanted = |words| Wanted::of(words).ok_or(Failure::Usage(USAGE));
    match words {
        ["up", words @ ..] => commands::hbase::up(repo, &wanted(words)?),
        // What `up` leaves running in the background; nothing for people.
        ["keep", words @ ..] => commands::hbase::keep(repo, wanted(words)?),
        ["status"] => commands::hbase::status(repo),
        ["down"] => commands::hbase::down(repo),
        _ => Err(Failure::Usage(USAGE)),
    }
}
