//! `repair`: holds index tables and materialized joins against their base rows, and repairs what a crash left.

use std::path::PathBuf;

use serde::Serialize;
use tablesmith_access::{Repair, Repaired, repair, unfinished_moves};
use tablesmith_report::number::grouped;

use crate::load::Opened;
use crate::{AppError, Context, open};

/// What is repaired.
#[derive(Clone, Debug)]
pub struct RepairOptions {
    /// The design.
    pub design: PathBuf,
    /// Whether it is repaired; else it is a dry run.
    pub yes: bool,
}

/// What a repair found.
#[derive(Clone, Debug, Serialize)]
pub struct RepairResult {
    /// Index tables and materialized joins.
    pub copies: Vec<CopyResult>,
    /// Base rows that exist twice, as a client stopped while it moved them.
    pub moves: u64,
    /// Whether it was repaired.
    pub mended: bool,
}

/// What was found in one table.
#[derive(Clone, Debug, Serialize)]
pub struct CopyResult {
    /// The table of the design.
    pub table: String,
    /// The tables of the workload whose rows it holds.
    pub from: Vec<String>,
    /// Records that should be there.
    pub records: u64,
    /// Those that were missing.
    pub missing: u64,
    /// Those that said something else.
    pub different: u64,
    /// Records that were there and should not be.
    pub dangling: u64,
}

impl CopyResult {
    /// Whether everything was as it should be.
    pub fn is_consistent(&self) -> bool {
        self.missing == 0 && self.different == 0 && self.dangling == 0
    }
}

impl RepairResult {
    /// Whether nothing was to be repaired.
    pub fn is_consistent(&self) -> bool {
        self.moves == 0 && self.copies.iter().all(CopyResult::is_consistent)
    }
}

/// Looks for what a crash left, and repairs it if that is wanted.
pub async fn run(context: &Context, options: &RepairOptions) -> Result<RepairResult, AppError> {
    let design = Opened::read(&options.design)?;
    let store = open::for_rows(context).await?;
    let how = if options.yes { Repair::Mend } else { Repair::Look };
    let work = async {
        if let Some(table) = design.writer.tables_with_other_layout(&store).await?.into_iter().next() {
            // By this design its rows would be taken for missing or wrong.
            return Err(AppError::OtherLayout(table));
        }
        let moves = unfinished_moves(&store).await?;
        let copies = repair(&store, &design.writer, how).await?.into_iter().map(copy).collect();
        Ok(RepairResult { copies, moves, mended: options.yes })
    };
    let found = context.cancellation.or_cancelled(work).await;
    found.inspect_err(|_| context.progress.note(progress(options.yes, store.intercept().rows_written())))
}

/// What is done of a repair that is interrupted.
fn progress(is_repaired: bool, rows: u64) -> String {
    match is_repaired {
        false => "nothing was changed; run the same command again to check all index tables".to_owned(),
        true => {
            format!("{} rows of index tables repaired; run the same command again to continue", grouped(rows))
        }
    }
}

fn copy(found: Repaired) -> CopyResult {
    let Repaired { table, tables, records, missing, different, dangling } = found;
    CopyResult { table, from: tables, records, missing, different, dangling }
}
