//! Carries a plan out on a store.

mod answer;
mod changes;
mod decode;
mod several;

use std::time::Duration;

use tablesmith_model::TableName;
use tablesmith_model::plan::{FamilyRead, KeyRange, Plan, Read, Strand, Which};
use tablesmith_store::{
    Action, ActionAnswer, Columns, Filter, Get, OpStats, ReadOptions, Row, RowBound, Scan, Scanner, Store,
    StoreError,
};

use crate::error::AccessError;
use crate::fan_out::{FanOut, FanOutScan, Order};
use crate::layout::Layout;
use crate::stopwatch::Stopwatch;
pub(crate) use answer::Answers;
pub(crate) use decode::Decoder;
pub use several::{Planned, Several};

/// What carrying out a plan gave.
///
/// The hash is that of the rows of the answer, each as the typed values of the columns that the statement needs, in the
/// order of the workload's table. It does not depend on the order of rows, nor on how a design stores them: the same
/// question has the same hash on all designs that hold the same rows. Where a limit cuts an answer off and says nothing
/// about which rows are left, every choice is right: then the hash is that of their number.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Outcome {
    /// Rows of the answer; for writes, rows written.
    pub rows: u64,
    /// The hash of the answer.
    pub hash: u64,
    /// Rows that came from the store, whether they are in the answer or not.
    pub rows_read: u64,
    /// Calls to the store: a scan counts one for each portion.
    pub calls: u64,
    /// The time of the calls to the store alone, without waiting for a processor.
    pub store_time: Duration,
    /// The time that those calls waited for a processor of this machine, where that is known.
    pub waited: Duration,
    /// What the store counted.
    pub stats: OpStats,
}

/// Carries a plan out. Time is counted only while the store works: decoding, checking and hashing are ours.
pub async fn carry_out(
    store: &dyn Store,
    layout: &Layout,
    name: &TableName,
    plan: &Plan,
) -> Result<Outcome, AccessError> {
    let mut work = Work { store, name, outcome: Outcome::default() };
    let mut answers = Answers::default();
    for read in &plan.reads {
        let mut decoder = Decoder::new(layout, name, read)?;
        work.read(read, &mut decoder, &mut answers).await?;
    }
    (work.outcome.rows, work.outcome.hash) = answers.finish();
    if !plan.writes.is_empty() {
        work.write(&plan.writes).await?;
        work.outcome.rows += plan.writes.len() as u64;
    }
    Ok(work.outcome)
}

/// The store, and what was counted so far.
struct Work<'w> {
    store: &'w dyn Store,
    name: &'w TableName,
    outcome: Outcome,
}

impl Work<'_> {
    /// Waits for the store and counts the time that it takes.
    async fn timed<T>(&mut self, call: impl Future<Output = Result<T, StoreError>>) -> Result<T, StoreError> {
        let stopwatch = Stopwatch::start();
        let answer = call.await;
        let lap = stopwatch.lap();
        self.outcome.store_time += lap.time;
        self.outcome.waited += lap.waited;
        self.outcome.calls += 1;
        answer
    }

    async fn read(
        &mut self,
        read: &Read,
        decoder: &mut Decoder<'_>,
        answers: &mut Answers,
    ) -> Result<(), AccessError> {
        answers.begin(read);
        match &read.which {
            Which::Keys(keys) => self.get(keys, read, decoder, answers).await?,
            Which::Ranges(ranges) => match ranges.as_slice() {
                [] => {}
                [range] => {
                    let scan = scan(range, read, answers.room());
                    let mut scanner = self.timed(self.store.scan(self.name, scan)).await?;
                    self.take_rows(&mut *scanner, decoder, answers).await?;
                }
                ranges => {
                    let strand = |range: &KeyRange| Strand { range: range.clone(), ..Strand::default() };
                    let strands = ranges.iter().map(strand).collect();
                    self.fan_out(strands, Order::Any, read, decoder, answers).await?;
                }
            },
            Which::Strands(strands) => {
                self.fan_out(strands.clone(), Order::Rising, read, decoder, answers).await?;
            }
        }
        answers.end();
        Ok(())
    }

    async fn get(
        &mut self,
        keys: &[Vec<u8>],
        read: &Read,
        decoder: &mut Decoder<'_>,
        answers: &mut Answers,
    ) -> Result<(), AccessError> {
        let (store, name) = (self.store, self.name);
        let options = options(read);
        let get = |key: &Vec<u8>| Get { row: key.clone().into(), read: options.clone() };
        let rows: Vec<Row> = match keys {
            [] => Vec::new(),
            [key] => {
                let answer = self.timed(store.get(name, get(key))).await?;
                self.outcome.stats += answer.stats;
                vec![answer.value]
            }
            keys => {
                let actions = keys.iter().map(|key| Action::Get(get(key))).collect();
                let answer = self.timed(store.batch(name, actions)).await?;
                self.outcome.stats += answer.stats;
                let mut rows = Vec::with_capacity(keys.len());
                for one in answer.value {
                    if let ActionAnswer::Row(row) = one? {
                        rows.push(row);
                    }
                }
                rows
            }
        };
        for row in rows.iter().filter(|row| !row.cells.is_empty()) {
            self.outcome.rows_read += 1;
            answers.take(decoder, row)?;
        }
        Ok(())
    }

    /// Reads several ranges at a time.
    async fn fan_out(
        &mut self,
        strands: Vec<Strand>,
        order: Order,
        read: &Read,
        decoder: &mut Decoder<'_>,
        answers: &mut Answers,
    ) -> Result<(), AccessError> {
        let limit = answers.room().filter(|_| read.conditions.is_empty());
        let scan = FanOutScan { order, limit, read: options(read), ..FanOutScan::new(strands) };
        let mut fan_out = FanOut::new(self.store, self.name, scan)?;
        let calls_before = self.outcome.calls;
        self.take_rows(&mut fan_out, decoder, answers).await?;
        self.outcome.calls = calls_before + fan_out.calls();
        Ok(())
    }

    /// Takes rows until there are no more, or no more are wanted.
    async fn take_rows(
        &mut self,
        scanner: &mut dyn Scanner,
        decoder: &mut Decoder<'_>,
        answers: &mut Answers,
    ) -> Result<(), AccessError> {
        'portions: loop {
            let rows = self.timed(scanner.next_rows()).await?;
            if rows.is_empty() {
                break;
            }
            for row in &rows {
                self.outcome.rows_read += 1;
                answers.take(decoder, row)?;
                if answers.is_full() {
                    break 'portions;
                }
            }
        }
        self.outcome.stats += scanner.stats();
        Ok(())
    }
}

fn options(read: &Read) -> ReadOptions {
    let mut columns = Columns::all();
    for FamilyRead { family, columns: wanted } in &read.families {
        match wanted {
            None => columns.add_family(family.clone()),
            Some(wanted) => {
                wanted.iter().for_each(|column| columns.add_column(family.clone(), column.clone()));
            }
        }
    }
    ReadOptions { columns, filter: read.keys_only.then_some(Filter::FirstKeyOnly), ..ReadOptions::default() }
}

/// The scan of a range. The store stops at the limit only where every row that it hands out is in the answer.
fn scan(range: &KeyRange, read: &Read, room: Option<u64>) -> Scan {
    let start = match range.start.as_slice() {
        [] => RowBound::Open,
        start => RowBound::Included(start.to_vec().into()),
    };
    let stop = range.end.as_ref().map_or(RowBound::Open, |end| RowBound::Excluded(end.clone().into()));
    let limit = room.filter(|_| read.conditions.is_empty());
    Scan { start, stop, limit, read: options(read), ..Scan::default() }
}
