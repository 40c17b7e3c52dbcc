//! Ctrl-C and SIGTERM: the program ends with exit code 130, says what it did, leaves nothing temporary behind, and what it
//! acknowledged is there.
#![cfg(unix)]

mod follows;
mod moments;

use std::fs::File;
use std::io::{BufRead, BufReader, Read, Write};
use std::path::Path;
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};

use crate::support::Home;

/// Nothing takes so long unless it hangs.
const HANG: Duration = Duration::from_secs(120);

/// The program while it runs. What it writes goes to files, so that it never waits for a reader.
struct Running {
    child: Child,
    err: std::path::PathBuf,
}

/// How it ended.
#[derive(Debug)]
struct Ended {
    code: Option<i32>,
    err: String,
    /// From the signal to the end; not for assertions.
    took: Duration,
}

impl Running {
    fn start(home: &Home, arguments: &[&str]) -> Self {
        let err = home.path("err");
        let child = home
            .command(arguments)
            .env("TMPDIR", temporary(home))
            .stdin(Stdio::piped())
            .stdout(File::create(home.path("out")).unwrap())
            .stderr(File::create(&err).unwrap())
            .spawn()
            .unwrap();
        Self { child, err }
    }

    /// Waits until it has a file below a directory open, or has ended.
    #[cfg(target_os = "linux")]
    fn until_it_opens(&mut self, directory: &Path) {
        let begun = Instant::now();
        let fds = format!("/proc/{}/fd", self.child.id());
        let is_open = || {
            let fds = std::fs::read_dir(&fds).into_iter().flatten().flatten();
            let mut files = fds.filter_map(|fd| std::fs::read_link(fd.path()).ok());
            files.any(|file| file.starts_with(directory))
        };
        while !is_open() && self.child.try_wait().unwrap().is_none() {
            assert!(begun.elapsed() < HANG, "it opens nothing");
            std::thread::sleep(Duration::from_micros(200));
        }
    }

    /// Whether it has asked for Ctrl-C and SIGTERM yet: before that the system ends it. Where the system does not tell,
    /// nobody knows.
    fn hears_signals(&self) -> bool {
        const INTERRUPT_AND_TERMINATE: u64 = 1 << 1 | 1 << 14;
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.child.id())).unwrap_or_default();
        let caught = status.lines().find_map(|line| line.strip_prefix("SigCgt:"));
        let caught = caught.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or(0);
        caught & INTERRUPT_AND_TERMINATE == INTERRUPT_AND_TERMINATE
    }

    /// Sends a signal and waits for the end.
    fn end_with(mut self, signal: &str) -> Ended {
        let sent = Instant::now();
        send(&self.child, signal);
        let status = loop {
            if let Some(status) = self.child.try_wait().unwrap() {
                break status;
            }
            if sent.elapsed() > HANG {
                self.child.kill().unwrap();
                self.child.wait().unwrap();
                panic!("{signal} did not end it");
            }
            std::thread::sleep(Duration::from_millis(1));
        };
        let took = sent.elapsed();
        let text = |path: &Path| String::from_utf8_lossy(&std::fs::read(path).unwrap()).into_owned();
        Ended { code: status.code(), err: text(&self.err), took }
    }
}

/// A directory of the home for temporary files alone.
fn temporary(home: &Home) -> std::path::PathBuf {
    let directory = home.path("temporary");
    std::fs::create_dir_all(&directory).unwrap();
    directory
}

/// Temporary files that are left.
fn left_behind(home: &Home) -> Vec<String> {
    let names = |directory: &Path| {
        let entries = std::fs::read_dir(directory).unwrap().map(|entry| entry.unwrap().file_name());
        entries.map(|name| name.to_string_lossy().into_owned()).collect::<Vec<_>>()
    };
    let mut left = names(&temporary(home));
    left.extend(names(&home.path("")).into_iter().filter(|name| name.starts_with('.')));
    left
}

fn send(child: &Child, signal: &str) {
    // It may have ended meanwhile.
    let signal = if signal == "INT" { Signal::INT } else { Signal::TERM };
    let _ = kill_process(Pid::from_child(child), signal);
}

#[test]
fn what_was_acknowledged_before_ctrl_c_is_kept() {
    let home = Home::new();
    let puts = (0..200_000).map(|row| format!("put 't', '{row:06}', 'f:q', 'v'\n"));
    let path = home.file("long.hbsh", "create 't', 'f'\n".to_owned() + &puts.collect::<String>());
    let mut child = home
        .command(["shell".as_ref(), "--format".as_ref(), "json".as_ref(), path.as_os_str()])
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut answers = BufReader::new(child.stdout.take().unwrap()).lines();
    for _ in 0..1_000 {
        answers.next().unwrap().unwrap();
    }
    send(&child, "INT");
    let acknowledged = 999 + answers.map(Result::unwrap).filter(|line| line == "{\"ok\":true}").count();
    assert_eq!(child.wait().unwrap().code(), Some(130));
    let mut said = String::new();
    child.stderr.take().unwrap().read_to_string(&mut said).unwrap();
    assert!(said.contains("interrupted: what was acknowledged is kept"), "{said}");
    assert!(acknowledged < 200_000, "the script was through before the signal came");

    let counted = home.run(["shell", "--format", "json", "-c", "count 't'"]);
    let counted = counted.json()[0]["count"].as_u64().unwrap();
    // The last put may be done without its answer being out.
    assert!(
        (acknowledged as u64..=acknowledged as u64 + 1).contains(&counted),
        "{acknowledged} of {counted}"
    );
}

