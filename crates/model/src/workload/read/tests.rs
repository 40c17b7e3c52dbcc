//! What the reader accepts and what it says of files that are wrong.

use std::time::Duration;

use super::super::*;
use crate::design::ColumnOf;
use crate::value::ValueType;

/// The file of the design, whole.
const FOLLOW: &str = r#"
version = 1
[cluster]
region_servers = 5

[[table]]
name = "follow"
data = "follow.csv"
rows = 4_000_000
key = ["follower", "followed"]
retention = "72h"
[table.columns]
follower = { type = "string", distinct = 500_000, bytes = 12 }
followed = { type = "string", heavy = [{ value = "celebrity", share = 0.1 }, { value = 7, share = 0.05 }] }
since    = { type = "timestamp", monotone = true, nulls = 0.25 }
[table.references]
follower = "user.id"
followed = "user.id"
[table.time]
column = "since"
entity = ["follower"]
kind = "time"
[table.families]
f = ["since"]

[[table]]
name = "user"
[table.columns]
id = { type = "string" }

[[query]]
name = "whom does a user follow"
sql = "SELECT followed FROM follow WHERE follower = ?"
rate = 500
max_ms = 20
one_call = true

[[query]]
name = "Q6"
table = "follow"
reads = ["follower", "since"]
access = "get"
rows = 1

[log]
path = "queries.sql"
split = [0.5, 0.3, 0.2]
"#;

fn problems(text: &str) -> Vec<String> {
    let error = Workload::parse(text).expect_err("the file is wrong");
    error.problems.iter().map(ToString::to_string).collect()
}

/// The problems of the file of the design with one piece changed.
fn changed(from: &str, to: &str) -> Vec<String> {
    assert!(FOLLOW.contains(from), "{from}");
    problems(&FOLLOW.replacen(from, to, 1))
}

#[test]
fn a_whole_file_is_read() {
    let workload = Workload::parse(FOLLOW).unwrap();
    assert_eq!(workload.cluster.region_servers, Some(5));
    let follow = workload.table("follow").unwrap();
    assert_eq!((follow.rows, follow.retention), (Some(4_000_000), Some(Duration::from_secs(72 * 3600))));
    assert_eq!(follow.key, ["follower", "followed"]);
    assert_eq!(follow.columns[0].distinct, Some(500_000));
    assert_eq!(follow.columns[0].bytes, Some(12.0));
    assert_eq!(follow.columns[1].heavy[1], Heavy { value: "7".into(), share: 0.05 });
    let since = &follow.columns[2];
    assert_eq!((since.value_type, since.monotone, since.nulls), (ValueType::Timestamp, true, Some(0.25)));
    assert_eq!(follow.references[1].target, "id");
    assert_eq!(follow.time.as_ref().unwrap().kind, SequenceKind::Time);
    assert_eq!(follow.families, [Family { name: "f".into(), columns: vec!["since".into()] }]);
    assert_eq!(
        workload.queries[0].wishes,
        Wishes { max_ms: Some(20.0), one_call: true, ..Wishes::default() }
    );
    let Asks::Columns(touched) = &workload.queries[1].asks else { panic!("{:?}", workload.queries[1]) };
    assert_eq!((touched.access, workload.queries[1].rows), (Some(Access::Get), Some(1)));
    assert_eq!(workload.queries[1].rate, 1.0, "the rate is 1 when nothing is said");
    assert_eq!(workload.log.unwrap().split.shares(), [0.5, 0.3, 0.2]);
}

#[test]
fn an_unknown_key_names_the_one_that_was_meant() {
    assert_eq!(
        problems("version = 1\n[[table]]\nname = \"t\"\n[table.colums]\na = { type = \"int\" }\n"),
        [
            "line 2, column 1: `columns` is missing in [[table]]; expected a section [table.columns] with the \
             table's columns",
            "line 4, column 8: unknown key `colums` in [[table]]; expected one of name, called, data, rows, key, retention, \
             columns, time, families, references: did you mean `columns`?",
        ]
    );
}

