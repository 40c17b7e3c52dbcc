//! `truncate` and `truncate_preserve`: remove all rows of a table.

use async_trait::async_trait;

use crate::arguments::convert;
use crate::error::ShellError;
use crate::output::Reply;

use super::{Arguments, Context, Group, ShellCommand, Usage};

/// `truncate`
pub struct TruncateCommand;

const TRUNCATE: Usage = Usage {
    name: "truncate",
    aliases: &[],
    group: Group::Dml,
    summary: "Removes all rows of a table and makes it one region.",
    examples: &["truncate 't1'"],
    options: &[],
    arguments: (1, Some(1)),
};

#[async_trait]
impl ShellCommand for TruncateCommand {
    fn usage(&self) -> &'static Usage {
        &TRUNCATE
    }

    async fn run(&self, context: &Context<'_>, arguments: Arguments) -> Result<Reply, ShellError> {
        truncate(context, arguments, false).await
    }
}

/// `truncate_preserve`
pub struct TruncatePreserveCommand;

const TRUNCATE_PRESERVE: Usage = Usage {
    name: "truncate_preserve",
    aliases: &[],
    group: Group::Dml,
    summary: "Removes all rows of a table and keeps its regions.",
    examples: &["truncate_preserve 't1'"],
    options: &[],
    arguments: (1, Some(1)),
};

#[async_trait]
impl ShellCommand for TruncatePreserveCommand {
    fn usage(&self) -> &'static Usage {
        &TRUNCATE_PRESERVE
    }

    async fn run(&self, context: &Context<'_>, arguments: Arguments) -> Result<Reply, ShellError> {
        truncate(context, arguments, true).await
    }
}

async fn truncate(
    context: &Context<'_>,
    mut arguments: Arguments,
    preserve_splits: bool,
) -> Result<Reply, ShellError> {
    let table = convert::table(&arguments.take())?;
    let mut notes = vec![format!("Truncating '{table}' table (it may take a while):")];
    if context.store.is_enabled(&table).await? {
        notes.push("Disabling table...".to_owned());
        context.store.disable_table(&table).await?;
    }
    notes.push("Truncating table...".to_owned());
    context.store.truncate_table(&table, preserve_splits).await?;
    Ok(Reply::done(notes))
}
