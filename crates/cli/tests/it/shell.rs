//! `tablesmith shell` with commands from everywhere.

use std::ffi::OsStr;
use std::process::Stdio;

use serde_json::json;

use crate::support::Home;

const JSON: [&str; 3] = ["shell", "--format", "json"];

#[test]
fn commands_come_from_the_command_line_files_and_standard_input() {
    let home = Home::new();
    home.file("make.hbsh", "create 't', 'f'\nput 't', 'a', 'f:q', '1', 5\n");
    home.file("more.hbsh", "put 't', 'b', 'f:q', '2', 6\n");
    let run = home.run(JSON.into_iter().chain(["make.hbsh", "more.hbsh", "-c", "count 't'"]));
    assert_eq!((run.code, run.json().last().unwrap()), (0, &json!({"count": 2})));
    let run = home.run_with_input(JSON, b"get 't', 'b'\n");
    let cell = json!({"column": "f:q", "timestamp": 6, "type": "Put", "value": "2"});
    assert_eq!(run.json(), [json!({"row": "b", "cells": [cell]})]);
}

#[test]
fn a_session_goes_over_files_until_it_is_ended() {
    let home = Home::new();
    home.file("one.hbsh", "t = create 't', 'f'\n");
    home.file("two.hbsh", "t.put 'r', 'f:q', 'v'\nexit\nlist\n");
    home.file("three.hbsh", "drop_everything\n");
    let run = home.run(JSON.into_iter().chain(["one.hbsh", "two.hbsh", "three.hbsh"]));
    assert_eq!(run.code, 0, "{run:?}");
    assert!(!run.text().contains("error"), "{}", run.text());
}

#[test]
fn bytes_that_are_no_text_are_kept() {
    let home = Home::new();
    let mut script = b"create 't', 'f'\nput 't', 'r\xff\xfe', 'f:q', 'v\x80', 1\nscan 't'\n".to_vec();
    let run = home.run_with_input(JSON, &script);
    let cell = json!({"column": "f:q", "timestamp": 1, "type": "Put", "value": "v\\x80"});
    assert_eq!(run.json().last().unwrap(), &json!({"rows": [{"row": "r\\xFF\\xFE", "cells": [cell]}]}));
    script.extend(b"\xff\xff 't'\n");
    assert_eq!(home.run_with_input(JSON, &script).code, 1);
}

#[cfg(unix)]
#[test]
fn the_command_line_may_hold_any_bytes() {
    use std::os::unix::ffi::OsStrExt;

    let home = Home::new();
    let commands = OsStr::from_bytes(b"create 't', 'f'; put 't', 'r\xff', 'f:q', 'v'; get 't', 'r\xff'");
    let run = home.run(JSON.map(OsStr::new).into_iter().chain([OsStr::new("-c"), commands]));
    assert_eq!(run.json().last().unwrap()["row"], "r\\xFF");
}

#[test]
fn data_stays_between_runs_in_the_store_that_is_named() {
    let home = Home::new();
    for (store, table) in [(None, "own"), (Some("embedded:here"), "named")] {
        let options: Vec<&str> = store.map_or_else(Vec::new, |store| vec!["--store", store]);
        let create = format!("create '{table}', 'f'");
        assert_eq!(home.run(options.iter().copied().chain(["shell", "-c", &create])).code, 0);
    }
    assert!(home.path("here").is_dir());
    assert!(home.path("data/tablesmith/store").is_dir());
    let run = home.run(["shell", "--format", "json", "-c", "list"]);
    assert!(run.text().contains("own") && !run.text().contains("named"), "{}", run.text());
}

#[test]
fn regions_are_spread_over_as_many_servers_as_wished() {
    let home = Home::new();
    let script = "create 't', 'f', SPLITS => ['a', 'b', 'c', 'd', 'e']; status 'simple'";
    let run = home.run(["shell", "--servers", "5", "-c", script]);
    assert!(run.text().contains("server-5") && !run.text().contains("server-6"), "{}", run.text());
}

