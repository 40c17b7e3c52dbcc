//! `report`: evidence as a page, as pictures, and as a few lines.

use std::fs;
use std::path::{Path, PathBuf};

use serde::Serialize;
use tablesmith_model::evidence::Evidence;

use crate::input_file::{self, InputKind};
use crate::{AppError, output_file};

/// What is shown, and where.
#[derive(Clone, Debug)]
pub struct ReportOptions {
    /// The evidence, as `verify` wrote it.
    pub evidence: PathBuf,
    /// The page; none: beside the evidence, with the ending `.html`.
    pub output: Option<PathBuf>,
    /// A directory for the pictures.
    pub pictures: Option<PathBuf>,
}

/// What was written.
#[derive(Clone, Debug, Serialize)]
pub struct ReportResult {
    /// What came out, in a sentence.
    pub verdict: String,
    /// The page.
    pub page: PathBuf,
    /// The pictures.
    pub pictures: Vec<PathBuf>,
    /// What was shown.
    #[serde(skip)]
    pub evidence: Evidence,
}

/// Writes the page and the pictures.
pub fn run(options: &ReportOptions) -> Result<ReportResult, AppError> {
    let evidence = read(&options.evidence)?;
    let page = page_path(options)?;
    output_file::write(&page, &tablesmith_report::page(&evidence))?;
    let pictures = match &options.pictures {
        Some(directory) => write_pictures(directory, &evidence)?,
        None => Vec::new(),
    };
    Ok(ReportResult { verdict: evidence.verdict.clone(), page, pictures, evidence })
}

fn read(path: &Path) -> Result<Evidence, AppError> {
    let text = input_file::read_text(path, InputKind::Evidence)?;
    serde_json::from_str(&text).map_err(|error| AppError::NoEvidence { path: path.to_owned(), error })
}

fn page_path(options: &ReportOptions) -> Result<PathBuf, AppError> {
    let page = options.output.clone().unwrap_or_else(|| options.evidence.with_extension("html"));
    if page == options.evidence { Err(AppError::PageOverEvidence(page)) } else { Ok(page) }
}

fn write_pictures(directory: &Path, evidence: &Evidence) -> Result<Vec<PathBuf>, AppError> {
    fs::create_dir_all(directory)
        .map_err(|error| AppError::Unwritable { path: directory.to_owned(), error })?;
    let mut paths = Vec::new();
    for picture in tablesmith_report::pictures(evidence) {
        let path = directory.join(format!("{}.svg", picture.name));
        output_file::write(&path, &picture.svg)?;
        paths.push(path);
    }
    Ok(paths)
}
