//! How a session goes on, what it remembers, and how it ends.

use std::sync::Arc;

use serde_json::{Value, json};
use tablesmith_shell::{Format, ScriptResult, run_script};
use tablesmith_store::Store;

use crate::store::ticking_store;

async fn run(script: impl AsRef<[u8]>) -> (Vec<Value>, ScriptResult) {
    run_on(&ticking_store(), script).await
}

async fn run_on(store: &Arc<dyn Store>, script: impl AsRef<[u8]>) -> (Vec<Value>, ScriptResult) {
    let mut out = Vec::new();
    let result = run_script(store.clone(), script, Format::Json, &mut out).await.unwrap();
    let lines = String::from_utf8(out).unwrap();
    (lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect(), result)
}

async fn answers(script: &str) -> Vec<Value> {
    run(script).await.0
}

/// Names of errors, and `null` for what worked.
async fn errors(script: &str) -> Vec<Value> {
    answers(script).await.into_iter().map(|answer| answer.get("error").cloned().unwrap_or_default()).collect()
}

#[tokio::test]
async fn a_script_goes_on_after_an_error() {
    let (answers, result) = run("nonsense\nlist\nput 'x\nlist\nlist ]\nlist").await;
    let names: Vec<_> = answers.iter().map(|answer| answer["error"].as_str().unwrap_or("")).collect();
    assert_eq!(names, ["NameError", "", "SyntaxError", "", "SyntaxError", ""]);
    assert_eq!(result, ScriptResult { commands: 6, failures: 3, store_failed: false, exit_requested: false });
}

#[tokio::test]
async fn blank_lines_and_comments_print_nothing() {
    assert_eq!(answers("\n  \n# list\n;;\n\t# 'x\n").await, Vec::<Value>::new());
}

#[tokio::test]
async fn commands_over_several_lines_and_several_in_one() {
    let script = "create 't',\n  {NAME => 'f',\n   VERSIONS => 3}, # families\n  SPLITS => [\n 'k'\n]\n\
                  put 't', 'r', 'f:q', \\\n 'v', 1; get 't',\n\n'r'; scan 't', {FILTER =>\n\"PrefixFilter('r') \"\\\n'AND KeyOnlyFilter()'}";
    let answers = answers(script).await;
    assert_eq!(answers.len(), 4, "{answers:?}");
    assert_eq!(answers[2]["cells"][0]["value"], "v");
    assert_eq!(answers[3]["rows"][0]["cells"][0]["value"], "");
}

#[tokio::test]
async fn tables_can_have_short_names() {
    let script = "t = create 'a-long-name', 'f'\nt.put 'r', 'f:q', 'v', 1\nu = get_table 'a-long-name'\n\
                  u.get 'r'\nt.count\nt.disable\nv.scan";
    let answers = answers(script).await;
    assert_eq!(answers[3]["row"], "r");
    assert_eq!(answers[4], json!({ "count": 1 }));
    assert_eq!((&answers[5], &answers[6]["error"]), (&json!({ "ok": true }), &json!("NameError")));
}

#[tokio::test]
async fn exit_ends_the_script() {
    let (answers, result) = run("list\nexit\nlist").await;
    assert_eq!(answers, [json!({ "tables": [] }), json!({ "ok": true })]);
    assert!(result.exit_requested);
    assert!(run("quit").await.1.exit_requested);
}

#[tokio::test]
async fn a_question_can_be_answered_in_the_script() {
    let script = "create 'a1', 'f'\ncreate 'a2', 'f'\ncreate 'b', 'f'\ndisable_all 'a.*'\nn\nis_enabled 'a1'\n\
                  disable_all 'a.*'\n y \ndrop_all '.*' # all of them\r\nYES\r\nlist\ndisable_all 'zz'\nenable_all 'b';\ny";
    let answers = answers(script).await;
    assert_eq!(answers[3], json!({ "disabled": [], "failed": [] }));
    assert_eq!(answers[4], json!({ "enabled": true }));
    assert_eq!(answers[5], json!({ "disabled": ["a1", "a2"], "failed": [] }));
    assert_eq!(answers[6], json!({ "dropped": ["a1", "a2"], "failed": ["b"] }));
    assert_eq!(answers[7], json!({ "tables": ["b"] }));
    assert_eq!(answers[8], json!({ "disabled": [], "failed": [] }));
    assert_eq!(answers[9], json!({ "enabled": [], "failed": ["b"] }));
    assert_eq!(answers.len(), 10, "{answers:?}");
}

/// As HBase has it: without an answer nothing is done, and the script is told so.
#[tokio::test]
async fn a_question_without_an_answer_means_no() {
    let tables = "create 'a', 'f'\ncreate 'b', 'f'\ndisable 'b'\n";
    let state = "list\nis_enabled 'a'\nis_enabled 'b'";
    for command in ["drop_all", "disable_all", "enable_all"] {
        for following in
            ["", "\n", "\n\ny\n", "\nlist\n", "\nyes please\n", "\n# y\n", "; y\n", "\nyy\n", " # y"]
        {
            let store = ticking_store();
            let asking = format!("{tables}{command} '.*'{following}");
            let (answers, result) = run_on(&store, &asking).await;
            let (after, _) = run_on(&store, state).await;
            assert_eq!(
                after,
                [json!({ "tables": ["a", "b"] }), json!({ "enabled": true }), json!({ "enabled": false })],
                "{asking}"
            );
            let message = answers[3]["message"].as_str().unwrap_or_default();
            assert_eq!(answers[3]["error"], "ArgumentError", "{asking}");
            assert!(message.starts_with("no table was ") && message.contains("'y' or 'n'"), "{message}");
            assert!(result.failures > 0, "{asking}");
        }
    }
}

