//! Records of a layout as rows on their way to an answer, counted while they come.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use async_trait::async_trait;
use tablesmith_model::TableName;
use tablesmith_model::plan::Condition;
use tablesmith_store::{OpStats, Store};

use super::error::AnswerError;
use super::operators::{Generated, Input, Lookup, Out, PORTION_ROWS};
use super::plan::{Latest, StepFigures};
use crate::layout::Layout;
use crate::records::{Beside, RecordRead, RecordStats, RecordStream, Wanted, records, records_beside};
use crate::series::StoredSeries;

/// The first portion is small, for whoever wants only a few rows.
const FIRST_PORTION_ROWS: usize = 32;

/// What a step has really done up to now.
#[derive(Debug, Default)]
pub struct Counted {
    calls: AtomicU64,
    rows: AtomicU64,
    regions: AtomicU64,
    records: AtomicU64,
    /// Bytes and microseconds of the store, and whether it says them.
    bytes: AtomicU64,
    micros: AtomicU64,
    has_bytes: AtomicBool,
    has_time: AtomicBool,
}

impl Counted {
    /// Adds what a read has done since it was last added.
    fn add(&self, now: &RecordStats, before: &RecordStats) {
        let add = |to: &AtomicU64, now: u64, before: u64| {
            to.fetch_add(now.saturating_sub(before), Ordering::Relaxed);
        };
        add(&self.calls, now.calls, before.calls);
        add(&self.rows, now.rows_read, before.rows_read);
        add(&self.records, now.records, before.records);
        add(&self.regions, now.store.regions.unwrap_or(0), before.store.regions.unwrap_or(0));
        self.add_store(&now.store.since(&before.store));
    }

    /// Adds what the store says of the bytes and the time of a call.
    pub fn add_store(&self, stats: &OpStats) {
        if let Some(bytes) = stats.bytes {
            self.bytes.fetch_add(bytes, Ordering::Relaxed);
            self.has_bytes.store(true, Ordering::Relaxed);
        }
        if let Some(time) = stats.time {
            self.micros.fetch_add(time.as_micros().try_into().unwrap_or(u64::MAX), Ordering::Relaxed);
            self.has_time.store(true, Ordering::Relaxed);
        }
    }

    /// Adds a call that went through rows of so many regions and gave one record.
    pub fn add_call(&self, rows: u64, regions: u64) {
        let add = |to: &AtomicU64, more: u64| to.fetch_add(more, Ordering::Relaxed);
        add(&self.calls, 1);
        add(&self.rows, rows);
        self.regions.fetch_max(regions, Ordering::Relaxed);
        self.records.fetch_max(1, Ordering::Relaxed);
    }

    /// Adds a call that found so many records.
    pub fn add_found(&self, records: u64, regions: u64) {
        self.add_call(records, regions);
        self.records.fetch_max(records, Ordering::Relaxed);
    }

    /// What it took so far.
    pub fn figures(&self) -> StepFigures {
        let of = |amount: &AtomicU64| amount.load(Ordering::Relaxed) as f64;
        StepFigures {
            calls: of(&self.calls),
            rows: of(&self.rows),
            regions: of(&self.regions),
            bytes: self.has_bytes.load(Ordering::Relaxed).then(|| of(&self.bytes)),
            records: of(&self.records),
            ms: self.has_time.load(Ordering::Relaxed).then(|| of(&self.micros) / 1_000.0),
        }
    }
}

/// A layout in a store.
#[derive(Clone, Copy)]
pub struct Place<'p> {
    pub store: &'p dyn Store,
    pub layout: &'p Layout,
    pub name: &'p TableName,
}

impl<'p> Place<'p> {
    /// The records of a read.
    pub fn rows(self, read: RecordRead, counted: Arc<Counted>) -> Input<'p> {
        Box::new(Generated::new(|out| async move {
            hand_out(records(self.store, self.layout, self.name, &read).await?, &counted, &out).await
        }))
    }

    /// The records of two layouts, every child with its parent.
    pub fn rows_beside(self, children: &'p Layout, read: Beside, counted: Arc<Counted>) -> Input<'p> {
        Box::new(Generated::new(move |out| async move {
            let layouts = [self.layout, children];
            hand_out(records_beside(self.store, layouts, self.name, &read).await?, &counted, &out).await
        }))
    }
}

