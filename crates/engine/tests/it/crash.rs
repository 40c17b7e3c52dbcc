//! A writer is killed with -9 at random moments: what it acknowledged is there.

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use fastrand::Rng;
use tablesmith_store::{Get, Scan, Store};

use crate::support::{block_on, name, number_from_env, open, soaking};

const KILLS: u64 = 20;
const SOAK_KILLS: u64 = 200;

/// What a writer said before it ended.
#[derive(Default)]
struct Acknowledged {
    last_row: u64,
    counter: i64,
}

#[test]
fn acknowledged_writes_survive_kill_9() {
    let seed = number_from_env("TABLESMITH_SEED").unwrap_or_else(|| u64::from(std::process::id()));
    println!("TABLESMITH_SEED={seed}");
    let mut random = Rng::with_seed(seed);
    let dir = tempfile::tempdir().unwrap();
    let mut so_far = Acknowledged::default();
    for kill in 0..if soaking() { SOAK_KILLS } else { KILLS } {
        let fsync = kill % 4 == 3;
        let mut writer = start(dir.path(), so_far.last_row + 1, fsync);
        so_far = read_until_killed(&mut writer, so_far, Duration::from_millis(20 + random.u64(..400)));
        so_far = check(dir.path(), &so_far, kill, seed);
    }
    assert!(so_far.last_row > KILLS, "the writers hardly wrote: up to row {}", so_far.last_row);
}

/// The first moments of a store: its table is half made, and what is left of it goes when the next process opens it.
#[test]
fn kills_while_a_table_is_made_lose_nothing_later() {
    let seed = number_from_env("TABLESMITH_SEED").unwrap_or_else(|| u64::from(std::process::id()));
    println!("TABLESMITH_SEED={seed}");
    let mut random = Rng::with_seed(seed);
    for _ in 0..if soaking() { SOAK_KILLS } else { KILLS } {
        let dir = tempfile::tempdir().unwrap();
        let mut so_far = Acknowledged::default();
        for (kill, longest_ms) in [40, 60, 160].into_iter().enumerate() {
            let mut writer = start(dir.path(), so_far.last_row + 1, false);
            so_far = read_until_killed(&mut writer, so_far, Duration::from_millis(random.u64(..longest_ms)));
            so_far = check(dir.path(), &so_far, kill as u64, seed);
        }
    }
}

/// The writer, built as an example beside the tests.
pub fn writer_program() -> PathBuf {
    let test = std::env::current_exe().unwrap();
    let program = test.parent().and_then(Path::parent).unwrap().join("examples").join("crash_writer");
    assert!(
        program.exists(),
        "{} is missing: run `cargo build -p tablesmith-engine --examples`",
        program.display()
    );
    program
}

fn start(dir: &Path, first: u64, fsync: bool) -> Child {
    let mut command = Command::new(writer_program());
    command.arg(dir).arg(first.to_string()).arg("200").args(fsync.then_some("fsync"));
    command.stdout(Stdio::piped()).spawn().unwrap()
}

/// Reads what the writer says while another thread kills it. A writer may be killed between its first row and its
/// first count, so what earlier writers had acknowledged stays.
fn read_until_killed(writer: &mut Child, so_far: Acknowledged, after: Duration) -> Acknowledged {
    let out = BufReader::new(writer.stdout.take().unwrap());
    let mut acknowledged = so_far;
    std::thread::scope(|scope| {
        scope.spawn(|| {
            std::thread::sleep(after);
            writer.kill().unwrap();
            writer.wait().unwrap();
        });
        // The last line may be cut off by the kill: then it was not acknowledged to anybody.
        for line in out.lines().map_while(Result::ok) {
            match line.split_once(' ') {
                Some(("row", number)) => {
                    acknowledged.last_row = number.parse().unwrap_or(acknowledged.last_row)
                }
                Some(("count", number)) => {
                    acknowledged.counter = number.parse().unwrap_or(acknowledged.counter)
                }
                _ => {}
            }
        }
    });
    acknowledged
}

/// Opens the store that the writer left; returns what is really there.
fn check(dir: &Path, so_far: &Acknowledged, kill: u64, seed: u64) -> Acknowledged {
    let context = format!("after kill {kill}, seed {seed}");
    let engine = open(dir);
    let table = name("t");
    if !block_on(engine.table_exists(&table)).unwrap() {
        assert_eq!(so_far.last_row, 0, "the table is lost {context}");
        return Acknowledged::default();
    }
    let mut numbers: Vec<u64> = Vec::new();
    for row in block_on(engine.scan_all(&table, Scan::prefix("r"))).unwrap().value {
        let values = [row.value(b"f", b"n"), row.value(b"g", b"n")];
        assert!(values[0].is_some() && values[0] == values[1], "half a row {context}: {row:?}");
        numbers.push(std::str::from_utf8(values[0].unwrap()).unwrap().parse().unwrap());
    }
    numbers.sort_unstable();
    let there = numbers.len() as u64;
    assert_eq!(numbers, (1..=there).collect::<Vec<_>>(), "rows are missing {context}");
    // At most one write was under way.
    assert!(
        (so_far.last_row..=so_far.last_row + 1).contains(&there),
        "{there} rows, {} acknowledged {context}",
        so_far.last_row
    );
    let counter = block_on(engine.get(&table, Get::new("counter"))).unwrap().value;
    let counted =
        counter.value(b"f", b"c").map_or(0, |value| i64::from_be_bytes(value[..].try_into().unwrap()));
    assert!(
        (so_far.counter..=so_far.counter + 1).contains(&counted),
        "counter {counted}, {} acknowledged {context}",
        so_far.counter
    );
    Acknowledged { last_row: there, counter: counted }
}
