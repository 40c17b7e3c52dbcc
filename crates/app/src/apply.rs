//! `apply`: creates the tables of a design in a store, or alters existing ones to match.

use std::path::PathBuf;

use serde::Serialize;
use tablesmith_access::{ApplyError, FamilyName, Living, Step, Steps};
use tablesmith_model::TableName;

use crate::load::Opened;
use crate::{AppError, Context, design_file, open};

/// What is applied.
#[derive(Clone, Debug)]
pub struct ApplyOptions {
    /// The design.
    pub design: PathBuf,
    /// Whether it is done; else it is a dry run.
    pub yes: bool,
    /// Families whose data may go.
    pub lose: Vec<FamilyName>,
}

/// What was done, or would be.
#[derive(Clone, Debug, Serialize)]
pub struct ApplyResult {
    /// The steps, in words.
    pub steps: Vec<String>,
    /// What is not as the design says and stays so, in sentences.
    pub stays: Vec<String>,
    /// Tables whose rows lie otherwise than the design says.
    #[serde(rename = "laid_otherwise")]
    pub other_layout: Vec<String>,
    /// Whether the steps were done.
    pub applied: bool,
}

/// Applies a design. `done` hears of every step that is done.
pub async fn run(
    context: &Context,
    options: &ApplyOptions,
    done: &mut (dyn FnMut(&Step) + Send),
) -> Result<ApplyResult, AppError> {
    let path = &options.design;
    let design = design_file::read(path)?;
    let wrong = AppError::in_file::<ApplyError>(path);
    // A design that cannot be applied needs no store to be told so.
    Steps::of(&design, &Living::default(), &[]).map_err(&wrong)?;
    let has_workload = design_file::workload_path(path, &design).exists();
    let opened = if has_workload { Some(Opened::read(path)?) } else { None };
    let names: Vec<TableName> = design.tables.iter().filter_map(|table| table.name.parse().ok()).collect();
    let store = open::store(context).await?;
    let living = Living::look(&*store, &names).await?;
    let steps = Steps::of(&design, &living, &options.lose).map_err(&wrong)?;
    if options.yes {
        let (mut count, all) = (0, steps.steps.len());
        let mut step_done = |step: &Step| {
            count += 1;
            context
                .progress
                .note(format!("{count} of {all} steps done; run the same command again for the rest"));
            done(step);
        };
        steps.make(&*store, &mut step_done).await?;
    }
    let other_layout = match opened {
        Some(opened) => opened.writer.tables_with_other_layout(&*store).await?,
        None => Vec::new(),
    };
    let words = steps.steps.iter().map(ToString::to_string).collect();
    Ok(ApplyResult { steps: words, stays: steps.stays, other_layout, applied: options.yes })
}
