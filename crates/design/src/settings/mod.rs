//! Settings of a column family: one file each, with its rule, its reason, and what it was measured to bring.
//!
//! ```text
//!  Usage: how a family is read and written ──registry──▶ Decisions: setting, value, reason
//! ```
//!
//! A setting that stays at HBase's default is not written, so that what is written was meant.

mod block_size;
mod bloom;
mod compression;
mod encoding;
mod in_memory;
mod min_versions;
mod names;
mod ttl;
mod versions;

pub use names::family_name;

use tablesmith_model::design::Setting;

/// How a family is read and written. Rates are calls a second, or any weight.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Usage {
    /// Gets of whole rows.
    pub gets: f64,
    /// Gets of single cells of rows that have many.
    pub cell_gets: f64,
    /// Scans.
    pub scans: f64,
    /// Rows or cells that are written.
    pub writes: f64,
    /// Bytes of all its cells.
    pub total_bytes: f64,
    /// Bytes of a row in it, on average.
    pub row_bytes: f64,
    /// Cells of a row, on average.
    pub row_cells: f64,
    /// Bytes of a cell's key and qualifier.
    pub key_bytes: f64,
    /// Bytes of a cell's value.
    pub value_bytes: f64,
    /// The share of values that are texts.
    pub text_share: f64,
    /// Older rows need not be kept, in seconds; only where that holds for all rows in the family.
    pub retention_s: Option<u64>,
    /// Versions that a cell needs: more than one only where versions are times.
    pub versions: u64,
}

/// What was decided for a setting.
#[derive(Clone, Debug, PartialEq)]
pub struct Decision {
    /// HBase's name of the setting.
    pub setting: &'static str,
    /// Its value.
    pub value: Setting,
    /// Why.
    pub reason: String,
    /// What it was measured to bring on HBase 2.6.1.
    pub measured: &'static str,
}

/// A rule for one setting.
pub struct Rule {
    /// HBase's name of the setting.
    pub setting: &'static str,
    /// What it does and when which value is taken.
    pub rule: &'static str,
    /// What it was measured to bring on HBase 2.6.1 (`cargo xtask bench settings`).
    pub measured: &'static str,
    decide: fn(&Usage) -> Option<(Setting, String)>,
}

/// All rules, in the order in which settings are written.
pub const RULES: &[Rule] = &[
    versions::RULE,
    ttl::RULE,
    min_versions::RULE,
    bloom::RULE,
    block_size::RULE,
    compression::RULE,
    encoding::RULE,
    in_memory::RULE,
];

/// The settings of a family that is used so; what stays at HBase's default is left out.
pub fn settings(usage: &Usage) -> Vec<Decision> {
    let decide = |rule: &Rule| {
        let (value, reason) = (rule.decide)(usage)?;
        Some(Decision { setting: rule.setting, value, reason, measured: rule.measured })
    };
    RULES.iter().filter_map(decide).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decided(usage: Usage) -> Vec<(&'static str, String)> {
        settings(&usage).into_iter().map(|one| (one.setting, one.value.text())).collect()
    }

    #[test]
    fn a_family_that_nobody_asks_much_of_stays_as_hbase_has_it() {
        let plain = Usage {
            gets: 1.0,
            row_bytes: 20_000.0,
            value_bytes: 500.0,
            total_bytes: 1e12,
            versions: 1,
            ..Usage::default()
        };
        assert_eq!(decided(plain), [("VERSIONS", "1".to_owned())]);
    }

    #[test]
    fn single_cells_of_wide_rows_want_another_filter_than_scans() {
        let cells = Usage { cell_gets: 10.0, row_cells: 200.0, versions: 1, ..Usage::default() };
        assert!(decided(cells).contains(&("BLOOMFILTER", "ROWCOL".to_owned())));
        let scans = Usage { scans: 10.0, versions: 1, ..Usage::default() };
        assert_eq!(
            decided(scans),
            [("VERSIONS", "1".to_owned())],
            "other filters and blocks bring scans nothing"
        );
    }

    #[test]
    fn what_is_read_is_not_packed() {
        let texts = Usage {
            writes: 10.0,
            gets: 1.0,
            value_bytes: 900.0,
            text_share: 1.0,
            total_bytes: 1e12,
            versions: 1,
            row_bytes: 1e4,
            ..Usage::default()
        };
        assert!(decided(texts).contains(&("COMPRESSION", "GZ".to_owned())));
        assert!(!decided(Usage { gets: 20.0, ..texts }).iter().any(|(setting, _)| *setting == "COMPRESSION"));
    }

    #[test]
    fn retention_becomes_a_ttl_and_a_small_hot_family_stays_in_memory() {
        let hot = Usage {
            gets: 1_000.0,
            total_bytes: 1e6,
            row_bytes: 100.0,
            retention_s: Some(259_200),
            versions: 1,
            ..Usage::default()
        };
        let decided = decided(hot);
        assert!(decided.contains(&("TTL", "259200".to_owned())));
        assert!(decided.contains(&("IN_MEMORY", "true".to_owned())));
        assert!(decided.contains(&("BLOCKSIZE", "16384".to_owned())));
    }

    #[test]
    fn every_rule_says_what_it_does_and_what_it_brought() {
        for rule in RULES {
            assert!(rule.rule.len() > 40 && !rule.measured.is_empty(), "{}", rule.setting);
            let mut family = tablesmith_model::FamilyDescriptor::new("f");
            let sample = Usage {
                gets: 1e6,
                cell_gets: 1.0,
                scans: 1.0,
                total_bytes: 10.0,
                row_cells: 50.0,
                row_bytes: 90.0,
                key_bytes: 60.0,
                value_bytes: 1.0,
                text_share: 1.0,
                retention_s: Some(60),
                versions: 7,
                ..Usage::default()
            };
            if let Some((value, _)) = (rule.decide)(&sample) {
                family.set(rule.setting, &value.text()).unwrap();
            }
        }
    }
}
