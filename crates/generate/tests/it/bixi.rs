//! The bicycle stations.

use std::collections::BTreeSet;

use tablesmith_generate::bixi::{Extent, FIRST_DAY_MS, MINUTE_MS, Readings, generate};
use tablesmith_model::workload::{SequenceKind, Workload};
use tempfile::TempDir;

const SMALL: Extent = Extent { days: 3, stations: 5 };

#[test]
fn the_same_seed_gives_the_same_readings() {
    let of = |seed| Readings::new(SMALL, seed).collect::<Vec<_>>();
    assert_eq!(of(7), of(7));
    assert_ne!(of(7), of(8));
}

#[test]
fn there_is_one_reading_a_station_and_minute_but_for_gaps() {
    let extent = Extent { days: 30, stations: 5 };
    let readings: Vec<_> = Readings::new(extent, 1).collect();
    let keys: BTreeSet<_> = readings.iter().map(|reading| (reading.station, reading.at_ms)).collect();
    assert_eq!(keys.len(), readings.len(), "no reading comes twice");
    let share = readings.len() as f64 / (extent.minutes() * 5) as f64;
    assert!((0.9..0.99).contains(&share), "{share}");
    assert!(readings.iter().all(|reading| reading.at_ms % MINUTE_MS == 0));
    assert!(readings.iter().all(|reading| (FIRST_DAY_MS..extent.end_ms()).contains(&reading.at_ms)));
}

#[test]
fn some_readings_come_late() {
    let readings: Vec<_> = Readings::new(SMALL, 1).collect();
    let mut newest = 0;
    let late = readings.iter().filter(|reading| {
        newest = newest.max(reading.at_ms);
        reading.at_ms < newest
    });
    let share = late.count() as f64 / readings.len() as f64;
    assert!((0.001..0.01).contains(&share), "{share}");
}

#[test]
fn the_files_say_what_the_readings_are() {
    let directory = TempDir::with_prefix("tablesmith-bixi-").unwrap();
    let written = generate(0.001, 1, directory.path(), &mut |_| {}).unwrap();
    let read = |name| std::fs::read_to_string(directory.path().join(name)).unwrap();
    let (data, stations) = (read("readings.csv"), read("stations.csv"));
    assert_eq!(data.lines().count() as u64, written.readings + 1);
    assert_eq!(stations.lines().count() as u32, written.stations + 1);
    let first = data.lines().nth(1).unwrap();
    assert!(first.contains(",2010-09-24T00:0"), "{first}");
    let workload = Workload::parse(&read("workload.toml")).unwrap();
    let time = workload.table("reading").unwrap().time.clone().unwrap();
    assert_eq!((time.column.as_str(), time.kind), ("at", SequenceKind::Time));
    assert_eq!(workload.table("reading").unwrap().rows, Some(written.readings));
}

#[test]
fn nonsense_is_refused() {
    let directory = TempDir::with_prefix("tablesmith-bixi-").unwrap();
    assert!(generate(0.0, 1, directory.path(), &mut |_| {}).is_err());
    assert_eq!(std::fs::read_dir(directory.path()).unwrap().count(), 0);
}
