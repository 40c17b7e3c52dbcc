//! The pages of a column chunk, within limits: the header of a page says what it unpacks to before it is decompressed, and
//! whoever holds a page holds a share of the file's budget.

use std::fs::File;
use std::io::Read;
use std::sync::Arc;

use bytes::Bytes;
use parquet::basic::{Compression, Encoding, Type as PhysicalType};
use parquet::column::page::{Page, PageMetadata, PageReader};
use parquet::data_type::{ByteArray, FixedLenByteArray, Int96};
use parquet::errors::{ParquetError, Result};
use parquet::file::metadata::ColumnChunkMetaData;
use parquet::file::reader::{ChunkReader, Length};
use parquet::record::Field;
use parquet::schema::types::ColumnDescPtr;

use super::decompress::decompress;
use super::delta;
use super::limits::{Budget, Charge};
use super::page_header::{self, Header, PageHeader, PageKind};
use super::row_values::{RowValues, level_bits};

/// Reads the pages of one column of a row group.
pub(super) struct ColumnPages {
    file: Arc<File>,
    column: ColumnDescPtr,
    name: String,
    codec: Compression,
    batch_rows: usize,
    /// Where to read on, and where the chunk ends.
    offset: u64,
    end: u64,
    /// The header that was read last, when its page was not.
    next_header: Option<PageHeader>,
    budget: Arc<Budget>,
    /// What the decoded dictionary takes, and its longest value.
    dictionary: Charge,
    dictionary_value_bytes: u64,
    /// What rows of a repeated column take, and how many values they have.
    rows: Charge,
    row_values: RowValues,
}

/// The bytes of a page, with their share of the budget. Values point into them, so that they live as long as the last value.
struct PageBytes {
    bytes: Vec<u8>,
    _charge: Charge,
}

impl AsRef<[u8]> for PageBytes {
    fn as_ref(&self) -> &[u8] {
        &self.bytes
    }
}

/// The sections of a data page.
struct Sections {
    /// Where repetition levels begin and end.
    repetition: (usize, usize),
    repetition_encoding: Encoding,
    /// Where values begin.
    values: usize,
}

impl ColumnPages {
    /// The pages of a chunk; rows are read `batch_rows` at a time.
    pub fn new(
        file: &Arc<File>,
        chunk: &ColumnChunkMetaData,
        budget: &Arc<Budget>,
        batch_rows: usize,
    ) -> Result<Self> {
        let start = chunk.dictionary_page_offset().unwrap_or_else(|| chunk.data_page_offset());
        let (start, bytes) = (u64::try_from(start)?, u64::try_from(chunk.compressed_size())?);
        Ok(Self {
            file: Arc::clone(file),
            column: chunk.column_descr_ptr(),
            name: chunk.column_path().string(),
            codec: chunk.compression(),
            batch_rows,
            offset: start,
            // No page lies behind the end of the file, whatever the metadata says.
            end: start.saturating_add(bytes).min(file.len()),
            next_header: None,
            budget: Arc::clone(budget),
            dictionary: budget.charge(),
            dictionary_value_bytes: 0,
            rows: budget.charge(),
            row_values: RowValues::new(batch_rows),
        })
    }

    /// The header of the next page, and goes behind it; none at the end. Index pages are passed over.
    fn header(&mut self) -> Result<Option<PageHeader>> {
        if let Some(header) = self.next_header.take() {
            return Ok(Some(header));
        }
        while self.offset < self.end {
            let input = self.file.get_read(self.offset)?.take(self.end - self.offset);
            let (header, bytes) =
                page_header::read(input).map_err(|error| self.damaged(&error.to_string()))?;
            self.offset += bytes;
            let left = self.end.saturating_sub(self.offset);
            match header {
                Header::Page(page) if u64::from(page.compressed_bytes) <= left => return Ok(Some(page)),
                Header::Index { compressed_bytes } if u64::from(compressed_bytes) <= left => {
                    self.offset += u64::from(compressed_bytes);
                }
                _ => return Err(self.damaged("a page ends behind its column")),
            }
        }
        Ok(None)
    }

    fn damaged(&self, message: &str) -> ParquetError {
        ParquetError::General(format!("column {:?}: {message}", self.name))
    }

    /// Reads the page behind a header. Nothing is allocated before the limits allow it.
    fn page(&mut self, header: PageHeader) -> Result<Page> {
        let bytes = u64::from(header.uncompressed_bytes.max(header.compressed_bytes));
        self.budget.check_page(&self.name, bytes)?;
        let mut charge = self.budget.charge();
        charge.grow_to(&self.name, bytes)?;
        let compressed = self.file.get_bytes(self.offset, header.compressed_bytes as usize)?;
        self.offset += u64::from(header.compressed_bytes);
        let bytes = self.uncompressed(header, compressed)?;
        let decoded = self.decoded_bytes(header, &bytes)?;
        charge.grow_to(&self.name, (bytes.len() as u64).saturating_add(decoded))?;
        Ok(page_of(header.kind, Bytes::from_owner(PageBytes { bytes, _charge: charge })))
    }

