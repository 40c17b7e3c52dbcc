//! Ctrl-C: the program stops between two commands, and what it acknowledged is there.
#![cfg(unix)]

use std::io::{BufRead, BufReader, Read};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use crate::support::Home;

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
    press_ctrl_c(&child);
    let acknowledged = 999 + answers.map(Result::unwrap).filter(|line| line == "{\"ok\":true}").count();
    assert_eq!(child.wait().unwrap().code(), Some(130));
    let mut said = String::new();
    child.stderr.take().unwrap().read_to_string(&mut said).unwrap();
    assert!(said.contains("interrupted"), "{said}");
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
fn the_demo_removes_its_temporary_store() {
    let home = Home::new();
    let temporary = home.path("temporary");
    std::fs::create_dir(&temporary).unwrap();
    let is_empty = || std::fs::read_dir(&temporary).unwrap().next().is_none();
    let mut child = home
        .command(["demo"])
        .env("TMPDIR", &temporary)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    while is_empty() {
        assert_eq!(child.try_wait().unwrap(), None, "the demo ended without a store");
        std::thread::sleep(Duration::from_millis(1));
    }
    press_ctrl_c(&child);
    assert_eq!(child.wait().unwrap().code(), Some(130));
    assert!(is_empty(), "the store is left behind");
}

fn press_ctrl_c(child: &Child) {
    let sent = Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(sent.success());
}
