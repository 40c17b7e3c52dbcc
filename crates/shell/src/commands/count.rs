//! `count`: counts rows.

use async_trait::async_trait;
use tablesmith_store::Filter;
use tablesmith_store::filter::ListOp;

use crate::arguments::{Options, convert};
use crate::error::ShellError;
use crate::language::Value;
use crate::output::{Outcome, Reply, RowCount};

use super::read;
use super::{Arguments, Context, Group, ShellCommand, Usage};

/// See the module.
pub struct CountCommand;

const USAGE: Usage = Usage {
    name: "count",
    aliases: &[],
    group: Group::Dml,
    summary: "Counts the rows of a table, or those that a scan with the same options would find. Text shows the count \
              after every 1000 rows, or INTERVAL.",
    examples: &[
        "count 't1'",
        "count 't1', INTERVAL => 100000, CACHE => 1000",
        "count 't1', {COLUMNS => ['f'], STARTROW => 'a', STOPROW => 'm'}",
        "count 't1', FILTER => \"PrefixFilter('a')\"",
    ],
    options: &[
        "BATCH",
        "CACHE",
        "CACHE_BLOCKS",
        "COLUMN",
        "COLUMNS",
        "FILTER",
        "INTERVAL",
        "LIMIT",
        "RAW",
        "REVERSED",
        "ROWPREFIXFILTER",
        "STARTROW",
        "STOPROW",
        "TIMERANGE",
        "TIMESTAMP",
        "VERSIONS",
    ],
    arguments: (1, Some(2)),
};

/// Rows that the store hands out at a time, unless the command says otherwise.
const CACHING_ROWS: u32 = 10;
/// Rows between two notes on the progress.
const INTERVAL_ROWS: i64 = 1000;

#[async_trait]
impl ShellCommand for CountCommand {
    fn usage(&self) -> &'static Usage {
        &USAGE
    }

    async fn run(&self, context: &Context<'_>, mut arguments: Arguments) -> Result<Reply, ShellError> {
        let table = convert::table(&arguments.take())?;
        let mut options = match arguments.take() {
            Value::Nil => Options::default(),
            Value::Hash(pairs) => Options::new(pairs),
            interval @ Value::Int(_) => Options::new(vec![(Value::text("INTERVAL"), interval)]),
            other => return Err(ShellError::Type(format!("options are wanted, not {}", other.inspect()))),
        };
        let interval = options.long("INTERVAL")?.unwrap_or(INTERVAL_ROWS).unsigned_abs();
        let cache_blocks = take_cache_blocks(&mut options)?;
        let caching_given = options.contains("CACHE");
        let (mut scan, _) = read::take_scan(&mut options)?;
        scan.read.cache_blocks = cache_blocks;
        if !caching_given {
            scan.caching = Some(CACHING_ROWS);
        }
        // One cell of each row is enough to know that it is there.
        scan.read.filter = Some(match scan.read.filter {
            None => Filter::FirstKeyOnly,
            Some(filter) => Filter::List(ListOp::All, vec![filter, Filter::FirstKeyOnly]),
        });
        let notes = options.ignored(USAGE.name, USAGE.options);
        let scanner = context.store.scan(&table, scan).await?;
        Ok(Reply { notes, outcome: Outcome::Count(RowCount { scanner, interval }) })
    }
}

/// Unless asked to, counting leaves the cache alone. The words 'true' and 'false' do as well.
fn take_cache_blocks(options: &mut Options) -> Result<bool, ShellError> {
    match options.take("CACHE_BLOCKS") {
        None => Ok(false),
        Some(Value::Text(text)) if text.eq_ignore_ascii_case(b"true") => Ok(true),
        Some(Value::Text(text)) if text.eq_ignore_ascii_case(b"false") => Ok(false),
        Some(Value::Text(_)) => Err(ShellError::Argument("CACHE_BLOCKS is true or false".to_owned())),
        Some(other) => convert::flag(&other, "CACHE_BLOCKS"),
    }
}