    fn uncompressed(&self, header: PageHeader, compressed: Bytes) -> Result<Vec<u8>> {
        let (levels, is_compressed) = match header.kind {
            PageKind::DataV2(page) => {
                (page.definition_bytes.saturating_add(page.repetition_bytes), page.is_compressed)
            }
            _ => (0, true),
        };
        if !is_compressed || self.codec == Compression::UNCOMPRESSED {
            return Ok(compressed.into());
        }
        let rest = header.uncompressed_bytes.checked_sub(levels);
        let (Some(rest), Some((levels, compressed))) = (rest, compressed.split_at_checked(levels as usize))
        else {
            return Err(self.damaged("the levels of a page are longer than the page"));
        };
        let mut bytes = Vec::with_capacity(header.uncompressed_bytes as usize);
        bytes.extend_from_slice(levels);
        // Nothing stands for a page without values, too.
        if rest > 0 {
            decompress(self.codec, compressed, &mut bytes, rest as usize)
                .map_err(|error| self.damaged(&message(error)))?;
        }
        Ok(bytes)
    }

    /// What the reader will take to decode a page beyond its bytes: encodings hold much in little.
    fn decoded_bytes(&mut self, header: PageHeader, bytes: &[u8]) -> Result<u64> {
        let (values, encoding) = match header.kind {
            PageKind::Dictionary { values, .. } => {
                self.dictionary_value_bytes = self.longest_value(bytes);
                let decoded = u64::from(values).saturating_mul(self.value_bytes());
                self.dictionary.grow_to(&self.name, decoded)?;
                return Ok(0);
            }
            PageKind::Data { values, encoding, .. } => (values, encoding),
            PageKind::DataV2(page) => (page.values, page.encoding),
        };
        let Some(sections) = self.sections(header.kind, bytes) else {
            return Err(self.damaged("the levels of a page are longer than the page"));
        };
        if self.column.max_rep_level() > 0 {
            self.see_rows(values, encoding, bytes, &sections)?;
        }
        self.delta_bytes(values, encoding, bytes.get(sections.values..).unwrap_or_default())
    }

    /// Counts the values of rows, and takes what they need.
    fn see_rows(&mut self, values: u32, encoding: Encoding, bytes: &[u8], sections: &Sections) -> Result<()> {
        let (start, end) = sections.repetition;
        let levels = bytes.get(start..end).unwrap_or_default();
        self.row_values.see(levels, sections.repetition_encoding, self.column.max_rep_level(), values);
        let is_dictionary = matches!(encoding, Encoding::PLAIN_DICTIONARY | Encoding::RLE_DICTIONARY);
        let text = if is_dictionary { self.dictionary_value_bytes } else { 0 };
        // Lists grow by doubling.
        let of_row = self.row_values.of_row.saturating_mul(2 * size_of::<Field>() as u64 + text);
        let of_batch =
            self.row_values.of_batch.saturating_mul(self.value_bytes() + 2 * size_of::<i16>() as u64);
        Ok(self.rows.grow_to(&self.name, of_row.saturating_add(of_batch))?)
    }

    /// What lengths in delta encodings take, and texts that repeat the one before.
    fn delta_bytes(&self, values: u32, encoding: Encoding, block: &[u8]) -> Result<u64> {
        let length_lists = match encoding {
            Encoding::DELTA_LENGTH_BYTE_ARRAY => 1,
            Encoding::DELTA_BYTE_ARRAY => 2,
            _ => return Ok(0),
        };
        let count = delta::count(block).unwrap_or(0);
        if count > u64::from(values) {
            return Err(self.damaged("a page has more lengths than values"));
        }
        let lengths = count * size_of::<i32>() as u64 * length_lists;
        let window = if self.column.max_rep_level() > 0 { u64::MAX } else { self.batch_rows as u64 };
        let repeated = match encoding {
            Encoding::DELTA_BYTE_ARRAY => delta::largest_sum(block, window).unwrap_or(0),
            _ => 0,
        };
        Ok(lengths.saturating_add(repeated))
    }

    /// Where the sections of a data page are; none when they do not fit it.
    fn sections(&self, kind: PageKind, bytes: &[u8]) -> Option<Sections> {
        let sections = match kind {
            PageKind::DataV2(page) => {
                let repetition = page.repetition_bytes as usize;
                let values = repetition + page.definition_bytes as usize;
                Sections { repetition: (0, repetition), repetition_encoding: Encoding::RLE, values }
            }
            PageKind::Data { values, definition, repetition, .. } => {
                let levels = |at, max, encoding| levels(bytes, at, max, encoding, values);
                let (start, end) = levels(0, self.column.max_rep_level(), repetition)?;
                let (_, values) = levels(end, self.column.max_def_level(), definition)?;
                Sections { repetition: (start, end), repetition_encoding: repetition, values }
            }
            PageKind::Dictionary { .. } => return None,
        };
        (sections.values <= bytes.len()).then_some(sections)
    }

