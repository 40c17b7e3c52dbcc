//! Rows that do not go in, and what a table has after loading.

use tablesmith_model::design::Design;
use tablesmith_model::value::Value;
use tablesmith_model::workload::Workload;
use tablesmith_store::{Scan, Store};

use crate::stores::{loaded, memory};

const WORKLOAD: &str = "version = 1\n[[table]]\nname = 't'\nkey = ['id']\n[table.columns]\n\
    id = { type = 'int' }\nn = { type = 'int' }\nm = { type = 'string' }\n";
const DESIGN: &str = "version = 1\nworkload = 'workload.toml'\n[[table]]\nname = 't'\n[[table.family]]\nname = 'f'\n\
    [[table.family]]\nname = 'g'\n[[table.rows]]\nfrom = 't'\nkey = ['pad(id, 2)']\nkey_encoding = 'text'\ncells = [\n\
    { family = 'f', columns = ['n'], encoding = 'i32' }, { family = 'g', columns = ['m'] }]\n";

#[tokio::test]
async fn rows_that_do_not_go_in_are_rejected_and_others_are_seen_in_every_family() {
    let store = memory();
    let workload = Workload::parse(WORKLOAD).unwrap();
    let design = Design::parse_for(DESIGN, &workload).unwrap();
    let row = |(id, n): (i64, i64)| vec![Value::Int(id), Value::Int(n), Value::Null];
    let rows: Vec<_> = [(1, 5), (100, 5), (2, 1 << 40)].into_iter().map(row).collect();
    let (database, rejected) = loaded(&store, &workload, &design, "t", &rows).await;
    let lines: Vec<u64> = rejected.iter().map(|(line, _)| *line).collect();
    assert_eq!(lines, [3, 4], "{rejected:?}");
    let layout = &database.layouts()[0];
    assert!(layout.is_in_every_row("n") && !layout.is_in_every_row("m"));
    let scanned = store.scan_all(&"t".parse().unwrap(), Scan::all().family("g")).await.unwrap().value;
    let cell = &scanned[0].cells[0];
    assert_eq!(
        (&*scanned[0].row, &*cell.qualifier, &*cell.value),
        (&b"01"[..], &b""[..], &b""[..]),
        "a marker"
    );
}
