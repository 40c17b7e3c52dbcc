//! Statements of SQL have the same answers on layouts of readings as on plain rows.

use std::sync::Arc;

use tablesmith_access::series::Series;
use tablesmith_access::{Layout, Questions, carry_out, plan};
use tablesmith_model::TableName;
use tablesmith_model::design::Design;
use tablesmith_model::series::{Reading, SeriesLayout};
use tablesmith_model::value::{Value, ValueType};
use tablesmith_model::workload::{Table, Workload};
use tablesmith_sql::Dialect;

use super::trial::layouts::{KINDS, all, table};
use crate::random::{Random, seed};
use crate::stores::{filled, memory};

const STATEMENTS: [&str; 8] = [
    "SELECT bikes FROM reading WHERE station = 'a' AND at >= '1970-01-01 00:01' AND at < '1970-01-01 00:05'",
    "SELECT bikes, load FROM reading WHERE station IN ('a', 'b') AND at = '1970-01-01 00:02'",
    "SELECT at FROM reading WHERE station = 'b' AND at > '1970-01-01 00:02' AND at <= '1970-01-01 00:04'",
    "SELECT station, at, raw FROM reading WHERE at BETWEEN '1970-01-01 00:02' AND '1970-01-01 00:03'",
    "SELECT bikes FROM reading WHERE station = 'a' AND bikes > 5",
    "SELECT load FROM reading WHERE bikes = 3",
    "SELECT bikes FROM reading",
    "SELECT bikes FROM reading WHERE station = 'a' LIMIT 3",
];

/// Rows of two stations, a few seconds apart, each with a value in at least one metric.
fn rows(random: &mut Random) -> Vec<Vec<Value>> {
    let mut rows = Vec::new();
    for station in ["a", "b", "c"] {
        for step in 0..60 {
            let at = Value::parse(
                ValueType::Timestamp,
                &format!("1970-01-01 00:{:02}:{:02}", step / 10, step % 10 * 6),
            );
            let note = Value::String("n".into());
            let bikes = if random.one_in(4) { Value::Null } else { Value::Int(random.below(9) as i64) };
            rows.push(vec![
                Value::String(station.into()),
                at.unwrap(),
                bikes,
                Value::Float(0.5),
                note,
                Value::Null,
            ]);
        }
    }
    rows
}

/// The table with its key, and what was measured of one column.
fn workload() -> Workload {
    let mut table = Table { key: vec!["station".into(), "at".into()], ..table(KINDS[0]) };
    let load = table.columns.iter_mut().find(|column| column.name == "load").unwrap();
    load.nulls = Some(0.0);
    Workload { tables: vec![table], ..Workload::default() }
}

#[tokio::test]
async fn statements_have_the_answers_of_plain_rows() {
    println!("seed {}", seed());
    let mut random = Random::new(seed());
    let (store, workload, rows) = (memory(), Arc::new(workload()), rows(&mut random));
    let table = &workload.tables[0];
    let tall = SeriesLayout::tall(table).unwrap();
    let design = Design { tables: vec![tall.to_design(table)], ..Design::default() };
    let plain = Layout::of(&workload, &design, "reading").unwrap();
    let (plain_name, plain) = filled(&store, plain, "plain", &rows).await;
    for (number, layout) in all(KINDS[0]).into_iter().enumerate().step_by(5) {
        let series = Series::new(table, layout.clone()).unwrap();
        let name: TableName = format!("laid{number}").parse().unwrap();
        series.create(&store, &name, Vec::new()).await.unwrap();
        let readings: Vec<Reading> =
            rows.iter().map(|row| Reading::of_row(&layout, table, row).unwrap()).collect();
        series.write(&store, &name, &readings).await.unwrap();
        for sql in STATEMENTS {
            let (_, call) = Questions::new(workload.clone(), Dialect::Generic).ask(sql).unwrap();
            let expected =
                carry_out(&store, &plain, &plain_name, &plan(&plain, &call).unwrap()).await.unwrap();
            let answer = series.answer(&store, &name, &call).await.unwrap();
            assert!(expected.rows > 0, "{sql}");
            let told = format!("{}: {sql}", layout.name());
            assert_eq!((answer.rows, answer.hash), (expected.rows, expected.hash), "{told}");
            assert!(answer.calls > 0, "{told}");
        }
    }
}

#[tokio::test]
async fn inserted_rows_are_read_and_other_writes_are_refused() {
    let (store, workload) = (memory(), Arc::new(workload()));
    let table = &workload.tables[0];
    for layout in all(KINDS[0]).into_iter().step_by(9) {
        let series = Series::new(table, layout.clone()).unwrap();
        let name: TableName = format!("in{}", layout.name().replace('/', "_")).parse().unwrap();
        series.create(&store, &name, Vec::new()).await.unwrap();
        let mut questions = Questions::new(workload.clone(), Dialect::Generic);
        let insert = "INSERT INTO reading (station, at, bikes) VALUES ('a', '1970-01-01 00:01', 4), ('b', '1970-01-02', 5)";
        let (_, call) = questions.ask(insert).unwrap();
        assert_eq!(series.answer(&store, &name, &call).await.unwrap().rows, 2, "{}", layout.name());
        let (_, call) = questions.ask("SELECT bikes FROM reading WHERE station = 'b'").unwrap();
        assert_eq!(series.answer(&store, &name, &call).await.unwrap().rows, 1, "{}", layout.name());
        let (_, call) =
            questions.ask("DELETE FROM reading WHERE station = 'a' AND at = '1970-01-01'").unwrap();
        let told = series.answer(&store, &name, &call).await.unwrap_err().to_string();
        assert!(told.contains("not carried out"), "{told}");
    }
}
