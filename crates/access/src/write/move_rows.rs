//! Rows of a base table that move, on a store that writes one row at a time: see [`crate::moves`].

use bytes::Bytes;
use tablesmith_model::value::Value;
use tablesmith_store::{Put, Store};

use super::{Batch, Place, Writer};
use crate::error::AccessError;
use crate::moves::{Move, MoveLog, cells_hash, delete_old, newest_of, put_hash, read_records};
use crate::view::{RecordCells, stamp_above};

/// Rows that move together …
const MOST_ROWS: usize = 200;
/// … and bytes of their keys, so that the log stays far below the largest cell that HBase takes.
const MOST_BYTES: usize = 1 << 20;

/// A row that moves.
pub(super) struct Moving<'c> {
    pub from: RecordCells,
    pub to: RecordCells,
    pub new: &'c [Value],
}

impl Writer {
    /// Moves rows of a base table to places that are free. Whenever it stops, a reader sees each row once.
    pub(super) async fn move_rows(
        &self,
        store: &dyn Store,
        base: &Place,
        moving: &[Moving<'_>],
    ) -> Result<(), AccessError> {
        if moving.is_empty() {
            return Ok(());
        }
        let log = MoveLog::new(store);
        // Where it fails, the next statement looks after what is left.
        self.unsettled.forget();
        let mut rest = moving;
        while !rest.is_empty() {
            let (now, later) = rest.split_at_checked(batch_len(rest)).unwrap_or((rest, &[]));
            self.move_batch(store, base, &log, now).await?;
            rest = later;
        }
        log.clear().await?;
        self.unsettled.nothing_left();
        Ok(())
    }

    async fn move_batch(
        &self,
        store: &dyn Store,
        base: &Place,
        log: &MoveLog<'_>,
        moving: &[Moving<'_>],
    ) -> Result<(), AccessError> {
        let old = read_records(store, &base.name, moving.iter().map(|one| &one.from)).await?;
        let (mut moves, mut puts) = (Vec::new(), Vec::new());
        for (Moving { from, to, new }, old) in moving.iter().zip(&old) {
            let put = base.put(to.row.clone(), new)?;
            let (table, hash) = (base.name.clone(), put_hash(&put));
            // One that is not there any more is added anew, which needs no log.
            let moved = |newest_ms| Move { table, from: from.clone(), to: to.clone(), newest_ms, hash };
            moves.extend(newest_of(old).map(moved));
            puts.push((put, base.delete_nulls(to.row.clone(), None, new)));
        }
        if !moves.is_empty() {
            log.write(&moves).await?;
        }
        let mut batch = Batch::new(store, &base.name, &self.recent);
        for (put, nulls) in &puts {
            batch.row(put.clone(), nulls.clone()).await?;
        }
        batch.send().await?;
        self.see_new_rows(store, base, &moves, puts.into_iter().map(|(put, _)| put)).await?;
        delete_old(store, moves.iter()).await?;
        moves.iter().for_each(|moved| self.recent.deleted(&base.name, &moved.from.row));
        Ok(())
    }

    /// Makes sure that new rows are seen before the old ones go: a tombstone with a later timestamp would hide them.
    async fn see_new_rows(
        &self,
        store: &dyn Store,
        base: &Place,
        moves: &[Move],
        puts: impl Iterator<Item = Put>,
    ) -> Result<(), AccessError> {
        let hidden = hidden_of(store, base, moves).await?;
        if hidden.is_empty() {
            return Ok(());
        }
        for mut put in puts.filter(|put| hidden.contains(&put_hash(put))) {
            stamp_above(store, &base.name, &mut put).await?;
            store.put(&base.name, put).await?;
        }
        match hidden_of(store, base, moves).await?.is_empty() {
            true => Ok(()),
            false => Err(AccessError::Data(format!(
                "rows of {} cannot be moved: what is written to their new keys is not seen, and nothing was removed; \
                 another client may be writing the same rows, try again",
                base.name
            ))),
        }
    }
}

/// The hashes of the new rows that are not seen as they were written.
async fn hidden_of(store: &dyn Store, base: &Place, moves: &[Move]) -> Result<Vec<u128>, AccessError> {
    if moves.is_empty() {
        return Ok(Vec::new());
    }
    let there = read_records(store, &base.name, moves.iter().map(|moved| &moved.to)).await?;
    let pairs = moves.iter().zip(&there);
    Ok(pairs.filter(|(moved, there)| cells_hash(there) != moved.hash).map(|(moved, _)| moved.hash).collect())
}

/// How many of these rows move together; at least one.
fn batch_len(moving: &[Moving<'_>]) -> usize {
    let mut bytes = 0;
    let len = |cells: &RecordCells| cells.row.len() + cells.qualifier.as_ref().map_or(0, Bytes::len);
    let fits = |one: &&Moving<'_>| {
        bytes += len(&one.from) + len(&one.to);
        bytes <= MOST_BYTES
    };
    moving.iter().take(MOST_ROWS).take_while(fits).count().max(1)
}

impl Place {
    /// The cells of a record in a row.
    pub(super) fn cells_of(&self, row: Bytes, values: &[Value]) -> Result<RecordCells, AccessError> {
        let families = self.layout.families().iter().map(|family| family.name_bytes.clone()).collect();
        Ok(RecordCells { row, families, qualifier: self.qualifier_of(values)? })
    }
}
