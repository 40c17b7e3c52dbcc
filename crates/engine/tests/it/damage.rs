//! Bad things get a clear error and lose nothing.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use fastrand::Rng;
use tablesmith_engine::{Engine, EngineOptions};
use tablesmith_store::{Get, Put, Scan, Store, StoreError};

use crate::crash::writer_program;
use crate::support::{block_on, create, name, number_from_env, open};

#[test]
fn a_second_process_is_told_that_the_store_is_open() {
    let dir = tempfile::tempdir().unwrap();
    let _first = open(dir.path());
    let error = Engine::open(EngineOptions::new(dir.path())).unwrap_err();
    assert!(matches!(&error, StoreError::Locked(message) if message.contains("another process")), "{error}");
    let second = Command::new(writer_program()).arg(dir.path()).args(["1", "200"]).output().unwrap();
    assert_eq!(second.status.code(), Some(3));
    assert!(String::from_utf8_lossy(&second.stderr).contains("another process"), "{second:?}");
}

#[test]
fn a_store_of_a_newer_format_is_refused() {
    let dir = tempfile::tempdir().unwrap();
    drop(open(dir.path()));
    {
        let db = fjall::Database::builder(dir.path()).open().unwrap();
        let meta = db.keyspace("meta", fjall::KeyspaceCreateOptions::default).unwrap();
        meta.insert("format", r#"{"version":99}"#).unwrap();
    }
    // Another program's checkpoint would tell of what it wrote.
    std::fs::remove_file(dir.path().join("checkpoint.json")).unwrap();
    let error = Engine::open(EngineOptions::new(dir.path())).unwrap_err();
    assert!(
        matches!(&error, StoreError::Corrupt(message) if message.contains("newer tablesmith")),
        "{error}"
    );
}

#[test]
fn a_file_in_place_of_the_directory_is_refused() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("file");
    std::fs::write(&file, "x").unwrap();
    let error = Engine::open(EngineOptions::new(&file)).unwrap_err();
    assert!(matches!(error, StoreError::Io(_)), "{error}");
}

/// A store with some flushed data and some in the journal.
fn filled(dir: &Path) {
    let engine = open(dir);
    block_on(create(&engine, "t", &["f"], &[]));
    for number in 0..300 {
        let put = Put::new(format!("r{number:04}")).add_at("f", "q", 1, vec![b'v'; 100]);
        block_on(engine.put(&name("t"), put)).unwrap();
    }
}

fn files_of(dir: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    let mut dirs = vec![dir.to_owned()];
    while let Some(dir) = dirs.pop() {
        for entry in std::fs::read_dir(dir).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() { dirs.push(path) } else { files.push(path) }
        }
    }
    files.sort();
    files
}

/// Reads everything, as far as it goes: an answer or an error, never a panic.
fn read_all(dir: &Path) -> Result<usize, StoreError> {
    let engine = Engine::open(EngineOptions::new(dir))?;
    let table = name("t");
    if !block_on(engine.table_exists(&table))? {
        return Ok(0);
    }
    block_on(engine.get(&table, Get::new("r0007")))?;
    Ok(block_on(engine.scan_all(&table, Scan::all()))?.value.len())
}

#[test]
fn flipped_and_cut_files_give_an_error_or_whole_rows() {
    let seed = number_from_env("TABLESMITH_SEED").unwrap_or(7);
    println!("TABLESMITH_SEED={seed}");
    let mut random = Rng::with_seed(seed);
    let original = tempfile::tempdir().unwrap();
    filled(original.path());
    let files = files_of(original.path());
    let (mut errors, mut answers) = (0, 0);
    for file in &files {
        let relative = file.strip_prefix(original.path()).unwrap();
        for cut in [false, true] {
            let copy = tempfile::tempdir().unwrap();
            for file in &files {
                let to = copy.path().join(file.strip_prefix(original.path()).unwrap());
                std::fs::create_dir_all(to.parent().unwrap()).unwrap();
                std::fs::copy(file, to).unwrap();
            }
            damage(&copy.path().join(relative), cut, &mut random);
            let copied = copy.path().to_owned();
            let outcome = std::thread::spawn(move || read_all(&copied)).join();
            match outcome {
                Ok(Ok(_)) => answers += 1,
                Ok(Err(error)) => {
                    assert!(!error.to_string().is_empty());
                    errors += 1;
                }
                Err(_) => panic!(
                    "{} {} made the engine panic",
                    if cut { "cutting" } else { "flipping" },
                    relative.display()
                ),
            }
        }
    }
    println!("{errors} errors, {answers} answers");
    assert!(errors > 0, "no damage was noticed in {} files", files.len());
}

fn damage(file: &Path, cut: bool, random: &mut Rng) {
    let mut bytes = std::fs::read(file).unwrap();
    if bytes.is_empty() {
        return;
    }
    let at = random.usize(..bytes.len());
    if cut {
        bytes.truncate(at);
    } else {
        bytes[at] ^= 1 << random.u64(..8);
    }
    std::fs::write(file, bytes).unwrap();
}

/// A limit on the size of files stands for a full disk: both make writes fail in the middle.
#[cfg(unix)]
#[test]
fn a_full_disk_loses_no_acknowledged_write() {
    let dir = tempfile::tempdir().unwrap();
    drop(open(dir.path()));
    const BLOCKS_OF_512_BYTES: u64 = 16 << 10;
    let script = format!("trap '' XFSZ; ulimit -f {BLOCKS_OF_512_BYTES}; exec \"$0\" \"$1\" 1 100000");
    let mut writer = Command::new("sh");
    writer.arg("-c").arg(script).arg(writer_program()).arg(dir.path());
    let ended =
        writer.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap().wait_with_output().unwrap();
    let said = String::from_utf8_lossy(&ended.stdout);
    let errors = String::from_utf8_lossy(&ended.stderr);
    assert_eq!(ended.status.code(), Some(3), "the writer should end with an error of the store: {errors}");
    assert!(!errors.contains("panicked"), "{errors}");
    let acknowledged = said.lines().filter(|line| line.starts_with("row ")).count();
    let engine = open(dir.path());
    let there = block_on(engine.scan_all(&name("t"), Scan::prefix("r"))).unwrap().value.len();
    assert!(
        (acknowledged..=acknowledged + 1).contains(&there),
        "{there} rows there, {acknowledged} acknowledged"
    );
}
