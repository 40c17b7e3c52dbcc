//! `scan`: reads many rows.

use async_trait::async_trait;

use crate::arguments::{Options, convert};
use crate::error::ShellError;
use crate::language::Value;
use crate::output::{FoundRows, Outcome, Reply};

use super::read;
use super::{Arguments, Context, Group, ShellCommand, Usage};

/// See the module.
pub struct ScanCommand;

const USAGE: Usage = Usage {
    name: "scan",
    aliases: &[],
    group: Group::Dml,
    summary: "Reads rows in the order of their keys, from a row up to, not including, another, or backwards. A column \
              can name how text shows its values: 'f:q:toLong'.",
    examples: &[
        "scan 't1'",
        "scan 't1', {COLUMNS => ['f', 'g:q'], STARTROW => 'a', STOPROW => 'm', LIMIT => 10}",
        "scan 't1', {ROWPREFIXFILTER => 'user1', VERSIONS => 3, TIMERANGE => [1000, 2000]}",
        "scan 't1', {FILTER => \"PrefixFilter('a') AND (QualifierFilter(>=, 'binary:xyz'))\", REVERSED => true}",
        "scan 't1', {RAW => true, VERSIONS => 10}",
        "scan 't1', {COLUMNS => 'f:hits:toLong', MAXLENGTH => 80, ALL_METRICS => true}",
    ],
    options: read::SCAN_OPTIONS,
    arguments: (1, Some(2)),
};

#[async_trait]
impl ShellCommand for ScanCommand {
    fn usage(&self) -> &'static Usage {
        &USAGE
    }

    async fn run(&self, context: &Context<'_>, mut arguments: Arguments) -> Result<Reply, ShellError> {
        let table = convert::table(&arguments.take())?;
        let mut options = Options::new(convert::hash(
            arguments.optional().unwrap_or(Value::Hash(Vec::new())),
            "the options of a scan",
        )?);
        let metrics = take_metrics(&mut options)?;
        let (scan, view) = read::take_scan(&mut options)?;
        let notes = options.ignored(USAGE.name, USAGE.options);
        let scanner = context.store.scan(&table, scan).await?;
        Ok(Reply { notes, outcome: Outcome::Rows(FoundRows { scanner, view, metrics }) })
    }
}

fn take_metrics(options: &mut Options) -> Result<Option<Vec<String>>, ShellError> {
    let all = options.flag("ALL_METRICS")?.unwrap_or(false);
    match options.take("METRICS") {
        None => Ok(all.then(Vec::new)),
        Some(names) => {
            let names = convert::array(names, "METRICS")?;
            let names = names.iter().map(|name| convert::text(name, "METRICS")).collect::<Result<_, _>>()?;
            Ok(Some(if all { Vec::new() } else { names }))
        }
    }
}
