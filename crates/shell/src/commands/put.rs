//! `put`: writes a value.

use async_trait::async_trait;
use tablesmith_store::Put;

use crate::arguments::convert;
use crate::error::ShellError;
use crate::language::Value;
use crate::output::Reply;

use super::write::{self, WriteOptions};
use super::{Arguments, Context, Group, ShellCommand, Usage};

/// See the module.
pub struct PutCommand;

const USAGE: Usage = Usage {
    name: "put",
    aliases: &[],
    group: Group::Dml,
    summary: "Writes a value to a row's column, at a timestamp or now.",
    examples: &[
        "put 't1', 'row1', 'f:q', 'value'",
        "put 'ns:t1', \"row\\x00\", 'f:q', 'value', 1500000000000",
        "put 't1', 'row1', 'f:q', 'value', {TTL => 60000}",
        "put 't1', 'row1', 'f:q', 'value', 1500000000000, {TTL => 60000, ATTRIBUTES => {'key' => 'value'}}",
    ],
    options: write::OPTIONS,
    arguments: (4, Some(6)),
};

#[async_trait]
impl ShellCommand for PutCommand {
    fn usage(&self) -> &'static Usage {
        &USAGE
    }

    async fn run(&self, context: &Context<'_>, mut arguments: Arguments) -> Result<Reply, ShellError> {
        let table = convert::table(&arguments.take())?;
        let row = convert::bytes(&arguments.take(), "the row")?;
        let (family, qualifier) = write::column(&arguments.take())?;
        let value = convert::bytes(&arguments.take(), "the value")?;
        let (timestamp, options) = match arguments.take() {
            options @ Value::Hash(_) => (Value::Nil, Some(options)),
            timestamp => (timestamp, arguments.optional()),
        };
        let timestamp = match timestamp {
            Value::Nil => None,
            timestamp => convert::write_timestamp(&timestamp)?,
        };
        let options = WriteOptions::read(USAGE.name, options)?;
        let cells = vec![(family, qualifier, timestamp, value)];
        let put = Put { row, cells, ttl_ms: options.ttl_ms, ..Put::default() };
        context.store.put(&table, put).await?;
        Ok(Reply::done(options.notes))
    }
}
