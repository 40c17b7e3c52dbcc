//! Namespaces: made, removed, listed.

use async_trait::async_trait;

use crate::arguments::convert;
use crate::error::ShellError;
use crate::language::Value;
use crate::output::{Outcome, Reply};

use super::{Arguments, Context, Group, ShellCommand, Usage, list};
use tablesmith_store::StoreError;

/// `create_namespace`
pub struct CreateNamespaceCommand;

const CREATE: Usage = Usage {
    name: "create_namespace",
    aliases: &[],
    group: Group::Namespace,
    summary: "Makes a namespace.",
    examples: &["create_namespace 'ns'"],
    options: &[],
    arguments: (1, None),
};

#[async_trait]
impl ShellCommand for CreateNamespaceCommand {
    fn usage(&self) -> &'static Usage {
        &CREATE
    }

    async fn run(&self, context: &Context<'_>, mut arguments: Arguments) -> Result<Reply, ShellError> {
        let name = convert::name(&arguments.take(), "the namespace's name")?;
        let mut notes = Vec::new();
        for argument in arguments.flat_rest() {
            for (key, _) in convert::hash(argument, "a namespace's properties")? {
                notes.push(format!("Property ignored, stores have none for namespaces: {}", key.to_text()));
            }
        }
        context.store.create_namespace(&name).await?;
        Ok(Reply::done(notes))
    }
}

/// `drop_namespace`
pub struct DropNamespaceCommand;

const DROP: Usage = Usage {
    name: "drop_namespace",
    aliases: &[],
    group: Group::Namespace,
    summary: "Removes a namespace, which must not have tables.",
    examples: &["drop_namespace 'ns'"],
    options: &[],
    arguments: (1, Some(1)),
};

#[async_trait]
impl ShellCommand for DropNamespaceCommand {
    fn usage(&self) -> &'static Usage {
        &DROP
    }

    async fn run(&self, context: &Context<'_>, mut arguments: Arguments) -> Result<Reply, ShellError> {
        context.store.drop_namespace(&convert::text(&arguments.take(), "the namespace's name")?).await?;
        Ok(Outcome::Done.into())
    }
}

/// `list_namespace`
pub struct ListNamespaceCommand;

const LIST: Usage = Usage {
    name: "list_namespace",
    aliases: &[],
    group: Group::Namespace,
    summary: "Lists the namespaces, or those in whose name a regular expression is found.",
    examples: &["list_namespace", "list_namespace 'app.*'"],
    options: &[],
    arguments: (0, Some(1)),
};

#[async_trait]
impl ShellCommand for ListNamespaceCommand {
    fn usage(&self) -> &'static Usage {
        &LIST
    }

    async fn run(&self, context: &Context<'_>, mut arguments: Arguments) -> Result<Reply, ShellError> {
        let mut namespaces = context.store.list_namespaces().await?;
        if let Some(pattern) = arguments.optional() {
            let pattern = list::regex(&convert::text(&pattern, "the pattern")?)?;
            namespaces.retain(|namespace| pattern.is_match(namespace));
        }
        Ok(Outcome::Namespaces(namespaces).into())
    }
}

/// `list_namespace_tables`
pub struct ListNamespaceTablesCommand;

const LIST_TABLES: Usage = Usage {
    name: "list_namespace_tables",
    aliases: &[],
    group: Group::Namespace,
    summary: "Lists the tables of a namespace.",
    examples: &["list_namespace_tables 'ns'"],
    options: &[],
    arguments: (1, Some(1)),
};

#[async_trait]
impl ShellCommand for ListNamespaceTablesCommand {
    fn usage(&self) -> &'static Usage {
        &LIST_TABLES
    }

    async fn run(&self, context: &Context<'_>, mut arguments: Arguments) -> Result<Reply, ShellError> {
        let namespace = known_namespace(context, &arguments.take()).await?;
        let tables = context.store.list_tables().await?;
        let names = tables.iter().filter(|table| table.namespace() == namespace);
        Ok(Outcome::Tables(names.map(|table| table.table().to_owned()).collect()).into())
    }
}

/// `describe_namespace`
pub struct DescribeNamespaceCommand;

const DESCRIBE: Usage = Usage {
    name: "describe_namespace",
    aliases: &[],
    group: Group::Namespace,
    summary: "Shows a namespace.",
    examples: &["describe_namespace 'ns'"],
    options: &[],
    arguments: (1, Some(1)),
};

#[async_trait]
impl ShellCommand for DescribeNamespaceCommand {
    fn usage(&self) -> &'static Usage {
        &DESCRIBE
    }

    async fn run(&self, context: &Context<'_>, mut arguments: Arguments) -> Result<Reply, ShellError> {
        Ok(Outcome::Namespace(known_namespace(context, &arguments.take()).await?).into())
    }
}

async fn known_namespace(context: &Context<'_>, name: &Value) -> Result<String, ShellError> {
    let name = convert::text(name, "the namespace's name")?;
    if context.store.list_namespaces().await?.contains(&name) {
        Ok(name)
    } else {
        Err(StoreError::NamespaceNotFound(name).into())
    }
}
