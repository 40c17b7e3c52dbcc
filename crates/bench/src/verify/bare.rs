//! The calls of a plan, without anything around them.

use std::time::Duration;

use tablesmith_access::{Stopwatch, plan};
use tablesmith_model::TableName;
use tablesmith_model::plan::Which;
use tablesmith_store::{Columns, Get, ReadOptions, RowBound, Scan, Store};
use tablesmith_verify::calls::TextCall;
use tablesmith_verify::trial::{Laid, Placed};

use super::Failure;

/// One call to the store.
#[derive(Clone)]
pub enum BareCall {
    Get(Get),
    Scan(Scan),
}

impl BareCall {
    /// What a call comes down to on a table.
    pub fn of(placed: &Placed, call: &TextCall) -> Result<Self, Failure> {
        let Laid::Rows(layout) = &placed.laid else { return Err("rows were expected".into()) };
        let planned = plan(layout, &call.call)?;
        let [read] = planned.reads.as_slice() else { return Err("one read was expected".into()) };
        let mut columns = Columns::all();
        for family in &read.families {
            match &family.columns {
                None => columns.add_family(family.family.clone()),
                Some(wanted) => {
                    wanted.iter().for_each(|column| columns.add_column(family.family.clone(), column.clone()))
                }
            }
        }
        let options = ReadOptions { columns, ..ReadOptions::default() };
        match &read.which {
            Which::Keys(keys) => match keys.as_slice() {
                [key] => Ok(Self::Get(Get { row: key.clone().into(), read: options })),
                _ => Err("one key was expected".into()),
            },
            Which::Ranges(ranges) => match ranges.as_slice() {
                [range] => Ok(Self::Scan(Scan {
                    start: RowBound::Included(range.start.clone().into()),
                    stop: range
                        .end
                        .as_ref()
                        .map_or(RowBound::Open, |end| RowBound::Excluded(end.clone().into())),
                    read: options,
                    ..Scan::default()
                })),
                _ => Err("one range was expected".into()),
            },
            Which::Strands(_) => Err("one range was expected".into()),
        }
    }
}

/// Makes all calls, and says how long that took.
pub async fn all(store: &dyn Store, table: &TableName, calls: Vec<BareCall>) -> Result<Duration, Failure> {
    let stopwatch = Stopwatch::start();
    for call in calls {
        match call {
            BareCall::Get(get) => {
                let row = store.get(table, get).await?;
                if row.value.cells.is_empty() {
                    return Err("a row is missing".into());
                }
            }
            BareCall::Scan(scan) => {
                let mut scanner = store.scan(table, scan).await?;
                while !scanner.next_rows().await?.is_empty() {}
            }
        }
    }
    Ok(stopwatch.lap().time)
}
