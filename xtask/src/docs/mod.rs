//! The pages of `docs/` that the program writes about itself.

mod cli;
mod shell;

use std::path::Path;
use std::process::{Command, Stdio};

use crate::failure::Failure;

/// All pages by path.
pub fn pages(binary: &Path) -> Result<Vec<(&'static str, String)>, Failure> {
    // The shell wants a store, though help asks nothing of it.
    let directory = std::env::temp_dir().join(format!("tablesmith-docs-{}", std::process::id()));
    let store = format!("embedded:{}", directory.display());
    let shell = shell::page(|command| ask(binary, &["shell", "--store", &store, "-c", command]));
    // What stays behind in a temporary directory does no harm.
    let _ = std::fs::remove_dir_all(&directory);
    Ok(vec![("docs/cli.md", cli::page(|arguments| ask(binary, arguments))?), ("docs/shell.md", shell?)])
}

/// What the program prints. It gets no terminal, so that its lines have the same width everywhere.
fn ask(binary: &Path, arguments: &[&str]) -> Result<String, Failure> {
    let output = Command::new(binary)
        .args(arguments)
        .env_remove("COLUMNS")
        .env_remove("CLICOLOR_FORCE")
        .stdin(Stdio::null())
        .output()
        .map_err(|error| Failure::file(binary, error))?;
    if output.status.success() {
        return Ok(String::from_utf8_lossy(&output.stdout).into_owned());
    }
    Err(Failure::Step {
        name: "docs".to_owned(),
        repeat: format!("{} {}", binary.display(), arguments.join(" ")),
        why: String::from_utf8_lossy(&output.stderr).trim().to_owned(),
    })
}
