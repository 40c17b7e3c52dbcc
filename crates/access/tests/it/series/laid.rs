//! A design that holds readings over time, in a store, and what is asked of it.

use std::sync::Arc;

use fastrand::Rng;
use tablesmith_access::answer::Database;
use tablesmith_access::{LoadOptions, LoadSource, LoadWatch, LoadedFile, Steps, Writer};
use tablesmith_model::design::{self, Design};
use tablesmith_model::series::SeriesLayout;
use tablesmith_model::source_row::SourceRow;
use tablesmith_model::value::{Value, ValueType};
use tablesmith_model::workload::{Column, Table, Workload};
use tablesmith_sql::Dialect;
use tablesmith_sql::executable::{Parameters, PreparedStatement, Statement};
use tablesmith_store::{Store, SystemClock};
use tablesmith_store_testing::memory::MemoryStore;

use super::trial::layouts::{KINDS, table};

const QUERIES: [&str; 14] = [
    "SELECT bikes FROM reading WHERE station = 'a' AND at >= '1970-01-01 00:01' AND at < '1970-01-01 00:05'",
    "SELECT station, at, bikes FROM reading ORDER BY at DESC, station LIMIT 7 OFFSET 2",
    "SELECT at, bikes, station FROM reading WHERE station = 'a' ORDER BY at DESC LIMIT 3 OFFSET 1",
    "SELECT bikes, at FROM reading WHERE station = 'c' AND bikes > 2 ORDER BY at DESC LIMIT 2",
    "SELECT load FROM reading WHERE station = 'nobody' ORDER BY at DESC, load LIMIT 1",
    "SELECT COUNT(*), AVG(bikes), MIN(at), MAX(load) FROM reading",
    "SELECT station, COUNT(bikes), SUM(bikes) FROM reading WHERE load = 0.5 GROUP BY station",
    "SELECT AVG(bikes), MIN(bikes), MAX(bikes), SUM(load), COUNT(bikes) FROM reading \
     WHERE station IN ('a', 'b') AND at > '1970-01-01 00:01:00.0005' AND at <= '1970-01-01 00:04'",
    "SELECT COUNT(load), MAX(bikes) FROM reading WHERE station = 'nobody' HAVING COUNT(load) < 5",
    "SELECT load FROM reading WHERE bikes > 3 AND Bikes_note = 'n'",
    "SELECT place.city, reading.at, reading.bikes FROM place JOIN reading ON reading.station = place.id \
     WHERE place.city = 'here' AND reading.at < '1970-01-01 00:03'",
    "SELECT place.city, SUM(reading.bikes) FROM reading JOIN place ON place.id = reading.station GROUP BY place.city",
    "SELECT r.at FROM reading r JOIN reading s ON r.at = s.at WHERE r.station = 'a' AND s.station = 'b' AND s.bikes = 4",
    "SELECT DISTINCT station FROM reading WHERE bikes IS NULL OR bikes = 2",
];

const CHANGES: [&str; 5] = [
    "INSERT INTO reading (station, at, bikes) VALUES ('a', '1970-01-01 00:01', 4), ('d', '1970-01-02', 5)",
    "UPDATE reading SET bikes = bikes + 10 WHERE station = 'b' AND at < '1970-01-01 00:02'",
    "UPDATE reading SET load = 0.25, bikes = NULL WHERE station = 'a' AND bikes = 3",
    "DELETE FROM reading WHERE station = 'c' AND at >= '1970-01-01 00:04'",
    "DELETE FROM reading WHERE bikes = 2 OR bikes = 7",
];

/// A change that moves a reading, and the same where a store writes one row at a time.
const MOVE: [&str; 1] = ["UPDATE reading SET station = 'z' WHERE station = 'd'"];
const MOVE_BY_HAND: [&str; 2] = [
    "INSERT INTO reading (station, at, bikes) VALUES ('z', '1970-01-02', 5)",
    "DELETE FROM reading WHERE station = 'd'",
];

pub fn workload() -> Workload {
    let place = Table {
        name: "place".to_owned(),
        key: vec!["id".to_owned()],
        columns: vec![Column::new("id", ValueType::String), Column::new("city", ValueType::String)],
        ..Table::default()
    };
    let reading = Table { key: vec!["station".into(), "at".into()], ..table(KINDS[0]) };
    Workload { tables: vec![reading, place], ..Workload::default() }
}

