//! Scripts with what a real HBase 2.6.1 answered to them. Each `NAME.hbsh` stands beside a `NAME.expected.jsonl`.
//!
//! Timestamps that a clock made are recorded as `null`, and of errors only the name.

use serde_json::Value;
use std::path::{Path, PathBuf};
use tablesmith_shell::{Format, run_script};

use crate::store::ticking_store;

/// Timestamps from here on are those of a clock.
const FIRST_CLOCK_MS: i64 = 1_000_000_000_000;

/// The same as a recording would have it.
fn normalised(mut answer: Value) -> Value {
    if answer.get("error").is_some()
        && let Some(object) = answer.as_object_mut()
    {
        object.remove("message").expect("every error has a message");
    }
    forget_clock(&mut answer);
    answer
}

fn forget_clock(value: &mut Value) {
    match value {
        Value::Array(values) => values.iter_mut().for_each(forget_clock),
        Value::Object(object) => {
            for (key, value) in object.iter_mut() {
                if key == "timestamp" && value.as_i64().is_some_and(|timestamp| timestamp >= FIRST_CLOCK_MS) {
                    *value = Value::Null;
                } else {
                    forget_clock(value);
                }
            }
        }
        _ => {}
    }
}

/// The commands of a script, one a line, as the recordings have them.
fn commands(script: &str) -> impl Iterator<Item = &str> {
    script.lines().filter(|line| !line.trim().is_empty() && !line.trim().starts_with('#'))
}

/// Runs a script on a new store; returns what differs from the recording.
async fn differences(path: &Path) -> Vec<String> {
    let script = std::fs::read_to_string(path).expect("the script can be read");
    let expected =
        std::fs::read_to_string(path.with_extension("expected.jsonl")).expect("there is a recording");
    let store = ticking_store();
    let mut out = Vec::new();
    run_script(store, &script, Format::Json, &mut out).await.expect("memory can be written to");
    let out = String::from_utf8(out).expect("JSON is UTF-8");
    let mut differences = Vec::new();
    let mut answers = out.lines();
    let mut recorded = expected.lines();
    for command in commands(&script) {
        let (answer, expected) = (answers.next().unwrap_or("nothing"), recorded.next().unwrap_or("nothing"));
        let comparable = serde_json::from_str(answer).map(normalised).ok();
        if comparable != serde_json::from_str(expected).ok() {
            differences.push(format!("{command}\n    expected {expected}\n    answered {answer}"));
        }
    }
    if answers.next().is_some() || recorded.next().is_some() {
        differences.push("more answers than commands".to_owned());
    }
    differences
}

fn scripts(directory: &Path) -> Vec<PathBuf> {
    let entries =
        std::fs::read_dir(directory).unwrap_or_else(|error| panic!("{}: {error}", directory.display()));
    let mut scripts: Vec<_> = entries
        .map(|entry| entry.expect("the directory can be read").path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "hbsh"))
        .collect();
    scripts.sort();
    assert!(!scripts.is_empty(), "no scripts in {}", directory.display());
    scripts
}

async fn check(directory: &Path) {
    let mut failures = Vec::new();
    let scripts = scripts(directory);
    for script in &scripts {
        let differences = differences(script).await;
        if !differences.is_empty() {
            failures.push(format!("{}:\n  {}", script.display(), differences.join("\n  ")));
        }
    }
    assert!(
        failures.is_empty(),
        "{} of {} scripts differ\n{}",
        failures.len(),
        scripts.len(),
        failures.join("\n")
    );
}

/// `TABLESMITH_SCRIPTS` can name more directories, with colons between them.
#[tokio::test]
async fn scripts_answer_as_hbase_does() {
    let own = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/scripts").to_owned();
    let more = std::env::var("TABLESMITH_SCRIPTS").unwrap_or_default();
    for directory in std::iter::once(own.as_str()).chain(more.split(':').filter(|path| !path.is_empty())) {
        check(Path::new(directory)).await;
    }
}
