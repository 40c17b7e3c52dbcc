//! Where the rows of a read come from: gets in batches, one scan, or several at a time.

use tablesmith_model::TableName;
use tablesmith_model::plan::{KeyRange, Strand, Which};
use tablesmith_plan::rpc::{GETS_PER_BATCH, limited_page_rows};
use tablesmith_store::{
    Action, ActionAnswer, Get, OpStats, ReadOptions, Row, RowBound, Scan, Scanner, Store,
};

use super::RecordRead;
use crate::error::AccessError;
use crate::fan_out::{FanOut, FanOutScan, Order};

/// Where rows come from.
pub(super) enum Source<'s> {
    /// By their keys.
    Gets(Box<Gets>),
    /// From one scan, and whether its first portion, which comes with opening it, is still to be handed out.
    Scan(Box<dyn Scanner>, bool),
    /// From several ranges at a time.
    FanOut(Box<FanOut<'s>>),
    /// From nowhere.
    Nothing,
}

/// Rows that are asked for by their keys.
pub(super) struct Gets {
    /// Those that are still to be asked for, the next one last.
    keys: Vec<Vec<u8>>,
    options: ReadOptions,
    stats: OpStats,
}

impl<'s> Source<'s> {
    /// Begins; the calls that this takes.
    pub async fn open(
        store: &'s dyn Store,
        name: &TableName,
        read: &RecordRead,
    ) -> Result<(Self, u64), AccessError> {
        if read.wants_nothing() {
            return Ok((Self::Nothing, 0));
        }
        let strands = match &read.read.which {
            Which::Keys(keys) => {
                let keys = keys.iter().rev().cloned().collect();
                let stats = OpStats::default();
                return Ok((Self::Gets(Box::new(Gets { keys, options: read.options(), stats })), 0));
            }
            Which::Ranges(ranges) => match ranges.as_slice() {
                [range] => return Ok((Self::scan(store, name, read, range).await?, 1)),
                ranges => {
                    ranges.iter().map(|range| Strand { range: range.clone(), ..Strand::default() }).collect()
                }
            },
            Which::Strands(strands) => match strands.as_slice() {
                [strand] => return Ok((Self::scan(store, name, read, &strand.range).await?, 1)),
                strands => strands.to_vec(),
            },
        };
        let order = if matches!(read.read.which, Which::Ranges(_)) { Order::Any } else { read.order };
        let limit = read.store_limit;
        let scan = FanOutScan { order, limit, read: read.options(), ..FanOutScan::new(strands) };
        Ok((Self::FanOut(Box::new(FanOut::new(store, name, scan)?)), 0))
    }

    async fn scan(
        store: &dyn Store,
        name: &TableName,
        read: &RecordRead,
        range: &KeyRange,
    ) -> Result<Self, AccessError> {
        let low = match range.start.as_slice() {
            [] => RowBound::Open,
            start => RowBound::Included(start.to_vec().into()),
        };
        let high = range.end.as_ref().map_or(RowBound::Open, |end| RowBound::Excluded(end.clone().into()));
        let reversed = read.order == Order::Falling;
        let (start, stop) = if reversed { (high, low) } else { (low, high) };
        let is_filtered = !read.residual.is_empty();
        let caching = read.limit.and_then(|limit| u32::try_from(limited_page_rows(limit, is_filtered)).ok());
        let limit = read.store_limit;
        let scan = Scan { start, stop, reversed, limit, caching, read: read.options(), ..Scan::default() };
        Ok(Self::Scan(store.scan(name, scan).await?, true))
    }

    /// The next rows; none when there are no more. And the calls that this took.
    pub async fn next(
        &mut self,
        store: &dyn Store,
        name: &TableName,
    ) -> Result<(Vec<Row>, u64), AccessError> {
        match self {
            Self::Nothing => Ok((Vec::new(), 0)),
            Self::Scan(scanner, is_first) => {
                let rows = scanner.next_rows().await?;
                // That there is nothing more comes with the last portion, too.
                let is_free = std::mem::take(is_first) || rows.is_empty();
                Ok((rows, u64::from(!is_free)))
            }
            Self::FanOut(fan_out) => {
                let before = fan_out.calls();
                let rows = fan_out.next_rows().await?;
                Ok((rows, fan_out.calls().saturating_sub(before)))
            }
            Self::Gets(gets) => {
                let Gets { keys, options, stats } = &mut **gets;
                let mut calls = 0;
                while !keys.is_empty() {
                    let rest = keys.split_off(keys.len().saturating_sub(GETS_PER_BATCH));
                    let rows = get(store, name, rest.into_iter().rev(), options, stats).await?;
                    calls += 1;
                    if !rows.is_empty() {
                        return Ok((rows, calls));
                    }
                }
                Ok((Vec::new(), calls))
            }
        }
    }

    /// What the store counted.
    pub fn stats(&self) -> OpStats {
        match self {
            Self::Nothing => OpStats::default(),
            Self::Gets(gets) => gets.stats,
            Self::Scan(scanner, _) => scanner.stats(),
            Self::FanOut(fan_out) => fan_out.stats(),
        }
    }
}

/// The rows of some keys that have something, in one call.
async fn get(
    store: &dyn Store,
    name: &TableName,
    keys: impl ExactSizeIterator<Item = Vec<u8>>,
    options: &ReadOptions,
    stats: &mut OpStats,
) -> Result<Vec<Row>, AccessError> {
    let gets: Vec<Get> = keys.map(|key| Get { row: key.into(), read: options.clone() }).collect();
    let mut rows = Vec::with_capacity(gets.len());
    if let (1, Some(get)) = (gets.len(), gets.first().cloned()) {
        let answer = store.get(name, get).await?;
        *stats += answer.stats;
        rows.push(answer.value);
    } else {
        let answer = store.batch(name, gets.into_iter().map(Action::Get).collect()).await?;
        *stats += answer.stats;
        for one in answer.value {
            if let ActionAnswer::Row(row) = one? {
                rows.push(row);
            }
        }
    }
    rows.retain(|row| !row.cells.is_empty());
    Ok(rows)
}
