//! `cargo xtask picture`: draws docs/demo.svg from what the demo really prints.

use std::fs;
use std::process::Stdio;

use crate::failure::Failure;
use crate::picture::{ansi, svg};
use crate::repo::Repo;
use crate::steps::Line;

const PICTURE: &str = "docs/demo.svg";
const RUN: [&str; 6] = ["run", "--release", "--quiet", "--package", "tablesmith", "--"];
/// Its pages go where the picture may say it: not among the temporary files of this machine.
const DEMO: [&str; 7] =
    ["demo", "--seed", "1", "--report", "target/demo.html", "--designs", "target/demo-designs.html"];

/// Runs the demo in colour and draws its output.
pub fn run(repo: &Repo) -> Result<(), Failure> {
    let line = Line::cargo(&[&RUN[..], &DEMO[..]].concat()).with("CLICOLOR_FORCE", "1");
    let failed = |why: String| Failure::Step { name: "demo".to_owned(), repeat: line.to_string(), why };
    let output = line
        .command()
        .env_remove("NO_COLOR")
        .stderr(Stdio::inherit())
        .output()
        .map_err(|error| failed(error.to_string()))?;
    if !output.status.success() {
        return Err(failed(output.status.to_string()));
    }
    let text = String::from_utf8_lossy(&output.stdout);
    let path = repo.path(PICTURE);
    fs::write(&path, svg::draw("$ cargo run --release -- demo", &ansi::lines(&text)))
        .map_err(|error| Failure::file(&path, error))?;
    println!("{PICTURE} is drawn.");
    Ok(())
}
