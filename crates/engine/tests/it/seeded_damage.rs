//! One damage to one file of a store, many times: it is noticed or changes nothing. No row vanishes without a word.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use fastrand::Rng;
use tablesmith_engine::{Depth, Engine, EngineOptions, check, salvage};
use tablesmith_store::{Delete, FlushScope, Put, Scan, Store, StoreError};

use crate::store_files::{changed_files, files_of};
use crate::support::{block_on, create, name, number_from_env, open, passing_dir, soaking};

const DAMAGES: u64 = 120;
const SOAK_DAMAGES: u64 = 600;

/// All rows of all tables, all versions.
type Content = BTreeMap<String, Vec<String>>;

#[test]
fn damage_is_noticed_or_changes_nothing() {
    let seed = number_from_env("TABLESMITH_SEED").unwrap_or(21);
    println!("TABLESMITH_SEED={seed}");
    let mut random = Rng::with_seed(seed);
    let stores = [Sample::closed(), Sample::flushed(), Sample::killed()];
    let (mut refused, mut unchanged) = (0, 0);
    for number in 0..if soaking() { SOAK_DAMAGES } else { DAMAGES } {
        let sample = &stores[(number % stores.len() as u64) as usize];
        let copy = passing_dir();
        copy_dir(sample.dir.path(), copy.path());
        let damage = Damage::choose(copy.path(), &mut random);
        damage.apply(copy.path());
        let context = format!("{}, {damage:?}, damage {number} of seed {seed}", sample.kind);
        match attempt(copy.path(), sample, &damage, &context) {
            true => refused += 1,
            false => unchanged += 1,
        }
    }
    println!("{refused} refused, {unchanged} harmless, 0 silent losses");
    assert!(refused > unchanged / 2, "{refused} of {} damages were noticed", refused + unchanged);
}

/// Opens a damaged store in every way. Returns whether the damage was noticed.
fn attempt(dir: &Path, sample: &Sample, damage: &Damage, context: &str) -> bool {
    let damaged = files_of(dir);
    // Reading what is whole never fails, never changes a file, and never answers with what was not written.
    let reader = Engine::open(EngineOptions { read_only: true, ..EngineOptions::new(dir) });
    let reader = reader.unwrap_or_else(|error| panic!("read-only: {error}; {context}"));
    let (readable, _) = content_of(&reader);
    let noticed_by_reader = !reader.damage().is_empty();
    drop(reader);
    assert_subset(&readable, &sample.content, context);
    assert!(files_of(dir) == damaged, "reading changed a file; {context}");
    if !noticed_by_reader && !damage.is_cut_after_kill(sample) {
        let whole = readable == sample.content;
        assert!(whole || check(dir, Depth::Full).map_or(true, |found| !found.is_empty()), "{context}");
    }
    match Engine::open(EngineOptions::new(dir)) {
        Err(error) => {
            let named = error.to_string().contains(&dir.display().to_string());
            assert!(named, "{error} names no file; {context}");
            let changed = changed_files(&damaged, &files_of(dir));
            assert!(changed.is_empty(), "a refused store was changed: {changed:?}; {context}");
            let target = passing_dir();
            let salvaged =
                salvage(dir, target.path()).unwrap_or_else(|error| panic!("salvage: {error}; {context}"));
            assert!(!salvaged.damage.is_empty(), "{context}");
            assert_subset(&content_of(&open(target.path())).0, &sample.content, context);
            true
        }
        Ok(engine) => {
            let (content, errors) = content_of(&engine);
            if errors.is_empty() && damage.is_cut_after_kill(sample) {
                assert_subset(&content, &sample.content, context);
            } else if errors.is_empty() {
                assert_eq!(content, sample.content, "rows vanished without a word; {context}");
            }
            !errors.is_empty()
        }
    }
}

/// What can be read, and the errors of what cannot.
fn content_of(engine: &Engine) -> (Content, Vec<StoreError>) {
    let (mut content, mut errors) = (Content::new(), Vec::new());
    for table in block_on(engine.list_tables()).unwrap() {
        match block_on(engine.scan_all(&table, Scan::all().raw().versions(u32::MAX))) {
            Ok(rows) => {
                let rows = rows.value.iter().map(|row| format!("{:?} {:?}", row.row, row.cells)).collect();
                content.insert(table.to_string(), rows);
            }
            Err(error) => errors.push(error),
        }
    }
    (content, errors)
}

fn assert_subset(found: &Content, written: &Content, context: &str) {
    for (table, rows) in found {
        let foreign = rows.iter().find(|row| !is_part_of(row, &written[table]));
        assert!(foreign.is_none(), "{table} has a row that was never written: {foreign:?}; {context}");
    }
}

/// A damaged batch may have held some of a row's cells.
fn is_part_of(row: &str, written: &[String]) -> bool {
    let key = row.split(' ').next().unwrap();
    written.iter().any(|whole| whole.starts_with(key) && (row == whole || row.len() < whole.len()))
}

/// A store, and what is in it.
struct Sample {
    kind: &'static str,
    dir: tempfile::TempDir,
    content: Content,
}

impl Sample {
    /// Closed with everything in the journal.
    fn closed() -> Self {
        let dir = passing_dir();
        let engine = fill(dir.path());
        let content = content_of(&engine).0;
        drop(engine);
        Self { kind: "closed", dir, content }
    }

