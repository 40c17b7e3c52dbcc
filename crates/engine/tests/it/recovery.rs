//! What is left of a store after kills, power losses and lost files: nothing vanishes without a word.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use tablesmith_engine::{Depth, Engine, EngineOptions, check, salvage};
use tablesmith_store::{Clock, FlushScope, Get, ManualClock, Put, Scan, Store, StoreError, SystemClock};

use crate::store_files::files_of;
use crate::support::{block_on, create, name, open, open_at};

const PAGE_BYTES: usize = 4_096;
/// As large as the storage below makes a new journal.
const NEW_JOURNAL_BYTES: u64 = 64 << 20;
const DAY_MS: i64 = 24 * 60 * 60 * 1_000;

fn fill(engine: &Engine, rows: usize) {
    block_on(create(engine, "t", &["f"], &[]));
    for number in 0..rows {
        let put = Put::new(format!("r{number:06}")).add("f", "q", vec![b'v'; 100]);
        block_on(engine.put(&name("t"), put)).unwrap();
    }
}

/// What a process leaves that is killed right after writing so many rows to a new store.
fn killed(rows: usize) -> tempfile::TempDir {
    let (dir, left) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let engine = open(dir.path());
    fill(&engine, rows);
    for (path, content) in files_of(dir.path()) {
        let to = left.path().join(path);
        fs::create_dir_all(to.parent().unwrap()).unwrap();
        fs::write(to, content).unwrap();
    }
    for keyspace in fs::read_dir(left.path().join("keyspaces")).unwrap() {
        fs::create_dir_all(keyspace.unwrap().path().join("tables")).unwrap();
    }
    let journal = fs::OpenOptions::new().write(true).open(left.path().join("0.jnl")).unwrap();
    journal.set_len(NEW_JOURNAL_BYTES).unwrap();
    left
}

fn change(path: &Path, change: impl FnOnce(&mut Vec<u8>)) {
    let mut bytes = fs::read(path).unwrap();
    change(&mut bytes);
    fs::write(path, bytes).unwrap();
}

fn zero_a_page(dir: &Path) {
    change(&dir.join("0.jnl"), |bytes| bytes[2 * PAGE_BYTES..3 * PAGE_BYTES].fill(0));
}

fn read_only(dir: &Path) -> Engine {
    Engine::open(EngineOptions { read_only: true, ..EngineOptions::new(dir) }).unwrap()
}

fn count(engine: &Engine) -> Result<usize, StoreError> {
    Ok(block_on(engine.scan_all(&name("t"), Scan::all()))?.value.len())
}

fn value(engine: &Engine, row: &'static str) -> Option<String> {
    let row = block_on(engine.get(&name("t"), Get::new(row))).unwrap().value;
    row.value(b"f", b"q").map(|value| String::from_utf8_lossy(value).into_owned())
}

#[cfg(target_os = "linux")]
#[test]
fn a_zeroed_page_in_the_journal_of_a_killed_process_is_damage() {
    let dir = killed(300);
    assert_eq!(count(&read_only(dir.path())).unwrap(), 300);
    zero_a_page(dir.path());
    let before = fs::read(dir.path().join("0.jnl")).unwrap();
    let error = Engine::open(EngineOptions::new(dir.path())).unwrap_err().to_string();
    assert!(error.contains("0.jnl") && error.contains("salvage"), "{error}");
    assert!(fs::read(dir.path().join("0.jnl")).unwrap() == before, "the journal was changed");
    assert!(count(&read_only(dir.path())).unwrap() > 250, "what is behind the page is not read");
}

#[cfg(target_os = "linux")]
#[test]
fn what_a_power_loss_cuts_off_is_kept_aside_and_told() {
    let dir = killed(300);
    zero_a_page(dir.path());
    // Another boot: the machine lost power.
    let path = dir.path().join("checkpoint.json");
    let boot_id = fs::read_to_string("/proc/sys/kernel/random/boot_id").unwrap();
    let text = fs::read_to_string(&path).unwrap().replace(boot_id.trim(), "another");
    assert!(text.contains("another"), "{text}");
    fs::write(path, text).unwrap();
    let engine = open(dir.path());
    let rows = count(&engine).unwrap();
    assert!((1..250).contains(&rows), "{rows} rows in the first two pages");
    let kept = dir.path().join("orphans/0.jnl-1");
    assert!(fs::metadata(&kept).unwrap().len() > 30_000, "what was behind the page is not kept");
    let warnings = engine.warnings().join("\n");
    assert!(warnings.contains(&kept.display().to_string()), "{warnings:?}");
    drop(engine);
    assert!(open(dir.path()).warnings().is_empty(), "told twice");
}