    /// What a value takes in memory.
    fn value_bytes(&self) -> u64 {
        let bytes = match self.column.physical_type() {
            PhysicalType::BOOLEAN => size_of::<bool>(),
            PhysicalType::INT32 | PhysicalType::FLOAT => size_of::<i32>(),
            PhysicalType::INT64 | PhysicalType::DOUBLE => size_of::<i64>(),
            PhysicalType::INT96 => size_of::<Int96>(),
            PhysicalType::BYTE_ARRAY => size_of::<ByteArray>(),
            PhysicalType::FIXED_LEN_BYTE_ARRAY => size_of::<FixedLenByteArray>(),
        };
        bytes as u64
    }

    /// The longest text in a dictionary; 0 where values are no texts.
    fn longest_value(&self, mut dictionary: &[u8]) -> u64 {
        match self.column.physical_type() {
            PhysicalType::FIXED_LEN_BYTE_ARRAY => u64::try_from(self.column.type_length()).unwrap_or(0),
            PhysicalType::BYTE_ARRAY => {
                let mut longest = 0;
                while let Some((length, rest)) = dictionary.split_first_chunk() {
                    let length = u32::from_le_bytes(*length);
                    longest = longest.max(length);
                    dictionary = rest.get(length as usize..).unwrap_or_default();
                }
                u64::from(longest)
            }
            _ => 0,
        }
    }
}

/// Where the levels of a page of the first version begin and end.
fn levels(bytes: &[u8], at: usize, max: i16, encoding: Encoding, values: u32) -> Option<(usize, usize)> {
    if max <= 0 {
        return Some((at, at));
    }
    if encoding != Encoding::RLE {
        let bits = u64::from(values) * u64::from(level_bits(max));
        return Some((at, at.checked_add(usize::try_from(bits.div_ceil(8)).ok()?)?));
    }
    let (length, _) = bytes.get(at..)?.split_first_chunk()?;
    let start = at + size_of::<u32>();
    Some((start, start.checked_add(u32::from_le_bytes(*length) as usize)?))
}

/// The page of a header and its bytes. Statistics are for readers that pass over pages.
fn page_of(kind: PageKind, buf: Bytes) -> Page {
    match kind {
        PageKind::Data { values, encoding, definition, repetition } => Page::DataPage {
            buf,
            num_values: values,
            encoding,
            def_level_encoding: definition,
            rep_level_encoding: repetition,
            statistics: None,
        },
        PageKind::DataV2(page) => Page::DataPageV2 {
            buf,
            num_values: page.values,
            encoding: page.encoding,
            num_nulls: page.nulls,
            num_rows: page.rows,
            def_levels_byte_len: page.definition_bytes,
            rep_levels_byte_len: page.repetition_bytes,
            is_compressed: page.is_compressed,
            statistics: None,
        },
        PageKind::Dictionary { values, encoding, is_sorted } => {
            Page::DictionaryPage { buf, num_values: values, encoding, is_sorted }
        }
    }
}

/// What a reader says, without its own name in front.
pub(super) fn message(error: ParquetError) -> String {
    match error {
        ParquetError::General(message) => message,
        other => other.to_string(),
    }
}

impl Iterator for ColumnPages {
    type Item = Result<Page>;

    fn next(&mut self) -> Option<Self::Item> {
        self.get_next_page().transpose()
    }
}

impl PageReader for ColumnPages {
    fn get_next_page(&mut self) -> Result<Option<Page>> {
        match self.header()? {
            Some(header) => self.page(header).map(Some),
            None => Ok(None),
        }
    }

    fn peek_next_page(&mut self) -> Result<Option<PageMetadata>> {
        self.next_header = self.header()?;
        let metadata = |header: PageHeader| match header.kind {
            PageKind::Data { values, .. } => {
                PageMetadata { num_rows: None, num_levels: Some(values as usize), is_dict: false }
            }
            PageKind::DataV2(page) => PageMetadata {
                num_rows: Some(page.rows as usize),
                num_levels: Some(page.values as usize),
                is_dict: false,
            },
            PageKind::Dictionary { .. } => PageMetadata { num_rows: None, num_levels: None, is_dict: true },
        };
        Ok(self.next_header.map(metadata))
    }

    fn skip_next_page(&mut self) -> Result<()> {
        if let Some(header) = self.header()? {
            self.offset += u64::from(header.compressed_bytes);
        }
        Ok(())
    }
}
