//! `incr` and `get_counter`: values that are 8-byte integers.

use async_trait::async_trait;
use bytes::Bytes;
use tablesmith_store::{Get, Increment};

use crate::arguments::{Column, convert};
use crate::error::ShellError;
use crate::language::Value;
use crate::output::{Outcome, Reply};

use super::write::{self, WriteOptions};
use super::{Arguments, Context, Group, ShellCommand, Usage};

/// `incr`
pub struct IncrCommand;

const INCR: Usage = Usage {
    name: "incr",
    aliases: &[],
    group: Group::Dml,
    summary: "Adds to a counter, 1 unless said otherwise, and shows its new value.",
    examples: &[
        "incr 't1', 'row1', 'f:hits'",
        "incr 't1', 'row1', 'f:hits', 10",
        "incr 't1', 'row1', 'f:hits', 10, {TTL => 60000}",
    ],
    options: write::OPTIONS,
    arguments: (3, Some(5)),
};

#[async_trait]
impl ShellCommand for IncrCommand {
    fn usage(&self) -> &'static Usage {
        &INCR
    }

    async fn run(&self, context: &Context<'_>, mut arguments: Arguments) -> Result<Reply, ShellError> {
        let table = convert::table(&arguments.take())?;
        let row = convert::bytes(&arguments.take(), "the row")?;
        let (family, qualifier) = write::column(&arguments.take())?;
        let (amount, options) = match arguments.take() {
            options @ Value::Hash(_) => (1, Some(options)),
            Value::Nil => (1, arguments.optional()),
            amount => (convert::long(&amount, "the amount")?, arguments.optional()),
        };
        let options = WriteOptions::read(INCR.name, options)?;
        let mut increment = Increment::new(row, family, qualifier, amount);
        increment.ttl_ms = options.ttl_ms;
        let row = context.store.increment(&table, increment).await?.value;
        let value = row.cells.first().map(|cell| counter(&cell.value)).transpose()?;
        Ok(Reply { notes: options.notes, outcome: Outcome::Counter(value) })
    }
}

/// `get_counter`
pub struct GetCounterCommand;

const GET_COUNTER: Usage = Usage {
    name: "get_counter",
    aliases: &[],
    group: Group::Dml,
    summary: "Shows the value of a counter.",
    examples: &["get_counter 't1', 'row1', 'f:hits'"],
    options: &[],
    arguments: (3, Some(3)),
};

#[async_trait]
impl ShellCommand for GetCounterCommand {
    fn usage(&self) -> &'static Usage {
        &GET_COUNTER
    }

    async fn run(&self, context: &Context<'_>, mut arguments: Arguments) -> Result<Reply, ShellError> {
        let table = convert::table(&arguments.take())?;
        let row = convert::bytes(&arguments.take(), "the row")?;
        let column = Column::new(&convert::bytes(&arguments.take(), "the column")?);
        let get = Get::new(row).column(column.family, column.qualifier.unwrap_or_default());
        let row = context.store.get(&table, get).await?.value;
        let value = row.cells.first().map(|cell| counter(&cell.value)).transpose()?;
        Ok(Outcome::Counter(value).into())
    }
}

fn counter(value: &Bytes) -> Result<i64, ShellError> {
    let bytes = <[u8; 8]>::try_from(&value[..]).map_err(|_| {
        ShellError::illegal(format!("this is no counter: it has {} bytes, not 8", value.len()))
    })?;
    Ok(i64::from_be_bytes(bytes))
}
