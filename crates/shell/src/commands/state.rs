//! Whether a table is there and answers: `exists`, `is_enabled`, `is_disabled`, `enable`, `disable`, `drop`.

use async_trait::async_trait;

use crate::arguments::convert;
use crate::error::ShellError;
use crate::output::{Outcome, Reply};

use super::{Arguments, Context, Group, ShellCommand, Usage};

/// `exists`
pub struct ExistsCommand;

const EXISTS: Usage = Usage {
    name: "exists",
    aliases: &[],
    group: Group::Ddl,
    summary: "Whether there is such a table.",
    examples: &["exists 't1'"],
    options: &[],
    arguments: (1, Some(1)),
};

#[async_trait]
impl ShellCommand for ExistsCommand {
    fn usage(&self) -> &'static Usage {
        &EXISTS
    }

    async fn run(&self, context: &Context<'_>, mut arguments: Arguments) -> Result<Reply, ShellError> {
        let name = arguments.take();
        let exists = context.store.table_exists(&convert::table(&name)?).await?;
        Ok(Outcome::Exists { table: name.to_text(), exists }.into())
    }
}

/// `is_enabled`
pub struct IsEnabledCommand;

const IS_ENABLED: Usage = Usage {
    name: "is_enabled",
    aliases: &[],
    group: Group::Ddl,
    summary: "Whether a table answers.",
    examples: &["is_enabled 't1'"],
    options: &[],
    arguments: (1, Some(1)),
};

#[async_trait]
impl ShellCommand for IsEnabledCommand {
    fn usage(&self) -> &'static Usage {
        &IS_ENABLED
    }

    async fn run(&self, context: &Context<'_>, mut arguments: Arguments) -> Result<Reply, ShellError> {
        let enabled = context.store.is_enabled(&convert::table(&arguments.take())?).await?;
        Ok(Outcome::Enabled(enabled).into())
    }
}

/// `is_disabled`
pub struct IsDisabledCommand;

const IS_DISABLED: Usage = Usage {
    name: "is_disabled",
    aliases: &[],
    group: Group::Ddl,
    summary: "Whether a table does not answer.",
    examples: &["is_disabled 't1'"],
    options: &[],
    arguments: (1, Some(1)),
};

#[async_trait]
impl ShellCommand for IsDisabledCommand {
    fn usage(&self) -> &'static Usage {
        &IS_DISABLED
    }

    async fn run(&self, context: &Context<'_>, mut arguments: Arguments) -> Result<Reply, ShellError> {
        let enabled = context.store.is_enabled(&convert::table(&arguments.take())?).await?;
        Ok(Outcome::Disabled(!enabled).into())
    }
}

/// `enable`
pub struct EnableCommand;

const ENABLE: Usage = Usage {
    name: "enable",
    aliases: &[],
    group: Group::Ddl,
    summary: "Lets a table answer again.",
    examples: &["enable 't1'"],
    options: &[],
    arguments: (1, Some(1)),
};

#[async_trait]
impl ShellCommand for EnableCommand {
    fn usage(&self) -> &'static Usage {
        &ENABLE
    }

    async fn run(&self, context: &Context<'_>, mut arguments: Arguments) -> Result<Reply, ShellError> {
        let table = convert::table(&arguments.take())?;
        if !context.store.is_enabled(&table).await? {
            context.store.enable_table(&table).await?;
        }
        Ok(Outcome::Done.into())
    }
}

/// `disable`
pub struct DisableCommand;

const DISABLE: Usage = Usage {
    name: "disable",
    aliases: &[],
    group: Group::Ddl,
    summary: "Stops a table from answering, which `drop` wants.",
    examples: &["disable 't1'"],
    options: &[],
    arguments: (1, Some(1)),
};

#[async_trait]
impl ShellCommand for DisableCommand {
    fn usage(&self) -> &'static Usage {
        &DISABLE
    }

    async fn run(&self, context: &Context<'_>, mut arguments: Arguments) -> Result<Reply, ShellError> {
        let table = convert::table(&arguments.take())?;
        if context.store.is_enabled(&table).await? {
            context.store.disable_table(&table).await?;
        }
        Ok(Outcome::Done.into())
    }
}

/// `drop`
pub struct DropCommand;

const DROP: Usage = Usage {
    name: "drop",
    aliases: &[],
    group: Group::Ddl,
    summary: "Removes a table with its rows. It must be disabled.",
    examples: &["drop 't1'"],
    options: &[],
    arguments: (1, Some(1)),
};

#[async_trait]
impl ShellCommand for DropCommand {
    fn usage(&self) -> &'static Usage {
        &DROP
    }

    async fn run(&self, context: &Context<'_>, mut arguments: Arguments) -> Result<Reply, ShellError> {
        context.store.drop_table(&convert::table(&arguments.take())?).await?;
        Ok(Outcome::Done.into())
    }
}