    /// Closed with most of it in table files.
    fn flushed() -> Self {
        let dir = passing_dir();
        let engine = fill(dir.path());
        for table in ["t", "u"] {
            block_on(engine.flush(FlushScope::Table(name(table), None))).unwrap();
        }
        drop(engine);
        let engine = open(dir.path());
        block_on(engine.put(&name("u"), Put::new("later").add_at("f", "q", 9, "x"))).unwrap();
        let content = content_of(&engine).0;
        drop(engine);
        assert!(
            files_of(dir.path()).keys().any(|path| path.starts_with("keyspaces/2/tables")),
            "nothing is flushed"
        );
        Self { kind: "flushed", dir, content }
    }

    /// Killed while it was open.
    fn killed() -> Self {
        let dir = passing_dir();
        drop(fill(dir.path()));
        let engine = open(dir.path());
        for number in 0..100 {
            let put = Put::new(format!("k{number:03}")).add_at("f", "q", 5, vec![b'k'; 80]);
            block_on(engine.put(&name("u"), put)).unwrap();
        }
        let content = content_of(&engine).0;
        let left = passing_dir();
        copy_dir(dir.path(), left.path());
        Self { kind: "killed", dir: left, content }
    }
}

fn fill(dir: &Path) -> Engine {
    let engine = open(dir);
    for table in ["t", "u", "empty"] {
        block_on(create(&engine, table, &["f", "g"], &["m"]));
    }
    for number in 0..400 {
        let value = vec![b'a' + (number % 26) as u8; 90 + number % 40];
        let table = name(if number % 3 == 0 { "u" } else { "t" });
        let put = Put::new(format!("r{number:04}")).add_at("f", "q", 1, value).add_at("g", "n", 2, "x");
        block_on(engine.put(&table, put)).unwrap();
    }
    block_on(engine.delete(&name("t"), Delete::row("r0004"))).unwrap();
    engine
}

/// One damage.
#[derive(Debug)]
struct Damage {
    file: PathBuf,
    change: Change,
}

#[derive(Debug)]
enum Change {
    Flip { at: usize, bit: u32 },
    Overwrite { at: usize, bytes: Vec<u8> },
    Cut { at: usize },
    Append { bytes: Vec<u8> },
    Remove,
    RemoveDirectory,
}

impl Damage {
    /// Half of all damages hit a journal: that is where it is hard to notice.
    fn choose(dir: &Path, random: &mut Rng) -> Self {
        let files = files_of(dir);
        let is_journal = |path: &PathBuf| path.extension().is_some_and(|extension| extension == "jnl");
        let is_lock = |path: &PathBuf| path.to_string_lossy().ends_with("lock");
        let want_journal = random.bool();
        let paths: Vec<&PathBuf> =
            files.keys().filter(|path| !is_lock(path) && (!want_journal || is_journal(path))).collect();
        let file = random.choice(&paths).copied().unwrap().clone();
        let content = &files[&file];
        // Behind what was written a journal is full of zeros, which is no place for damage.
        let used = content.iter().rposition(|byte| *byte != 0).map_or(0, |last| last + 1);
        let at = random.usize(..used.max(1));
        let garbage = |random: &mut Rng| (0..1 + random.u64(..600)).map(|_| random.u8(..)).collect();
        let change = match random.u64(..12) {
            0..6 if used > 0 => Change::Flip { at, bit: random.u32(..8) },
            6 | 7 if used > 0 => Change::Overwrite { at, bytes: garbage(random) },
            8 if used > 0 => Change::Cut { at },
            9 => Change::Append { bytes: garbage(random) },
            10 if file.starts_with("keyspaces") => Change::RemoveDirectory,
            _ => Change::Remove,
        };
        Self { file, change }
    }

    fn apply(&self, dir: &Path) {
        let path = dir.join(&self.file);
        let mut bytes = fs::read(&path).unwrap();
        match &self.change {
            Change::Flip { at, bit } => bytes[*at] ^= 1 << bit,
            Change::Overwrite { at, bytes: new } => {
                for (byte, new) in bytes[*at..].iter_mut().zip(new) {
                    *byte = *new;
                }
            }
            Change::Cut { at } => bytes.truncate(*at),
            Change::Append { bytes: more } => bytes.extend_from_slice(more),
            Change::Remove => return fs::remove_file(path).unwrap(),
            Change::RemoveDirectory => return fs::remove_dir_all(path.parent().unwrap()).unwrap(),
        }
        fs::write(path, bytes).unwrap();
    }

    /// After a kill a journal that ends early is what the kill left: nobody can tell.
    fn is_cut_after_kill(&self, sample: &Sample) -> bool {
        sample.kind == "killed" && matches!(self.change, Change::Cut { .. })
    }
}

fn copy_dir(from: &Path, to: &Path) {
    for (path, content) in files_of(from) {
        let to = to.join(path);
        fs::create_dir_all(to.parent().unwrap()).unwrap();
        fs::write(to, content).unwrap();
    }
    for (id, _) in files_of(from).keys().filter_map(|path| Some((path.iter().nth(1)?, path.iter().nth(2)?))) {
        let tables = Path::new("keyspaces").join(id).join("tables");
        if from.join(&tables).is_dir() {
            fs::create_dir_all(to.join(tables)).unwrap();
        }
    }
}
