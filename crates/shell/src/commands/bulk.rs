//! `enable_all`, `disable_all`, `drop_all`: the same to all tables whose name fits a pattern.

use async_trait::async_trait;
use tablesmith_model::TableName;
use tablesmith_store::StoreError;

use crate::error::ShellError;
use crate::output::{ChangedTables, Outcome, Reply};

use super::list::matching_tables;
use super::{Arguments, Context, Group, ShellCommand, Usage};

/// One of the three commands.
pub struct BulkCommand(Bulk);

/// `enable_all`
pub const ENABLE_ALL: BulkCommand = BulkCommand(Bulk::Enable);
/// `disable_all`
pub const DISABLE_ALL: BulkCommand = BulkCommand(Bulk::Disable);
/// `drop_all`
pub const DROP_ALL: BulkCommand = BulkCommand(Bulk::Drop);

#[derive(Clone, Copy)]
enum Bulk {
    Enable,
    Disable,
    Drop,
}

const ENABLE_USAGE: Usage = usage(
    "enable_all",
    "Enables all tables whose name fits a regular expression, after asking. In a script the next line can be 'y' or 'n'.",
    &["enable_all 't.*'"],
);
const DISABLE_USAGE: Usage = usage(
    "disable_all",
    "Disables all tables whose name fits a regular expression, after asking. In a script the next line can be 'y' or 'n'.",
    &["disable_all 't.*'"],
);
const DROP_USAGE: Usage = usage(
    "drop_all",
    "Drops all tables whose name fits a regular expression, after asking. In a script the next line can be 'y' or 'n'.",
    &["drop_all 't.*'"],
);

const fn usage(name: &'static str, summary: &'static str, examples: &'static [&'static str]) -> Usage {
    Usage { name, aliases: &[], group: Group::Ddl, summary, examples, options: &[], arguments: (1, Some(1)) }
}

impl Bulk {
    /// The question's verb, and the word for what is done.
    fn words(self) -> (&'static str, &'static str) {
        match self {
            Self::Enable => ("Enable", "enabled"),
            Self::Disable => ("Disable", "disabled"),
            Self::Drop => ("Drop", "dropped"),
        }
    }

    async fn apply(self, context: &Context<'_>, table: &TableName) -> Result<(), StoreError> {
        match self {
            Self::Enable => context.store.enable_table(table).await,
            Self::Disable => context.store.disable_table(table).await,
            Self::Drop => context.store.drop_table(table).await,
        }
    }
}

#[async_trait]
impl ShellCommand for BulkCommand {
    fn usage(&self) -> &'static Usage {
        match self.0 {
            Bulk::Enable => &ENABLE_USAGE,
            Bulk::Disable => &DISABLE_USAGE,
            Bulk::Drop => &DROP_USAGE,
        }
    }

    async fn run(&self, context: &Context<'_>, mut arguments: Arguments) -> Result<Reply, ShellError> {
        let pattern = arguments.take();
        let matching = matching_tables(context, &pattern).await?;
        let (verb, done) = self.0.words();
        let mut changed = ChangedTables { done, tables: Vec::new(), failed: Vec::new() };
        if matching.is_empty() {
            let notes = vec![format!("No tables matched the regex {}", pattern.to_text())];
            return Ok(Reply { notes, outcome: Outcome::Changed(changed) });
        }
        let names: Vec<String> = matching.iter().map(TableName::to_string).collect();
        let question = format!("{verb} the above {} tables (y/n)?", names.len());
        let mut notes = Vec::new();
        if context.confirm.confirm(&names, &question) {
            for (table, name) in matching.iter().zip(names) {
                match self.0.apply(context, table).await {
                    Ok(()) => changed.tables.push(name),
                    Err(error) if error.is_store_failure() => return Err(error.into()),
                    Err(error) => {
                        notes.push(format!("table:{name}, error:{error}"));
                        changed.failed.push(name);
                    }
                }
            }
        }
        Ok(Reply { notes, outcome: Outcome::Changed(changed) })
    }
}
