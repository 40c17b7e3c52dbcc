//! Opening: what is damaged is refused and left alone, what is strange is named, and reading changes nothing.

use std::fs;
use std::path::Path;
use std::sync::Arc;

use fastrand::Rng;
use tablesmith_engine::{Engine, EngineOptions};
use tablesmith_store::{Delete, FlushScope, Get, ManualClock, Put, Scan, Store, StoreError};

use crate::store_files::{changed_files, files_of};
use crate::support::{block_on, create, name, open, open_at};

fn error_of(dir: &Path) -> String {
    Engine::open(EngineOptions::new(dir)).unwrap_err().to_string()
}

fn fill(dir: &Path, rows: usize) {
    let engine = open(dir);
    for table in ["t", "other"] {
        block_on(create(&engine, table, &["f"], &[]));
        for number in 0..rows {
            let put = Put::new(format!("r{number:06}")).add("f", "q", vec![b'v'; 100]);
            block_on(engine.put(&name(table), put)).unwrap();
        }
    }
}

fn count(engine: &Engine, table: &str) -> Result<usize, StoreError> {
    Ok(block_on(engine.scan_all(&name(table), Scan::all()))?.value.len())
}

#[test]
fn one_flipped_bit_in_the_journal_deletes_nothing() {
    let dir = tempfile::tempdir().unwrap();
    fill(dir.path(), 300);
    let journal = dir.path().join("0.jnl");
    let mut bytes = fs::read(&journal).unwrap();
    bytes[136] ^= 1;
    fs::write(&journal, &bytes).unwrap();
    let error = error_of(dir.path());
    assert!(error.contains("0.jnl") && error.contains("salvage"), "{error}");
    assert_eq!(fs::read(&journal).unwrap(), bytes, "the journal was changed");
    let reader = Engine::open(EngineOptions { read_only: true, ..EngineOptions::new(dir.path()) }).unwrap();
    assert_eq!(reader.damage().len(), 1);
    assert!(count(&reader, "other").unwrap() >= 299);
}

#[test]
fn a_missing_current_file_is_an_error_and_its_table_files_stay() {
    for keyspace in ["0", "1", "2"] {
        let dir = tempfile::tempdir().unwrap();
        fill(dir.path(), 10);
        let engine = open(dir.path());
        for table in ["t", "other"] {
            block_on(engine.flush(FlushScope::Table(name(table), None))).unwrap();
            block_on(engine.major_compact(FlushScope::Table(name(table), None))).unwrap();
        }
        drop(engine);
        fs::remove_file(dir.path().join("keyspaces").join(keyspace).join("current")).unwrap();
        let error = error_of(dir.path());
        assert!(error.contains(&format!("keyspaces/{keyspace}/current")), "{error}");
        assert!(
            dir.path().join("keyspaces/2").exists() && dir.path().join("keyspaces/3").exists(),
            "{keyspace}"
        );
        // Everything else can still be read, by the second copy of the records.
        let reader =
            Engine::open(EngineOptions { read_only: true, ..EngineOptions::new(dir.path()) }).unwrap();
        assert_eq!(count(&reader, "other").unwrap(), 10, "without keyspace {keyspace}");
        assert_eq!(count(&reader, "t").is_ok(), keyspace != "2", "without keyspace {keyspace}");
    }
}

#[test]
fn a_table_whose_cells_are_gone_does_not_take_the_others_with_it() {
    let dir = tempfile::tempdir().unwrap();
    {
        let engine = open(dir.path());
        block_on(create(&engine, "empty", &["f"], &[]));
    }
    fill(dir.path(), 3);
    fs::remove_dir_all(dir.path().join("keyspaces/2")).unwrap();
    let engine = open(dir.path());
    assert_eq!(count(&engine, "t").unwrap(), 3);
    let error = count(&engine, "empty").unwrap_err();
    assert!(matches!(&error, StoreError::Corrupt(message) if message.contains("table empty")), "{error}");
    assert!(block_on(engine.table_exists(&name("empty"))).unwrap());
}

#[test]
fn strangers_in_the_directory_are_named() {
    for stranger in ["keyspaces/lost+found", "x.jnl", "keyspaces/2/tables/.nfs0001", "keyspaces/02"] {
        let dir = tempfile::tempdir().unwrap();
        fill(dir.path(), 3);
        fs::create_dir_all(dir.path().join(stranger)).unwrap();
        let error = error_of(dir.path());
        assert!(error.contains(stranger) && error.contains("does not belong"), "{stranger}: {error}");
    }
    #[cfg(unix)]
    {
        use std::os::unix::ffi::OsStrExt;
        let dir = tempfile::tempdir().unwrap();
        fill(dir.path(), 3);
        fs::create_dir(dir.path().join("keyspaces").join(std::ffi::OsStr::from_bytes(b"\xff"))).unwrap();
        assert!(error_of(dir.path()).contains("does not belong"));
    }
    let dir = tempfile::tempdir().unwrap();
    fill(dir.path(), 3);
    for harmless in ["lost+found", "notes.txt", "keyspaces/notes.txt"] {
        fs::write(dir.path().join(harmless), "x").unwrap();
    }
    assert_eq!(count(&open(dir.path()), "t").unwrap(), 3);
}

