//! Parquet files.

use std::fs::File;
use std::path::Path;
use std::sync::Arc;

use parquet::basic::{Compression, ZstdLevel};
use parquet::data_type::{BoolType, ByteArray, ByteArrayType, DoubleType, Int32Type, Int64Type};
use parquet::file::properties::WriterProperties;
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::parser::parse_message_type;
use tablesmith_model::value::ValueType;
use tablesmith_observe::profile::{ProfileError, profile};

use super::support::{column, measure, types};

const SCHEMA: &str = "message t {
  REQUIRED INT64 id;
  OPTIONAL BYTE_ARRAY name (UTF8);
  REQUIRED DOUBLE amount;
  REQUIRED INT32 day (DATE);
  REQUIRED INT64 at (TIMESTAMP(NANOS,true));
  REQUIRED BYTE_ARRAY blob;
  REQUIRED BOOLEAN flag;
}";

/// A hundred rows in two row groups; every other name is missing.
fn write(path: &Path, compression: Compression) {
    let schema = Arc::new(parse_message_type(SCHEMA).unwrap());
    let properties = Arc::new(WriterProperties::builder().set_compression(compression).build());
    let mut writer = SerializedFileWriter::new(File::create(path).unwrap(), schema, properties).unwrap();
    for group in 0..2i64 {
        let rows = group * 50..group * 50 + 50;
        let mut next = writer.next_row_group().unwrap();
        macro_rules! column {
            ($kind:ty, $values:expr, $levels:expr) => {{
                let mut column = next.next_column().unwrap().unwrap();
                column.typed::<$kind>().write_batch(&$values, $levels, None).unwrap();
                column.close().unwrap();
            }};
        }
        column!(Int64Type, rows.clone().collect::<Vec<i64>>(), None);
        let names: Vec<ByteArray> = (0..25).map(|_| ByteArray::from("Müller")).collect();
        let levels: Vec<i16> = (0..50).map(|row| row % 2).collect();
        column!(ByteArrayType, names, Some(&levels));
        column!(DoubleType, rows.clone().map(|row| row as f64).collect::<Vec<f64>>(), None);
        column!(Int32Type, rows.clone().map(|row| 19_723 + row as i32 / 10).collect::<Vec<i32>>(), None);
        let nanos = rows.clone().map(|row| 1_704_067_200_000_000_000 + row * 1_000_000_000);
        column!(Int64Type, nanos.collect::<Vec<i64>>(), None);
        column!(ByteArrayType, (0..50).map(|_| ByteArray::from(vec![0xFFu8, 0])).collect::<Vec<_>>(), None);
        column!(BoolType, rows.clone().map(|row| row % 3 == 0).collect::<Vec<bool>>(), None);
        next.close().unwrap();
    }
    writer.close().unwrap();
}

#[test]
fn columns_have_the_types_that_the_file_says() {
    let directory = tempfile::tempdir().unwrap();
    let codecs = [Compression::UNCOMPRESSED, Compression::SNAPPY, Compression::GZIP(Default::default())];
    for codec in codecs.into_iter().chain([Compression::ZSTD(ZstdLevel::default())]) {
        let path = directory.path().join("t.parquet");
        write(&path, codec);
        let mut last = None;
        let profile = profile(&path, &mut |progress| last = Some(progress))
            .unwrap_or_else(|error| panic!("{codec}: {error}"));
        assert_eq!(profile.rows, 100, "{codec}");
        let expected = [
            ValueType::Int,
            ValueType::String,
            ValueType::Float,
            ValueType::Date,
            ValueType::Timestamp,
            ValueType::Bytes,
            ValueType::Bool,
        ];
        assert_eq!(types(&profile), expected, "{codec}");
        let name = column(&profile, "name");
        assert_eq!((name.nulls, name.distinct.count, name.mean_bytes), (50, 1, Some(7.0)));
        assert_eq!(column(&profile, "day").mean_bytes, Some(10.0), "dates are counted as text");
        assert!(column(&profile, "at").monotone && column(&profile, "at").unique.is_some());
        assert_eq!(column(&profile, "blob").not_utf8, 0, "bytes need not be text");
        assert_eq!(profile.keys[0].columns, ["id"]);
        let last = last.unwrap();
        assert_eq!(last.bytes, last.total);
    }
}

#[test]
fn a_damaged_file_is_an_error() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("whole.parquet");
    write(&path, Compression::SNAPPY);
    let whole = std::fs::read(&path).unwrap();
    for cut in [4, whole.len() / 2, whole.len() - 1] {
        assert!(matches!(measure("t.parquet", &whole[..cut]), Err(ProfileError::Parquet { .. })), "{cut}");
    }
    for at in (4..whole.len()).step_by(29) {
        let mut damaged = whole.clone();
        damaged[at] ^= 0x55;
        // It may still be readable; it must not end the program.
        let _ = measure("t.parquet", &damaged);
    }
    assert!(matches!(measure("t.parquet", "a,b\n1,2\n"), Err(ProfileError::Shape { .. })));
}
