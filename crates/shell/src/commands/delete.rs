//! `delete` hides one version of a column, `deleteall` all of them, or a row, or all rows that begin alike.

use async_trait::async_trait;
use bytes::Bytes;
use tablesmith_model::TableName;
use tablesmith_model::bytes_text::to_text;
use tablesmith_model::cell::{LATEST_TIMESTAMP, Timestamp};
use tablesmith_store::{Action, Delete, DeleteTarget, Mutation, Scan};

use crate::arguments::{Column, Options, convert};
use crate::error::ShellError;
use crate::language::Value;
use crate::output::{Outcome, Reply};

use super::{Arguments, Context, Group, ShellCommand, Usage};

const OPTIONS: &[&str] = &["CACHE", "ROWPREFIXFILTER", "VISIBILITY"];

/// `delete`
pub struct DeleteCommand;

const DELETE: Usage = Usage {
    name: "delete",
    aliases: &[],
    group: Group::Dml,
    summary: "Deletes one version of a row's column: the newest, or the one of exactly this timestamp.",
    examples: &["delete 't1', 'row1', 'f:q'", "delete 't1', 'row1', 'f:q', 1500000000000"],
    options: OPTIONS,
    arguments: (3, Some(5)),
};

#[async_trait]
impl ShellCommand for DeleteCommand {
    fn usage(&self) -> &'static Usage {
        &DELETE
    }

    async fn run(&self, context: &Context<'_>, arguments: Arguments) -> Result<Reply, ShellError> {
        delete(context, arguments, Versions::One).await
    }
}

/// `deleteall`
pub struct DeleteAllCommand;

const DELETEALL: Usage = Usage {
    name: "deleteall",
    aliases: &[],
    group: Group::Dml,
    summary: "Deletes a row, a family or a column of it, with all versions up to a timestamp or now. \
              ROWPREFIXFILTER does so to all rows that begin alike; an array does it to several rows.",
    examples: &[
        "deleteall 't1', 'row1'",
        "deleteall 't1', 'row1', 'f'",
        "deleteall 't1', 'row1', 'f:q', 1500000000000",
        "deleteall 't1', 'row1', '', 1500000000000",
        "deleteall 't1', ['row1', 'row2']",
        "deleteall 't1', {ROWPREFIXFILTER => 'row', CACHE => 100}, 'f:q'",
    ],
    options: OPTIONS,
    arguments: (2, Some(5)),
};

#[async_trait]
impl ShellCommand for DeleteAllCommand {
    fn usage(&self) -> &'static Usage {
        &DELETEALL
    }

    async fn run(&self, context: &Context<'_>, arguments: Arguments) -> Result<Reply, ShellError> {
        delete(context, arguments, Versions::All).await
    }
}

#[derive(Clone, Copy, PartialEq)]
enum Versions {
    One,
    All,
}

async fn delete(
    context: &Context<'_>,
    mut arguments: Arguments,
    versions: Versions,
) -> Result<Reply, ShellError> {
    let table = convert::table(&arguments.take())?;
    let rows = arguments.take();
    let column = convert::bytes(&arguments.take(), "the column")?;
    let (timestamp, options) = match arguments.take() {
        options @ Value::Hash(_) => (None, options),
        Value::Nil => (None, arguments.take()),
        timestamp => (convert::write_timestamp(&timestamp)?, arguments.take()),
    };
    refuse_visibility(options)?;
    let hidden = Hidden { column: (!column.is_empty()).then(|| Column::new(&column)), timestamp, versions };
    match rows {
        Value::Hash(pairs) => delete_prefix(context, &table, Options::new(pairs), &hidden).await?,
        Value::Array(rows) => {
            for row in rows {
                let row = convert::bytes(&row, "the row")?;
                context.store.delete(&table, hidden.of_row(row)).await?;
            }
        }
        row => {
            context.store.delete(&table, hidden.of_row(convert::bytes(&row, "the row")?)).await?;
        }
    }
    Ok(Outcome::Done.into())
}

fn refuse_visibility(options: Value) -> Result<(), ShellError> {
    if let Value::Hash(pairs) = options
        && Options::new(pairs).take("VISIBILITY").is_some()
    {
        return Err(ShellError::unsupported("VISIBILITY labels are not supported: delete without them"));
    }
    Ok(())
}

/// Deletes the rows that begin alike, some at a time.
async fn delete_prefix(
    context: &Context<'_>,
    table: &TableName,
    mut options: Options,
    hidden: &Hidden,
) -> Result<(), ShellError> {
    const BATCH_ROWS: u32 = 100;
    let batch_rows = options.positive("CACHE")?.unwrap_or(BATCH_ROWS);
    let prefix = options.take("ROWPREFIXFILTER").ok_or_else(|| {
        ShellError::Argument("a row is wanted, or {ROWPREFIXFILTER => 'what rows begin with'}".to_owned())
    })?;
    let scan = Scan::prefix(convert::bytes(&prefix, "ROWPREFIXFILTER")?);
    let mut scanner = context.store.scan(table, scan).await?;
    let mut deletes = Vec::new();
    loop {
        let rows = scanner.next_rows().await?;
        let at_end = rows.is_empty();
        for row in rows {
            // HBase's shell sends the key as it would print it, so that a key with other than printable characters
            // is not deleted. Scripts behave the same here.
            let key = Bytes::from(to_text(&row.row));
            deletes.push(Action::Mutate(Mutation::Delete(hidden.of_row(key))));
        }
        if !deletes.is_empty() && (at_end || deletes.len() >= batch_rows as usize) {
            let answers = context.store.batch(table, std::mem::take(&mut deletes)).await?;
            answers.value.into_iter().collect::<Result<Vec<_>, _>>()?;
        }
        if at_end {
            return Ok(());
        }
    }
}

/// What is to be hidden in a row.
struct Hidden {
    column: Option<Column>,
    timestamp: Option<Timestamp>,
    versions: Versions,
}

impl Hidden {
    fn of_row(&self, row: Bytes) -> Delete {
        let Some(Column { family, qualifier }) = self.column.clone() else {
            return Delete { timestamp: self.timestamp, ..Delete::row(row) };
        };
        let target = match (qualifier, self.versions) {
            (Some(qualifier), Versions::All) => DeleteTarget::Column(family, qualifier, self.timestamp),
            (Some(qualifier), Versions::One) => DeleteTarget::Version(family, qualifier, self.timestamp),
            (None, Versions::All) => DeleteTarget::Family(family, self.timestamp),
            (None, Versions::One) => {
                DeleteTarget::FamilyVersion(family, self.timestamp.unwrap_or(LATEST_TIMESTAMP))
            }
        };
        Delete::row(row).target(target)
    }
}