/// Runs the program with an output that nobody reads; its exit code, and what it wrote for people.
fn run_unread<I: AsRef<OsStr>>(home: &Home, arguments: impl IntoIterator<Item = I>) -> (Option<i32>, String) {
    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader);
    let run = home.command(arguments).stdin(Stdio::null()).stdout(writer).stderr(Stdio::piped()).output();
    let run = run.unwrap();
    (run.status.code(), String::from_utf8(run.stderr).unwrap())
}

#[test]
fn a_script_is_run_to_its_end_when_nobody_reads_its_output() {
    for format in ["text", "json"] {
        let home = Home::new();
        let puts = |rows: std::ops::Range<u32>| -> String {
            rows.map(|row| format!("put 't', 'r{row}', 'f:q', '{row}'\n")).collect()
        };
        home.file("one.hbsh", "create 't', 'f'\n".to_owned() + &puts(0..300));
        home.file("two.hbsh", puts(300..400));
        let more = puts(400..500);
        let run = run_unread(&home, ["shell", "--format", format, "one.hbsh", "two.hbsh", "-c", &more]);
        assert_eq!(run, (Some(0), String::new()), "{format}");
        assert_eq!(home.run(JSON.into_iter().chain(["-c", "count 't'"])).json(), [json!({"count": 500})]);
        // A command that fails says so by the exit code alone.
        let run = run_unread(
            &home,
            ["shell", "--format", format, "-c", "list; nonsense; put 't', 'z', 'f:q', 'v'"],
        );
        assert_eq!(run, (Some(1), String::new()), "{format}");
        assert_eq!(home.run(JSON.into_iter().chain(["-c", "count 't'"])).json(), [json!({"count": 501})]);
    }
}

#[test]
fn drop_all_without_an_answer_drops_nothing() {
    let home = Home::new();
    home.run(["shell", "-c", "create 'a1', 'f'; create 'a2', 'f'; disable 'a1'; disable 'a2'"]);
    let run = home.run(["shell", "-c", "drop_all 'a.*'"]);
    assert_eq!(run.code, 1, "{run:?}");
    assert!(run.text().contains("no table was dropped") && run.text().contains("'y' or 'n'"), "{run:?}");
    assert_eq!(home.run_with_input(JSON, b"drop_all 'a.*'").code, 1);
    assert_eq!(home.run_with_input(JSON, b"list").json(), [json!({"tables": ["a1", "a2"]})]);
    let run = home.run_with_input(JSON, b"drop_all 'a.*'\ny\nlist");
    assert_eq!(run.json(), [json!({"dropped": ["a1", "a2"], "failed": []}), json!({"tables": []})]);
    assert_eq!(run.code, 0);
}

/// Commands to a cluster take their time, so that people count on a new timestamp for each.
#[test]
fn two_commands_on_one_row_have_different_timestamps() {
    let home = Home::new();
    let mut script = "create 't', {NAME => 'f', VERSIONS => 9}\n".to_owned();
    for row in 0..20 {
        script += &format!(
            "put 't', '{row}', 'f:q', '1'\nput 't', '{row}', 'f:q', '2'\nincr 't', '{row}', 'f:n', 1\n"
        );
        script += &format!("deleteall 't', '{row}', 'f:n'\nincr 't', '{row}', 'f:n', 7\n");
        script += &format!("get 't', '{row}', {{COLUMN => 'f', VERSIONS => 9}}\n");
    }
    let answers = home.run_with_input(JSON, script.as_bytes()).json();
    for answer in answers.iter().filter(|answer| answer.get("cells").is_some()) {
        let values: Vec<_> = answer["cells"].as_array().unwrap().iter().map(|cell| &cell["value"]).collect();
        assert_eq!(values, ["\\x00\\x00\\x00\\x00\\x00\\x00\\x00\\x07", "2", "1"], "{answer}");
    }
    assert_eq!(answers.iter().filter(|answer| answer.get("cells").is_some()).count(), 20);
}

#[test]
fn text_is_for_people() {
    let run = Home::new().run(["shell", "-c", "create 't', 'f'; put 't', 'r', 'f:q', 'v', 7; get 't', 'r'"]);
    assert!(run.text().contains("f:q") && run.text().contains("value=v"), "{}", run.text());
}
