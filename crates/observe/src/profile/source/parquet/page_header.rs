//! The header of a page. The reader of the parquet crate decompresses a page before anyone
//! can ask how large it is; the header says it before.

use std::io::{self, Read};

use parquet::basic::Encoding;

use super::thrift::{Compact, FALSE, STRUCT, TRUE, damaged, unsigned};

/// What stands before a page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Header {
    Page(PageHeader),
    /// An index inside the column, which nobody needs to read it.
    Index {
        compressed_bytes: u32,
    },
}

/// What the header of a page with values says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct PageHeader {
    pub kind: PageKind,
    /// Bytes of the page, header not included.
    pub uncompressed_bytes: u32,
    /// Bytes in the file behind the header.
    pub compressed_bytes: u32,
}

/// The kinds of pages with values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PageKind {
    Data { values: u32, encoding: Encoding, definition: Encoding, repetition: Encoding },
    DataV2(DataV2),
    Dictionary { values: u32, encoding: Encoding, is_sorted: bool },
}

/// A data page of the second version: its levels come first and are never compressed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct DataV2 {
    pub values: u32,
    pub nulls: u32,
    pub rows: u32,
    pub encoding: Encoding,
    pub definition_bytes: u32,
    pub repetition_bytes: u32,
    pub is_compressed: bool,
}

/// Reads a header, and says how long it is.
pub(super) fn read(input: impl Read) -> io::Result<(Header, u64)> {
    let mut compact = Compact::new(input);
    let header = header(&mut compact)?;
    Ok((header, compact.bytes))
}

fn header(compact: &mut Compact<impl Read>) -> io::Result<Header> {
    let (mut kind, mut uncompressed, mut compressed) = (None, None, None);
    let (mut data, mut dictionary, mut data_v2) = (None, None, None);
    compact.structure(|input, id, wire| {
        match (id, wire) {
            (1, _) => kind = Some(input.integer(wire)?),
            (2, _) => uncompressed = Some(input.size(wire)?),
            (3, _) => compressed = Some(input.size(wire)?),
            (5, STRUCT) => data = Some(self::data(input)?),
            (7, STRUCT) => dictionary = Some(self::dictionary(input)?),
            (8, STRUCT) => data_v2 = Some(self::data_v2(input)?),
            _ => input.pass_over(wire)?,
        }
        Ok(())
    })?;
    let kind = match kind {
        Some(0) => data,
        Some(1) => {
            let compressed_bytes = compressed.ok_or_else(damaged)?;
            return Ok(Header::Index { compressed_bytes });
        }
        Some(2) => dictionary,
        Some(3) => data_v2,
        _ => None,
    };
    match (kind, uncompressed, compressed) {
        (Some(kind), Some(uncompressed_bytes), Some(compressed_bytes)) => {
            Ok(Header::Page(PageHeader { kind, uncompressed_bytes, compressed_bytes }))
        }
        _ => Err(damaged()),
    }
}

fn data(compact: &mut Compact<impl Read>) -> io::Result<PageKind> {
    let mut numbers = [None; 5];
    compact.structure(|input, id, wire| input.keep(&mut numbers, id, wire))?;
    let [_, values, encoding, definition, repetition] = numbers;
    Ok(PageKind::Data {
        values: unsigned(values)?,
        encoding: encoding_of(encoding)?,
        definition: encoding_of(definition)?,
        repetition: encoding_of(repetition)?,
    })
}

fn dictionary(compact: &mut Compact<impl Read>) -> io::Result<PageKind> {
    let (mut numbers, mut is_sorted) = ([None; 3], false);
    compact.structure(|input, id, wire| match (id, wire) {
        (3, TRUE | FALSE) => {
            is_sorted = wire == TRUE;
            Ok(())
        }
        _ => input.keep(&mut numbers, id, wire),
    })?;
    let [_, values, encoding] = numbers;
    Ok(PageKind::Dictionary { values: unsigned(values)?, encoding: encoding_of(encoding)?, is_sorted })
}

fn data_v2(compact: &mut Compact<impl Read>) -> io::Result<PageKind> {
    let (mut numbers, mut is_compressed) = ([None; 7], true);
    compact.structure(|input, id, wire| match (id, wire) {
        (7, TRUE | FALSE) => {
            is_compressed = wire == TRUE;
            Ok(())
        }
        _ => input.keep(&mut numbers, id, wire),
    })?;
    let [_, values, nulls, rows, encoding, definition_bytes, repetition_bytes] = numbers;
    Ok(PageKind::DataV2(DataV2 {
        values: unsigned(values)?,
        nulls: unsigned(nulls)?,
        rows: unsigned(rows)?,
        encoding: encoding_of(encoding)?,
        definition_bytes: unsigned(definition_bytes)?,
        repetition_bytes: unsigned(repetition_bytes)?,
        is_compressed,
    }))
}

#[expect(deprecated, reason = "old files have levels in this encoding")]
fn encoding_of(number: Option<i64>) -> io::Result<Encoding> {
    Ok(match number {
        Some(0) => Encoding::PLAIN,
        Some(2) => Encoding::PLAIN_DICTIONARY,
        Some(3) => Encoding::RLE,
        Some(4) => Encoding::BIT_PACKED,
        Some(5) => Encoding::DELTA_BINARY_PACKED,
        Some(6) => Encoding::DELTA_LENGTH_BYTE_ARRAY,
        Some(7) => Encoding::DELTA_BYTE_ARRAY,
        Some(8) => Encoding::RLE_DICTIONARY,
        Some(9) => Encoding::BYTE_STREAM_SPLIT,
        _ => return Err(damaged()),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A dictionary page of 3 values, 1,000 bytes of which 20 are in the file; with a checksum to pass over.
    const DICTIONARY: [u8; 16] =
        [0x15, 4, 0x15, 0xD0, 0x0F, 0x15, 40, 0x15, 9, 0x3C, 0x15, 6, 0x15, 0, 0x00, 0x00];

    #[test]
    fn a_header_says_sizes_and_kind() {
        let (header, bytes) = read(&DICTIONARY[..]).unwrap();
        let kind = PageKind::Dictionary { values: 3, encoding: Encoding::PLAIN, is_sorted: false };
        let page = PageHeader { kind, uncompressed_bytes: 1_000, compressed_bytes: 20 };
        assert_eq!(header, Header::Page(page));
        assert_eq!(bytes, 16);
    }

    #[test]
    fn fields_that_nobody_knows_are_passed_over() {
        // Field 20: a map of one pair, a binary and a list of two truth values, inside a structure.
        let unknown = [0x0C, 40, 0x1B, 1, 0x89, 2, b'h', b'i', 0x21, 1, 2, 0x00];
        let mut bytes = DICTIONARY[..15].to_vec();
        bytes.extend(unknown);
        bytes.push(0);
        assert_eq!(read(&bytes[..]).unwrap().1, bytes.len() as u64);
    }

    #[test]
    fn headers_that_are_cut_off_or_made_up_are_refused() {
        for cut in 0..DICTIONARY.len() {
            assert!(read(&DICTIONARY[..cut]).is_err(), "{cut}");
        }
        let deep = [0x5C; 1_000];
        assert!(read(&deep[..]).is_err(), "structures in structures without end");
        let endless = [0x48, 0xFF, 0xFF, 0xFF, 0xFF, 0x0F];
        assert!(read(&endless[..]).is_err(), "a text longer than the file");
        let negative = [0x15, 4, 0x15, 1, 0x15, 40, 0x4C, 0x15, 6, 0x15, 0, 0x00, 0x00];
        assert!(read(&negative[..]).is_err(), "a size below 0");
    }
}
