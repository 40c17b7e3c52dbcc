//! What comes from data, file names and arguments, and what a terminal would do with it: nothing.

use std::process::{Output, Stdio};

use crate::support::Home;

/// Sets the title of a terminal, clears it, and colors what follows with a one-character sequence.
const HOSTILE: &str = "a\u{1b}]0;owned\u{7}\u{1b}[2J\u{9b}31m\u{7f}b";
/// The same as it is written.
const HARMLESS: &str = "a\\u001b]0;owned\\u0007\\u001b[2J\\u009b31m\\u007fb";

/// Runs the program as if a terminal with colors were there.
fn run(home: &Home, arguments: &[&str]) -> Output {
    home.command(arguments).env("CLICOLOR_FORCE", "1").stdin(Stdio::null()).output().unwrap()
}

/// All that it wrote, which has no control characters but line ends, tabs and colors.
fn checked(output: &Output) -> String {
    let text = [output.stdout.as_slice(), &output.stderr].concat();
    let text = String::from_utf8(text).unwrap();
    let mut rest = text.as_str();
    while let Some((_, after)) = rest.split_once('\u{1b}') {
        let end = after.find(|letter: char| !matches!(letter, '[' | ';' | '0'..='9')).unwrap_or(0);
        assert!(after.starts_with('[') && after[end..].starts_with('m'), "{text:?}");
        rest = after;
    }
    let is_wild = |letter: char| letter.is_control() && !matches!(letter, '\n' | '\t' | '\u{1b}');
    assert!(!text.contains(is_wild), "{text:?}");
    text
}

#[test]
fn names_of_columns_are_not_obeyed() {
    let home = Home::new();
    home.file("t.csv", format!("id,{HOSTILE}\n1,2\n2,3\n"));
    let text = checked(&run(&home, &["init", "--data", "t.csv"]));
    assert!(text.contains(HARMLESS), "{text}");
    assert!(text.contains("\u{1b}[1m"), "our own colors are gone: {text:?}");
    for command in [
        &["design", "workload.toml"][..],
        &["families", "workload.toml"],
        &["keys", "workload.toml", "--id", "id"],
        &["check", "no.toml"],
    ] {
        checked(&run(&home, command));
    }
}

#[test]
fn colors_of_data_are_not_shown() {
    let home = Home::new();
    home.file("t.csv", "id,\u{1b}[31mred\n1,2\n");
    let text = checked(&run(&home, &["init", "--data", "t.csv"]));
    assert!(text.contains("\\u001b[31mred"), "{text}");
}

#[cfg(unix)]
#[test]
fn names_of_files_and_arguments_are_not_obeyed() {
    let home = Home::new();
    let file = format!("{HOSTILE}.csv");
    home.file(&file, "id,name\n1,2\n");
    home.file("broken.toml", format!("version = 1\n[[table]]\nname = \"{}\"\n", "x\u{9b}31m"));
    let store = format!("embedded:{HOSTILE}/no/such/\0");
    for command in [
        &["init", "--data", &file, "-o", "w.toml"][..],
        &["init", "--data", "missing", "--data", &file],
        &["design", HOSTILE],
        &["design", "broken.toml"],
        &["query", HOSTILE, "SELECT 1"],
        &["keys", "--data", &file, "--id", HOSTILE],
        &["list", HOSTILE],
        &["shell", HOSTILE],
        &["query", "w.toml", HOSTILE],
        &["shell", "--servers", HOSTILE, "--store", store.trim_end_matches('\0')],
    ] {
        let text = checked(&run(&home, command));
        assert!(!text.is_empty(), "{command:?}");
    }
    let text = checked(&run(&home, &["design", HOSTILE]));
    assert!(text.contains(HARMLESS), "{text}");
    let text = checked(&run(&home, &["list", HOSTILE]));
    assert!(text.contains("unrecognized") && text.contains("Usage"), "{text}");
}

#[test]
fn json_says_the_same_and_is_not_obeyed() {
    let home = Home::new();
    home.file("t.csv", format!("id,{HOSTILE}\n1,2\n"));
    let output = run(&home, &["init", "--data", "t.csv", "--format", "json"]);
    let value: serde_json::Value = serde_json::from_str(&checked(&output)).unwrap();
    let columns = &value["tables"][0]["columns"];
    assert!(columns.to_string().contains(&serde_json::to_string(HOSTILE).unwrap()), "{columns}");
}
