//! The records of a read, one after the other.

use std::collections::VecDeque;

use bytes::Bytes;
use tablesmith_model::TableName;
use tablesmith_model::value::Value;
use tablesmith_store::{OpStats, Row, Store};

use super::beside::Pairing;
use super::decode::Decoder;
use super::source::Source;
use super::{Beside, RecordRead};
use crate::error::AccessError;
use crate::fan_out::Order;
use crate::layout::Layout;

/// What a stream has done up to now.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RecordStats {
    /// Calls to the store.
    pub calls: u64,
    /// Rows that came from it.
    pub rows_read: u64,
    /// Records that met all conditions.
    pub records: u64,
    /// What the store counted.
    pub store: OpStats,
}

/// Records on their way. Holds one portion of rows.
pub struct RecordStream<'s> {
    store: &'s dyn Store,
    name: &'s TableName,
    read: &'s RecordRead,
    taking: Taking<'s>,
    source: Source<'s>,
    ready: VecDeque<Located>,
    stats: RecordStats,
}

/// What becomes of a row.
enum Taking<'s> {
    /// The records of one layout.
    Records(Decoder<'s>),
    /// The records of two, in pairs.
    Pairs(Box<Pairing<'s>>),
}

/// A record, and the key of the row that it lies in.
#[derive(Clone, Debug)]
pub(crate) struct Located {
    pub row: Bytes,
    pub values: Vec<Value>,
}

/// Begins to read records of a layout from the table of this name.
pub async fn records<'s>(
    store: &'s dyn Store,
    layout: &'s Layout,
    name: &'s TableName,
    read: &'s RecordRead,
) -> Result<RecordStream<'s>, AccessError> {
    let taking = Taking::Records(Decoder::new(layout, name, &read.read)?);
    RecordStream::begin(store, name, read, taking).await
}

/// Begins to read records of two layouts, the parents' and the children's, from the table of this name: every child with its
/// parent.
pub async fn records_beside<'s>(
    store: &'s dyn Store,
    [parents, children]: [&'s Layout; 2],
    name: &'s TableName,
    beside: &'s Beside,
) -> Result<RecordStream<'s>, AccessError> {
    let parents = Decoder::new(parents, name, &beside.parents.read)?;
    let children = Decoder::new(children, name, &beside.children.read)?;
    let taking = Taking::Pairs(Box::new(Pairing::new(beside, parents, children)));
    RecordStream::begin(store, name, &beside.shared, taking).await
}

impl<'s> RecordStream<'s> {
    async fn begin(
        store: &'s dyn Store,
        name: &'s TableName,
        read: &'s RecordRead,
        taking: Taking<'s>,
    ) -> Result<Self, AccessError> {
        let (source, calls) = Source::open(store, name, read).await?;
        let stats = RecordStats { calls, ..RecordStats::default() };
        Ok(Self { store, name, read, taking, source, ready: VecDeque::new(), stats })
    }

    /// The next record's values, in the order of the wanted fields.
    pub async fn next(&mut self) -> Result<Option<Vec<Value>>, AccessError> {
        Ok(self.next_located().await?.map(|located| located.values))
    }

    /// The next record, with where it lies.
    pub(crate) async fn next_located(&mut self) -> Result<Option<Located>, AccessError> {
        if self.read.limit.is_some_and(|limit| self.stats.records >= limit) {
            return Ok(None);
        }
        while self.ready.is_empty() {
            let (rows, calls) = self.source.next(self.store, self.name).await?;
            self.stats.calls += calls;
            if rows.is_empty() {
                return Ok(None);
            }
            for row in &rows {
                self.stats.rows_read += 1;
                match &mut self.taking {
                    Taking::Records(decoder) => take(self.read, decoder, row, &mut self.ready)?,
                    Taking::Pairs(pairing) => pairing.take(row, &mut self.ready)?,
                }
            }
        }
        let next = self.ready.pop_front();
        self.stats.records += u64::from(next.is_some());
        Ok(next)
    }

    /// What was done up to now.
    pub fn stats(&self) -> RecordStats {
        RecordStats { store: self.source.stats(), ..self.stats }
    }
}

/// The records of a row, in the order that is read.
fn take(
    read: &RecordRead,
    decoder: &mut Decoder<'_>,
    row: &Row,
    ready: &mut VecDeque<Located>,
) -> Result<(), AccessError> {
    let from = ready.len();
    decoder.each(row, |values| {
        ready.push_back(Located { row: row.row.clone(), values: read.picked(values) });
    })?;
    if read.order == Order::Falling {
        ready.make_contiguous().get_mut(from..).unwrap_or_default().reverse();
    }
    Ok(())
}
