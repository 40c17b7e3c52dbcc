//! Parquet files made page by page: headers may lie, and pages hold what no writer writes.

use std::io::Write;
use std::sync::Arc;

use bytes::Bytes;
use parquet::basic::{Compression, Encoding};
use parquet::column::page::{CompressedPage, Page, PageWriter};
use parquet::column::writer::ColumnCloseResult;
use parquet::file::metadata::ColumnChunkMetaData;
use parquet::file::writer::{SerializedFileWriter, SerializedPageWriter, TrackedWrite};
use parquet::schema::parser::parse_message_type;

pub const GZIP: fn() -> Compression = || Compression::GZIP(Default::default());
pub const ZSTD: fn() -> Compression = || Compression::ZSTD(Default::default());

/// A column chunk: its pages as they stand in the file, and how many bytes each says it has uncompressed.
pub struct RawColumn {
    pub codec: Compression,
    pub pages: Vec<(Page, usize)>,
}

/// A data page whose bytes stand in the file as they are.
pub fn data_page(bytes: Vec<u8>, values: u32, encoding: Encoding) -> Page {
    Page::DataPage {
        buf: Bytes::from(bytes),
        num_values: values,
        encoding,
        def_level_encoding: Encoding::RLE,
        rep_level_encoding: Encoding::RLE,
        statistics: None,
    }
}

pub fn dictionary_page(bytes: Vec<u8>, values: u32) -> Page {
    Page::DictionaryPage {
        buf: Bytes::from(bytes),
        num_values: values,
        encoding: Encoding::PLAIN,
        is_sorted: false,
    }
}

/// A file of one row group with these columns.
pub fn write_raw(schema: &str, rows: u64, columns: Vec<RawColumn>) -> Vec<u8> {
    let schema = Arc::new(parse_message_type(schema).unwrap());
    let mut file = SerializedFileWriter::new(Vec::new(), schema, Default::default()).unwrap();
    let columns_of_schema = file.schema_descr().columns().to_vec();
    let mut group = file.next_row_group().unwrap();
    for (descriptor, column) in columns_of_schema.into_iter().zip(columns) {
        let mut sink = TrackedWrite::new(Vec::new());
        let (mut bytes, mut values, mut dictionary, mut data) = (0, 0, None, None);
        for (page, uncompressed) in column.pages {
            let is_dictionary = page.is_dictionary_page();
            let mut writer = SerializedPageWriter::new(&mut sink);
            let spec = writer.write_page(CompressedPage::new(page, uncompressed)).unwrap();
            let offset = if is_dictionary { &mut dictionary } else { &mut data };
            offset.get_or_insert(spec.offset as i64);
            bytes += spec.uncompressed_size as i64;
            values += if is_dictionary { 0 } else { i64::from(spec.num_values) };
        }
        let chunk = sink.into_inner().unwrap();
        let metadata = ColumnChunkMetaData::builder(descriptor)
            .set_compression(column.codec)
            .set_num_values(values)
            .set_total_compressed_size(chunk.len() as i64)
            .set_total_uncompressed_size(bytes)
            .set_dictionary_page_offset(dictionary)
            .set_data_page_offset(data.unwrap_or_default())
            .build()
            .unwrap();
        let close = ColumnCloseResult {
            bytes_written: chunk.len() as u64,
            rows_written: rows,
            metadata,
            bloom_filter: None,
            column_index: None,
            offset_index: None,
        };
        group.append_column(&Bytes::from(chunk), close).unwrap();
    }
    group.close().unwrap();
    file.into_inner().unwrap()
}

pub fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

pub fn zstd_zeros(bytes: usize) -> Vec<u8> {
    zstd::bulk::compress(&vec![0; bytes], 1).unwrap()
}

/// Levels or dictionary indices as runs: how many, of which value. Fewer than 8 bits wide.
pub fn runs(runs: &[(u32, u8)]) -> Vec<u8> {
    let mut bytes = Vec::new();
    for (count, value) in runs {
        varint(&mut bytes, u64::from(*count) << 1);
        bytes.push(*value);
    }
    bytes
}

/// Levels with their length in front, as pages of the first version have them.
pub fn levels(counts: &[(u32, u8)]) -> Vec<u8> {
    let runs = runs(counts);
    [&(runs.len() as u32).to_le_bytes()[..], &runs].concat()
}

pub fn varint(bytes: &mut Vec<u8>, mut number: u64) {
    while number >= 0x80 {
        bytes.push(number as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
}
