//! Parquet files as writers write them, whole and damaged.

use std::fs::File;
use std::path::Path;
use std::sync::Arc;

use parquet::basic::{Compression, Encoding};
use parquet::data_type::{ByteArray, ByteArrayType, Int64Type};
use parquet::file::properties::{WriterProperties, WriterVersion};
use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::parser::parse_message_type;
use parquet::schema::types::ColumnPath;
use proptest::prelude::*;
use tablesmith_model::value::{Value, ValueType};
use tablesmith_model::workload::{Column, Table};
use tablesmith_observe::rows;

use super::parquet_files::{GZIP, ZSTD};
use super::support::{measure, runner};
use crate::alone::{peak_of, print_peak, run_alone};

const SEED: u64 = 22;

/// A file of the crate's own writer, and how it is written.
#[derive(Debug, Clone)]
struct Written {
    rows: Vec<(i64, Option<String>, Vec<Option<String>>)>,
    codec: Compression,
    version: WriterVersion,
    has_dictionary: bool,
    encoding: Option<Encoding>,
    page_rows: usize,
    group_rows: usize,
}

const WRITTEN: &str = "message t {
  REQUIRED INT64 id;
  OPTIONAL BYTE_ARRAY name (UTF8);
  OPTIONAL group tags (LIST) { REPEATED group list { OPTIONAL BYTE_ARRAY element (UTF8); } }
}";

impl Written {
    fn any() -> impl Strategy<Value = Self> {
        let text = prop_oneof![3 => "[a-c]{0,3}", 1 => "prefix of all [0-9]{1,3}", 1 => "[x]{100,300}"];
        let tags = prop::collection::vec(prop::option::weighted(0.8, text.clone()), 0..5);
        let row = (any::<i64>(), prop::option::weighted(0.7, text), tags);
        let codecs = vec![Compression::UNCOMPRESSED, Compression::SNAPPY, GZIP(), ZSTD()];
        let encodings = vec![Encoding::PLAIN, Encoding::DELTA_LENGTH_BYTE_ARRAY, Encoding::DELTA_BYTE_ARRAY];
        let options = (
            prop::sample::select(codecs),
            prop::sample::select(vec![WriterVersion::PARQUET_1_0, WriterVersion::PARQUET_2_0]),
            any::<bool>(),
            prop::option::of(prop::sample::select(encodings)),
        );
        (prop::collection::vec(row, 1..200), options, 1..80usize, 1..120usize).prop_map(
            |(rows, (codec, version, has_dictionary, encoding), page_rows, group_rows)| Self {
                rows,
                codec,
                version,
                has_dictionary,
                encoding,
                page_rows,
                group_rows,
            },
        )
    }

    fn file(&self) -> Vec<u8> {
        let mut properties = WriterProperties::builder()
            .set_compression(self.codec)
            .set_writer_version(self.version)
            .set_dictionary_enabled(self.has_dictionary)
            .set_data_page_row_count_limit(self.page_rows)
            .set_write_batch_size(self.page_rows);
        if let Some(encoding) = self.encoding {
            for column in [vec!["name"], vec!["tags", "list", "element"]] {
                let path = ColumnPath::from(column.into_iter().map(str::to_owned).collect::<Vec<_>>());
                properties = properties.set_column_encoding(path, encoding);
            }
        }
        let schema = Arc::new(parse_message_type(WRITTEN).unwrap());
        let mut file = SerializedFileWriter::new(Vec::new(), schema, Arc::new(properties.build())).unwrap();
        for rows in self.rows.chunks(self.group_rows) {
            let mut group = file.next_row_group().unwrap();
            let ids: Vec<i64> = rows.iter().map(|row| row.0).collect();
            let mut column = group.next_column().unwrap().unwrap();
            column.typed::<Int64Type>().write_batch(&ids, None, None).unwrap();
            column.close().unwrap();
            let names: Vec<ByteArray> =
                rows.iter().filter_map(|row| row.1.as_deref()).map(ByteArray::from).collect();
            let defined: Vec<i16> = rows.iter().map(|row| i16::from(row.1.is_some())).collect();
            let mut column = group.next_column().unwrap().unwrap();
            column.typed::<ByteArrayType>().write_batch(&names, Some(&defined), None).unwrap();
            column.close().unwrap();
            let (mut tags, mut defined, mut repeated) = (Vec::new(), Vec::new(), Vec::new());
            for (_, _, list) in rows {
                for (at, tag) in list.iter().enumerate() {
                    tags.extend(tag.as_deref().map(ByteArray::from));
                    defined.push(2 + i16::from(tag.is_some()));
                    repeated.push(i16::from(at > 0));
                }
                if list.is_empty() {
                    defined.push(1);
                    repeated.push(0);
                }
            }
            let mut column = group.next_column().unwrap().unwrap();
            column.typed::<ByteArrayType>().write_batch(&tags, Some(&defined), Some(&repeated)).unwrap();
            column.close().unwrap();
            group.close().unwrap();
        }
        file.into_inner().unwrap()
    }
}

/// The rows of a file as texts, as the crate's own reader of pages has them.
fn rows_of_the_crate(path: &Path) -> Vec<Vec<Option<String>>> {
    let reader = SerializedFileReader::new(File::open(path).unwrap()).unwrap();
    let text = |cell: &parquet::record::Field| match cell {
        parquet::record::Field::Null => None,
        parquet::record::Field::Str(text) => Some(text.clone()),
        other => Some(other.to_string()),
    };
    let rows = reader.get_row_iter(None).unwrap();
    rows.map(|row| row.unwrap().get_column_iter().map(|(_, cell)| text(cell)).collect()).collect()
}

#[test]
fn rows_are_those_of_the_crates_own_page_reader() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("t.parquet");
    let columns = ["id", "name", "tags"].map(|name| Column::new(name, ValueType::String)).to_vec();
    let table = Table { name: "t".into(), columns, ..Table::default() };
    runner(SEED, 30)
        .run(&Written::any(), |written| {
            std::fs::write(&path, written.file()).unwrap();
            let text = |value: Value| match value {
                Value::Null => None,
                Value::String(text) => Some(text),
                other => panic!("{other:?}"),
            };
            let rows: Vec<Vec<Option<String>>> = rows::open(&path, &table)
                .unwrap()
                .map(|row| row.unwrap().values.into_iter().map(text).collect())
                .collect();
            prop_assert_eq!(rows.len(), written.rows.len());
            prop_assert_eq!(rows, rows_of_the_crate(&path));
            Ok(())
        })
        .unwrap();
}

const DAMAGED: &str = "TABLESMITH_TEST_DAMAGED";

/// Damaged files of every kind are read in one process: it must end, and have had little memory.
#[test]
fn damaged_files_take_little_memory() {
    const MOST: u64 = 640 << 20;
    if std::env::var_os(DAMAGED).is_some() {
        let damage = prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..6);
        runner(SEED, 40)
            .run(&(Written::any(), damage), |(written, damage)| {
                let mut file = written.file();
                for (at, byte) in damage {
                    let at = at.index(file.len());
                    file[at] = byte;
                }
                let _ = measure("t.parquet", &file);
                Ok(())
            })
            .unwrap();
        print_peak();
        return;
    }
    let (out, err) =
        run_alone("profile::parquet_written::damaged_files_take_little_memory", DAMAGED, Path::new("yes"));
    let peak = peak_of(&out);
    println!("{} MiB", peak >> 20);
    assert!(peak < MOST, "{} MiB\n{out}", peak >> 20);
    assert!(!err.contains("panicked"), "{err}");
}
