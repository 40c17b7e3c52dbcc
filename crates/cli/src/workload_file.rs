//! Reads a `workload.toml`, and says what is wrong in it with the lines themselves.

use std::path::Path;

use tablesmith_model::problem::Problem;
use tablesmith_model::workload::Workload;

use crate::failure::Failure;
use crate::input_file::{self, InputKind};
use crate::pointer::Pointer;

/// Reads the workload in a file.
pub fn read(path: &Path) -> Result<Workload, Failure> {
    let bytes = input_file::read(path, InputKind::Workload)?;
    let text = String::from_utf8_lossy(&bytes);
    Workload::parse(&text).map_err(|error| problems(path, &text, &error.problems))
}

/// The failure of a file with problems, each drawn at its place.
pub fn problems(path: &Path, text: &str, problems: &[Problem]) -> Failure {
    let drawn: Vec<String> = problems.iter().map(|problem| draw(path, text, problem)).collect();
    Failure::BadFile(drawn.join("\n\n"))
}

fn draw(path: &Path, text: &str, problem: &Problem) -> String {
    let line = text.lines().nth(problem.line.saturating_sub(1)).unwrap_or_default();
    let about = text.get(problem.span.clone()).unwrap_or_default();
    let pointer = Pointer {
        path: &path.display(),
        line: problem.line as u64,
        column: problem.column as u64,
        width: about.lines().next().unwrap_or_default().chars().count(),
        text: line,
        message: &problem.message,
        expected: &problem.expected,
    };
    pointer.draw()
}
