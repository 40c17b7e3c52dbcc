//! What random sequences are made of.

use std::ops::RangeInclusive;

use tablesmith_model::Timestamp;

/// How long a sequence is and what it draws from. Small alphabets make the steps meet: the same few rows, columns and
/// timestamps again and again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SequenceConfig {
    /// Steps, before those that look at the end.
    pub steps: RangeInclusive<usize>,
    /// Tables.
    pub tables: usize,
    /// Row keys to write to.
    pub rows: Vec<&'static str>,
    /// Qualifiers.
    pub qualifiers: Vec<&'static str>,
    /// Families that a table may have.
    pub families: Vec<&'static str>,
    /// Values.
    pub values: Vec<&'static str>,
    /// Timestamps that writers choose.
    pub timestamps_ms: Vec<Timestamp>,
    /// What the clocks show at the beginning.
    pub start_ms: Timestamp,
    /// Times to live of families, in seconds; without any, cells live for ever.
    pub family_ttls_s: Vec<i64>,
    /// Times to live of cells, in milliseconds.
    pub cell_ttls_ms: Vec<i64>,
    /// How far the clocks move on at a time.
    pub advances_ms: Vec<Timestamp>,
    /// The stores read clocks that nobody sets: times that they choose compare as equal, and no time passes.
    pub own_clocks: bool,
    /// Leaves out what hangs a server of HBase 2.6.1 or depends there on what its housekeeping does meanwhile: raw
    /// scans that leave out anything, flushes and compactions of single regions, splits and merges (new regions are
    /// compacted when the server gets to it).
    pub spares_hbase: bool,
}

impl Default for SequenceConfig {
    /// For stores whose clocks can be set.
    fn default() -> Self {
        Self {
            steps: 30..=60,
            tables: 1,
            rows: vec!["a", "b", "ba", "c"],
            qualifiers: vec!["", "p", "q"],
            families: vec!["f", "g"],
            values: vec!["", "x", "y", "xy", "00000007"],
            timestamps_ms: vec![1, 50_000, 90_000, 99_999, 100_000, 100_001, 120_000],
            start_ms: 100_000,
            family_ttls_s: vec![10, 60],
            cell_ttls_ms: vec![5_000, 30_000],
            advances_ms: vec![1, 1, 1, 2, 5_000, 30_000],
            own_clocks: false,
            spares_hbase: false,
        }
    }
}

impl SequenceConfig {
    /// For stores whose clocks show the present, like a cluster's. Cells do not expire: what two such stores do at about
    /// the same time need not be the same. No qualifier is empty: HBase 2.6.1 may compact such cells for ever.
    pub fn own_clocks() -> Self {
        Self {
            timestamps_ms: vec![1, 1_000, 2_000, 2_001, 3_000, 4_000],
            qualifiers: vec!["p", "q"],
            start_ms: 1_700_000_000_000,
            family_ttls_s: Vec::new(),
            cell_ttls_ms: vec![9_000_000_000_000],
            advances_ms: Vec::new(),
            own_clocks: true,
            spares_hbase: true,
            ..Self::default()
        }
    }
}
