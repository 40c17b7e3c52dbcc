//! Writes to all tables of a design: index tables stay consistent with the base table.
//!
//! The *base table* of a table (`master` in the code) is the first place that holds all of its columns without a join;
//! everything else is an index table or a materialized join (a *copy*). A client can stop between any two calls.
//!
//! On a store with atomic batches a row changes in all places at once. On others the order counts:
//!
//! ```text
//!   remove joined index rows that change ─▶ remove other index rows that change ─▶ write the base row
//!                                           ─▶ write the other index rows ─▶ write joined index rows
//! ```
//!
//! So at every moment an index row is either consistent with its base row or missing, and [`repair`](crate::repair())
//! writes those that are missing. A joined index row exists only while the plain index rows of all its rows do: its
//! records can be found through them, which is how writes find what to change. A base row that moves is logged before
//! ([`crate::moves`]).
//!
//! Two writers that change the same row at the same time are not kept apart.

mod batch;
mod change;
mod counter;
mod insert;
mod join;
mod join_many;
mod move_rows;
mod net;
mod olds;
mod order;
mod place;
mod readings;
mod recent;
mod sink;
mod statement;
mod unsettled;

pub(crate) use batch::Batch;
pub(crate) use change::{Change, Old};
pub(crate) use olds::FindBy;
pub(crate) use place::Place;
pub(crate) use recent::Recent;
pub(crate) use sink::Sink;
pub(crate) use statement::out_of_range;
pub use statement::{SetTo, Written};
pub(crate) use unsettled::Unsettled;

use std::sync::Arc;

use tablesmith_model::Timestamp;
use tablesmith_model::design::{ColumnOf, Design};
use tablesmith_model::key::{Decoded, Part};
use tablesmith_model::series::Dimension;
use tablesmith_model::workload::Workload;
use tablesmith_store::{Clock, Filter, ReadOptions, Scanner, Store, SystemClock};

use crate::error::{AccessError, WriterError};
use crate::fan_out::{FanOut, FanOutScan, Order};
use crate::layout::Layout;
use crate::load::LoadedKeys;
use crate::moves::{self, Logged, MoveRow, ReadView, Settle};
use crate::records::{RecordRead, Wanted};
use crate::series::StoredSeries;
use crate::state::state_tables;
use crate::view::{StatementClock, View};

/// Writes to all places of a design.
#[derive(Debug)]
pub struct Writer {
    pub(crate) workload: Workload,
    pub(crate) places: Vec<Place>,
    /// Tables that are stored as readings over time.
    pub(crate) series: Vec<StoredSeries>,
    pub(crate) recent: Recent,
    pub(crate) loaded_keys: LoadedKeys,
    clock: Arc<StatementClock>,
    pub(crate) unsettled: Unsettled,
}

impl Writer {
    /// A writer to the places of a design. Call [`Writer::continue_numbers`] before rows are added that are numbered.
    pub fn new(workload: &Workload, design: &Design) -> Result<Self, WriterError> {
        let mut places = Vec::new();
        for layout in Layout::all(workload, design)? {
            let name = layout.table().parse();
            let name =
                name.map_err(|source| WriterError::Name { table: layout.table().to_owned(), source })?;
            places.push(Place::new(layout, name, workload));
        }
        // A copy over time would not be kept true. A table that is stored only so is written as readings.
        for (laid, rows) in
            design.tables.iter().flat_map(|laid| laid.rows.iter().map(move |rows| (laid, rows)))
        {
            let is_elsewhere = places.iter().any(|place: &Place| place.record().has(&rows.from));
            if Layout::is_of_readings(workload, design, rows) && is_elsewhere {
                return Err(WriterError::OverTime { from: rows.from.clone(), table: laid.name.clone() });
            }
        }
        let series = StoredSeries::all(workload, design)?;
        if let Some(twice) = twice(&series) {
            return Err(WriterError::OverTime { from: twice.from.clone(), table: twice.name.to_string() });
        }
        for stored in &series {
            let lacks = workload.table(&stored.from).and_then(|table| stored.lacks(table));
            if let Some(column) = lacks {
                let (table, column) = (stored.from.clone(), Some(column.to_owned()));
                return Err(WriterError::NoMaster { table, column });
            }
        }
        let by_version = |stored: &&StoredSeries| stored.series.layout().dimension == Dimension::Version;
        let versions = series.iter().filter(by_version).map(|stored| stored.name.clone());
        // What is kept there of other clients is learnt in a way of its own.
        let ignored = versions.chain(state_tables()).collect();
        let mut writer = Self {
            workload: workload.clone(),
            places,
            series,
            recent: Recent::default(),
            loaded_keys: LoadedKeys::default(),
            clock: Arc::new(StatementClock::new(Arc::new(SystemClock), ignored)),
            unsettled: Unsettled::default(),
        };
        writer.choose_masters()?;
        Ok(writer)
    }