#[tokio::test]
async fn no_is_an_answer_and_not_a_failure() {
    let (answers, result) = run("create 'a', 'f'\ndisable_all 'a'\nNo\nis_enabled 'a'").await;
    assert_eq!(answers[1..], [json!({ "disabled": [], "failed": [] }), json!({ "enabled": true })]);
    assert_eq!(result.failures, 0);
}

#[tokio::test]
async fn shell_mistakes_have_rubys_names() {
    let script = "create 't', 'f'\nput 't', 'r'\nscna 't'\nget t, 'r'\nscan 't', {LIMITS=>1}\nscan 't', {LIMIT=>'x'}\n\
                  scan 't', 'f'\nput 't', 'r', 'f:q', 'v', {VISIBILITY=>'A'}\nmajor_compact 't', nil, 'MOB'\n\
                  get 't' {}\nlist '['\nincr 't', 'r', 'f:q', 99999999999999999999\nstatus 'brief'";
    assert_eq!(
        errors(script).await,
        json!([
            null,
            "ArgumentError",
            "NameError",
            "NameError",
            "NameError",
            "TypeError",
            "ArgumentError",
            "UnsupportedOperationException",
            "UnsupportedOperationException",
            "SyntaxError",
            "PatternSyntaxException",
            "RangeError",
            "ArgumentError"
        ])
        .as_array()
        .unwrap()
        .clone()
    );
}

#[tokio::test]
async fn descriptions_are_objects() {
    let script = "create_namespace 'ns'\ncreate 'ns:t', {NAME=>'f', TTL=>60}, SPLITS=>['k'], MAX_FILESIZE=>'1 GB'\n\
                  describe 'ns:t'\nlist\nlist_namespace_tables 'ns'\nlist_namespace 's$'\nlist_regions 'ns:t'\n\
                  locate_region 'ns:t', 'm'\nstatus 'detailed'\nget_splits 'ns:t'\nversion\nlist_namespace_tables 'x'";
    let answers = answers(script).await;
    assert_eq!((&answers[2]["table"], &answers[2]["enabled"]), (&json!("ns:t"), &json!(true)));
    assert_eq!(
        (&answers[2]["families"][0]["TTL"], &answers[2]["families"][0]["BLOOMFILTER"]),
        (&json!(60), &json!("ROW"))
    );
    assert_eq!(answers[2]["attributes"]["MAX_FILESIZE"], 1_073_741_824);
    assert_eq!(answers[3], json!({ "tables": ["ns:t"] }));
    assert_eq!(answers[4], json!({ "tables": ["t"] }));
    assert_eq!(answers[5], json!({ "namespaces": ["ns"] }));
    assert_eq!(
        (&answers[6]["regions"][0]["end"], &answers[6]["regions"][1]["start"]),
        (&json!("k"), &json!("k"))
    );
    assert_eq!(answers[7]["region"]["start"], "k");
    assert_eq!(
        (answers[8]["servers"].as_array().unwrap().len(), answers[8]["regions"].as_array().unwrap().len()),
        (3, 2)
    );
    assert_eq!(answers[9], json!({ "splits": ["k"] }));
    assert!(answers[10]["version"].is_string());
    assert_eq!(answers[11]["error"], "NamespaceNotFoundException");
}

#[tokio::test]
async fn regions_are_cut_moved_and_merged() {
    let store = ticking_store();
    let run = async |script: String| {
        let mut out = Vec::new();
        run_script(store.clone(), script, Format::Json, &mut out).await.unwrap();
        serde_json::from_str::<Value>(String::from_utf8(out).unwrap().lines().last().unwrap()).unwrap()
    };
    let regions = run("create 't', 'f'\nsplit 't', '\\x80'\nlist_regions 't'".to_owned()).await;
    let name = |at: usize, key: &str| regions["regions"][at][key].as_str().unwrap().to_owned();
    assert_eq!(name(1, "start"), "\\x80");
    let moved = format!("move '{}', 'server-3'\nlist_regions 't', 'server-3'", name(0, "encoded_name"));
    assert_eq!(run(moved).await["regions"][0]["server"], "server-3");
    assert_eq!(run(format!("flush '{}'", name(1, "name"))).await, json!({ "ok": true }));
    assert_eq!(run(format!("flush '{}'", name(1, "server"))).await["error"], "TableNotFoundException");
    let merged =
        format!("merge_region ['{}', '{}'], false\nget_splits 't'", name(0, "name"), name(1, "encoded_name"));
    assert_eq!(run(merged).await, json!({ "splits": [] }));
    assert_eq!(run("merge_region 'x'".to_owned()).await["error"], "ArgumentError");
}

#[tokio::test]
async fn a_file_can_say_where_to_split() {
    let path = std::env::temp_dir().join(format!("tablesmith-splits-{}", std::process::id()));
    std::fs::write(&path, "k\n\\x80\r\n").unwrap();
    let script = format!("create 't', 'f', SPLITS_FILE => '{}'\nget_splits 't'", path.display());
    let answers = answers(&script).await;
    std::fs::remove_file(&path).unwrap();
    assert_eq!(answers[1], json!({ "splits": ["k", "\\x80"] }));
}

#[tokio::test]
async fn scripts_are_bytes() {
    let (answers, _) = run(&b"create 't', 'f'\nput 't', '\xff\xfe', 'f:q', 'v', 1\nscan 't'\n\xff"[..]).await;
    assert_eq!(answers[2]["rows"][0]["row"], "\\xFF\\xFE");
    assert_eq!(answers[3]["error"], "SyntaxError");
}
