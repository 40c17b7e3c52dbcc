//! A store whose prices are known: it looks at what each call really does, and moves its own clock on by what that costs.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use async_trait::async_trait;
use bytes::Bytes;
use tablesmith_model::cost::{CELL_OVERHEAD_BYTES, Operations, Prices};
use tablesmith_model::{Cell, TableName};
use tablesmith_store::wrap::{Intercept, Op, Outcome};
use tablesmith_store::{Action, Get, Mutation, Put, ReadOptions, Row, Scan, Store, StoreError};
use tablesmith_verify::calibrate::Stopwatch;

/// The clock of a charged store.
#[derive(Clone, Default)]
pub struct VirtualTime(Arc<AtomicU64>);

impl Stopwatch for VirtualTime {
    fn now(&self) -> Duration {
        Duration::from_nanos(self.0.load(Ordering::SeqCst))
    }
}

/// Charges for calls.
pub struct Charged {
    pub prices: Prices,
    pub time: VirtualTime,
    /// Each charge is off by up to this share, at random.
    pub noise: f64,
    pub random: Mutex<fastrand::Rng>,
    /// Reads after so many fail.
    pub reads_left: AtomicU64,
}

impl Charged {
    pub fn new(prices: Prices, noise: f64, seed: u64) -> Self {
        Self {
            prices,
            time: VirtualTime::default(),
            noise,
            random: Mutex::new(fastrand::Rng::with_seed(seed)),
            reads_left: AtomicU64::new(u64::MAX),
        }
    }

    fn charge(&self, operations: &Operations) {
        let off = 1.0 + self.noise * (2.0 * self.random.lock().unwrap().f64() - 1.0);
        let nanos = self.prices.cost(operations) * off * 1e6;
        self.time.0.fetch_add(nanos.round() as u64, Ordering::SeqCst);
    }

    fn count_read(&self) -> Result<(), StoreError> {
        let counted = |left: u64| left.checked_sub(1);
        let counted = self.reads_left.fetch_update(Ordering::SeqCst, Ordering::SeqCst, counted);
        counted.map(drop).map_err(|_| StoreError::Io("the store is gone".to_owned()))
    }
}

#[async_trait]
impl Intercept for Charged {
    type Ticket = Operations;

    async fn before(&self, store: &dyn Store, op: &Op<'_>) -> Result<Operations, StoreError> {
        match op {
            Op::Get(table, get) => {
                self.count_read()?;
                let (families, read) = whole_families(store, table, &get.read).await?;
                let row = store.get(table, Get { row: get.row.clone(), read }).await?.value;
                Ok(Operations { calls: 1.0, seeks: families, ..looked_at(&[row], families) })
            }
            Op::Scan(table, scan) => {
                self.count_read()?;
                let (families, read) = whole_families(store, table, &scan.read).await?;
                let regions = regions(store, table, scan).await?;
                let rows = store.scan_all(table, Scan { read, ..(*scan).clone() }).await?.value;
                let looked_at = looked_at(&rows, families);
                Ok(Operations { calls: 1.0, regions, seeks: regions * families, ..looked_at })
            }
            Op::Put(_, put) => Ok(Operations { calls: 1.0, write_calls: 1.0, ..written(put) }),
            Op::Batch(_, actions) => {
                let puts = actions.iter().map(|action| match action {
                    Action::Mutate(Mutation::Put(put)) => written(put),
                    other => panic!("no experiment does {other:?}"),
                });
                Ok(Operations { calls: 1.0, write_calls: 1.0, ..puts.sum() })
            }
            _ => Ok(Operations::NONE),
        }
    }

    async fn after(&self, ticket: Operations, outcome: Outcome<'_>) -> Result<(), StoreError> {
        let rows = match outcome {
            Outcome::Row(row) => std::slice::from_ref(row),
            Outcome::Rows(rows) => rows,
            _ => &[],
        };
        let cells: Vec<&Cell> = rows.iter().flat_map(|row| &row.cells).collect();
        self.charge(&Operations {
            cells_returned: cells.len() as f64,
            bytes_returned: cells.iter().map(|cell| stored_bytes(cell)).sum(),
            ..ticket
        });
        Ok(())
    }
}

/// How many families a read touches, and the same read of all their columns.
async fn whole_families(
    store: &dyn Store,
    table: &TableName,
    read: &ReadOptions,
) -> Result<(f64, ReadOptions), StoreError> {
    let mut whole = ReadOptions::default();
    let mut families: Vec<Bytes> = read.columns.families().map(|(family, _)| family.clone()).collect();
    if families.is_empty() {
        let described = store.describe_table(table).await?.families;
        families = described.into_iter().map(|family| family.name).collect();
    }
    families.iter().for_each(|family| whole.columns.add_family(family.clone()));
    Ok((families.len() as f64, whole))
}

async fn regions(store: &dyn Store, table: &TableName, scan: &Scan) -> Result<f64, StoreError> {
    let (start, stop) = (scan.start.row().unwrap().clone(), scan.stop.row().unwrap().clone());
    let is_touched = |region: &tablesmith_store::RegionInfo| {
        region.start < stop && (region.end.is_empty() || region.end > start)
    };
    Ok(store.regions(table).await?.iter().filter(|region| is_touched(region)).count() as f64)
}

fn looked_at(rows: &[Row], families: f64) -> Operations {
    let cells: Vec<&Cell> = rows.iter().flat_map(|row| &row.cells).collect();
    Operations {
        rows: rows.len() as f64,
        family_rows: rows.len() as f64 * families,
        cells: cells.len() as f64,
        bytes: cells.iter().map(|cell| stored_bytes(cell)).sum(),
        ..Operations::NONE
    }
}

fn written(put: &Put) -> Operations {
    let families: BTreeSet<&Bytes> = put.cells.iter().map(|(family, ..)| family).collect();
    let cell = |(family, qualifier, _, value): &(Bytes, Bytes, Option<i64>, Bytes)| {
        stored_bytes(&Cell::put(put.row.clone(), family.clone(), qualifier.clone(), 0, value.clone()))
    };
    Operations {
        puts: 1.0,
        family_puts: families.len() as f64,
        cells_written: put.cells.len() as f64,
        bytes_written: put.cells.iter().map(cell).sum(),
        ..Operations::NONE
    }
}

fn stored_bytes(cell: &Cell) -> f64 {
    (cell.row.len() + cell.family.len() + cell.qualifier.len() + cell.value.len()) as f64
        + CELL_OVERHEAD_BYTES
}