    /// Uses another clock of this machine.
    pub fn set_clock(&mut self, clock: Arc<dyn Clock>) {
        self.clock = Arc::new(self.clock.with_system(clock));
    }

    /// The layouts that are written to.
    pub(crate) fn layouts_mut(&mut self) -> impl Iterator<Item = &mut Layout> {
        self.places.iter_mut().map(|place| &mut place.layout)
    }

    /// By how many milliseconds cells that were read are ahead of this machine's clock, on a store whose own clock is not
    /// known. A row that was deleted and is inserted again may then stay hidden behind its tombstone.
    pub fn clock_behind_ms(&self, store: &dyn Store) -> Option<Timestamp> {
        self.clock.ahead_ms(store)
    }

    /// The store for one statement that writes. What a stopped client has left of moves is completed before.
    pub(crate) async fn statement<'s>(&self, store: &'s dyn Store) -> Result<View<'s>, AccessError> {
        let view = View::of_writer(store, &self.clock);
        if !store.has_atomic_batches() && !self.unsettled.is_settled() {
            let logged = match self.unsettled.take() {
                Some(logged) => logged,
                None => self.learn(moves::read_log(&view).await?),
            };
            if !logged.is_empty() {
                moves::settle(&view, &logged, Settle::Statement).await?;
            }
            self.unsettled.nothing_left();
        }
        Ok(view)
    }

    /// Takes what was read of the log: the moves in it.
    pub(crate) fn learn(&self, MoveRow { logged, newest_ms }: MoveRow) -> Vec<Logged> {
        newest_ms.into_iter().for_each(|newest_ms| self.clock.learn(newest_ms));
        logged
    }

    /// The store as a reader should see it: see [`crate::read_view`].
    pub async fn read_view<'s>(&self, store: &'s dyn Store) -> Result<ReadView<'s>, AccessError> {
        match self.unsettled.take() {
            Some(logged) => moves::view_of(store, &logged).await,
            None => moves::read_view(store).await,
        }
    }

    fn choose_masters(&mut self) -> Result<(), WriterError> {
        for table in &self.workload.tables {
            let places = self.places.iter().filter(|place| place.record().has(&table.name)).count();
            if places == 0 {
                continue;
            }
            if places > 1 && table.key.is_empty() {
                return Err(WriterError::NoKey(table.name.clone()));
            }
            let mut missing = None;
            let of_table = |place: &&mut Place| place.is_plain() && place.record().has(&table.name);
            let master = self.places.iter_mut().filter(of_table).find(|place| {
                let lacks = table.columns.iter().find(|column| !place.layout.stores(&column.name));
                missing = missing.take().or(lacks.map(|column| column.name.clone()));
                lacks.is_none()
            });
            let Some(master) = master else {
                return Err(WriterError::NoMaster { table: table.name.clone(), column: missing });
            };
            master.is_master = true;
        }
        Ok(())
    }

    /// Whether rows of a table are stored.
    pub fn stores(&self, table: &str) -> bool {
        self.readings_of(table).is_some() || self.master(table).is_ok()
    }

    /// The layouts that are written to, each with whether it is the master of its table.
    pub fn layouts(&self) -> impl Iterator<Item = (&Layout, bool)> {
        self.places.iter().map(|place| (&place.layout, place.is_master))
    }

    /// The master of a table.
    pub(crate) fn master(&self, table: &str) -> Result<&Place, AccessError> {
        let master = self.places.iter().find(|place| place.is_master && place.record().has(table));
        master.ok_or_else(|| AccessError::Data(format!("the design has no rows from the table {table:?}")))
    }

    /// Lets the numbers of rows that are added go on after those that are there.
    pub async fn continue_numbers(&self, store: &dyn Store) -> Result<(), AccessError> {
        for place in &self.places {
            if place.layout.key.parts.contains(&Part::RowNumber) {
                let next = next_number(store, place).await?;
                place.layout.set_next_row_number(next);
            }
        }
        Ok(())
    }

    /// The place that reads rows of a table at least cost, and how; the master where others are no better.
    pub(crate) fn best(&self, table: &str, wanted: &Wanted) -> Result<(&Place, RecordRead), AccessError> {
        let mut best: Option<(&Place, RecordRead)> = None;
        let rank = |place: &Place, read: &RecordRead| {
            (
                read.is_full_scan(),
                read.residual_conditions().len(),
                read.scans(),
                read.gets(),
                !place.is_master,
            )
        };
        let mut error = None;
        for place in self.places.iter().filter(|place| place.is_plain() && place.record().has(table)) {
            match place.layout.read(wanted) {
                Ok(read) => {
                    let is_better =
                        best.as_ref().is_none_or(|(at, have)| rank(place, &read) < rank(at, have));
                    if is_better {
                        best = Some((place, read));
                    }
                }
                Err(refused) => error = Some(refused),
            }
        }
        match (best, error) {
            (Some(best), _) => Ok(best),
            (None, Some(error)) => Err(error.into()),
            (None, None) => self.master(table).map(|master| (master, RecordRead::nothing())),
        }
    }

    /// All columns of a table.
    pub(crate) fn columns(&self, table: &str) -> Vec<String> {
        let columns = self.workload.table(table).map(|table| table.columns.as_slice()).unwrap_or_default();
        columns.iter().map(|column| column.name.clone()).collect()
    }

    /// The key of a table.
    pub(crate) fn key(&self, table: &str) -> &[String] {
        self.workload.table(table).map(|table| table.key.as_slice()).unwrap_or_default()
    }

    /// Where the columns of a table's key stand in its rows.
    pub(crate) fn key_columns(&self, table: &str) -> Vec<usize> {
        let table = self.workload.table(table);
        let at = |column| table.and_then(|table| table.column_index(column));
        table.into_iter().flat_map(|table| &table.key).filter_map(|column| at(column)).collect()
    }

    /// Whether a row that is written over one with its key leaves nothing of the old one, wherever it lies, and no copy
    /// differs meanwhile: then nobody has to look whether there is one. So it is too where no two rows have one key.
    pub(crate) fn overwrites(&self, table: &str) -> bool {
        let key = self.key(table);
        let others: Vec<String> =
            self.columns(table).into_iter().filter(|column| !key.contains(column)).collect();
        let copies = self.places.iter().filter(|place| place.record().has(table) && !place.is_master);
        let hangs = |place: &Place| others.iter().any(|column| place.hangs_on(&ColumnOf::new(table, column)));
        key.is_empty() || self.lies_by_key(table) && !copies.into_iter().any(hangs)
    }

    /// Whether all places of a table's rows follow from its key alone.
    pub(crate) fn lies_by_key(&self, table: &str) -> bool {
        let key = self.key(table);
        let others: Vec<String> =
            self.columns(table).into_iter().filter(|column| !key.contains(column)).collect();
        let places = self.places.iter().filter(|place| place.record().has(table));
        !key.is_empty()
            && places.into_iter().all(|place| {
                let mut others = others.iter().map(|column| ColumnOf::new(table, column));
                !place.layout.numbers_rows() && !others.any(|column| place.lies_by(&column))
            })
    }
}