#[test]
fn all_problems_of_a_file_are_told_at_once() {
    let text = FOLLOW
        .replacen("rate = 500", "rate = -1", 1)
        .replacen("key = [\"follower\"", "key = [\"folower\"", 1)
        .replacen("[0.5, 0.3, 0.2]", "[0.5, 0.3, 0.3]", 1);
    let told = problems(&text);
    assert_eq!(told.len(), 3, "{told:?}");
    assert!(told[0].contains("line 10, column 8: table `follow` has no column `folower`"), "{told:?}");
    assert!(told[0].ends_with("did you mean `follower`?"), "{told:?}");
    assert!(told[1].contains("`rate` is -1; expected a number from 0"), "{told:?}");
    assert!(told[2].contains("add up to 1.1"), "{told:?}");
}

#[test]
fn names_must_exist_and_be_unique() {
    for (from, to, said) in [
        ("table = \"follow\"", "table = \"folow\"", "there is no table `folow`"),
        ("[\"follower\", \"since\"]", "[\"follower\", \"when\"]", "table `follow` has no column `when`"),
        ("[\"follower\", \"since\"]", "[\"since\", \"since\"]", "`since` stands twice in `reads`"),
        ("name = \"user\"", "name = \"follow\"", "two [[table]] have the name `follow`"),
        ("name = \"Q6\"", "name = \"whom does a user follow\"", "two [[query]] have the name"),
        ("followed = \"user.id\"", "followed = \"user.idd\"", "table `user` has no column `idd`"),
        ("followed = \"user.id\"", "followed = \"id\"", "expected \"table.column\""),
        ("followed = \"user.id\"", "nobody = \"user.id\"", "table `follow` has no column `nobody`"),
        ("entity = [\"follower\"]", "entity = [\"whoever\"]", "table `follow` has no column `whoever`"),
        ("column = \"since\"", "column = \"follower\"", "`follower` of type string does not order rows"),
        ("entity = [\"follower\"]", "entity = []", "`entity` names no column"),
        ("entity = [\"follower\"]", "", "`entity` is missing"),
        ("entity = [\"follower\"]", "entity = [\"since\"]", "`since` is the time of the rows already"),
        ("f = [\"since\"]", "f = []", "no family of table `follow` has the column `since`"),
    ] {
        let told = changed(from, to);
        assert!(told.iter().any(|problem| problem.contains(said)), "{to}: {told:?}");
    }
}

#[test]
fn values_must_be_of_their_type_and_range() {
    for (from, to, said) in [
        ("version = 1", "version = 2", "version 2 of this file is not known here"),
        ("region_servers = 5", "region_servers = 0", "`region_servers` is 0"),
        ("rows = 4_000_000", "rows = -4", "expected a whole number from 0"),
        ("rows = 4_000_000", "rows = 'many'", "`rows` is a string; expected a whole number"),
        ("\"72h\"", "\"3 moons\"", "`3 moons` is no length of time"),
        ("type = \"timestamp\"", "type = \"timestmap\"", "did you mean `timestamp`?"),
        ("nulls = 0.25", "nulls = 25", "expected a share from 0 to 1"),
        ("monotone = true", "monotone = 1", "expected true or false"),
        ("share = 0.05", "share = inf", "expected a finite number"),
        ("value = 7", "value = [7]", "`value` is not a single value"),
        ("access = \"get\"", "access = \"got\"", "expected one of get, scan: did you mean `get`?"),
        ("kind = \"time\"", "kind = \"space\"", "`space` is no kind of sequence"),
        ("[0.5, 0.3, 0.2]", "[0.5, 0.5]", "`split` has 2 shares"),
        ("[0.5, 0.3, 0.2]", "[1.5, -0.5, 0.0]", "`split` has a share of 1.5"),
        ("name = \"Q6\"", "name = \"\"", "`name` is empty"),
    ] {
        let told = changed(from, to);
        assert!(told.iter().any(|problem| problem.contains(said)), "{to}: {told:?}");
    }
}

