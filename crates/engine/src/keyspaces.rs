//! How a family's settings become settings of the keyspace that holds its cells.

use fjall::config::BloomConstructionPolicy;
use fjall::config::{BlockSizePolicy, CompressionPolicy, FilterPolicy, FilterPolicyEntry};
use fjall::{CompressionType, KeyspaceCreateOptions};
use tablesmith_model::{BloomFilter, Compression, FamilyDescriptor};

/// Bits of a Bloom filter for each cell: one false alarm in a hundred.
const BLOOM_BITS_PER_KEY: f32 = 10.0;

/// Name of a family's keyspace. The number is new with every keyspace, so that none is used twice.
pub(crate) fn name(table_id: u64, number: u64) -> String {
    format!("family.{table_id}.{number}")
}

/// The settings of a keyspace for a family.
///
/// - `BLOCKSIZE` is the size of data blocks.
/// - `COMPRESSION`: the storage below knows LZ4 only, which stands for every codec; NONE is none.
/// - `BLOOMFILTER`: NONE makes no filters, ROW and ROWCOL make them. They are consulted for single keys, which the
///   engine asks for seldom: rows are ranges of keys.
pub(crate) fn options(family: &FamilyDescriptor) -> KeyspaceCreateOptions {
    let compression = match family.compression {
        Compression::None => CompressionPolicy::disabled(),
        _ => CompressionPolicy::all(CompressionType::Lz4),
    };
    let bloom = match family.bloom_filter {
        BloomFilter::None => FilterPolicy::disabled(),
        BloomFilter::Row | BloomFilter::RowCol => FilterPolicy::all(FilterPolicyEntry::Bloom(
            BloomConstructionPolicy::BitsPerKey(BLOOM_BITS_PER_KEY),
        )),
    };
    KeyspaceCreateOptions::default()
        .data_block_size_policy(BlockSizePolicy::all(family.block_size_bytes))
        .data_block_compression_policy(compression)
        .filter_policy(bloom)
}

/// Whether two descriptions of a family want different keyspaces.
pub(crate) fn differ(a: &FamilyDescriptor, b: &FamilyDescriptor) -> bool {
    let layout = |family: &FamilyDescriptor| {
        (
            family.block_size_bytes,
            family.compression == Compression::None,
            family.bloom_filter == BloomFilter::None,
        )
    };
    layout(a) != layout(b)
}
