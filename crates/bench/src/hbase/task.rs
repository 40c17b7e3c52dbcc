//! What both clients do.

use hbase_testbed::java_client::{Measured, Way, Work};

use super::ours::Ours;

const SMALL: &str = "bench_small";
const WIDE: &str = "bench_wide";
const WRITTEN: &str = "bench_written";
const REGIONS: u32 = 6;
const SMALL_ROWS: u64 = 1_000_000;
const WIDE_ROWS: u64 = 2_000;
const WIDE_COLUMNS: u32 = 200;
const VALUE_BYTES: u32 = 20;

/// A task: how it is told to a client, and what comes out.
pub struct Task {
    pub name: &'static str,
    pub ways: &'static [Way],
    /// Rows or operations that each run must report.
    pub expected: u64,
    /// Rows that each run writes: the next one writes others.
    pub rows_written: u64,
    pub first_row: u64,
    pub latency_matters: bool,
    kind: Kind,
}

#[derive(Clone, Copy)]
enum Kind {
    Put { count: u64, in_flight: u32 },
    Get { count: u64, in_flight: u32 },
    Batch { count: u64, batch: u32, in_flight: u32 },
    Scan(&'static str),
}

impl Task {
    pub fn work(&self, first: u64, way: Way) -> Work {
        let table = WRITTEN.to_owned();
        match self.kind {
            Kind::Put { count, in_flight } => {
                Work::Put { table, first, count, in_flight, value_bytes: VALUE_BYTES, way }
            }
            Kind::Get { count, in_flight } => {
                Work::Get { table: SMALL.to_owned(), count, in_flight, rows: SMALL_ROWS as u32, way }
            }
            Kind::Batch { count, batch, in_flight } => Work::Batch {
                table,
                first,
                count,
                batch,
                in_flight,
                columns: 1,
                value_bytes: VALUE_BYTES,
                way,
            },
            Kind::Scan(table) => Work::Scan { table: table.to_owned(), column: None, way },
        }
    }

    /// Operations of a run, or rows of a scan.
    pub fn count(&self, measured: &Measured) -> u64 {
        if matches!(self.kind, Kind::Scan(_)) { measured.rows } else { measured.operations }
    }

    /// Rows or operations that count for speed: of batches their rows.
    pub fn rows(&self) -> u64 {
        if let Kind::Batch { count, .. } = self.kind { count } else { self.expected }
    }

    pub fn rate(&self, measured: &Measured) -> f64 {
        self.rows() as f64 / measured.wall.as_secs_f64()
    }
}

pub fn all() -> Vec<Task> {
    let put = |name, count, in_flight| Task {
        name,
        ways: &[Way::Blocking, Way::Async],
        expected: count,
        rows_written: count,
        first_row: 1 << 40,
        latency_matters: true,
        kind: Kind::Put { count, in_flight },
    };
    let get = |name, count, in_flight| Task {
        kind: Kind::Get { count, in_flight },
        rows_written: 0,
        ..put(name, count, in_flight)
    };
    let scan = |name, table, rows| Task {
        ways: &[Way::Blocking, Way::Async, Way::Prefetch],
        kind: Kind::Scan(table),
        expected: rows,
        rows_written: 0,
        latency_matters: false,
        ..put(name, 0, 1)
    };
    let (count, batch) = (600_000, 1000);
    vec![
        put("puts, 1 in flight", 4_000, 1),
        put("puts, 64 in flight", 60_000, 64),
        get("gets, 1 in flight", 6_000, 1),
        get("gets, 64 in flight", 60_000, 64),
        Task {
            ways: &[Way::Blocking, Way::Async],
            kind: Kind::Batch { count, batch, in_flight: 2 },
            expected: count / u64::from(batch),
            rows_written: count,
            ..put("puts in batches of 1000", count, 2)
        },
        scan("scan of 1,000,000 small rows", SMALL, SMALL_ROWS),
        scan("scan of 2,000 rows of 200 cells", WIDE, WIDE_ROWS),
    ]
}

/// Makes and fills the tables.
pub fn prepare(ours: &Ours) -> Result<(), String> {
    for table in [SMALL, WIDE, WRITTEN] {
        ours.run(&Work::Create { table: table.to_owned(), regions: REGIONS })?;
    }
    let fill = |table: &str, count, columns, value_bytes, batch| {
        let way = Way::Async;
        let table = table.to_owned();
        ours.run(&Work::Batch { table, first: 0, count, batch, in_flight: 2, columns, value_bytes, way })
    };
    fill(SMALL, SMALL_ROWS, 1, VALUE_BYTES, 2000)?;
    fill(WIDE, WIDE_ROWS, WIDE_COLUMNS, 100, 50)?;
    ours.flush(&[SMALL, WIDE])
}
