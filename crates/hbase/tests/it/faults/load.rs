//! Writers, counters and a long scan at the same time, and the check that all of it is right.

use std::future::Future;
use std::sync::Arc;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use hbase::{Action, Client, Get, Increment, Mutation, Put, Scan, Table, TableName};
use tokio::task::JoinSet;

use super::DEADLINE;
use crate::support::{FAMILY, create};

const WRITERS: usize = 64;
const COUNTERS: usize = 4;
/// Rows of the table that is scanned all the time.
const SCANNED_ROWS: usize = 20_000;

/// How much is written.
#[derive(Clone, Copy)]
pub struct Amount {
    pub writes: usize,
    pub increments: usize,
}

impl Amount {
    pub const LARGE: Self = Self { writes: 20_000, increments: 2_000 };
    pub const SMALL: Self = Self { writes: 4_000, increments: 400 };
}

/// The tables, and what must be in them.
pub struct Load {
    rows: TableName,
    scanned: TableName,
    runs: AtomicU64,
    /// What every counter was increased by, all runs together.
    counted: Vec<AtomicU64>,
}

/// The times of one run.
struct Watch {
    last: Mutex<Instant>,
    longest_gap: Mutex<Duration>,
    slowest: Mutex<Duration>,
}

impl Watch {
    fn new() -> Self {
        Self { last: Mutex::new(Instant::now()), longest_gap: Mutex::default(), slowest: Mutex::default() }
    }

    fn acknowledged(&self, begun: Instant) {
        let now = Instant::now();
        let gap = now - std::mem::replace(&mut *self.last.lock().unwrap(), now);
        let mut longest = self.longest_gap.lock().unwrap();
        *longest = longest.max(gap);
        let mut slowest = self.slowest.lock().unwrap();
        *slowest = slowest.max(now - begun);
    }
}

impl Load {
    pub async fn prepare(client: &Client) -> Self {
        let splits = ["1", "2", "3", "4", "5", "6", "7", "8", "9"];
        let rows = create(client, "fault_rows", &splits).await;
        let scanned = create(client, "fault_scanned", &["05000", "10000", "15000"]).await;
        for portion in (0..SCANNED_ROWS).collect::<Vec<_>>().chunks(1000) {
            let put = |row: &usize| {
                let key = format!("{row:05}");
                Action::Mutate(Mutation::Put(Put::new(key.clone()).add(FAMILY, "q", key)))
            };
            for result in scanned.batch(portion.iter().map(put).collect()).await {
                result.unwrap();
            }
        }
        Self {
            rows: rows.name().clone(),
            scanned: scanned.name().clone(),
            runs: AtomicU64::new(0),
            counted: (0..COUNTERS).map(|_| AtomicU64::new(0)).collect(),
        }
    }

    pub fn tables(&self) -> [TableName; 2] {
        [self.rows.clone(), self.scanned.clone()]
    }

    /// Writes, counts and scans while the fault happens, then looks whether everything is there.
    pub async fn run(&self, client: &Client, amount: Amount, fault: impl Future<Output = ()> + Send) {
        let run = self.runs.fetch_add(1, Ordering::Relaxed);
        let table = client.table_named(self.rows.clone());
        let watch = Arc::new(Watch::new());
        let mut tasks = JoinSet::new();
        let next = Arc::new(AtomicUsize::new(0));
        for _ in 0..WRITERS {
            tasks.spawn(write(table.clone(), run, amount.writes, next.clone(), watch.clone()));
        }
        for counter in 0..COUNTERS * 2 {
            let times = amount.increments / (COUNTERS * 2);
            tasks.spawn(count(table.clone(), counter % COUNTERS, times));
            self.counted[counter % COUNTERS].fetch_add(times as u64, Ordering::Relaxed);
        }
        let over = Arc::new(AtomicBool::new(false));
        let scans = tokio::spawn(scan_until(client.table_named(self.scanned.clone()), over.clone()));
        fault.await;
        while let Some(done) = tasks.join_next().await {
            done.unwrap();
        }
        over.store(true, Ordering::Relaxed);
        let scans = scans.await.unwrap();
        let (gap, slowest) = (*watch.longest_gap.lock().unwrap(), *watch.slowest.lock().unwrap());
        println!(
            "  longest stall {} ms, slowest write {} ms, {scans} scans",
            gap.as_millis(),
            slowest.as_millis()
        );
        // A write that its deadline did not end would take as long as the fault.
        assert!(slowest < DEADLINE * 3, "a write took {slowest:?}");
        self.check(&table, run, amount).await;
    }

    async fn check(&self, table: &Table, run: u64, amount: Amount) {
        let mut missing = Vec::new();
        for numbers in (0..amount.writes).collect::<Vec<_>>().chunks(2000) {
            let gets = numbers.iter().map(|number| Action::Get(Get::new(key(run, *number)))).collect();
            for (number, read) in numbers.iter().zip(table.batch(gets).await) {
                let hbase::ActionReply::Row(row) = read.unwrap() else { panic!("not a row") };
                if row.value(b"f", b"q") != Some(number.to_string().as_bytes()) {
                    missing.push(*number);
                }
            }
        }
        assert!(missing.is_empty(), "{} acknowledged writes are missing: {missing:?}", missing.len());
        for (counter, counted) in self.counted.iter().enumerate() {
            let row = table.get(Get::new(counter_key(counter))).await.unwrap();
            let value = row.value(b"f", b"n").unwrap();
            let wanted = counted.load(Ordering::Relaxed);
            assert_eq!(u64::from_be_bytes(value[..].try_into().unwrap()), wanted, "counter {counter}");
        }
    }
}

/// Spread over the regions by its last digit.
fn key(run: u64, number: usize) -> String {
    format!("{}-{run:03}-{number:06}", number % 10)
}

fn counter_key(counter: usize) -> String {
    format!("{}-counter", counter * 3)
}

async fn write(table: Table, run: u64, writes: usize, next: Arc<AtomicUsize>, watch: Arc<Watch>) {
    loop {
        let number = next.fetch_add(1, Ordering::Relaxed);
        if number >= writes {
            return;
        }
        let begun = Instant::now();
        table.put(Put::new(key(run, number)).add(FAMILY, "q", number.to_string())).await.unwrap();
        watch.acknowledged(begun);
    }
}

async fn count(table: Table, counter: usize, times: usize) {
    for _ in 0..times {
        table.increment(Increment::new(counter_key(counter), FAMILY, "n", 1)).await.unwrap();
    }
}

/// Scans from end to end, forwards and backwards in turn, at least once and until the work is over. Returns how often.
async fn scan_until(table: Table, over: Arc<AtomicBool>) -> usize {
    let mut scans = 0;
    loop {
        let reversed = scans % 2 == 1;
        let mut scanner = table.scan(Scan { caching: Some(100), reversed, ..Scan::all() });
        let mut seen = 0;
        while let Some(row) = scanner.next_row().await.unwrap() {
            let wanted = if reversed { SCANNED_ROWS - 1 - seen } else { seen };
            assert_eq!(row.key(), format!("{wanted:05}").as_bytes(), "row {seen} of scan {scans}");
            seen += 1;
            // Slow enough that the fault falls into the scan.
            if seen % 100 == 0 {
                tokio::time::sleep(Duration::from_millis(10)).await;
            }
        }
        assert_eq!(seen, SCANNED_ROWS, "scan {scans}");
        scans += 1;
        if over.load(Ordering::Relaxed) {
            return scans;
        }
    }
}
