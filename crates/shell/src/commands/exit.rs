//! `exit` ends the session; `get_table` only gives a table a name in the script.

use async_trait::async_trait;

use crate::arguments::convert;
use crate::error::ShellError;
use crate::output::{Outcome, Reply};

use super::{Arguments, Context, Group, ShellCommand, Usage};

/// `exit`
pub struct ExitCommand;

const EXIT: Usage = Usage {
    name: "exit",
    aliases: &["quit"],
    group: Group::General,
    summary: "Ends the session.",
    examples: &["exit", "quit"],
    options: &[],
    arguments: (0, Some(1)),
};

#[async_trait]
impl ShellCommand for ExitCommand {
    fn usage(&self) -> &'static Usage {
        &EXIT
    }

    async fn run(&self, _: &Context<'_>, _: Arguments) -> Result<Reply, ShellError> {
        Ok(Outcome::Exit.into())
    }
}

/// `get_table`
pub struct GetTableCommand;

const GET_TABLE: Usage = Usage {
    name: "get_table",
    aliases: &[],
    group: Group::Ddl,
    summary: "Gives a table a short name for this session, as `create` can do too.",
    examples: &["t = get_table 'ns:a_long_name'", "t.put 'row1', 'f:q', 'value'", "t.scan LIMIT => 10"],
    options: &[],
    arguments: (1, Some(1)),
};

#[async_trait]
impl ShellCommand for GetTableCommand {
    fn usage(&self) -> &'static Usage {
        &GET_TABLE
    }

    async fn run(&self, _: &Context<'_>, mut arguments: Arguments) -> Result<Reply, ShellError> {
        convert::table(&arguments.take())?;
        Ok(Outcome::Done.into())
    }
}
