//! `list`: the tables there are.

use async_trait::async_trait;
use regex::Regex;
use tablesmith_model::TableName;
use tablesmith_model::name::{DEFAULT_NAMESPACE, SYSTEM_NAMESPACE};

use crate::arguments::convert;
use crate::error::ShellError;
use crate::language::Value;
use crate::output::{Outcome, Reply};

use super::{Arguments, Context, Group, ShellCommand, Usage};

/// See the module.
pub struct ListCommand;

const USAGE: Usage = Usage {
    name: "list",
    aliases: &[],
    group: Group::Ddl,
    summary: "Lists the tables, or those whose whole name fits a regular expression.",
    examples: &["list", "list 'user.*'", "list 'ns:.*'"],
    options: &[],
    arguments: (0, Some(1)),
};

#[async_trait]
impl ShellCommand for ListCommand {
    fn usage(&self) -> &'static Usage {
        &USAGE
    }

    async fn run(&self, context: &Context<'_>, mut arguments: Arguments) -> Result<Reply, ShellError> {
        let tables = matching_tables(context, &arguments.take()).await?;
        Ok(Outcome::Tables(tables.iter().map(TableName::to_string).collect()).into())
    }
}

/// The tables that people made and whose name fits a pattern; `nil` fits all.
pub async fn matching_tables(context: &Context<'_>, pattern: &Value) -> Result<Vec<TableName>, ShellError> {
    let mut tables = context.store.list_tables().await?;
    tables.retain(|table| table.namespace() != SYSTEM_NAMESPACE);
    if *pattern != Value::Nil {
        let pattern = regex(&format!("^(?:{})$", convert::text(pattern, "the pattern")?))?;
        tables.retain(|table| {
            let qualified = format!("{DEFAULT_NAMESPACE}:{table}");
            pattern.is_match(&table.to_string())
                || (table.namespace() == DEFAULT_NAMESPACE && pattern.is_match(&qualified))
        });
    }
    Ok(tables)
}

/// A regular expression as people write it.
pub fn regex(pattern: &str) -> Result<Regex, ShellError> {
    Regex::new(pattern).map_err(|error| ShellError::Client {
        exception: "PatternSyntaxException",
        message: error.to_string(),
    })
}
