//! Parquet files that unpack to far more than they are.

use std::path::Path;
use std::sync::Arc;

use parquet::basic::{Compression, Encoding};
use parquet::data_type::{ByteArray, ByteArrayType};
use parquet::file::properties::WriterProperties;
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::parser::parse_message_type;
use parquet::schema::types::ColumnPath;
use proptest::prelude::*;
use tablesmith_model::source_row::RowError;
use tablesmith_model::value::ValueType;
use tablesmith_model::workload::{Column, Table};
use tablesmith_observe::profile::{ParquetLimit, ProfileError};
use tablesmith_observe::rows;

use super::parquet_files::{
    GZIP, RawColumn, ZSTD, data_page, dictionary_page, gzip, levels, runs, varint, write_raw, zstd_zeros,
};
use super::support::{measure, runner};
use crate::alone::{alone, peak_of, print_peak, run_alone};

const MIB: u64 = 1 << 20;
const PAGE_LIMIT: u64 = 64 * MIB;
const OPEN_LIMIT: u64 = 256 * MIB;
const SEED: u64 = 21;

fn doubles(columns: usize) -> String {
    let columns: String = (0..columns).map(|at| format!("REQUIRED DOUBLE c{at}; ")).collect();
    format!("message t {{ {columns} }}")
}

/// A page of zeros that says how many bytes it has.
fn zeros(codec: Compression, compressed: Vec<u8>, says_bytes: u64) -> RawColumn {
    let page = data_page(compressed, (says_bytes / 8) as u32, Encoding::PLAIN);
    RawColumn { codec, pages: vec![(page, says_bytes as usize)] }
}

/// The limit that refuses a file, which the message must name with the file, the column and the sizes.
fn limit(content: &[u8], named: &[&str]) -> ParquetLimit {
    let error = measure("t.parquet", content).unwrap_err();
    let message = error.to_string();
    assert!(named.iter().all(|part| message.contains(part)), "{message}");
    match error {
        ProfileError::ParquetLimit { limit, .. } => limit,
        other => panic!("expected a limit, found {other}"),
    }
}

fn message(content: &[u8]) -> String {
    measure("t.parquet", content).unwrap_err().to_string()
}