#[test]
fn a_process_that_only_reads_changes_no_file() {
    let dir = tempfile::tempdir().unwrap();
    fill(dir.path(), 50);
    let before = files_of(dir.path());
    let engine = open(dir.path());
    assert_eq!(count(&engine, "t").unwrap(), 50);
    assert!(block_on(engine.get(&name("other"), Get::new("r000001"))).unwrap().value.cells.len() == 1);
    drop(engine);
    let changed = changed_files(&before, &files_of(dir.path()));
    assert!(changed.is_empty(), "{changed:?} changed");
}

#[test]
fn a_store_that_is_open_for_reading_refuses_writes() {
    let dir = tempfile::tempdir().unwrap();
    fill(dir.path(), 3);
    let engine = Engine::open(EngineOptions { read_only: true, ..EngineOptions::new(dir.path()) }).unwrap();
    let refused = [
        block_on(engine.put(&name("t"), Put::new("new").add("f", "q", "v"))).map(|_| ()),
        block_on(engine.delete(&name("t"), Delete::row("r000001"))).map(|_| ()),
        block_on(engine.disable_table(&name("t"))),
    ];
    for refused in refused {
        let error = refused.unwrap_err().to_string();
        assert!(error.contains("reading only"), "{error}");
    }
    assert_eq!(count(&engine, "t").unwrap(), 3);
}

#[test]
fn a_journal_that_has_grown_is_empty_after_closing() {
    let dir = tempfile::tempdir().unwrap();
    fill(dir.path(), 30_000);
    assert_eq!(fs::metadata(dir.path().join("0.jnl")).unwrap().len(), 0, "the next process would replay it");
    assert_eq!(count(&open(dir.path()), "t").unwrap(), 30_000);
}

/// The storage below begins another journal when one is full, also while everything is written out for closing.
#[test]
fn a_store_that_is_closed_with_a_full_journal_opens_again() {
    let dir = tempfile::tempdir().unwrap();
    let table = name("t");
    {
        let engine = open(dir.path());
        block_on(create(&engine, "t", &["f"], &[]));
        // Bytes that do not compress: as many as one journal takes, and not so many that memory is full before.
        let mut random = Rng::with_seed(5);
        for number in 0..62 {
            let value: Vec<u8> = (0..1 << 17).flat_map(|_| random.u64(..).to_le_bytes()).collect();
            block_on(engine.put(&table, Put::new(format!("r{number:02}")).add("f", "q", value))).unwrap();
        }
    }
    let engine = open(dir.path());
    assert_eq!(count(&engine, "t").unwrap(), 62);
}

#[test]
fn a_flush_leaves_a_small_journal() {
    let dir = tempfile::tempdir().unwrap();
    fill(dir.path(), 1_000);
    assert!(fs::metadata(dir.path().join("0.jnl")).unwrap().len() > 100_000, "nothing to flush");
    let engine = open(dir.path());
    block_on(engine.flush(FlushScope::Table(name("t"), None))).unwrap();
    drop(engine);
    assert_eq!(fs::metadata(dir.path().join("0.jnl")).unwrap().len(), 0);
    assert_eq!(count(&open(dir.path()), "other").unwrap(), 1_000);
}

#[test]
fn writes_count_after_the_clock_was_set_back() {
    let dir = tempfile::tempdir().unwrap();
    let table = name("t");
    let clock = Arc::new(ManualClock::at(10_000_000));
    let value = |engine: &Engine| {
        let row = block_on(engine.get(&table, Get::new("r"))).unwrap().value;
        row.value(b"f", b"q").map(|value| String::from_utf8_lossy(value).into_owned())
    };
    {
        let engine = open_at(dir.path(), clock.clone());
        block_on(create(&engine, "t", &["f"], &[]));
        block_on(engine.put(&table, Put::new("r").add("f", "q", "old"))).unwrap();
    }
    clock.set(1_000_000);
    let engine = open_at(dir.path(), clock.clone());
    block_on(engine.put(&table, Put::new("r").add("f", "q", "new"))).unwrap();
    assert_eq!(value(&engine).as_deref(), Some("new"));
    block_on(engine.delete(&table, Delete::row("r"))).unwrap();
    assert_eq!(value(&engine), None);
    block_on(engine.put(&table, Put::new("r").add("f", "q", "again"))).unwrap();
    assert_eq!(value(&engine).as_deref(), Some("again"));
}

#[cfg(unix)]
#[test]
fn only_its_owner_can_look_into_a_new_store() {
    use std::os::unix::fs::PermissionsExt;
    let dir = tempfile::tempdir().unwrap();
    let store = dir.path().join("a").join("store");
    drop(open(&store));
    assert_eq!(fs::metadata(&store).unwrap().permissions().mode() & 0o777, 0o700);
}
