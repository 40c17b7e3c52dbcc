//! Scripts in HBase's shell language with what a real HBase 2.6.1 answered: this program gives the same answers.
//!
//! Each `NAME.hbsh` of tests/conformance has its answers in `NAME.expected.jsonl`, one line a command. Timestamps of the
//! server's clock are `null` there, and of an error only its name is recorded.

use std::collections::VecDeque;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use serde_json::{Value, json};

use crate::script_tables::ScriptTables;
use crate::support::Home;

/// From here on a timestamp was set by a clock, as opposed to a script.
const FIRST_CLOCK_TIMESTAMP: i64 = 1_000_000_000_000;

/// Scripts that run at the same time on a cluster, which makes and drops tables most of the time.
const CLUSTER_SCRIPTS_AT_ONCE: usize = 8;

/// Differences of one script that are shown; the rest is counted.
const MAX_SHOWN: usize = 5;

#[test]
fn all_scripts_answer_as_hbase_did() {
    let threads = std::thread::available_parallelism().map_or(2, usize::from);
    run_all(threads, |script| differences(script, "embedded:store"));
}

/// The same through the HBase client, on a cluster.
#[test]
fn all_scripts_answer_so_on_a_cluster() {
    let cluster = hbase_testbed::shared().unwrap_or_else(|error| panic!("{error}"));
    let tables = ScriptTables::of(&scripts());
    tables.drop_from(&cluster.by_masters());
    run_all(CLUSTER_SCRIPTS_AT_ONCE, |script| differences(script, &cluster.by_masters()));
    tables.drop_from(&cluster.by_masters());
}

/// Runs all scripts, some at a time, and fails with what any of them answers otherwise.
fn run_all(threads: usize, differences: impl Fn(&Path) -> Option<String> + Sync) {
    let scripts = scripts();
    assert!(scripts.len() >= 30, "only {} scripts", scripts.len());
    let count = scripts.len();
    let queue = Mutex::new(VecDeque::from(scripts));
    let reports = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                while let Some(script) = { queue.lock().unwrap().pop_front() } {
                    let report = differences(&script);
                    reports.lock().unwrap().extend(report);
                }
            });
        }
    });
    let mut reports = reports.into_inner().unwrap();
    reports.sort();
    assert!(reports.is_empty(), "{} of {count} scripts differ\n\n{}", reports.len(), reports.join("\n"));
}

fn scripts() -> Vec<PathBuf> {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/conformance");
    let paths = std::fs::read_dir(directory).unwrap().map(|entry| entry.unwrap().path());
    let mut scripts: Vec<PathBuf> =
        paths.filter(|path| path.extension().is_some_and(|extension| extension == "hbsh")).collect();
    scripts.sort();
    scripts
}

/// What one script answers otherwise than recorded, for people; `None` when all is the same.
fn differences(script: &Path, store: &str) -> Option<String> {
    let home = Home::new();
    let arguments = ["shell", "--format", "json", "--store", store].map(AsRef::as_ref);
    let run = home.run(arguments.into_iter().chain([script.as_os_str()]));
    let answers: Vec<Value> = run.json().into_iter().map(normal).collect();
    let expected: Vec<Value> = std::fs::read_to_string(script.with_extension("expected.jsonl"))
        .unwrap()
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    let text = text_of(script);
    let commands: Vec<&str> = text.lines().filter(|line| is_command(line)).collect();
    let mut report = compare(&commands, &expected, &answers);
    if !matches!(run.code, 0 | 1) {
        report.push(format!("  exit code {}: {}\n", run.code, run.stderr.trim()));
    }
    if report.is_empty() {
        return None;
    }
    let more = report.len().saturating_sub(MAX_SHOWN);
    report.truncate(MAX_SHOWN);
    let mut text = format!("{}\n{}", script.file_name().unwrap().to_string_lossy(), report.concat());
    if more > 0 {
        writeln!(text, "  and {more} more").unwrap();
    }
    Some(text)
}

fn text_of(script: &Path) -> String {
    String::from_utf8_lossy(&std::fs::read(script).unwrap()).into_owned()
}

fn compare(commands: &[&str], expected: &[Value], answers: &[Value]) -> Vec<String> {
    let mut report = Vec::new();
    for index in 0..expected.len().max(answers.len()) {
        let (wanted, got) = (expected.get(index), answers.get(index));
        if wanted != got {
            let command = commands.get(index).copied().unwrap_or("(no such command)");
            let show = |answer: Option<&Value>| answer.map_or("nothing".to_owned(), Value::to_string);
            let (wanted, got) = (show(wanted), show(got));
            let same = wanted.chars().zip(got.chars()).take_while(|(wanted, got)| wanted == got).count();
            report.push(format!(
                "  {command}\n    HBase: {}\n    here:  {}\n",
                excerpt(&wanted, same),
                excerpt(&got, same)
            ));
        }
    }
    report
}

/// The part of a long answer around the place where it begins to differ.
fn excerpt(answer: &str, same: usize) -> String {
    const BEFORE: usize = 80;
    const SHOWN: usize = 240;
    let begin = same.saturating_sub(BEFORE);
    let shown: String = answer.chars().skip(begin).take(SHOWN).collect();
    let head = if begin > 0 { "…" } else { "" };
    let tail = if answer.chars().count() > begin + SHOWN { "…" } else { "" };
    format!("{head}{shown}{tail}")
}

fn is_command(line: &str) -> bool {
    let line = line.trim();
    !line.is_empty() && !line.starts_with('#')
}

/// The answer as the records have it.
fn normal(answer: Value) -> Value {
    match answer {
        Value::Object(answer) if answer.contains_key("error") => json!({ "error": answer["error"] }),
        answer => without_clock(answer),
    }
}

fn without_clock(value: Value) -> Value {
    match value {
        Value::Array(values) => values.into_iter().map(without_clock).collect(),
        Value::Object(members) => members
            .into_iter()
            .map(|(name, value)| match value.as_i64() {
                Some(FIRST_CLOCK_TIMESTAMP..) if name == "timestamp" => (name, Value::Null),
                _ => (name, without_clock(value)),
            })
            .collect(),
        plain => plain,
    }
}

#[test]
fn differences_are_found_and_shown() {
    let cell = |timestamp: Value| json!({"row": "r", "cells": [{"timestamp": timestamp, "value": "v"}]});
    let got =
        [cell(json!(1_700_000_000_000_i64)), json!({"error": "E", "message": "m"}), json!({"count": 2})];
    let got: Vec<Value> = got.into_iter().map(normal).collect();
    let same = [cell(Value::Null), json!({"error": "E"}), json!({"count": 2})];
    assert_eq!(compare(&["a", "b", "c"], &same, &got), Vec::<String>::new());
    let other = [cell(json!(5)), json!({"error": "F"}), json!({"count": 2}), json!({"ok": true})];
    let report = compare(&["a", "b", "c"], &other, &got);
    assert_eq!(report.len(), 3, "{report:?}");
    assert!(report[1].contains("HBase: {\"error\":\"F\"}\n    here:  {\"error\":\"E\"}"), "{}", report[1]);
    assert!(report[2].contains("here:  nothing"), "{}", report[2]);
    assert_eq!(excerpt(&"a".repeat(500), 400), format!("…{}", "a".repeat(180)));
}
