//! `append`: appends to a value.

use async_trait::async_trait;
use tablesmith_store::Append;

use crate::arguments::convert;
use crate::error::ShellError;
use crate::output::{Outcome, Reply};

use super::write::{self, WriteOptions};
use super::{Arguments, Context, Group, ShellCommand, Usage};

/// See the module.
pub struct AppendCommand;

const USAGE: Usage = Usage {
    name: "append",
    aliases: &[],
    group: Group::Dml,
    summary: "Appends to the value of a row's column and shows the new value.",
    examples: &["append 't1', 'row1', 'f:q', 'more'", "append 't1', 'row1', 'f:q', 'more', {TTL => 60000}"],
    options: write::OPTIONS,
    arguments: (4, Some(5)),
};

#[async_trait]
impl ShellCommand for AppendCommand {
    fn usage(&self) -> &'static Usage {
        &USAGE
    }

    async fn run(&self, context: &Context<'_>, mut arguments: Arguments) -> Result<Reply, ShellError> {
        let table = convert::table(&arguments.take())?;
        let row = convert::bytes(&arguments.take(), "the row")?;
        let (family, qualifier) = write::column(&arguments.take())?;
        let value = convert::bytes(&arguments.take(), "the value")?;
        let options = WriteOptions::read(USAGE.name, arguments.optional())?;
        let mut append = Append::new(row, family, qualifier, value);
        append.ttl_ms = options.ttl_ms;
        let row = context.store.append(&table, append).await?.value;
        let value = row.cells.into_iter().next().map(|cell| cell.value);
        Ok(Reply { notes: options.notes, outcome: Outcome::Appended(value) })
    }
}