/// The first row of a file, or why there is none. Reads no more than a batch.
fn first_row(content: &[u8], columns: &[&str]) -> Result<(), String> {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("t.parquet");
    std::fs::write(&path, content).unwrap();
    let column = |name: &&str| Column::new(*name, ValueType::String);
    let table = Table { name: "t".into(), columns: columns.iter().map(column).collect(), ..Table::default() };
    match rows::open(&path, &table).unwrap().next() {
        Some(Ok(_)) => Ok(()),
        Some(Err(RowError::Failed(why))) => Err(why),
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_page_above_the_limit_is_refused_before_it_is_decompressed() {
    // What stands in the file is no gzip: who tries to decompress it says so.
    let columns = (0..3).map(|_| zeros(GZIP(), b"no gzip".to_vec(), 1_024 * MIB)).collect();
    let file = write_raw(&doubles(3), 1, columns);
    let expected =
        ParquetLimit::Page { column: "c0".to_owned(), bytes: 1_024 * MIB, limit_bytes: PAGE_LIMIT };
    assert_eq!(limit(&file, &["t.parquet", "c0", "1024 MiB", "64 MiB"]), expected);
    // The page before the limit is not refused for its size.
    let file = write_raw(&doubles(1), 1, vec![zeros(GZIP(), b"no gzip".to_vec(), PAGE_LIMIT)]);
    assert!(matches!(measure("t.parquet", &file), Err(ProfileError::Parquet { .. })));
}

#[test]
fn a_header_that_lies_does_not_get_past_the_limit() {
    let members = gzip(&vec![0; MIB as usize]).repeat(8);
    let file = write_raw(&doubles(1), 125, vec![zeros(GZIP(), members, 1_000)]);
    let found = message(&file);
    assert!(found.contains("c0") && found.contains("more than the 1000 bytes"), "{found}");
    let file = write_raw(&doubles(1), 125, vec![zeros(ZSTD(), zstd_zeros(8 << 20), 1_000)]);
    let found = message(&file);
    assert!(found.contains("c0") && found.contains("decompress"), "{found}");
}

#[test]
fn open_pages_of_all_columns_together_have_a_limit() {
    alone("profile::parquet_limits::open_pages_of_all_columns_together_have_a_limit", || {
        let compressed = zstd_zeros(60 << 20);
        let page = || zeros(ZSTD(), compressed.clone(), 60 * MIB);
        let four = write_raw(&doubles(4), 60 * MIB / 8, (0..4).map(|_| page()).collect());
        assert_eq!(first_row(&four, &["c0"]), Ok(()));
        let five = write_raw(&doubles(5), 60 * MIB / 8, (0..5).map(|_| page()).collect());
        let expected =
            ParquetLimit::Open { column: "c4".to_owned(), bytes: 300 * MIB, limit_bytes: OPEN_LIMIT };
        assert_eq!(limit(&five, &["t.parquet", "c4", "300 MiB", "256 MiB"]), expected);
    });
}

#[test]
fn pages_that_were_read_count_no_longer() {
    alone("profile::parquet_limits::pages_that_were_read_count_no_longer", || {
        let mut blob = (9 * MIB as u32).to_le_bytes().to_vec();
        blob.resize(blob.len() + 9 * MIB as usize, b'x');
        let page = data_page(zstd::bulk::compress(&blob, 1).unwrap(), 1, Encoding::PLAIN);
        let pages = vec![(page, blob.len()); 30];
        let many =
            write_raw("message t { REQUIRED BYTE_ARRAY b; }", 30, vec![RawColumn { codec: ZSTD(), pages }]);
        let profile = measure("t.parquet", many).unwrap();
        assert_eq!(
            (profile.rows, profile.bad_lines),
            (30, 0),
            "270 MiB, never more than a few pages at once"
        );
    });
}

#[test]
fn a_row_of_many_megabytes_is_left_out_and_told() {
    alone("profile::parquet_limits::a_row_of_many_megabytes_is_left_out_and_told", || {
        let value = |bytes: usize| [&(bytes as u32).to_le_bytes()[..], &vec![b'x'; bytes]].concat();
        let dictionary = [value(20 << 20), value(3)].concat();
        let size = dictionary.len();
        let dictionary = dictionary_page(zstd::bulk::compress(&dictionary, 1).unwrap(), 2);
        // Rows 1, 0, 1 of the dictionary.
        let indices = [&[1][..], &runs(&[(1, 1), (1, 0), (1, 1)])].concat();
        let data = data_page(zstd::bulk::compress(&indices, 1).unwrap(), 3, Encoding::RLE_DICTIONARY);
        let column = RawColumn { codec: ZSTD(), pages: vec![(dictionary, size), (data, indices.len())] };
        let file = write_raw("message t { REQUIRED BYTE_ARRAY b; }", 3, vec![column]);
        let profile = measure("t.parquet", &file).unwrap();
        assert_eq!((profile.rows, profile.bad_lines), (2, 1));
        let bad = &profile.first_bad_lines[0];
        assert_eq!((bad.line, bad.message.as_str()), (2, "this row is longer than 16 MiB"));
    });
}

/// A file without rows whose schema has these elements: the number of children of each, in order; none is a column.
fn with_schema(elements: &[Option<u32>]) -> Vec<u8> {
    let mut footer = vec![0x15, 2, 0x19, 0xFC];
    varint(&mut footer, elements.len() as u64);
    for children in elements {
        match children {
            Some(children) => {
                footer.extend([0x35, 0, 0x18, 1, b'g', 0x15]);
                varint(&mut footer, u64::from(*children) * 2);
            }
            None => footer.extend([0x15, 2, 0x25, 0, 0x18, 1, b'c']),
        }
        footer.push(0);
    }
    footer.extend([0x16, 0, 0x19, 0x0C, 0]);
    [&b"PAR1"[..], &footer, &(footer.len() as u32).to_le_bytes(), b"PAR1"].concat()
}

#[test]
fn a_schema_that_is_nested_deep_does_not_exhaust_the_stack() {
    let nested = |depth| [vec![Some(1); depth], vec![None]].concat();
    assert_eq!(measure("t.parquet", with_schema(&nested(90))).unwrap().columns.len(), 1);
    let found = message(&with_schema(&nested(100_000 - 1)));
    assert!(found.contains("nested more than 100 deep"), "{found}");
    let found = message(&with_schema(&[vec![Some(200_000)], vec![None; 200_000]].concat()));
    assert!(found.contains("200001 elements"), "{found}");
    // Siblings are no depth.
    let wide = [vec![Some(300)], [Some(1), None].repeat(300)].concat();
    assert_eq!(measure("t.parquet", with_schema(&wide)).unwrap().columns.len(), 300);
}

/// Files that are small and take gigabytes when they are read without limits.
fn bombs() -> Vec<(&'static str, Vec<u8>)> {
    const MANY: u32 = 50_000_000;
    let mut found = Vec::new();
    let members = gzip(&vec![0; MIB as usize]).repeat(1_500);
    found.push(("a header that lies", write_raw(&doubles(1), 125, vec![zeros(GZIP(), members, 1_000)])));
    let page = zstd_zeros(63 << 20);
    let columns = (0..12).map(|_| zeros(ZSTD(), page.clone(), 63 * MIB)).collect();
    found.push(("many columns", write_raw(&doubles(12), 63 * MIB / 8, columns)));
    // One row with many values: levels and indices are a run each.
    let dictionary = |bytes: Vec<u8>, values| {
        let size = bytes.len();
        (dictionary_page(bytes, values), size)
    };
    let list = |dictionary_bytes: Vec<u8>, values: u32| {
        let parts =
            [levels(&[(1, 0), (values - 1, 1)]), levels(&[(values, 1)]), vec![1], runs(&[(values, 0)])];
        let data = parts.concat();
        let size = data.len();
        let data = (data_page(data, values, Encoding::RLE_DICTIONARY), size);
        RawColumn { codec: Compression::UNCOMPRESSED, pages: vec![dictionary(dictionary_bytes, 1), data] }
    };
    let numbers = list(7_i32.to_le_bytes().to_vec(), MANY);
    found.push(("a list of millions", write_raw("message t { REPEATED INT32 a; }", 1, vec![numbers])));
    let text = [&(MIB as u32).to_le_bytes()[..], &vec![b'x'; MIB as usize]].concat();
    let texts = list(text, 3_000);
    found.push(("a list of large texts", write_raw("message t { REPEATED BYTE_ARRAY a; }", 1, vec![texts])));
    let claims =
        vec![dictionary(vec![0; 16], MANY), (data_page(vec![0, 2, 0], 1, Encoding::RLE_DICTIONARY), 3)];
    let column = RawColumn { codec: Compression::UNCOMPRESSED, pages: claims };
    found.push((
        "a dictionary of millions",
        write_raw("message t { REQUIRED BYTE_ARRAY a; }", 1, vec![column]),
    ));
    let mut lengths = Vec::new();
    [128, 4, u64::from(MANY) * 10, 0].into_iter().for_each(|number| varint(&mut lengths, number));
    for encoding in [Encoding::DELTA_LENGTH_BYTE_ARRAY, Encoding::DELTA_BYTE_ARRAY] {
        let page = (data_page(lengths.clone(), MANY * 10, encoding), lengths.len());
        let column = RawColumn { codec: Compression::UNCOMPRESSED, pages: vec![page] };
        found.push((
            "lengths without end",
            write_raw("message t { REQUIRED BYTE_ARRAY a; }", 1, vec![column]),
        ));
    }
    found.push(("texts that repeat the one before", repeated_texts()));
    let text = [&((60 * MIB) as u32).to_le_bytes()[..], &vec![b'x'; (60 * MIB) as usize]].concat();
    let compressed = zstd::bulk::compress(&text, 1).unwrap();
    let large = || {
        let dictionary = dictionary_page(compressed.clone(), 1);
        let indices = [&[1][..], &runs(&[(4, 0)])].concat();
        let data = data_page(zstd::bulk::compress(&indices, 1).unwrap(), 4, Encoding::RLE_DICTIONARY);
        RawColumn { codec: ZSTD(), pages: vec![(dictionary, text.len()), (data, indices.len())] }
    };
    let schema = "message t { REQUIRED BYTE_ARRAY a; REQUIRED BYTE_ARRAY b; REQUIRED BYTE_ARRAY c; }";
    found.push(("large rows", write_raw(schema, 4, vec![large(), large(), large()])));
    found
}

/// A thousand texts of 1 MiB in a page of 1 MiB: all are the same.
fn repeated_texts() -> Vec<u8> {
    let schema = Arc::new(parse_message_type("message t { REQUIRED BYTE_ARRAY a; }").unwrap());
    let properties = WriterProperties::builder()
        .set_dictionary_enabled(false)
        .set_column_encoding(ColumnPath::from("a"), Encoding::DELTA_BYTE_ARRAY)
        .set_statistics_enabled(parquet::file::properties::EnabledStatistics::None);
    let mut file = SerializedFileWriter::new(Vec::new(), schema, Arc::new(properties.build())).unwrap();
    let mut group = file.next_row_group().unwrap();
    let mut column = group.next_column().unwrap().unwrap();
    let text = ByteArray::from(vec![b'x'; MIB as usize]);
    let texts = vec![text; 1_000];
    column.typed::<ByteArrayType>().write_batch(&texts, None, None).unwrap();
    column.close().unwrap();
    group.close().unwrap();
    file.into_inner().unwrap()
}

const BOMB: &str = "TABLESMITH_TEST_BOMB";

/// Each file is read in a process of its own: the most memory that it had counts.
#[test]
fn small_files_do_not_take_gigabytes() {
    if let Some(path) = std::env::var_os(BOMB) {
        let found = tablesmith_observe::profile::profile(Path::new(&path), &mut |_| {});
        println!("found {:?}", found.map(|profile| (profile.rows, profile.bad_lines)));
        print_peak();
        return;
    }
    alone("profile::parquet_limits::small_files_do_not_take_gigabytes", || {
        bombs().into_iter().for_each(check_bomb)
    });
}

fn check_bomb((name, content): (&str, Vec<u8>)) {
    const MOST: u64 = 640 * MIB;
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("t.parquet");
    std::fs::write(&path, &content).unwrap();
    let (out, _) = run_alone("profile::parquet_limits::small_files_do_not_take_gigabytes", BOMB, &path);
    let peak = peak_of(&out);
    println!("{name}: {} bytes take {} MiB", content.len(), peak / MIB);
    assert!(peak < MOST, "{name} of {} bytes takes {} MiB\n{out}", content.len(), peak / MIB);
    let is_told = ["Limit", "Parquet", "Ok((0, 4))"].iter().any(|told| out.contains(told));
    assert!(is_told, "{name}\n{out}");
}

const PANICKING: &str = "TABLESMITH_TEST_PANICKING";

/// The reader of the parquet crate panics on a list whose group has two fields.
#[test]
fn a_panic_of_the_parquet_reader_prints_nothing() {
    if let Some(path) = std::env::var_os(PANICKING) {
        let found = tablesmith_observe::profile::profile(Path::new(&path), &mut |_| {});
        assert!(matches!(found, Err(ProfileError::Parquet { .. })), "{found:?}");
        // Other panics are told as before.
        let other = std::thread::spawn(|| panic!("another panic")).join();
        assert!(other.is_err());
        return;
    }
    let schema = "message t { REQUIRED group a (LIST) { REQUIRED INT32 b; REQUIRED INT32 c; } }";
    let column = || {
        let page = data_page(vec![0; 4], 1, Encoding::PLAIN);
        RawColumn { codec: Compression::UNCOMPRESSED, pages: vec![(page, 4)] }
    };
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("t.parquet");
    std::fs::write(&path, write_raw(schema, 1, vec![column(), column()])).unwrap();
    let (_, err) =
        run_alone("profile::parquet_limits::a_panic_of_the_parquet_reader_prints_nothing", PANICKING, &path);
    assert!(!err.contains("Invalid list type") && !err.contains("thread 'main'"), "{err}");
    assert!(err.contains("another panic"), "{err}");
}

/// A column of random size that tells the truth or not: what its page has, and what it says.
type Claim = (u64, u64);

/// What must come of columns, in their order.
fn expected(claims: &[Claim]) -> &'static str {
    let mut open = 0;
    for (has, says) in claims {
        open += says;
        match () {
            () if *says > PAGE_LIMIT => return "page",
            () if open > OPEN_LIMIT => return "open",
            () if has != says => return "damaged",
            () => {}
        }
    }
    "fine"
}

#[test]
fn random_claims_about_sizes_are_refused_or_true() {
    alone("profile::parquet_limits::random_claims_about_sizes_are_refused_or_true", || {
        let size = prop_oneof![
            3 => 1..1_000u64,
            2 => PAGE_LIMIT / 8 - 2..=PAGE_LIMIT / 8 + 2,
            1 => PAGE_LIMIT / 16..PAGE_LIMIT / 8,
            1 => PAGE_LIMIT / 8..(1 << 31) / 8 - 1,
        ]
        .prop_map(|values| values * 8);
        let claim = (size.clone(), prop::option::weighted(0.2, size)).prop_map(|(has, lies)| {
            // What is refused for what it says need not be there.
            let says = lies.unwrap_or(has);
            (if says > PAGE_LIMIT { 8 } else { has.min(PAGE_LIMIT) }, says)
        });
        let codecs = prop::sample::select(vec![GZIP(), ZSTD(), Compression::SNAPPY]);
        let column = (claim, codecs);
        let member = gzip(&vec![0; MIB as usize]);
        runner(SEED, 12)
            .run(&prop::collection::vec(column, 1..7), |columns| {
                let claims: Vec<Claim> = columns.iter().map(|(claim, _)| *claim).collect();
                let raw = columns.iter().map(|((has, says), codec)| {
                    let zeros_of = |bytes: u64| vec![0; bytes as usize];
                    let bytes = match codec {
                        Compression::GZIP(_) => {
                            [member.repeat((has / MIB) as usize), gzip(&zeros_of(has % MIB))].concat()
                        }
                        Compression::SNAPPY if *has < MIB => {
                            snap::raw::Encoder::new().compress_vec(&zeros_of(*has)).unwrap()
                        }
                        _ => zstd_zeros(*has as usize),
                    };
                    let codec = if *codec == Compression::SNAPPY && *has >= MIB { ZSTD() } else { *codec };
                    zeros(codec, bytes, *says)
                });
                let file = write_raw(&doubles(columns.len()), 1, raw.collect());
                // The larger file may unpack to more.
                prop_assume!(file.len() as u64 * 8 < PAGE_LIMIT);
                let found = match measure("t.parquet", &file) {
                    Err(ProfileError::ParquetLimit { limit: ParquetLimit::Page { .. }, .. }) => "page",
                    Err(ProfileError::ParquetLimit { limit: ParquetLimit::Open { .. }, .. }) => "open",
                    Err(ProfileError::Parquet { .. }) => "damaged",
                    Err(other) => panic!("{other}"),
                    Ok(profile) => {
                        prop_assert_eq!(profile.rows, 1);
                        "fine"
                    }
                };
                prop_assert_eq!(found, expected(&claims), "{:?}", claims);
                Ok(())
            })
            .unwrap();
    });
}