#[test]
fn a_query_asks_in_one_way() {
    for (from, to, said) in [
        ("table = \"follow\"\nreads", "sql = \"SELECT 1\"\nreads", "`reads` stands beside `sql`"),
        ("table = \"follow\"\nreads", "reads", "this query asks nothing"),
        ("reads = [\"follower\", \"since\"]", "", "this query touches no columns"),
    ] {
        let told = changed(from, to);
        assert!(told.iter().any(|problem| problem.contains(said)), "{to}: {told:?}");
    }
}

#[test]
fn joins_are_of_two_tables() {
    let joined = |join: &str| {
        let columns = "[table.columns]\nid = { type = \"int\" }\n";
        let table = |name: &str| format!("[[table]]\nname = \"{name}\"\n{columns}");
        format!("version = 1\n{}{}[[join]]\n{join}\n", table("a"), table("b"))
    };
    let workload = Workload::parse(&joined("one = \"a.id\"\nother = \"b.id\"\nrows = 7")).unwrap();
    let (one, other) = (ColumnOf::new("a", "id"), ColumnOf::new("b", "id"));
    assert_eq!(workload.joined_rows(&other, &one), Some(7));
    assert_eq!(workload.joined_rows(&one, &one), None);
    for (join, says) in [
        ("one = \"a.id\"\nother = \"a.id\"\nrows = 7", "line 12, column 9: both columns are of `a`"),
        ("one = \"a\"\nother = \"b.id\"\nrows = 7", "`a` names no column of a table"),
        ("one = \"a.di\"\nother = \"b.id\"\nrows = 7", "table `a` has no column `di`"),
        ("one = \"c.id\"\nother = \"b.id\"\nrows = 7", "there is no table `c`"),
        ("one = \"a.id\"\nother = \"b.id\"", "`rows` is missing in [[join]]"),
        ("one = \"a.id\"\nother = \"b.id\"\nrows = -1", "`rows`"),
    ] {
        let told = problems(&joined(join));
        assert!(told.len() == 1 && told[0].contains(says), "{join}: {told:?}");
    }
}

#[test]
fn one_mistake_is_told_once() {
    let told = changed(
        "since    = { type = \"timestamp\", monotone = true, nulls = 0.25 }",
        "since = \"timestamp\"",
    );
    assert_eq!(told, ["line 15, column 9: `since` is a string; expected a table"]);
    let told = changed("[table.columns]\nid = { type = \"string\" }", "");
    assert_eq!(told.len(), 1, "{told:?}");
    assert!(told[0].contains("`columns` is missing in [[table]]"), "{told:?}");
}

#[test]
fn a_file_without_anything_lacks_its_version() {
    assert_eq!(problems(""), ["line 1, column 1: `version` is missing in the file; expected version = 1"]);
    assert_eq!(Workload::parse("version = 1"), Ok(Workload::default()));
}

#[test]
fn the_least_and_the_greatest_are_values_of_the_type_in_this_order() {
    let file = |ends: &str| {
        format!(
            "version = 1\n[[table]]\nname = \"t\"\n[table.columns]\nday = {{ type = \"date\", {ends} }}\n"
        )
    };
    for (ends, at, says) in [
        ("min = \"soon\"", "line 5, ", "is no value of type date"),
        ("min = 2024-01-02, max = \"2024-01-01\"", "line 5, ", "below `min`"),
        ("max = [1]", "line 5, ", "`max` is not a single value"),
    ] {
        let told = problems(&file(ends));
        assert!(told.len() == 1 && told[0].contains(says) && told[0].contains(at), "{told:?}");
    }
    let workload = Workload::parse(&file("min = 2024-01-01, max = \"2024-12-31\"")).unwrap();
    let day = workload.tables[0].column("day").unwrap();
    assert_eq!((day.min.as_deref(), day.max.as_deref()), (Some("2024-01-01"), Some("2024-12-31")));
}
