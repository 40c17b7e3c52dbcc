//! The table of a check: writes that must succeed, reads that must answer what is expected.
//!
//! Expected answers are text: `f:q@1000=v f:q@500!Delete`, rows as `r1: … | r2: …`, `nothing`; the time of a store's
//! clock is `now`.

use tablesmith_model::{FamilyDescriptor, TableDescriptor, TableName, Timestamp};
use tablesmith_store::{Delete, DeleteTarget, FlushScope, Get, Put, RegionInfo, Row, Scan, Store};

use super::check::{Broken, Checked, done};
use super::requests::{scan_all, split};
use crate::sequence::text;

/// A cell to put: row, `family:qualifier`, timestamp, value.
pub(super) type CellToPut = (&'static str, &'static str, Timestamp, &'static str);

/// A table made for a check.
pub(super) struct Table<'a> {
    pub(super) store: &'a dyn Store,
    pub(super) name: TableName,
}

impl Table<'_> {
    /// Puts cells, one after the other.
    pub(super) async fn put(&self, cells: &[CellToPut]) -> Checked {
        for &(row, column, timestamp, value) in cells {
            let (family, qualifier) = split(column);
            self.write(Put::new(row).add_at(family, qualifier, timestamp, value)).await?;
        }
        Ok(())
    }

    /// Puts a cell with the store's time.
    pub(super) async fn put_now(
        &self,
        row: &'static str,
        column: &'static str,
        value: &'static str,
    ) -> Checked {
        let (family, qualifier) = split(column);
        self.write(Put::new(row).add(family, qualifier, value)).await
    }

    /// Does a put.
    pub(super) async fn write(&self, put: Put) -> Checked {
        let what = text::put(&put);
        done(what, self.store.put(&self.name, put).await).map(|_| ())
    }

    /// Deletes one thing.
    pub(super) async fn delete(&self, row: &'static str, target: DeleteTarget) -> Checked {
        self.erase(Delete::row(row).target(target)).await
    }

    /// Does a delete.
    pub(super) async fn erase(&self, delete: Delete) -> Checked {
        let what = text::delete(&delete);
        done(what, self.store.delete(&self.name, delete).await).map(|_| ())
    }

    /// Wants a get to answer these cells.
    pub(super) async fn get(&self, get: Get, expected: &str) -> Checked {
        let what = text::get(&get);
        let answer = done(&what, self.store.get(&self.name, get).await)?;
        as_expected(what, &text::cells(&answer.value.cells), expected)
    }

    /// Wants a scan to answer these rows.
    pub(super) async fn scan(&self, scan: Scan, expected: &str) -> Checked {
        let what = text::scan(&scan);
        let rows = self.rows(scan).await?;
        as_expected(what, &text::rows(&rows), expected)
    }

    /// Wants all that is stored, markers among it, to be this.
    pub(super) async fn raw(&self, expected: &str) -> Checked {
        self.scan(scan_all().raw(), expected).await
    }

    /// Wants a scan to answer rows with these keys.
    pub(super) async fn keys(&self, scan: Scan, expected: &str) -> Checked {
        let what = text::scan(&scan);
        let rows = self.rows(scan).await?;
        let keys: Vec<_> = rows.iter().map(|row| tablesmith_model::bytes_text::to_text(&row.row)).collect();
        as_expected(what, &keys.join(" "), expected)
    }

    /// The rows of a scan.
    pub(super) async fn rows(&self, scan: Scan) -> Checked<Vec<Row>> {
        let what = text::scan(&scan);
        done(what, self.store.scan_all(&self.name, scan).await).map(|answer| answer.value)
    }

    /// Writes memory to a file.
    pub(super) async fn flush(&self) -> Checked {
        done("flush", self.store.flush(self.all()).await)
    }

    /// Merges files as the store likes.
    pub(super) async fn compact(&self) -> Checked {
        done("compact", self.store.compact(self.all()).await)
    }

    /// Merges all files.
    pub(super) async fn major_compact(&self) -> Checked {
        done("major_compact", self.store.major_compact(self.all()).await)
    }

    /// Gives the table these families.
    pub(super) async fn alter(&self, families: impl IntoIterator<Item = FamilyDescriptor>) -> Checked {
        let descriptor = TableDescriptor::new(self.name.clone(), families);
        let what = format!("alter to {}", text::families(&descriptor));
        done(what, self.store.alter_table(descriptor).await)
    }

    /// Disables the table.
    pub(super) async fn disable(&self) -> Checked {
        done("disable", self.store.disable_table(&self.name).await)
    }

    /// Enables the table.
    pub(super) async fn enable(&self) -> Checked {
        done("enable", self.store.enable_table(&self.name).await)
    }

    /// The table's regions, in key order.
    pub(super) async fn regions(&self) -> Checked<Vec<RegionInfo>> {
        done("regions", self.store.regions(&self.name).await)
    }

    /// The whole table, for flushes and compactions.
    pub(super) fn all(&self) -> FlushScope {
        FlushScope::Table(self.name.clone(), None)
    }
}

/// Wants two texts to be the same.
pub(super) fn as_expected(what: String, got: &str, expected: &str) -> Checked {
    if got == expected { Ok(()) } else { Err(Broken::differs(what, got, expected)) }
}