/// Readings of a table that are stored a second time.
fn twice(series: &[StoredSeries]) -> Option<&StoredSeries> {
    let is_again = |(at, stored): &(usize, &StoredSeries)| {
        series.iter().take(*at).any(|before| before.from == stored.from)
    };
    series.iter().enumerate().find(is_again).map(|(_, stored)| stored)
}

/// The number after the highest of a place's rows.
async fn next_number(store: &dyn Store, place: &Place) -> Result<u64, AccessError> {
    let strands = crate::plan::strands(&place.layout, &[])?;
    let mut columns = tablesmith_store::Columns::all();
    place.layout.families().iter().for_each(|family| columns.add_family(family.name_bytes.clone()));
    let read = ReadOptions { columns, filter: Some(Filter::FirstKeyOnly), ..ReadOptions::default() };
    let limit = (!place.layout.is_mixed).then_some(1);
    let scan = FanOutScan { order: Order::Falling, limit, read, ..FanOutScan::new(strands) };
    let mut rows = FanOut::new(store, &place.name, scan)?;
    loop {
        let portion = rows.next_rows().await?;
        if portion.is_empty() {
            return Ok(0);
        }
        for row in portion {
            let decoded = place.layout.codec.decode(&row.row).unwrap_or_default();
            let number = decoded.into_iter().find_map(|part| match part {
                Decoded::RowNumber(number) => Some(number),
                _ => None,
            });
            if let Some(number) = number {
                return Ok(number.saturating_add(1));
            }
        }
    }
}
