//! `enable_all`, `disable_all`, `drop_all`: the same to all tables whose name fits a pattern.

use async_trait::async_trait;
use tablesmith_model::TableName;
use tablesmith_store::StoreError;

use crate::error::ShellError;
use crate::output::{ChangedTables, Outcome, Reply};

use super::list::matching_tables;
use super::{Arguments, Confirmation, Context, Group, ShellCommand, Usage};

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
    "Enable all tables whose name matches a regular expression, after asking. In a script the next line answers: 'y' or 'n'. Without an answer nothing is enabled.",
    &["enable_all 't.*'"],
);
const DISABLE_USAGE: Usage = usage(
    "disable_all",
    "Disable all tables whose name matches a regular expression, after asking. In a script the next line answers: 'y' or 'n'. Without an answer nothing is disabled.",
    &["disable_all 't.*'"],
);
const DROP_USAGE: Usage = usage(
    "drop_all",
    "Drop all tables whose name matches a regular expression, after asking. In a script the next line answers: 'y' or 'n'. Without an answer nothing is dropped.",
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

    /// Goes on after a table that refuses; only a store that fails ends it.
    async fn apply_to_all(self, context: &Context<'_>, tables: &[TableName]) -> Result<Reply, ShellError> {
        let (_, done) = self.words();
        let (mut notes, mut changed) = (Vec::new(), ChangedTables::none(done));
        for table in tables {
            match self.apply(context, table).await {
                Ok(()) => changed.tables.push(table.to_string()),
                Err(error) if error.is_store_failure() => return Err(error.into()),
                Err(error) => {
                    notes.push(format!("table:{table}, error:{error}"));
                    changed.failed.push(table.to_string());
                }
            }
        }
        Ok(Reply { notes, outcome: Outcome::Changed(changed) })
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
        if matching.is_empty() {
            let notes = vec![format!("No tables matched the regex {}", pattern.to_text())];
            return Ok(Reply { notes, outcome: Outcome::Changed(ChangedTables::none(done)) });
        }
        let names: Vec<String> = matching.iter().map(TableName::to_string).collect();
        let question = format!("{verb} the above {} tables (y/n)?", names.len());
        match context.confirm.confirm(&names, &question) {
            Confirmation::Yes => self.0.apply_to_all(context, &matching).await,
            Confirmation::No => {
                let notes = vec![format!("The answer was no: no table was {done}.")];
                Ok(Reply { notes, outcome: Outcome::Changed(ChangedTables::none(done)) })
            }
            Confirmation::Missing => Err(unanswered(self.usage().name, done, &names)),
        }
    }
}

/// A script that does not confirm a change would go on as if it were made, so this is an error.
fn unanswered(command: &str, done: &str, names: &[String]) -> ShellError {
    const SHOWN: usize = 10;
    let more = if names.len() > SHOWN { ", …" } else { "" };
    let shown = names.get(..SHOWN).unwrap_or(names).join(", ");
    ShellError::Argument(format!(
        "no table was {done}: {command} asks first, and the next line does not answer; write 'y' or 'n' on the line \
         after it (tables that match: {}, {shown}{more})",
        names.len()
    ))
}
