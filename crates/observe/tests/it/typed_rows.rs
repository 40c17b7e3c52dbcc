//! Typed rows of data files.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use parquet::data_type::{ByteArray, ByteArrayType, Int64Type};
use parquet::file::properties::WriterProperties;
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::parser::parse_message_type;
use tablesmith_model::source_row::{RowError, SourceRow};
use tablesmith_model::value::{Value, ValueType};
use tablesmith_model::workload::{Column, Table};
use tablesmith_observe::rows::{RowsError, open};
use tempfile::TempDir;

fn table() -> Table {
    let columns = vec![
        Column::new("name", ValueType::String),
        Column::new("id", ValueType::Int),
        Column::new("raw", ValueType::Bytes),
    ];
    Table { name: "t".into(), columns, ..Table::default() }
}

fn file(directory: &TempDir, name: &str, content: &[u8]) -> PathBuf {
    let path = directory.path().join(name);
    std::fs::write(&path, content).unwrap();
    path
}

fn read(path: &Path) -> Vec<Result<SourceRow, RowError>> {
    open(path, &table()).unwrap().collect()
}

fn row(line: u64, name: Option<&str>, id: i64, raw: Option<&[u8]>) -> Result<SourceRow, RowError> {
    let name = name.map_or(Value::Null, |name| Value::String(name.to_owned()));
    let raw = raw.map_or(Value::Null, |raw| Value::Bytes(raw.to_vec()));
    Ok(SourceRow { line, values: vec![name, Value::Int(id), raw] })
}

#[test]
fn csv_rows_have_values_in_the_tables_order_and_bad_ones_say_why() {
    let directory = tempfile::tempdir().unwrap();
    let content = b"id,other,raw,name\n1,x,a\\x00,\"two\nlines\"\n2,x,,\nthree,x,,n\n\n4,x,b\nfour,x,,n\n5,x,,\xff\n6,x,,n\n";
    let rows = read(&file(&directory, "t.csv", content));
    let no_number = "the column \"id\" has what is no int: expected a whole number of 64 bits such as -42";
    let expected = vec![
        row(2, Some("two\nlines"), 1, Some(b"a\0")),
        row(4, None, 2, None),
        Err(RowError::rejected(5, no_number)),
        Err(RowError::rejected(8, no_number)),
        Err(RowError::rejected(9, "the column \"name\" has text that is not UTF-8")),
        row(10, Some("n"), 6, None),
        Err(RowError::rejected(7, "this line has 3 fields where the header has 4")),
    ];
    assert_eq!(rows, expected);
}

#[test]
fn json_lines_may_bring_columns_up_late() {
    let directory = tempfile::tempdir().unwrap();
    let content =
        b"{\"id\": 1}\nno json\n{\"id\": 2, \"name\": \"\"}\n{\"raw\": \"a\", \"id\": \"3\"}\nnone either\n";
    let rows = read(&file(&directory, "t.jsonl", content));
    assert_eq!(rows[..3], [row(1, None, 1, None), row(3, Some(""), 2, None), row(4, None, 3, Some(b"a"))]);
    let rejected: Vec<(u64, u64)> = rows[3..]
        .iter()
        .map(|row| match row {
            Err(RowError::Rejected(rejected)) => (rejected.rows, rejected.first_line),
            other => panic!("{other:?}"),
        })
        .collect();
    assert_eq!(rejected.iter().map(|(rows, _)| rows).sum::<u64>(), 2);
    assert_eq!(rejected.iter().map(|(_, line)| *line).min(), Some(2));
}

#[test]
fn parquet_holds_bytes_themselves() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("t.parquet");
    let schema = "message t { REQUIRED INT64 id; REQUIRED BYTE_ARRAY raw; REQUIRED BYTE_ARRAY name (UTF8); }";
    let schema = Arc::new(parse_message_type(schema).unwrap());
    let properties = Arc::new(WriterProperties::builder().build());
    let mut writer = SerializedFileWriter::new(File::create(&path).unwrap(), schema, properties).unwrap();
    let mut group = writer.next_row_group().unwrap();
    let mut column = group.next_column().unwrap().unwrap();
    column.typed::<Int64Type>().write_batch(&[7], None, None).unwrap();
    column.close().unwrap();
    for bytes in [&b"\\x00\xff"[..], b"n"] {
        let mut column = group.next_column().unwrap().unwrap();
        let values = [ByteArray::from(bytes.to_vec())];
        column.typed::<ByteArrayType>().write_batch(&values, None, None).unwrap();
        column.close().unwrap();
    }
    group.close().unwrap();
    writer.close().unwrap();
    assert_eq!(read(&path), [row(1, Some("n"), 7, Some(b"\\x00\xff"))]);
}

#[test]
fn a_column_that_the_file_does_not_have_is_told() {
    let directory = tempfile::tempdir().unwrap();
    let path = file(&directory, "t.csv", b"id,name\n1,a\n");
    let error = open(&path, &table()).err().unwrap();
    assert!(matches!(&error, RowsError::NoColumn { column, .. } if column == "raw"), "{error}");
    assert!(matches!(open(&directory.path().join("none.csv"), &table()), Err(RowsError::Open(_))));
}

#[test]
fn many_batches_follow_each_other() {
    let directory = tempfile::tempdir().unwrap();
    let mut content = String::from("id,name,raw\n");
    (0..5_000).for_each(|id| content += &format!("{id},n,\n"));
    let rows = read(&file(&directory, "t.csv", content.as_bytes()));
    assert_eq!(rows.len(), 5_000);
    assert_eq!(rows[4_321], row(4_323, Some("n"), 4_321, None));
}

#[test]
fn others_can_look_how_far_a_file_has_been_read() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("t.csv");
    let lines: String =
        (0..10_000).map(|id| if id % 997 == 0 { "x\n".to_owned() } else { format!("{id}\n") }).collect();
    std::fs::write(&path, format!("id\n{lines}")).unwrap();
    let table = Table { columns: vec![Column::new("id", ValueType::Int)], ..Table::default() };
    let rows = open(&path, &table).unwrap();
    let (position, bytes) = (rows.position(), std::fs::metadata(&path).unwrap().len());
    assert_eq!((position.read(), position.bytes()), (0, bytes));
    assert_eq!(rows.count(), 10_000);
    assert_eq!(position.read(), bytes);
}
