//! `get`: reads a row.

use async_trait::async_trait;
use tablesmith_store::{Get, ReadOptions};

use crate::arguments::{Options, convert};
use crate::error::ShellError;
use crate::language::Value;
use crate::output::{CellView, FoundRow, Outcome, Reply};

use super::read;
use super::{Arguments, Context, Group, ShellCommand, Usage};

/// See the module.
pub struct GetCommand;

const USAGE: Usage = Usage {
    name: "get",
    aliases: &[],
    group: Group::Dml,
    summary: "Reads a row, or some families and columns of it. A column can name how text shows its values: \
              'f:q:toLong'.",
    examples: &[
        "get 't1', 'row1'",
        "get 't1', 'row1', 'f:a', 'f:b'",
        "get 't1', 'row1', {COLUMN => ['f', 'g:q'], VERSIONS => 3}",
        "get 't1', 'row1', {COLUMN => 'f:q', TIMERANGE => [1000, 2000]}",
        "get 't1', 'row1', {COLUMN => 'f:q', TIMESTAMP => 1000}",
        "get 't1', 'row1', {FILTER => \"ValueFilter(=, 'binary:abc')\"}",
        "get 't1', 'row1', {COLUMN => 'f:hits:toLong', MAXLENGTH => 80}",
    ],
    options: &[
        "ATTRIBUTES",
        "AUTHORIZATIONS",
        "COLUMN",
        "COLUMNS",
        "CONSISTENCY",
        "FILTER",
        "FORMATTER",
        "FORMATTER_CLASS",
        "MAXLENGTH",
        "REGION_REPLICA_ID",
        "TIMERANGE",
        "TIMESTAMP",
        "VERSIONS",
    ],
    arguments: (2, None),
};

#[async_trait]
impl ShellCommand for GetCommand {
    fn usage(&self) -> &'static Usage {
        &USAGE
    }

    async fn run(&self, context: &Context<'_>, mut arguments: Arguments) -> Result<Reply, ShellError> {
        let table = convert::table(&arguments.take())?;
        let row = convert::bytes(&arguments.take(), "the row")?;
        let (read, view, notes) = what_to_read(arguments)?;
        let cells = context.store.get(&table, Get { row: row.clone(), read }).await?.value.cells;
        Ok(Reply { notes, outcome: Outcome::Row(FoundRow { row, cells, view }) })
    }
}

/// The arguments after the row: options, or columns one by one or in lists.
fn what_to_read(arguments: Arguments) -> Result<(ReadOptions, CellView, Vec<String>), ShellError> {
    let mut rest = arguments.rest();
    if !matches!(rest.first(), Some(Value::Hash(_))) {
        let mut view = CellView::default();
        let columns = read::read_columns(Arguments::new(rest).flat_rest(), &mut view)?;
        return Ok((ReadOptions { columns, ..ReadOptions::default() }, view, Vec::new()));
    }
    let mut options = Options::new(convert::hash(rest.swap_remove(0), "the options")?);
    check_enough(&options)?;
    let mut view = read::take_view(&mut options)?;
    let columns = read::take_columns(&mut options, &mut view)?;
    read::take_without_effect(&mut options)?;
    let read = ReadOptions {
        columns,
        versions: take_versions(&mut options)?,
        time_range: read::take_time_range(&mut options)?,
        filter: read::take_filter(&mut options)?,
        ..ReadOptions::default()
    };
    Ok((read, view, options.ignored(USAGE.name, USAGE.options)))
}

/// As HBase's shell sees it, options must say which columns or what time is wanted; some do not count as options.
fn check_enough(options: &Options) -> Result<(), ShellError> {
    const SUFFICE: [&str; 6] =
        ["COLUMN", "COLUMNS", "TIMESTAMP", "TIMERANGE", "ATTRIBUTES", "AUTHORIZATIONS"];
    const DO_NOT_COUNT: [&str; 6] =
        ["MAXLENGTH", "FILTER", "CONSISTENCY", "REGION_REPLICA_ID", "FORMATTER", "FORMATTER_CLASS"];
    if SUFFICE.iter().any(|key| options.contains(key)) {
        return Ok(());
    }
    match options.keys().find(|key| !DO_NOT_COUNT.contains(key)) {
        None => Ok(()),
        Some(key) => Err(ShellError::Argument(format!(
            "{key} alone does not say what is wanted: add the columns, as in {{COLUMN => 'f', {key} => …}}"
        ))),
    }
}

/// Unlike a scan, a get refuses a number of versions that makes no sense.
fn take_versions(options: &mut Options) -> Result<u32, ShellError> {
    match options.long("VERSIONS")? {
        None => Ok(1),
        Some(versions @ 1..) => Ok(u32::try_from(versions).unwrap_or(u32::MAX)),
        Some(_) => Err(ShellError::Client {
            exception: "IOException",
            message: "versions must be positive".to_owned(),
        }),
    }
}
