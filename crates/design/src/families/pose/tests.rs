//! Workloads in, problems out.

use super::*;

const FOLLOW: &str = r#"
version = 1
[[table]]
name = "follow"
rows = 1_000_000
key = ["follower", "followed"]
[table.columns]
follower = { type = "string", distinct = 1_000, bytes = 12 }
followed = { type = "string", bytes = 10 }
since = { type = "timestamp" }
note = { type = "string", bytes = 100, nulls = 0.75 }
[table.families]
a = ["since"]
b = ["note"]
"#;

fn posed(queries: &str, key: KeyColumns) -> Posed {
    let workload = Workload::parse(&format!("{FOLLOW}{queries}")).unwrap();
    pose(&workload, &workload.queries, FamilyLimit::None, key)
}

fn shape(ask: &Ask) -> (Access, Vec<usize>, f64, f64) {
    (ask.access, ask.columns.iter().collect(), ask.rows, ask.rate)
}

fn sql(text: &str) -> Vec<(Access, Vec<usize>, f64, f64)> {
    let query = format!("[[query]]\nname = \"q\"\nsql = \"{text}\"\nrate = 2\n");
    posed(&query, KeyColumns::InCells).problems[0].asks.iter().map(shape).collect()
}

#[test]
fn a_table_tells_its_sizes() {
    let problem = &posed("", KeyColumns::InRowKey).problems[0];
    assert_eq!((problem.rows, problem.key_bytes), (1_000_000, 22.0));
    let sizes: Vec<(f64, f64)> = problem.columns.iter().map(|column| (column.bytes, column.filled)).collect();
    assert_eq!(sizes, [(12.0, 0.0), (10.0, 0.0), (8.0, 1.0), (100.0, 0.25)]);
    let current = vec![ColumnSet::first(3), ColumnSet::from_iter([3])];
    assert_eq!(problem.current, Some(current), "what it does not name is in its first family");
}

#[test]
fn whole_keys_are_gets_and_parts_of_them_are_scans() {
    assert_eq!(
        sql("SELECT note FROM follow WHERE follower = ? AND followed IN (?, ?)"),
        [(Access::Get, vec![0, 1, 3], 2.0, 2.0)]
    );
    assert_eq!(
        sql("SELECT since FROM follow WHERE follower = ?"),
        [(Access::Scan, vec![0, 2], 1_000.0, 2.0)]
    );
    assert_eq!(
        sql("SELECT since FROM follow WHERE follower = ? LIMIT 5"),
        [(Access::Scan, vec![0, 2], 5.0, 2.0)]
    );
    assert_eq!(sql("SELECT since FROM follow WHERE followed = ?"), [(Access::Scan, vec![1, 2], 1e6, 2.0)]);
}

#[test]
fn a_count_reads_rows_without_a_column() {
    assert_eq!(sql("SELECT count(*) FROM follow"), [(Access::Scan, vec![], 1e6, 2.0)]);
}

#[test]
fn an_update_reads_and_writes() {
    let asks = sql("UPDATE follow SET note = ? WHERE follower = ? AND followed = ?");
    assert_eq!(asks, [(Access::Get, vec![0, 1], 1.0, 2.0), (Access::Write, vec![3], 1.0, 2.0)]);
}

#[test]
fn literals_in_a_statement_say_how_many_rows_it_touches() {
    assert_eq!(
        sql("SELECT since FROM follow WHERE follower IN ('a', 'b', 'c')"),
        [(Access::Scan, vec![0, 2], 3_000.0, 2.0)]
    );
}

#[test]
fn an_insert_writes_the_rows_that_it_has() {
    let asks = sql("INSERT INTO follow (follower, followed) VALUES ('a', 'b'), ('a', 'c')");
    assert_eq!(asks, [(Access::Write, vec![0, 1], 2.0, 2.0)]);
}

#[test]
fn asks_of_one_shape_are_one() {
    let queries = r#"
[[query]]
name = "one"
table = "follow"
reads = ["note", "follower"]
rows = 10
rate = 1
[[query]]
name = "two"
table = "follow"
reads = ["note"]
rows = 2
rate = 3
"#;
    let asks = |key| -> Vec<_> { posed(queries, key).problems[0].asks.iter().map(shape).collect() };
    assert_eq!(asks(KeyColumns::InRowKey), [(Access::Get, vec![3], 4.0, 4.0)]);
    assert_eq!(asks(KeyColumns::InCells).len(), 2);
}

#[test]
fn what_cannot_be_understood_is_named() {
    let query = "[[query]]\nname = \"strange\"\nsql = \"SELECT x FROM elsewhere\"\nrate = 1\n";
    let posed = posed(query, KeyColumns::InCells);
    assert_eq!(posed.not_understood.len(), 1);
    assert_eq!(posed.not_understood[0].0, "strange");
    assert!(posed.problems[0].asks.is_empty());
}

#[test]
fn what_is_assumed_is_said() {
    let workload =
        Workload::parse("version = 1\n[[table]]\nname = \"t\"\n[table.columns]\na = { type = \"int\" }\n")
            .unwrap();
    let posed = pose(&workload, &[], FamilyLimit::None, KeyColumns::InCells);
    assert_eq!(posed.assumed.len(), 2);
    assert_eq!(posed.problems[0].rows, ROWS_ASSUMED);
}
