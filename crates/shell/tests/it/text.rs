//! What people see: the layout of HBase's shell.

use tablesmith_shell::{Format, Session, run_script};

use crate::store::ticking_store;

/// What a script prints, without the times that commands took.
async fn printed(script: &str) -> String {
    let mut out = Vec::new();
    run_script(ticking_store(), script, Format::Text, &mut out).await.unwrap();
    without_times(out)
}

fn without_times(out: Vec<u8>) -> String {
    let text = String::from_utf8(out).unwrap();
    let lines = text.lines().filter(|line| !line.starts_with("Took "));
    lines.map(|line| format!("{line}\n")).collect()
}

#[tokio::test]
async fn rows_and_cells() {
    let text = printed(
        "create 't', {NAME=>'f', VERSIONS=>2}
         put 't', 'r1', 'f:a', 'one', 1
         put 't', 'r1', 'f:a', \"\\x00\\x00\\x00\\x02\", 2
         put 't', \"r\\x00\", 'f:b', 'three', 3
         delete 't', 'r1', 'f:a', 1
         get 't', 'r1'
         get 't', 'none'
         scan 't', {COLUMNS=>['f:a:toInt', 'f:b']}
         scan 't', {RAW=>true, VERSIONS=>5, MAXLENGTH=>12}
         count 't', 1
         get 't', 'r1', {FORMATTER=>'toHex'}",
    )
    .await;
    assert_eq!(
        text,
        "Created table t
COLUMN  CELL
 f:a timestamp=2, value=\\x00\\x00\\x00\\x02
1 row(s)
COLUMN  CELL
0 row(s)
ROW  COLUMN+CELL
 r\\x00 column=f:b, timestamp=3, value=three
 r1 column=f:a, timestamp=2, value=2
2 row(s)
ROW  COLUMN+CELL
 r\\x00 column=f:b, timestamp=3,
 r1 column=f:a, timestamp=2,
 r1 column=f:a, timestamp=1,
 r1 column=f:a, timestamp=1,
2 row(s)
Current count: 1, row: r\\x00
Current count: 2, row: r1
2 row(s)
COLUMN  CELL
 66:61 timestamp=2, value=00000002
1 row(s)
"
    );
}

#[tokio::test]
async fn a_terminal_is_filled_and_not_more() {
    let mut session = Session::new(ticking_store(), Format::Text);
    session.set_width(40);
    let mut out = Vec::new();
    let script =
        "create 't', 'f'\nput 't', 'a-long-row-key', 'f:q', 'a value that is long as well', 1\nscan 't'";
    session.run_script(script.as_bytes(), &mut out).await.unwrap();
    assert_eq!(
        without_times(out),
        "Created table t
ROW         COLUMN+CELL
 a-long-row column=f:q, timestamp=1, val
 -key       ue=a value that is long as w
            ell
1 row(s)
"
    );
}

#[tokio::test]
async fn tables_and_counters() {
    let text = printed(
        "create 't', 'f', 'UNKNOWN'=>1
         exists 't'
         exists 'u'
         is_enabled 't'
         list
         incr 't', 'r', 'f:c', 5
         get_counter 't', 'r', 'f:none'
         append 't', 'r', 'f:s', \"a\\x01\"
         get_splits 't'
         alter 't', NAME=>'g'
         truncate 't'
         list_namespace
         describe_namespace 'default'
         status",
    )
    .await;
    assert_eq!(
        text,
        "An argument ignored (unknown or overridden): UNKNOWN
Created table t
Table t does exist
Table u does not exist
true
TABLE
t
1 row(s)
COUNTER VALUE = 5
No counter found at specified coordinates
CURRENT VALUE = a\\x01
Total number of splits = 1
Updating all regions with the new schema...
All regions updated.
Done.
Truncating 't' table (it may take a while):
Disabling table...
Truncating table...
NAMESPACE
default
hbase
2 row(s)
DESCRIPTION
{NAME => 'default'}
Quota is disabled
1 active master, 0 backup masters, 3 servers, 0 dead, 0.3333 average load
"
    );
}

#[tokio::test]
async fn errors_show_the_place_or_the_way_out() {
    let text =
        printed("list 'a', 'b'\nscna 't'\nget 't', {VERSION=>1}\n\n  put 't', 'r',, 'v'\nget 'nope', 'r'")
            .await;
    assert_eq!(
        text,
        "
ERROR: ArgumentError: wrong number of arguments for list (given 2, expected 0..1), as in: list

For usage try 'help \"list\"'


ERROR: NameError: unknown command 'scna': did you mean 'scan'?


ERROR: NameError: unknown constant 'VERSION': did you mean 'VERSIONS'?

For usage try 'help \"get\"'


ERROR: SyntaxError: line 5, column 16: unexpected ',': a value should stand here
    put 't', 'r',, 'v'
                 ^


ERROR: TableNotFoundException: table nope does not exist

For usage try 'help \"get\"'

"
    );
}

#[tokio::test]
async fn help_is_there_for_every_command() {
    let overview = printed("help").await;
    for usage in tablesmith_shell::commands::registry::all().iter().map(|command| command.usage()) {
        assert!(overview.contains(usage.name), "{}", usage.name);
        let help = printed(&format!("help {}", usage.name)).await;
        assert!(help.contains(usage.summary) && help.contains(usage.examples[0]), "{help}");
    }
    assert!(printed("help 'dml'").await.contains("get_counter"));
    assert!(printed("help 'scna'").await.contains("did you mean 'scan'?"));
}

#[tokio::test]
async fn regions_are_a_table() {
    let text =
        printed("create 't', 'f', SPLITS=>['k']\nlist_regions 't', nil, ['start_key', 'END_KEY', 'REQ']")
            .await;
    assert_eq!(
        text,
        "Created table t
  START_KEY |    END_KEY |   REQ |
 ---------- | ---------- | ----- |
            |          k |     0 |
          k |            |     0 |
 2 rows
"
    );
}
