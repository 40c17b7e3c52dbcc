//! All rules, in the order in which they are explained.

use super::Rule;
use super::rules::{
    full_scan, hash_against_range, hot_counter, hot_region, key_loses_rows, long_names, many_families,
    monotone_key, no_splits, not_stored, prefix_against_reads, rows_twice, splits_miss_keys, ttl_too_short,
    unbounded_row, unbounded_versions,
};

/// All rules.
pub const RULES: &[Rule] = &[
    key_loses_rows::RULE,
    not_stored::RULE,
    ttl_too_short::RULE,
    monotone_key::RULE,
    no_splits::RULE,
    splits_miss_keys::RULE,
    rows_twice::RULE,
    prefix_against_reads::RULE,
    hash_against_range::RULE,
    full_scan::RULE,
    unbounded_row::RULE,
    unbounded_versions::RULE,
    hot_counter::RULE,
    hot_region::RULE,
    many_families::RULE,
    long_names::RULE,
];

/// The rule of an id.
pub fn rule(id: &str) -> Option<&'static Rule> {
    RULES.iter().find(|rule| rule.id == id)
}
