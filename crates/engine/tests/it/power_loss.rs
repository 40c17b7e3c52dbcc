//! Power loss and kills in the middle of administrative commands: the store opens, and is as it was before the command
//! that was under way or after it.
//!
//! A shim between the program and its disk (`tests/shim`) records what is synced and when. From the record any power
//! loss can be replayed: nothing is left but what had been synced by then.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::OnceLock;

use fastrand::Rng;
use tablesmith_engine::{Engine, EngineOptions};

use crate::describe::describe;
use crate::support::{block_on, number_from_env, passing_dir, soaking};

const POWER_LOSSES: u64 = 40;
const SOAK_POWER_LOSSES: u64 = 400;
const KILLS: u64 = 30;
const SOAK_KILLS: u64 = 1_000;

#[test]
fn power_loss_at_any_moment_leaves_what_was_acknowledged() {
    let seed = number_from_env("TABLESMITH_SEED").unwrap_or(3);
    println!("TABLESMITH_SEED={seed}");
    let mut random = Rng::with_seed(seed);
    let (store, log) = (passing_dir(), passing_dir());
    let dir = store.path().join("store");
    fs::create_dir(&dir).unwrap();
    let root_inode = inode(&dir);
    let ended = admin_writer(&dir).env("DISK_SHIM_LOG", log.path()).output().unwrap();
    assert!(ended.status.success(), "{}", String::from_utf8_lossy(&ended.stderr));
    let events = read_log(&log.path().join("log"));
    let syncs = events.iter().filter(|event| !matches!(event, Event::Acknowledged(_))).count();
    assert!(syncs > 100, "the shim saw {syncs} syncs");
    let moments = if soaking() { SOAK_POWER_LOSSES } else { POWER_LOSSES };
    for number in 0..moments {
        let moment = random.usize(..=events.len());
        let context = format!("power loss {number}, after event {moment} of {}, seed {seed}", events.len());
        let left = passing_dir();
        let dir = left.path().join("store");
        rebuild(&events[..moment], root_inode, log.path(), &dir);
        check(&dir, &events, moment, &context);
    }
}

#[test]
fn a_kill_at_any_disk_call_leaves_what_was_acknowledged() {
    let seed = number_from_env("TABLESMITH_SEED").unwrap_or(4);
    println!("TABLESMITH_SEED={seed}");
    let mut random = Rng::with_seed(seed);
    let whole = {
        let (store, log) = (passing_dir(), passing_dir());
        let ended =
            admin_writer(&store.path().join("store")).env("DISK_SHIM_LOG", log.path()).output().unwrap();
        assert!(ended.status.success());
        read_log(&log.path().join("log"))
    };
    let (mut killed, mut calls) = (0, 2_500);
    for number in 0..if soaking() { SOAK_KILLS } else { KILLS } {
        let (store, log) = (passing_dir(), passing_dir());
        let dir = store.path().join("store");
        let at = 1 + random.u64(..calls);
        let mut writer = admin_writer(&dir);
        let ended = writer
            .env("DISK_SHIM_LOG", log.path())
            .env("DISK_SHIM_KILL_AT", at.to_string())
            .stdout(Stdio::null())
            .status()
            .unwrap();
        match ended.success() {
            true => calls = calls.min(at),
            false => killed += 1,
        }
        let acknowledged = match log.path().join("log").exists() {
            true => read_log(&log.path().join("log")),
            false => Vec::new(),
        };
        let acknowledged =
            acknowledged.iter().filter(|event| matches!(event, Event::Acknowledged(_))).count();
        let moment = nth_acknowledgement(&whole, acknowledged);
        check(&dir, &whole, moment, &format!("kill {number}, at disk call {at}, seed {seed}"));
    }
    assert!(killed > 0, "no writer was killed");
}

/// How many events there were when so many steps had been acknowledged.
fn nth_acknowledgement(events: &[Event], count: usize) -> usize {
    let at = |(at, event): (usize, &Event)| matches!(event, Event::Acknowledged(_)).then_some(at + 1);
    if count == 0 { 0 } else { events.iter().enumerate().filter_map(at).nth(count - 1).unwrap() }
}

/// The store opens and is in the last acknowledged state, or in the next one.
fn check(dir: &Path, events: &[Event], moment: usize, context: &str) {
    let states: Vec<&str> = events.iter().filter_map(Event::acknowledged).collect();
    let acknowledged = events[..moment].iter().filter_map(Event::acknowledged).count();
    if acknowledged == 0 && !dir.exists() {
        return;
    }
    for attempt in ["first", "second"] {
        let engine = Engine::open(EngineOptions::new(dir));
        let engine = engine.unwrap_or_else(|error| panic!("the {attempt} opening: {error}; {context}"));
        let found = block_on(describe(&engine)).unwrap_or_else(|error| panic!("{error}; {context}"));
        let possible = &states[acknowledged.saturating_sub(1)..(acknowledged + 1).min(states.len())];
        assert!(possible.contains(&&*found), "found {found}\nnot one of {possible:#?}\n{context}");
    }
}