/// Where the batches of a journal begin.
fn batches(journal: &[u8]) -> Vec<usize> {
    let ends = journal.windows(4).enumerate().filter(|(_, bytes)| *bytes == b"FJL\x03");
    std::iter::once(0).chain(ends.map(|(at, _)| at + 4)).collect()
}

#[test]
fn a_flipped_bit_in_a_sequence_number_hides_nothing_behind_it() {
    for (batch, byte) in [(0, 2), (60, 2), (60, 0), (60, 4)] {
        let dir = tempfile::tempdir().unwrap();
        fill(&open(dir.path()), 300);
        // A batch is: 01, the number of its items (4 bytes), its sequence number (8 bytes), items.
        change(&dir.path().join("0.jnl"), |bytes| {
            let at = batches(bytes)[batch] + 5 + byte;
            bytes[at] ^= 0x40;
        });
        let rows = count(&read_only(dir.path())).unwrap();
        assert!(rows >= 299, "{rows} rows of 300, byte {byte} of batch {batch}");
    }
}

/// The largest table file below a directory.
fn table_file(dir: &Path) -> PathBuf {
    let files = files_of(dir).into_iter().filter(|(path, _)| path.starts_with("keyspaces/2/tables"));
    dir.join(files.max_by_key(|(_, content)| content.len()).unwrap().0)
}

#[test]
fn salvage_names_the_table_and_the_file_that_was_not_copied_completely() {
    let (dir, target) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let engine = open(dir.path());
    fill(&engine, 3_000);
    block_on(engine.flush(FlushScope::Table(name("t"), None))).unwrap();
    drop(engine);
    let file = table_file(dir.path());
    // In a block of cells: the file can be opened, and is not whole.
    change(&file, |bytes| {
        let at = bytes.len() / 3;
        bytes[at] ^= 1;
    });
    let salvaged = salvage(dir.path(), target.path()).unwrap();
    let problems = salvaged.tables[0].problems.join("\n");
    let named = fs::canonicalize(&file).unwrap().display().to_string();
    assert!(problems.contains("table t, family f") && problems.contains(&named), "{problems:?}");
    assert!(!problems.contains("salvage"), "{problems}");
}

#[test]
fn a_store_that_is_killed_before_its_first_close_has_a_copy_of_its_records() {
    let dir = killed(20);
    fs::remove_file(dir.path().join("keyspaces/0/current")).unwrap();
    assert_eq!(count(&read_only(dir.path())).unwrap(), 20);
    let target = tempfile::tempdir().unwrap();
    assert_eq!(salvage(dir.path(), target.path()).unwrap().tables.len(), 1);
}

#[test]
fn check_reports_lost_and_unreadable_small_files() {
    for file in ["clock", "checkpoint.json", "tables.json"] {
        for is_lost in [true, false] {
            let dir = tempfile::tempdir().unwrap();
            fill(&open(dir.path()), 3);
            assert!(check(dir.path(), Depth::Full).unwrap().is_empty());
            match is_lost {
                true => fs::remove_file(dir.path().join(file)).unwrap(),
                false => fs::write(dir.path().join(file), "x").unwrap(),
            }
            let found = check(dir.path(), Depth::Full).unwrap();
            let named = found.iter().filter(|damage| damage.path.ends_with(file)).count();
            assert_eq!(named, 1, "{file}, lost: {is_lost}: {found:?}");
        }
    }
}

/// A store that was written while the clock was ahead.
fn written_ahead(dir: &Path) {
    let clock = Arc::new(ManualClock::at(SystemClock.now_ms() + 40 * DAY_MS));
    let engine = open_at(dir, clock);
    block_on(create(&engine, "t", &["f"], &[]));
    block_on(engine.put(&name("t"), Put::new("r").add("f", "q", "old"))).unwrap();
}

#[test]
fn writes_to_a_salvaged_store_count_though_the_clock_was_set_back() {
    let (dir, target) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    written_ahead(dir.path());
    salvage(dir.path(), target.path()).unwrap();
    let engine = open(target.path());
    block_on(engine.put(&name("t"), Put::new("r").add("f", "q", "new"))).unwrap();
    assert_eq!(value(&engine, "r").as_deref(), Some("new"));
}

#[test]
fn writes_count_after_the_clock_file_was_lost() {
    for is_lost in [true, false] {
        let dir = tempfile::tempdir().unwrap();
        written_ahead(dir.path());
        match is_lost {
            true => fs::remove_file(dir.path().join("clock")).unwrap(),
            false => fs::write(dir.path().join("clock"), "00000000000000000001 0\n").unwrap(),
        }
        let engine = open(dir.path());
        block_on(engine.put(&name("t"), Put::new("r").add("f", "q", "new"))).unwrap();
        assert_eq!(value(&engine, "r").as_deref(), Some("new"), "lost: {is_lost}");
    }
}
