//! Decompresses a page into as many bytes as its header says, never more.

use std::io::Read;

use flate2::read::MultiGzDecoder;
use parquet::basic::Compression;
use parquet::errors::{ParquetError, Result};

/// Appends the decompressed bytes to `output`, which must be `bytes` in number. A page that holds more or fewer than its
/// header says is damaged, or made to exhaust memory: the decompressor stops at the first byte too many.
pub(super) fn decompress(
    codec: Compression,
    compressed: &[u8],
    output: &mut Vec<u8>,
    bytes: usize,
) -> Result<()> {
    let start = output.len();
    let found = match codec {
        Compression::GZIP(_) => {
            let limit = (bytes as u64).saturating_add(1);
            MultiGzDecoder::new(compressed).take(limit).read_to_end(output)?
        }
        Compression::SNAPPY => {
            output.resize(start + bytes, 0);
            let target = output.get_mut(start..).unwrap_or_default();
            snap::raw::Decoder::new().decompress(compressed, target).map_err(wrong)?
        }
        Compression::ZSTD(_) => {
            output.resize(start + bytes, 0);
            let target = output.get_mut(start..).unwrap_or_default();
            zstd::bulk::decompress_to_buffer(compressed, target).map_err(wrong)?
        }
        other => {
            let message =
                format!("it is compressed with {other}: only SNAPPY, GZIP and ZSTD can be decompressed");
            return Err(ParquetError::General(message));
        }
    };
    if found == bytes {
        return Ok(());
    }
    Err(wrong(format!(
        "it has {} than the {bytes} bytes of its header",
        if found > bytes { "more" } else { "fewer" }
    )))
}

fn wrong(error: impl std::fmt::Display) -> ParquetError {
    ParquetError::General(format!("a page cannot be decompressed: {error}"))
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;

    fn gzip(text: &[u8]) -> Vec<u8> {
        let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
        encoder.write_all(text).unwrap();
        encoder.finish().unwrap()
    }

    fn codecs(text: &[u8]) -> [(Compression, Vec<u8>); 3] {
        [
            (Compression::GZIP(Default::default()), gzip(text)),
            (Compression::SNAPPY, snap::raw::Encoder::new().compress_vec(text).unwrap()),
            (Compression::ZSTD(Default::default()), zstd::bulk::compress(text, 1).unwrap()),
        ]
    }

    #[test]
    fn all_that_the_header_says_comes_out() {
        for (codec, compressed) in codecs(&[7; 10_000]) {
            let mut output = vec![1, 2];
            decompress(codec, &compressed, &mut output, 10_000).unwrap();
            assert_eq!((output.len(), &output[..3], output[10_001]), (10_002, &[1, 2, 7][..], 7), "{codec}");
        }
    }

    #[test]
    fn a_header_that_lies_about_the_size_gets_no_more_than_it_says() {
        for (codec, compressed) in codecs(&vec![0; 8 << 20]) {
            for bytes in [0, 1, 1_000, (8 << 20) - 1, (8 << 20) + 1] {
                let mut output = Vec::new();
                decompress(codec, &compressed, &mut output, bytes).unwrap_err();
                assert!(output.len() <= bytes + 1, "{codec}: {} of {bytes}", output.len());
            }
        }
    }

    #[test]
    fn gzip_in_several_members_is_one_page() {
        let compressed = [gzip(b"one, "), gzip(b"two")].concat();
        let mut output = Vec::new();
        decompress(Compression::GZIP(Default::default()), &compressed, &mut output, 8).unwrap();
        assert_eq!(output, b"one, two");
    }

    #[test]
    fn other_codecs_are_named() {
        let error = decompress(Compression::LZ4, &[], &mut Vec::new(), 1).unwrap_err().to_string();
        assert!(error.contains("LZ4") && error.contains("ZSTD"), "{error}");
    }
}