pub fn readings(random: &mut Rng) -> Vec<Vec<Value>> {
    let mut rows = Vec::new();
    for station in ["a", "b", "c"] {
        for step in 0..60 {
            let text = format!("1970-01-01 00:{:02}:{:02}", step / 10, step % 10 * 6);
            let bikes =
                if random.usize(..4) == 0 { Value::Null } else { Value::Int(random.usize(..9) as i64) };
            let at = Value::parse(ValueType::Timestamp, &text).unwrap();
            let note = Value::String("n".into());
            rows.push(vec![Value::String(station.into()), at, bikes, Value::Float(0.5), note, Value::Null]);
        }
    }
    rows
}

pub fn design_of(workload: &Workload, layout: &SeriesLayout) -> Design {
    let [reading, place] = workload.tables.as_slice() else { panic!("two tables") };
    let tables = vec![layout.to_design(reading), design::Table::of_workload(place)];
    Design { tables, ..Design::default() }
}

#[derive(Default)]
struct Rejected(Vec<String>);

impl LoadWatch for Rejected {
    fn rejected(&mut self, line: u64, _: u64, reason: &str) {
        self.0.push(format!("{line}: {reason}"));
    }
    fn loaded(&mut self, _: u64) {}
}

/// A design on a store of its own.
pub struct Laid {
    pub store: Arc<dyn Store>,
    pub database: Database,
    writer: Arc<Writer>,
}

impl Laid {
    /// In a store of its own.
    pub async fn new(workload: &Arc<Workload>, design: &Design) -> Self {
        Self::on(Arc::new(MemoryStore::new(Arc::new(SystemClock), 2)), workload, design).await
    }

    /// Makes the tables of a design.
    pub async fn on(store: Arc<dyn Store>, workload: &Arc<Workload>, design: &Design) -> Self {
        let steps = Steps::of(design, &tablesmith_access::Living::default(), &[]).unwrap();
        steps.make(&*store, &mut |_| ()).await.unwrap();
        let database = Database::new(Arc::clone(workload), design).unwrap();
        Self { store, database, writer: Arc::new(Writer::new(workload, design).unwrap()) }
    }

    pub async fn load(&self, table: &str, rows: &[Vec<Value>]) -> (LoadedFile, Vec<String>) {
        let mut rejected = Rejected::default();
        let rows = Vec::from(rows).into_iter().enumerate();
        let rows = rows.map(|(at, values)| Ok(SourceRow { line: at as u64 + 2, values }));
        let source = LoadSource { table, file: "a file", rows: Box::new(rows) };
        let loaded =
            self.writer.load(&*self.store, source, LoadOptions::default(), &mut rejected).await.unwrap();
        (loaded, rejected.0)
    }

    /// The rows of a statement in an order of their own, or how many it changed.
    pub async fn ask(&self, sql: &str) -> Vec<Vec<Value>> {
        let designed = &self.database;
        let asked = PreparedStatement::new(sql, designed.workload(), Dialect::Generic)
            .unwrap()
            .bind(&Parameters::none())
            .unwrap();
        let changed = match &asked {
            Statement::Select(query) => {
                let plan = designed.plan_query(None, query).unwrap_or_else(|error| panic!("{sql}: {error}"));
                let mut answer = designed.answer(&*self.store, &plan).unwrap();
                let mut rows = answer.all().await.unwrap();
                if !sql.contains("ORDER BY") {
                    rows.sort();
                }
                return rows;
            }
            Statement::Insert(insert) => self.database.insert(&*self.store, insert).await,
            Statement::Update(update) => self.database.update(&*self.store, update).await,
            Statement::Delete(delete) => self.database.delete(&*self.store, delete).await,
        };
        let changed = changed.unwrap_or_else(|error| panic!("{sql}: {error}")).rows;
        vec![vec![Value::Int(changed as i64)]]
    }
}

/// The places of the stations.
pub fn places() -> [Vec<Value>; 3] {
    let text = |text: &str| Value::String(text.to_owned());
    [["a", "here"], ["b", "there"], ["c", "here"]].map(|row| row.map(text).to_vec())
}

/// Loads both tables.
pub async fn load_both(laid: &Laid, rows: &[Vec<Value>]) {
    laid.load("place", &places()).await;
    let (loaded, rejected) = laid.load("reading", rows).await;
    assert_eq!((loaded.rows, rejected.len()), (rows.len() as u64, 0), "{rejected:?}");
}

/// Asks all queries, and again after each change: both must answer alike.
pub async fn answer_alike(laid: &Laid, plain: &Laid, what: &str) {
    let moved: &[&str] = if laid.store.has_atomic_batches() { &MOVE } else { &MOVE_BY_HAND };
    let after_changes =
        CHANGES.iter().chain(moved).flat_map(|change| std::iter::once(change).chain(&QUERIES));
    for sql in QUERIES.iter().chain(after_changes) {
        assert_eq!(laid.ask(sql).await, plain.ask(sql).await, "{what}: {sql}");
    }
}
