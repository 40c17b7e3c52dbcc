//! The ad-tracking data.

use std::collections::{HashMap, HashSet};
use std::path::Path;

use tablesmith_generate::GenerateError;
use tablesmith_generate::ads::{Written, generate};
use tablesmith_model::value::Value;
use tablesmith_model::workload::{Split, Workload};
use tempfile::TempDir;

fn made(scale: f64, seed: u64) -> (TempDir, Written) {
    let directory = TempDir::with_prefix("tablesmith-ads-").unwrap();
    let written = generate(scale, seed, directory.path(), &mut |_| {}).unwrap();
    (directory, written)
}

fn read(directory: &Path, name: &str) -> String {
    std::fs::read_to_string(directory.join(name)).unwrap()
}

#[test]
fn the_shape_is_the_papers() {
    let (directory, written) = made(0.001, 1);
    assert_eq!((written.rows, written.columns, written.statements), (2_600, 60, 1_300));
    let data = read(directory.path(), "ads.csv");
    let rows: Vec<Vec<&str>> = data.lines().map(|line| line.split(',').collect()).collect();
    assert_eq!(rows.len(), 2_601);
    assert!(rows.iter().all(|row| row.len() == 60), "a field has a comma");
    let keys: HashSet<&[&str]> = rows[1..].iter().map(|row| &row[..5]).collect();
    assert_eq!(keys.len(), 2_600, "the key is unique");
    assert!(rows[1..].is_sorted_by_key(|row| row[0]), "days come in order");
}

#[test]
fn the_workload_describes_the_data() {
    let (directory, _) = made(0.001, 1);
    let workload = Workload::parse(&read(directory.path(), "workload.toml")).unwrap();
    let table = workload.table("ads").unwrap();
    assert_eq!((table.rows, table.columns.len(), table.key.len()), (Some(2_600), 60, 5));
    assert_eq!(table.families.iter().map(|family| family.columns.len()).sum::<usize>(), 55);
    assert_eq!(workload.log.as_ref().unwrap().split, Split::default());
    let data = read(directory.path(), "ads.csv");
    let header: Vec<&str> = data.lines().next().unwrap().split(',').collect();
    assert!(table.columns.iter().map(|column| column.name.as_str()).eq(header));
    let views = table.column("views").unwrap();
    let lengths: Vec<usize> =
        data.lines().skip(1).map(|line| line.split(',').nth(19).unwrap().len()).collect();
    let mean = lengths.iter().sum::<usize>() as f64 / lengths.len() as f64;
    assert!((views.bytes.unwrap() - mean).abs() < 0.01, "{:?} {mean}", views.bytes);
}

#[test]
fn the_workload_says_what_values_the_data_has() {
    let (directory, _) = made(0.001, 1);
    let workload = Workload::parse(&read(directory.path(), "workload.toml")).unwrap();
    let data = read(directory.path(), "ads.csv");
    let rows: Vec<Vec<&str>> = data.lines().skip(1).map(|line| line.split(',').collect()).collect();
    for (index, column) in workload.tables[0].columns.iter().enumerate() {
        let values: Vec<&str> = rows.iter().map(|row| row[index]).filter(|value| !value.is_empty()).collect();
        let typed = |value: &str| Value::parse(column.value_type, value).unwrap();
        let name = &column.name;
        assert_eq!(column.distinct, Some(values.iter().collect::<HashSet<_>>().len() as u64), "{name}");
        assert_eq!(column.min.as_deref().map(typed), values.iter().map(|value| typed(value)).min(), "{name}");
        assert_eq!(column.max.as_deref().map(typed), values.iter().map(|value| typed(value)).max(), "{name}");
        for heavy in &column.heavy {
            let share =
                values.iter().filter(|value| **value == heavy.value).count() as f64 / rows.len() as f64;
            assert!((heavy.share - share).abs() < 1e-4 && share >= 0.05, "{name}: {heavy:?} {share}");
        }
    }
    let device = workload.tables[0].column("device").unwrap();
    assert!(device.heavy.is_empty(), "two of four values have nearly half each: {:?}", device.heavy);
    assert!(!workload.tables[0].column("sales").unwrap().heavy.is_empty(), "most rows sell nothing");
}

#[test]
fn statements_come_in_order_and_drift() {
    let (directory, written) = made(0.01, 1);
    let log = read(directory.path(), "queries.sql");
    let statements: Vec<(&str, &str)> = log.lines().map(|line| line.split_once(' ').unwrap()).collect();
    assert_eq!(statements.len() as u64, written.statements);
    let order = |time: &str| time.trim_end_matches('Z').to_owned();
    assert!(statements.is_sorted_by_key(|(time, _)| order(time)), "times go on");
    assert!(statements.iter().all(|(_, sql)| sql.starts_with("SELECT ") && sql.ends_with(';')));
    let reports = |statements: &[(&str, &str)]| {
        let mut counts: HashMap<String, usize> = HashMap::new();
        for (_, sql) in statements {
            *counts.entry(sql.split(" FROM ").next().unwrap().to_owned()).or_default() += 1;
        }
        counts
    };
    let (first, last) = statements.split_at(statements.len() / 2);
    let (first, last) = (reports(first), reports(last));
    assert!(last.keys().any(|report| !first.contains_key(report)), "new reports come up");
    assert!(first.keys().any(|report| !last.contains_key(report)), "old reports end");
}

#[test]
fn the_same_seed_gives_the_same_bytes() {
    let files = |seed| {
        let (directory, _) = made(0.000_5, seed);
        ["ads.csv", "queries.sql", "workload.toml"].map(|name| read(directory.path(), name))
    };
    assert_eq!(files(7), files(7));
    let (seven, eight) = (files(7), files(8));
    assert!(seven[0] != eight[0] && seven[1] != eight[1]);
}

#[test]
fn nonsense_is_refused_and_nothing_is_left() {
    let directory = tempfile::tempdir().unwrap();
    for scale in [0.0, -1.0, f64::NAN, f64::INFINITY, 1e9] {
        let refused = generate(scale, 1, directory.path(), &mut |_| {});
        assert!(matches!(refused, Err(GenerateError::Scale(_))), "{scale}");
    }
    let file = directory.path().join("file");
    std::fs::write(&file, "").unwrap();
    assert!(matches!(generate(0.001, 1, &file, &mut |_| {}), Err(GenerateError::NotADirectory(_))));
    let below = file.join("below");
    assert!(matches!(generate(0.001, 1, &below, &mut |_| {}), Err(GenerateError::Write { .. })));
}

#[test]
fn progress_reaches_the_end() {
    let directory = tempfile::tempdir().unwrap();
    let mut heard = Vec::new();
    generate(0.001, 1, directory.path(), &mut |progress| heard.push(progress)).unwrap();
    assert!(heard.is_sorted_by_key(|progress| progress.done));
    assert_eq!(heard.last().map(|last| (last.done, last.total)), Some((3_900, 3_900)));
}
