//! Random tables with composite ids, and what a scan of them must give.

use bytes::Bytes;
use fastrand::Rng;
use tablesmith_access::{Begin, FanOut, FanOutBounds, FanOutScan, Layout, Order, strands};
use tablesmith_model::TableName;
use tablesmith_model::design::{self, Cells, Design, Family, Rows};
use tablesmith_model::key::{Key, KeyCodec, KeyInput};
use tablesmith_model::plan::{Condition, Strand};
use tablesmith_model::value::{CellEncoding, KeyEncoding, Value, ValueType};
use tablesmith_model::workload::{Column, Table, Workload};
use tablesmith_store::filter::language;
use tablesmith_store::{ReadOptions, Row, Scanner, Store};

use crate::stores::filled;

/// The user and the number of an event: what identifies it.
pub type Id = (String, i64);

const COLUMNS: [(&str, ValueType); 3] =
    [("user", ValueType::String), ("at", ValueType::Int), ("kind", ValueType::Int)];

/// A table of the store with its rows.
pub struct Events {
    pub name: TableName,
    pub layout: Layout,
    codec: KeyCodec,
    /// Ids with their kinds, in the order of the ids.
    pub rows: Vec<(Id, i64)>,
}

/// A key that begins, or nearly so, with one of the prefixes; `user` and `at` follow in this order.
pub fn random_key(random: &mut Rng) -> Vec<String> {
    let modulus = 1 + random.usize(..64);
    let prefix = match random.usize(..6) {
        0 => format!("md5_mod(user, {modulus})"),
        1 => format!("mod(at, {modulus})"),
        2 => format!("random({modulus})"),
        3 => format!("md5_line_mod({modulus})"),
        _ => format!("md5_mod(user, at, {modulus})"),
    };
    let before = if random.usize(..4) == 0 { vec!["const(\"ab\")".to_owned()] } else { Vec::new() };
    let second =
        if random.usize(..5) == 0 { vec![format!("mod(at, {})", 1 + random.usize(..3))] } else { Vec::new() };
    let id = ["user".to_owned(), "at".to_owned()];
    before.into_iter().chain([prefix]).chain(second).chain(id).collect()
}

/// Random ids: users of different length, one the beginning of another, numbers around 0.
pub fn random_rows(random: &mut Rng, count: usize) -> Vec<(Id, i64)> {
    let users = ["", "a", "a\0", "ab", "ab\u{1}", "b", "é", "user1", "user10"];
    let mut rows: Vec<(Id, i64)> = (0..count)
        .map(|_| {
            let at = random.usize(..400) as i64 - 150;
            (((*random.choice(&users).unwrap()).to_owned(), at), random.usize(..4) as i64)
        })
        .collect();
    rows.sort();
    rows.dedup_by(|one, two| one.0 == two.0);
    rows
}

impl Events {
    /// Makes a table of the store and loads the rows.
    pub async fn new(
        store: &dyn Store,
        name: &str,
        key: &[String],
        encoding: KeyEncoding,
        splits: Vec<Vec<u8>>,
        rows: Vec<(Id, i64)>,
    ) -> Self {
        let key = Key::parse(key, encoding).unwrap();
        let type_of = |name: &str| {
            COLUMNS.iter().find(|(column, _)| *column == name).map(|(_, value_type)| *value_type)
        };
        let codec = key.codec(type_of).unwrap();
        let values = rows
            .iter()
            .map(|((user, at), kind)| vec![Value::String(user.clone()), Value::Int(*at), Value::Int(*kind)]);
        let (workload, design) = design(key, splits);
        let database = filled(store, &workload, &design, name, &values.collect::<Vec<_>>()).await;
        Self { name: name.parse().unwrap(), layout: database.layouts()[0].clone(), codec, rows }
    }

    pub fn id(&self, row: &[u8]) -> Id {
        let fields = self.codec.decode_fields(row).unwrap();
        match fields.as_slice() {
            [(_, Value::String(user)), (_, Value::Int(at))] => (user.clone(), *at),
            fields => panic!("{fields:?}"),
        }
    }

    /// The key of a row under a prefix that nobody computed.
    pub fn key(&self, prefix: u64, user: &str, at: i64) -> Vec<u8> {
        let id = [("user", Value::String(user.to_owned())), ("at", Value::Int(at))];
        self.codec.encode(&mut UnderPrefix { prefix, id }).unwrap()
    }

    pub fn strands(&self, conditions: &[Condition]) -> Vec<Strand> {
        strands(&self.layout, conditions).unwrap()
    }
}

/// An id under a prefix.
struct UnderPrefix {
    prefix: u64,
    id: [(&'static str, Value); 2],
}

impl KeyInput for UnderPrefix {
    fn value(&self, field: &str) -> Option<&Value> {
        self.id.iter().find(|(column, _)| *column == field).map(|(_, value)| value)
    }

    fn random_below(&mut self, _bound: u64) -> Option<u64> {
        Some(self.prefix)
    }
}

fn design(key: Key, splits: Vec<Vec<u8>>) -> (Workload, Design) {
    let columns = COLUMNS.iter().map(|(name, value_type)| Column::new(*name, *value_type)).collect();
    let source =
        Table { name: "events".into(), key: vec!["user".into(), "at".into()], columns, ..Table::default() };
    let workload = Workload { tables: vec![source], ..Workload::default() };
    let cells = Cells {
        family: "f".into(),
        columns: vec!["kind".into()],
        encoding: Some(CellEncoding::Text),
        ..Cells::default()
    };
    let rows = Rows { from: "events".into(), join: Vec::new(), key, cells: vec![cells] };
    let families = vec![Family::new("f")];
    let table = design::Table { name: "events".into(), splits, families, rows: vec![rows] };
    (workload, Design { tables: vec![table], ..Design::default() })
}

/// Only rows of one kind, found out beside the data.
pub fn of_kind(kind: i64) -> ReadOptions {
    let filter = language::parse(format!("ValueFilter(=, 'binary:{kind}')").as_bytes()).unwrap();
    ReadOptions { filter: Some(filter), ..ReadOptions::default() }
}

/// Bounds so small that everything happens: short portions, scans that are begun again, few calls at a time.
pub fn random_bounds(random: &mut Rng) -> FanOutBounds {
    FanOutBounds {
        scanners: *random.choice(&[1, 4, 64]).unwrap(),
        page_rows: 1 + random.usize(..9),
        first_rows: *random.choice(&[1, 100, 10_000]).unwrap(),
        ahead_bytes: *random.choice(&[0, 200, 1 << 20]).unwrap(),
        calls: 1 + random.usize(..6),
        calls_per_server: 1 + random.usize(..3),
    }
}

/// The keys of all rows of a scan.
pub async fn keys(store: &dyn Store, name: &TableName, scan: FanOutScan) -> Vec<Bytes> {
    let mut fan_out = FanOut::new(store, name, scan).unwrap();
    let mut keys = Vec::new();
    loop {
        let rows = fan_out.next_rows().await.unwrap();
        if rows.is_empty() {
            return keys;
        }
        keys.extend(rows.into_iter().map(|row: Row| row.row));
    }
}

/// A scan of some strands with bounds.
pub fn scan(strands: &[Strand], order: Order, begin: Begin, bounds: FanOutBounds) -> FanOutScan {
    FanOutScan { order, begin, bounds, ..FanOutScan::new(strands.to_vec()) }
}
