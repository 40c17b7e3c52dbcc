//! Retries of a cluster that does not answer: shown when they last, and not when nothing is wrong.

use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use hbase_testbed::fake::bytes::field;
use hbase_testbed::fake::{FakeServer, Reply, server_name};

use crate::support::Home;

fn list(home: &Home, server: &FakeServer) -> Command {
    home.command(["--store", &server.address(), "shell", "-c", "list"])
}

/// The master's address is a dead one until the line is seen: so the test takes as long as it takes.
#[test]
fn a_line_says_what_is_tried_again_where_how_often_and_until_when() {
    let is_dead = Arc::new(AtomicBool::new(true));
    let dead = is_dead.clone();
    let server = FakeServer::start(move |call| {
        let is_dead = call.method == "GetActiveMaster" && dead.load(Ordering::Relaxed);
        is_dead.then(|| Reply::Message(field(1, &server_name("127.0.0.1", 1))))
    })
    .unwrap();
    let home = Home::new();
    let mut child = list(&home, &server).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
    let mut lines = BufReader::new(child.stderr.take().unwrap()).lines().map(Result::unwrap);
    let line = lines.next().expect("retries are not shown");
    is_dead.store(false, Ordering::Relaxed);
    for part in
        ["retrying GetTableNames at 127.0.0.1:1: ", " attempts failed in ", ", giving up in ", "connect"]
    {
        assert!(line.contains(part), "{part:?} is not in {line:?}");
    }
    let rest: Vec<String> = lines.collect();
    assert!(child.wait().unwrap().success(), "{rest:?}");
    assert_eq!(rest, Vec::<String>::new(), "one line is enough");
}

#[test]
fn nothing_is_shown_when_nothing_is_wrong() {
    let server = FakeServer::start(|_| None).unwrap();
    let output = list(&Home::new(), &server).output().unwrap();
    let text = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && !text.contains("retrying"), "{text}");
}
