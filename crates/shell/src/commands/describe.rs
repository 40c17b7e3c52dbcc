//! `describe`: a table's families and attributes.

use async_trait::async_trait;

use crate::arguments::convert;
use crate::error::ShellError;
use crate::output::{Outcome, Reply, TableState};

use super::{Arguments, Context, Group, ShellCommand, Usage};

/// See the module.
pub struct DescribeCommand;

const USAGE: Usage = Usage {
    name: "describe",
    aliases: &["desc"],
    group: Group::Ddl,
    summary: "Shows the families of a table with their settings, and the table's attributes.",
    examples: &["describe 't1'", "desc 'ns:t1'"],
    options: &[],
    arguments: (1, Some(1)),
};

#[async_trait]
impl ShellCommand for DescribeCommand {
    fn usage(&self) -> &'static Usage {
        &USAGE
    }

    async fn run(&self, context: &Context<'_>, mut arguments: Arguments) -> Result<Reply, ShellError> {
        let table = convert::table(&arguments.take())?;
        let descriptor = context.store.describe_table(&table).await?;
        let enabled = context.store.is_enabled(&table).await?;
        Ok(Outcome::Table(Box::new(TableState { descriptor, enabled })).into())
    }
}
