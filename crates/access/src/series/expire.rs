//! Removes readings before a time.

use std::collections::BTreeMap;

use tablesmith_model::TableName;
use tablesmith_model::series::{Dimension, Reading, Span};
use tablesmith_model::value::Value;
use tablesmith_store::{Action, Answer, Delete, DeleteTarget, Filter, Mutation, ReadOptions, Row, Store};

use super::decode::Wanted;
use super::keys::RowId;
use super::meter::Meter;
use super::readings::scanner;
use super::window::Window;
use super::write::send;
use super::{Series, SeriesError, wide};

impl Series {
    /// Removes the readings before a time and tells how many rows it changed. What is written to that time afterwards
    /// may or may not be seen: a store hides it until its next major compaction, or keeps it.
    pub async fn expire(
        &self,
        store: &dyn Store,
        name: &TableName,
        before: i64,
    ) -> Result<Answer<u64>, SeriesError> {
        let mut meter = Meter::default();
        let Some(window) = Window::new(i64::MIN, before, self.keys.time_type) else {
            return Ok(Answer { value: 0, stats: meter.stats });
        };
        let mut scanner =
            scanner(store, name, self.keys.of_everybody(window)?, self.keys_only(), &mut meter).await?;
        let mut changed = 0;
        loop {
            let rows = scanner.next_rows().await?;
            if rows.is_empty() {
                break;
            }
            let mut deletes = Vec::new();
            for row in rows {
                let id = self.keys.read(&row.row, self.layout.span)?;
                if let Some(delete) = self.delete_of(&row, &id, window)? {
                    changed += 1;
                    deletes.push(Action::Mutate(Mutation::Delete(delete)));
                } else if self.is_cut(&id, window) {
                    changed += u64::from(self.cut_packed(store, name, &row, &id, window).await?);
                }
            }
            send(store, name, deletes, &mut meter).await?;
        }
        meter.stats += scanner.stats();
        Ok(Answer { value: changed, stats: meter.stats })
    }

    /// Reads which cells there are, and their values only where readings are packed in them.
    fn keys_only(&self) -> ReadOptions {
        let mut options = ReadOptions::default();
        options.columns.add_family(self.columns.family.clone());
        let is_packed = self.layout.dimension == Dimension::Packed;
        options.filter = (!is_packed).then_some(Filter::KeyOnly { length_as_value: false });
        options
    }

    /// What removes the readings of a row in a window; `None` when there are none, or when they are packed with others.
    fn delete_of(&self, row: &Row, id: &RowId, window: Window) -> Result<Option<Delete>, SeriesError> {
        let mut delete = Delete::row(row.row.clone());
        match self.layout.dimension {
            _ if !self.is_cut(id, window) => return Ok(None),
            // At the last time that goes, and not now: versions may lie in the future.
            Dimension::Version if window.last >= 0 => {
                delete = delete.target(DeleteTarget::Family(self.columns.family.clone(), Some(window.last)));
            }
            Dimension::Row | Dimension::Qualifier | Dimension::Packed if self.is_whole(id, window) => {
                return Ok(Some(delete));
            }
            Dimension::Qualifier => {
                for cell in &row.cells {
                    let (at, _) = wide::time_of(&self.columns, cell, id.start)?;
                    if window.contains(at) {
                        // At the cell's own time: what is written meanwhile stays.
                        let (family, qualifier) = (cell.family.clone(), cell.qualifier.clone());
                        delete = delete.target(DeleteTarget::Column(family, qualifier, Some(cell.timestamp)));
                    }
                }
            }
            _ => {}
        }
        Ok(Some(delete).filter(|delete| !delete.targets.is_empty()))
    }

    /// Whether all that a row can hold is in the window.
    fn is_whole(&self, id: &RowId, window: Window) -> bool {
        match self.layout.span {
            Span::Unbounded => false,
            Span::Each => window.contains(id.start),
            Span::Of(_) => {
                let end = self.columns.offsets.end(id.start);
                end.is_some_and(|end| end - 1 <= window.last)
            }
        }
    }

    /// Whether some of what a row can hold is in the window.
    fn is_cut(&self, id: &RowId, window: Window) -> bool {
        self.layout.span == Span::Unbounded || id.start <= window.last
    }

    /// Rewrites a packed row without the readings of a window; whether there were any.
    async fn cut_packed(
        &self,
        store: &dyn Store,
        name: &TableName,
        row: &Row,
        id: &RowId,
        window: Window,
    ) -> Result<bool, SeriesError> {
        if self.layout.dimension != Dimension::Packed {
            return Ok(false);
        }
        let wanted = Wanted { metrics: (0..self.columns.metrics.len()).collect(), window };
        let old = self.columns.readings(row, id, &wanted)?;
        let times: BTreeMap<i64, ()> = old.iter().map(|reading: &Reading| (reading.at, ())).collect();
        let keys: Vec<(Vec<Value>, i64)> = times.into_keys().map(|at| (id.entity.clone(), at)).collect();
        self.delete(store, name, &keys).await?;
        Ok(!keys.is_empty())
    }
}
