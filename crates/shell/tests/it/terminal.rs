//! Whatever stands in data, names and messages of servers, a terminal only shows what the shell prints.

use std::sync::Arc;

use async_trait::async_trait;
use tablesmith_shell::{Format, Session};
use tablesmith_store::wrap::{Intercept, Op, OpKind, Outcome, Wrapped};
use tablesmith_store::{Store, StoreError};

use crate::store::ticking_store;

/// Sets the title of the terminal, clears it in two ways, goes back, and turns the direction of writing.
const HOSTILE: &str = "\u{1b}]0;owned\u{7}\u{1b}[2J\u{9b}2J\u{8}\r\u{7f}\u{202e}";

/// A store whose scans and compactions fail with the message of a hostile server.
struct HostileMessages;

#[async_trait]
impl Intercept for HostileMessages {
    type Ticket = ();

    async fn before(&self, _: &dyn Store, op: &Op<'_>) -> Result<(), StoreError> {
        match op.kind() {
            OpKind::NextRows | OpKind::DropTable => Err(StoreError::Refused(format!("refused {HOSTILE}"))),
            OpKind::Compact => Err(StoreError::Io(format!("cannot\n\tat {HOSTILE}"))),
            _ => Ok(()),
        }
    }

    async fn after(&self, (): (), _: Outcome<'_>) -> Result<(), StoreError> {
        Ok(())
    }
}

async fn printed(store: Arc<dyn Store>, script: &str, format: Format, width: usize) -> String {
    let mut session = Session::new(store, format);
    session.set_width(width);
    let mut out = Vec::new();
    session.run_script(script.as_bytes(), &mut out).await.unwrap();
    String::from_utf8(out).unwrap()
}

/// What of an output a terminal would obey.
fn obeyed(text: &str) -> Vec<(char, &str)> {
    let is_obeyed = |character: char| character.is_control() || character == '\u{202e}';
    let lines = text.lines().map(|line| (line.chars().find(|&character| is_obeyed(character)), line));
    let found = lines.filter_map(|(character, line)| Some((character?, line)));
    // A tab moves on to the right, and lines that servers send begin with one.
    found.filter(|(character, _)| *character != '\t').collect()
}

/// Commands that hand hostile text to everything that prints it again.
fn hostile_script() -> String {
    const COMMANDS: &[&str] = &[
        "create 't', {NAME => 'f', CONFIGURATION => {'a.EVIL' => 'EVIL'}, METADATA => {'EVIL' => 'EVIL'}}, OWNER => 'EVIL', 'EVIL' => 1",
        "create 'tEVIL', 'f'",
        "create 't2', 'fEVIL'",
        "describe 't'",
        "alter 't', METHOD => 'table_att', 'EVIL' => 'EVIL'",
        "alter 't', METHOD => 'EVIL'",
        "put 't', 'EVIL', 'f:EVIL', 'EVIL'",
        "append 't', 'EVIL', 'f:EVIL', 'EVIL'",
        "get 't', 'EVIL'",
        "get 't', 'EVIL', {FORMATTER => 'toString'}",
        "get 't', 'EVIL', 'f:EVIL:toString'",
        "get 't', 'EVIL', {FORMATTER => 'EVIL'}",
        "get 't', 'EVIL', 'gEVIL:q'",
        "incr 't', 'EVIL', 'f:EVIL', 1",
        "scan 't', {FORMATTER => 'toString'}",
        "scan 't', {FILTER => \"EVIL\"}",
        "scan 't', {FILTER => \"PrefixFilter('EVIL\"}",
        "scan 't', {COLUMNS => 'f:q:c(EVIL).toInt'}",
        "count 't', 1",
        "exists 'EVIL'",
        "exists 'none'",
        "list 'EVIL['",
        "list 'EVIL'",
        "drop_all 'EVIL'",
        "drop_all 't'\ny",
        "drop_all 't'",
        "list_namespace 'EVIL'",
        "create_namespace 'EVIL'",
        "describe_namespace 'EVIL'",
        "list_namespace_tables 'EVIL'",
        "list_regions 't', 'EVIL'",
        "list_regions 't', nil, ['EVIL']",
        "locate_region 't', 'EVIL'",
        "split 't', 'EVIL'",
        "get_splits 't'",
        "list_regions 't'",
        "status 'detailed'",
        "status 'EVIL'",
        "move 'EVIL', 'EVIL'",
        "merge_region 'EVIL', 'EVIL'",
        "compact 't'",
        "compact 'EVIL'",
        "help 'EVIL'",
        "create 'u', 'f', SPLITS_FILE => 'EVIL'",
        "x = get_table 'EVIL'",
        "EVIL 't'",
        "nonsense 'EVIL",
        "nonsense EVIL, 'x'",
        "nonsense 'EVIL', , 'x'",
    ];
    COMMANDS.join("\n").replace("EVIL", HOSTILE)
}

#[tokio::test]
async fn control_characters_never_reach_the_terminal() {
    let script = hostile_script();
    for format in [Format::Text, Format::Json] {
        for width in [0, 40] {
            for store in [ticking_store(), Arc::new(Wrapped::new(ticking_store(), HostileMessages)) as _] {
                let text = printed(store, &script, format, width).await;
                assert_eq!(obeyed(&text), [], "{format:?}, {width} columns");
                assert!(text.contains("owned"), "the hostile text is shown, as text");
            }
        }
    }
}

/// What is escaped can still be read: by people as HBase prints bytes, by programs as it was.
#[tokio::test]
async fn hostile_messages_are_still_told() {
    let store: Arc<dyn Store> = Arc::new(Wrapped::new(ticking_store(), HostileMessages));
    let script = "create 't', 'f'\ncompact 't'";
    let text = printed(store, script, Format::Text, 0).await;
    let told = r"\x1B]0;owned\x07\x1B[2J\xC2\x9B2J\x08\x0D\x7F\xE2\x80\xAE";
    assert!(text.contains(&format!("ERROR: IOException: cannot\n\tat {told}\n")), "{text}");
    let store: Arc<dyn Store> = Arc::new(Wrapped::new(ticking_store(), HostileMessages));
    let json = printed(store, script, Format::Json, 0).await;
    let error: serde_json::Value = serde_json::from_str(json.lines().last().unwrap()).unwrap();
    assert_eq!(error["message"], format!("cannot\n\tat {HOSTILE}"));
}

#[tokio::test]
async fn letters_of_any_language_stay() {
    let script = "create 'größe', 'f', OWNER => 'Þóra ✓'\ndescribe 'größe'\nlist\nget 'größe2', 'r'";
    let text = printed(ticking_store(), script, Format::Text, 0).await;
    assert!(text.contains("Table größe is ENABLED") && text.contains("OWNER => 'Þóra ✓'"), "{text}");
    assert!(text.contains("table größe2 does not exist"), "{text}");
}

#[tokio::test]
async fn the_caret_stands_under_the_place_also_behind_control_characters() {
    let text = printed(ticking_store(), "\tput 't\u{1b}',, 'v'", Format::Text, 0).await;
    let lines: Vec<_> = text.lines().filter(|line| line.contains("put") || line.contains('^')).collect();
    assert_eq!(lines, ["   put 't\\x1B',, 'v'", "               ^"]);
}
