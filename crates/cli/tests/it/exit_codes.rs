//! 0 fine, 1 the answer is no, 2 wrong use, 3 a store failed; and what is said then.

use tablesmith_engine::{Engine, EngineOptions};

use crate::support::Home;

#[test]
fn a_script_that_works_is_0_and_one_with_a_failing_command_is_1() {
    let home = Home::new();
    assert_eq!(home.run(["shell", "-c", "create 't', 'f'; list"]).code, 0);
    let run = home.run(["shell", "--format", "json", "-c", "get 'missing', 'r'; list"]);
    assert_eq!(run.code, 1);
    let answers = run.json();
    assert_eq!(answers[0]["error"], "TableNotFoundException");
    assert_eq!(answers.len(), 2, "the script goes on: {answers:?}");
}

#[test]
fn wrong_use_is_2_and_names_what_is_wrong() {
    let home = Home::new();
    for (arguments, said) in [
        (vec!["shell", "missing.hbsh"], "missing.hbsh"),
        (vec!["shell", "."], "cannot read the script"),
        (vec!["shell", "--store", "somewhere"], "embedded:somewhere"),
        (vec!["shell", "--store", "hbase://a"], "HOST:PORT"),
        (vec!["--store", "hbase+zk://a/hbase", "demo"], "HOST:PORT"),
        (vec!["shell", "--format", "xml"], "xml"),
        (vec!["shell", "--servers", "0"], "--servers"),
        (vec!["shel"], "shell"),
        (vec!["demo", "--seed", "-1"], "-1"),
        (vec![], "Usage"),
    ] {
        let run = home.run(&arguments);
        assert_eq!(run.code, 2, "{arguments:?}: {run:?}");
        assert!(run.stderr.contains(said), "{arguments:?}: {}", run.stderr);
    }
    assert!(!home.path("data").exists(), "wrong use makes no store");
}

#[test]
fn an_unreadable_script_runs_nothing() {
    let home = Home::new();
    let good = home.file("good.hbsh", "create 't', 'f'\n");
    assert_eq!(home.run(["shell".as_ref(), good.as_os_str(), "missing.hbsh".as_ref()]).code, 2);
    assert!(home.run(["shell", "--format", "json", "-c", "exists 't'"]).text().contains("false"));
}

#[test]
fn a_store_that_cannot_be_opened_is_3() {
    let home = Home::new();
    home.file("file", "not a directory");
    let run = home.run(["shell", "--store", "embedded:file/inside", "-c", "list"]);
    assert_eq!(run.code, 3, "{run:?}");
    assert!(run.stderr.starts_with("error: cannot ") && run.stderr.contains("file/inside"), "{}", run.stderr);
}

/// Nobody listens on a port that was free a moment ago.
#[test]
fn a_cluster_that_does_not_answer_is_3() {
    let home = Home::new();
    let free = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    for scheme in ["hbase", "hbase+zk"] {
        let run = home.run(["shell", "--store", &format!("{scheme}://{free}"), "-c", "list"]);
        assert_eq!(run.code, 3, "{run:?}");
        assert!(run.stderr.contains(&free.to_string()), "{}", run.stderr);
    }
}

#[test]
fn a_store_that_another_process_holds_is_3() {
    let home = Home::new();
    let holder = Engine::open(EngineOptions::new(home.path("tables"))).unwrap();
    let run = home.run(["shell", "--store", "embedded:tables", "-c", "list"]);
    assert_eq!(run.code, 3, "{run:?}");
    assert!(run.stderr.contains("another process"), "{}", run.stderr);
    drop(holder);
    assert_eq!(home.run(["shell", "--store", "embedded:tables", "-c", "list"]).code, 0);
}