/// Hands records out in portions that grow, until nobody wants more.
async fn hand_out(mut stream: RecordStream<'_>, counted: &Counted, out: &Out) -> Result<(), AnswerError> {
    let mut before = RecordStats::default();
    let (mut is_done, mut size) = (false, FIRST_PORTION_ROWS);
    while !is_done {
        let mut portion = Vec::with_capacity(size);
        while portion.len() < size && !is_done {
            match stream.next().await? {
                Some(record) => portion.push(record),
                None => is_done = true,
            }
        }
        let now = stream.stats();
        counted.add(&now, &before);
        before = now;
        size = PORTION_ROWS.min(size * 2);
        // Nobody takes it when nobody wants more.
        if !portion.is_empty() && out.send(portion).await.is_err() {
            return Ok(());
        }
    }
    Ok(())
}

/// Readings over time in a store.
#[derive(Clone, Copy)]
pub struct ReadingsPlace<'p> {
    pub store: &'p dyn Store,
    pub stored: &'p StoredSeries,
}

impl<'p> ReadingsPlace<'p> {
    /// The rows that meet what is wanted.
    pub fn rows(self, wanted: Wanted, counted: Arc<Counted>) -> Input<'p> {
        Box::new(Generated::new(|out| async move {
            let Wanted { fields, conditions, .. } = wanted;
            let mut rows = self.stored.rows(self.store, &fields, &conditions).await?;
            let mut before = RecordStats::default();
            loop {
                let portion = rows.next().await?;
                let (calls, rows_read, store) = rows.taken();
                let records = before.records + portion.len() as u64;
                let now = RecordStats { calls, rows_read, records, store };
                counted.add(&now, &before);
                before = now;
                // Nobody takes it when nobody wants more.
                if portion.is_empty() || out.send(portion).await.is_err() {
                    return Ok(());
                }
            }
        }))
    }
}

impl<'p> ReadingsPlace<'p> {
    /// The last readings of an entity, the newest first.
    pub fn latest(self, latest: Latest, wanted: Wanted, counted: Arc<Counted>) -> Input<'p> {
        Box::new(Generated::new(move |out| async move {
            let found = self.stored.latest(self.store, &wanted.fields, &latest.entity, latest.n).await?;
            counted.add_found(found.value.len() as u64, found.stats.regions.unwrap_or(0));
            for portion in found.value.chunks(PORTION_ROWS) {
                // Nobody takes it when nobody wants more.
                if out.send(portion.to_vec()).await.is_err() {
                    break;
                }
            }
            Ok(())
        }))
    }
}

/// Looks for readings that belong to outer rows of a join.
pub struct ReadingsLookup<'p> {
    pub place: ReadingsPlace<'p>,
    pub wanted: Wanted,
    pub counted: Arc<Counted>,
}

#[async_trait]
impl<'p> Lookup<'p> for ReadingsLookup<'p> {
    async fn open(&mut self, conditions: Vec<Condition>) -> Result<Input<'p>, AnswerError> {
        let mut wanted = self.wanted.clone();
        wanted.conditions.extend(conditions);
        Ok(self.place.rows(wanted, Arc::clone(&self.counted)))
    }
}

/// Looks for inner rows of a join.
pub struct RecordLookup<'p> {
    pub place: Place<'p>,
    pub wanted: Wanted,
    pub counted: Arc<Counted>,
}

#[async_trait]
impl<'p> Lookup<'p> for RecordLookup<'p> {
    async fn open(&mut self, conditions: Vec<Condition>) -> Result<Input<'p>, AnswerError> {
        let mut wanted = self.wanted.clone();
        wanted.conditions.extend(conditions);
        let read = self.place.layout.read(&wanted)?;
        Ok(self.place.rows(read, Arc::clone(&self.counted)))
    }
}
