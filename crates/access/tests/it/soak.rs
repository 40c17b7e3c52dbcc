//! How much random tests try.

/// So many runs, or more where time does not matter.
pub fn runs(usual: u64, soak: u64) -> u64 {
    if std::env::var_os("TABLESMITH_SOAK").is_some() { soak } else { usual }
}
