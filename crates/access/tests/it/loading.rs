//! Rows that do not go in, and what a table has after loading.

use tablesmith_access::{AccessError, Layout, apply, load};
use tablesmith_model::TableName;
use tablesmith_model::design::Design;
use tablesmith_model::evidence::Rejected;
use tablesmith_model::source_row::{RowError, SourceRow};
use tablesmith_model::value::Value;
use tablesmith_model::workload::Workload;
use tablesmith_store::{Scan, Store};

use crate::stores::memory;

const WORKLOAD: &str = "version = 1\n[[table]]\nname = 't'\nkey = ['id']\n[table.columns]\n\
    id = { type = 'int' }\nn = { type = 'int' }\nm = { type = 'string' }\n";
const DESIGN: &str = "version = 1\nworkload = 'workload.toml'\n[[table]]\nname = 't'\n[[table.family]]\nname = 'f'\n\
    [[table.family]]\nname = 'g'\n[[table.rows]]\nfrom = 't'\nkey = ['pad(id, 2)']\nkey_encoding = 'text'\ncells = [\n\
    { family = 'f', columns = ['n'], encoding = 'i32' }, { family = 'g', columns = ['m'] }]\n";

fn layout() -> Layout {
    let workload = Workload::parse(WORKLOAD).unwrap();
    Layout::of(&workload, &Design::parse_for(DESIGN, &workload).unwrap(), "t").unwrap()
}

fn row(line: u64, id: i64, n: i64) -> Result<SourceRow, RowError> {
    Ok(SourceRow { line, values: vec![Value::Int(id), Value::Int(n), Value::Null] })
}

#[tokio::test]
async fn rejected_rows_are_counted_by_reason_with_their_first_line() {
    let (store, name) = (memory(), "t".parse::<TableName>().unwrap());
    let mut layout = layout();
    apply(&store, &layout, &name).await.unwrap();
    let rows = vec![
        row(2, 1, 5),
        row(3, 100, 5),
        Err(RowError::rejected(4, "no number")),
        row(5, 2, 1 << 40),
        row(6, 3, 1 << 41),
        row(7, 101, 5),
        Err(RowError::Rejected(Rejected { reason: "no number".into(), rows: 4, first_line: 9 })),
    ];
    let mut progress = 0;
    let loaded =
        load(&store, &mut layout, &name, rows.into_iter(), &mut |rows| progress = rows).await.unwrap();
    assert_eq!((loaded.rows, progress), (1, 1));
    let told: Vec<(u64, u64)> =
        loaded.rejected.iter().map(|rejected| (rejected.rows, rejected.first_line)).collect();
    assert_eq!(told, [(2, 3), (5, 4), (2, 5)], "{:?}", loaded.rejected);
    assert!(layout.is_in_every_row("n") && !layout.is_in_every_row("m"));
    let scanned = store.scan_all(&name, Scan::all().family("g")).await.unwrap().value;
    let cell = &scanned[0].cells[0];
    assert_eq!(
        (&*scanned[0].row, &*cell.qualifier, &*cell.value),
        (&b"01"[..], &b""[..], &b""[..]),
        "a marker"
    );
}

#[tokio::test]
async fn when_nothing_goes_in_that_is_an_error() {
    let (store, name) = (memory(), "t".parse::<TableName>().unwrap());
    let mut layout = layout();
    apply(&store, &layout, &name).await.unwrap();
    let rows = [row(2, 100, 5), row(3, 101, 5)];
    let error = load(&store, &mut layout, &name, rows.into_iter(), &mut |_| {}).await.unwrap_err();
    assert!(matches!(&error, AccessError::NothingLoaded(rejected) if rejected.rows == 2), "{error}");
    let rows = [row(2, 1, 5), Err(RowError::Failed("the disk is gone".into()))];
    let error = load(&store, &mut layout, &name, rows.into_iter(), &mut |_| {}).await.unwrap_err();
    assert_eq!(error.to_string(), "the disk is gone");
}
