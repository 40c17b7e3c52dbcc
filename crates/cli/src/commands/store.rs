//! `tablesmith store`: checks the files of an embedded store, and copies out what can be read of a damaged one.

use std::io::Write;
use std::path::PathBuf;

use clap::{Args, Subcommand};
use serde_json::{Value, json};
use tablesmith_app::AppError;
use tablesmith_engine::{Damage, Depth, Salvage, check, salvage};

use crate::arguments::{Format, Global};
use crate::failure::{Failure, Verdict};
use crate::interrupt::interruptible;
use crate::terminal;

const EXAMPLES: &str = "\
Examples:
  tablesmith store check ./tables
  tablesmith store salvage ./tables ./rescued
  tablesmith --store embedded:./tables --read-only shell -c \"scan 't'\"

Neither command changes the damaged store. Exit codes: 0 everything is whole, 1 something is damaged.";

/// Check an embedded store for damage, or copy out what can be read of a damaged one
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct StoreArguments {
    #[command(subcommand)]
    action: Action,
}

#[derive(Debug, Subcommand)]
enum Action {
    /// Read every file of a store and list what is damaged
    Check {
        /// Directory of the store
        #[arg(value_name = "DIR")]
        dir: PathBuf,
        /// Skip the checksums of table files: only journals, manifests and missing files are checked
        #[arg(long)]
        quick: bool,
    },
    /// Copy all tables that can be read to a new store, with every version and tombstone
    Salvage {
        /// Directory of the damaged store
        #[arg(value_name = "DIR")]
        dir: PathBuf,
        /// Directory of the new store; must be empty or not exist
        #[arg(value_name = "NEW-DIR")]
        target: PathBuf,
    },
}

impl StoreArguments {
    /// What to say when the command is interrupted.
    pub fn when_interrupted(&self) -> &'static str {
        match self.action {
            Action::Check { .. } => "nothing was changed or written",
            Action::Salvage { .. } => {
                "the new store is not complete; remove it and run the same command again"
            }
        }
    }
}

pub async fn run(global: &Global, arguments: StoreArguments) -> Result<Verdict, Failure> {
    let mut out = terminal::stdout();
    let is_damaged = match arguments.action {
        Action::Check { dir, quick } => {
            let depth = if quick { Depth::Quick } else { Depth::Full };
            let shown = dir.display().to_string();
            let damage = on_a_thread(move || check(&dir, depth)).await?;
            let printed = match global.format {
                Format::Text => out.write_all(check_text(&shown, &damage).as_bytes()),
                Format::Json => writeln!(out, "{}", json!({"damage": damage_json(&damage)})),
            };
            printed.map_err(Failure::output)?;
            !damage.is_empty()
        }
        Action::Salvage { dir, target } => {
            let shown = target.display().to_string();
            let salvaged = on_a_thread(move || salvage(&dir, &target)).await?;
            let printed = match global.format {
                Format::Text => out.write_all(salvage_text(&shown, &salvaged).as_bytes()),
                Format::Json => writeln!(out, "{}", salvage_json(&salvaged)),
            };
            printed.map_err(Failure::output)?;
            !is_complete(&salvaged)
        }
    };
    Ok(if is_damaged { Verdict::No } else { Verdict::Yes })
}

/// Whether everything was copied.
fn is_complete(salvaged: &Salvage) -> bool {
    let has_all = salvaged.tables.iter().all(|table| table.problems.is_empty());
    salvaged.damage.is_empty() && salvaged.lost.is_empty() && has_all
}

/// Runs work that blocks, so that Ctrl-C does not wait for it.
async fn on_a_thread<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, tablesmith_store::StoreError> + Send + 'static,
) -> Result<T, Failure> {
    let working = tokio::task::spawn_blocking(work);
    interruptible(async {
        Ok(working.await.map_err(|error| AppError::System(std::io::Error::other(error)))??)
    })
    .await
}

fn check_text(dir: &str, damage: &[Damage]) -> String {
    if damage.is_empty() {
        return format!("{dir}: no damage found\n");
    }
    let lines: String = damage.iter().map(|damage| format!("  {damage}\n")).collect();
    format!(
        "{dir}: {} damaged\n{lines}Copy out what can be read: tablesmith store salvage {dir} NEW-DIR\n",
        count(damage.len(), "file")
    )
}

fn salvage_text(target: &str, salvaged: &Salvage) -> String {
    let mut text = String::new();
    for damage in &salvaged.damage {
        text += &format!("damaged: {damage}\n");
    }
    for table in &salvaged.tables {
        text += &format!("table {}: {} copied\n", table.name, count(table.cells as usize, "cell"));
        for problem in &table.problems {
            text += &format!("  not all: {problem}\n");
        }
    }
    for (table, problem) in &salvaged.lost {
        text += &format!("table {table}: nothing copied: {problem}\n");
    }
    text + &format!("The new store is in {target}.\n")
}

fn count(number: usize, what: &str) -> String {
    format!("{number} {what}{}", if number == 1 { "" } else { "s" })
}

fn damage_json(damage: &[Damage]) -> Vec<Value> {
    let item = |damage: &Damage| {
        json!({
            "path": damage.path.display().to_string(),
            "problem": damage.problem,
            "tables": damage.tables,
        })
    };
    damage.iter().map(item).collect()
}

fn salvage_json(salvaged: &Salvage) -> Value {
    let tables = salvaged.tables.iter().map(
        |table| json!({"name": table.name.to_string(), "cells": table.cells, "problems": table.problems}),
    );
    let lost =
        salvaged.lost.iter().map(|(name, problem)| json!({"name": name.to_string(), "problem": problem}));
    json!({
        "damage": damage_json(&salvaged.damage),
        "tables": tables.collect::<Vec<_>>(),
        "lost": lost.collect::<Vec<_>>(),
    })
}

#[cfg(test)]
mod tests {
    use tablesmith_engine::SalvagedTable;

    use super::*;

    #[test]
    fn a_table_that_is_copied_in_part_is_damage() {
        let table = |problems| SalvagedTable { name: "t".parse().unwrap(), cells: 1, problems };
        let salvaged = |problems| Salvage { tables: vec![table(problems)], ..Salvage::default() };
        assert!(is_complete(&salvaged(Vec::new())));
        assert!(!is_complete(&salvaged(vec!["table t, family f: a block cannot be read".to_owned()])));
    }
}