fn admin_writer(dir: &Path) -> Command {
    let test = std::env::current_exe().unwrap();
    let program = test.parent().and_then(Path::parent).unwrap().join("examples").join("admin_writer");
    assert!(program.exists(), "{} is missing: run `cargo build --examples`", program.display());
    let mut command = Command::new(program);
    command.arg(dir).env("DISK_SHIM_ROOT", dir).env("LD_PRELOAD", shim()).stderr(Stdio::piped());
    command
}

/// The shim, compiled once.
fn shim() -> &'static Path {
    static SHIM: OnceLock<(tempfile::TempDir, PathBuf)> = OnceLock::new();
    let (_, path) = SHIM.get_or_init(|| {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("disk_shim.so");
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/shim/disk_shim.c");
        let mut compiler = Command::new("cc");
        compiler.args(["-shared", "-fPIC", "-O1", "-o"]).arg(&path).arg(source).arg("-ldl");
        let compiled = compiler.output().unwrap_or_else(|error| {
            panic!("`cc` does not run ({error}): install a C compiler (apt-get install gcc)")
        });
        assert!(compiled.status.success(), "{}", String::from_utf8_lossy(&compiled.stderr));
        (dir, path)
    });
    path
}

/// A line of the shim's log.
#[derive(Debug)]
enum Event {
    Created(u64),
    FileSynced { inode: u64, blob: u64 },
    DirSynced { inode: u64, entries: Vec<DirEntry> },
    Acknowledged(String),
}

#[derive(Clone, Debug)]
struct DirEntry {
    inode: u64,
    is_dir: bool,
    name: String,
}

impl Event {
    fn acknowledged(&self) -> Option<&str> {
        match self {
            Self::Acknowledged(state) => Some(state),
            _ => None,
        }
    }
}

fn read_log(path: &Path) -> Vec<Event> {
    let text = fs::read_to_string(path).unwrap();
    let mut lines = text.lines();
    let mut events = Vec::new();
    while let Some(line) = lines.next() {
        let words: Vec<&str> = line.splitn(3, ' ').collect();
        let number = |at: usize| words[at].parse::<u64>().unwrap();
        events.push(match words[0] {
            "N" => Event::Created(number(1)),
            "F" => Event::FileSynced { inode: number(1), blob: number(2) },
            "D" => {
                let entries = lines.by_ref().take(number(2) as usize).map(|line| {
                    let words: Vec<&str> = line.splitn(3, ' ').collect();
                    DirEntry {
                        inode: words[0].parse().unwrap(),
                        is_dir: words[1] == "d",
                        name: words[2].to_owned(),
                    }
                });
                Event::DirSynced { inode: number(1), entries: entries.collect() }
            }
            // `A step NUMBER STATE`
            "A" => Event::Acknowledged(words[2].split_once(' ').unwrap().1.to_owned()),
            _ => panic!("{line}"),
        });
    }
    events
}

/// Makes the directory that is left when the power fails after some events.
fn rebuild(events: &[Event], root_inode: u64, log: &Path, dir: &Path) {
    let mut files: BTreeMap<u64, u64> = BTreeMap::new();
    let mut dirs: BTreeMap<u64, Vec<DirEntry>> = BTreeMap::new();
    for event in events {
        match event {
            Event::Created(inode) => {
                files.remove(inode);
                dirs.remove(inode);
            }
            Event::FileSynced { inode, blob } => {
                files.insert(*inode, *blob);
            }
            Event::DirSynced { inode, entries } => {
                dirs.insert(*inode, entries.clone());
            }
            Event::Acknowledged(_) => {}
        }
    }
    let mut to_do = vec![(root_inode, dir.to_owned())];
    while let Some((inode, dir)) = to_do.pop() {
        fs::create_dir(&dir).unwrap();
        for entry in dirs.get(&inode).into_iter().flatten() {
            let path = dir.join(&entry.name);
            match (entry.is_dir, files.get(&entry.inode)) {
                (true, _) => to_do.push((entry.inode, path)),
                (false, Some(blob)) => drop(fs::copy(log.join(format!("blob.{blob}")), path).unwrap()),
                (false, None) => fs::write(path, []).unwrap(),
            }
        }
    }
}

fn inode(path: &Path) -> u64 {
    std::os::unix::fs::MetadataExt::ino(&fs::metadata(path).unwrap())
}
