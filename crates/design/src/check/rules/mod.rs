//! The rules, one file each.

pub mod full_scan;
pub mod hash_against_range;
pub mod hot_counter;
pub mod hot_region;
pub mod key_loses_rows;
pub mod long_names;
pub mod many_families;
pub mod monotone_key;
pub mod no_splits;
pub mod not_stored;
pub mod prefix_against_reads;
pub mod rows_twice;
pub mod splits_miss_keys;
pub mod ttl_too_short;
pub mod unbounded_row;
pub mod unbounded_versions;