#[test]
fn the_demo_removes_its_temporary_store_also_with_sigterm() {
    for signal in ["INT", "TERM"] {
        let home = Home::new();
        let is_empty = || std::fs::read_dir(temporary(&home)).unwrap().next().is_none();
        let mut running = Running::start(&home, &["demo"]);
        while is_empty() {
            assert_eq!(running.child.try_wait().unwrap(), None, "the demo ended without a store");
            std::thread::sleep(Duration::from_millis(1));
        }
        let ended = running.end_with(signal);
        assert_eq!(ended.code, Some(130), "{signal}: {ended:?}");
        assert_eq!(left_behind(&home), Vec::<String>::new(), "{signal}");
    }
}

/// Until the command had begun, Ctrl-C was taken for that of a prompt and ignored.
#[cfg(target_os = "linux")]
#[test]
fn ctrl_c_while_the_program_starts_is_not_ignored() {
    for _ in 0..20 {
        let home = Home::new();
        let mut running = Running::start(&home, &["demo"]);
        while !running.hears_signals() {
            assert_eq!(running.child.try_wait().unwrap(), None, "it ended before it heard signals");
        }
        let ended = running.end_with("INT");
        assert_eq!(ended.code, Some(130), "{ended:?}");
        assert_eq!(left_behind(&home), Vec::<String>::new());
    }
}

/// A program that waits for its input looks at nothing else.
#[test]
fn ctrl_c_ends_a_program_that_waits_for_its_input() {
    for signal in ["INT", "TERM"] {
        let home = follows::loaded();
        let design = ["load", "design.toml", "--data", "follow=-", "--store", follows::STORE];
        let mut running = Running::start(&home, &design);
        let mut input = running.child.stdin.take().unwrap();
        // More than a pipe holds: it reads, and has made the file that it keeps this in.
        input.write_all("follower,followed,since\n".repeat(10_000).as_bytes()).unwrap();
        let ended = running.end_with(signal);
        assert_eq!(ended.code, Some(130), "{signal}: {ended:?}");
        assert!(ended.err.contains("interrupted: no rows loaded yet"), "{}", ended.err);
        assert_eq!(left_behind(&home), Vec::<String>::new(), "{signal}");
    }
}

/// The embedded store never waits, and a signal that came while nobody waited was lost.
#[test]
fn ctrl_c_while_verify_loads_is_not_forgotten() {
    for signal in ["INT", "TERM"] {
        let home = follows::loaded();
        follows::write_workload_of_one_table(&home);
        let mut running = Running::start(
            &home,
            &[
                "verify",
                "one.toml",
                "plain.toml",
                "--queries",
                "3000",
                "--rate",
                "1",
                "--store",
                follows::STORE,
            ],
        );
        running.until_it_opens(&home.path("tables"));
        let ended = running.end_with(signal);
        assert_eq!(ended.code, Some(130), "{signal}: {ended:?}");
        follows::check(&home);
    }
}

/// `repair` and `load` never waited for anybody, so that nobody saw the signal.
#[cfg(target_os = "linux")]
#[test]
fn ctrl_c_ends_repair_and_load_on_an_embedded_store() {
    /// A machine with other work may see the file too late, and the command is through.
    const TRIES: usize = 20;
    let home = follows::loaded();
    let commands: [&[&str]; 3] = [
        &["repair", "design.toml", "--store", follows::STORE],
        &["repair", "design.toml", "--yes", "--store", follows::STORE],
        &["load", "design.toml", "--again", "--store", follows::STORE],
    ];
    for command in commands {
        let interrupted = (0..TRIES).find_map(|_| {
            let mut running = Running::start(&home, command);
            running.until_it_opens(&home.path("tables"));
            let ended = running.end_with("INT");
            assert!(matches!(ended.code, Some(0 | 130)), "{command:?}: {ended:?}");
            (ended.code == Some(130)).then_some(ended)
        });
        let ended = interrupted.unwrap_or_else(|| panic!("{command:?} was never interrupted"));
        assert!(ended.err.contains("interrupted: "), "{}", ended.err);
        assert!(ended.err.contains("run the same command again"), "{}", ended.err);
        follows::check(&home);
    }
    // A load that was interrupted goes on where it was.
    assert_eq!(home.run(["load", "design.toml", "--store", follows::STORE]).code, 0);
    follows::check(&home);
}
