//! Writes a file and measures it.

use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};
use tablesmith_model::value::ValueType;
use tablesmith_observe::profile::{ColumnProfile, Profile, ProfileError, profile};
use tempfile::TempDir;

/// Measures a file of this name with this content.
pub fn measure(name: &str, content: impl AsRef<[u8]>) -> Result<Profile, ProfileError> {
    let directory = TempDir::with_prefix("tablesmith-profile-").unwrap();
    let path = directory.path().join(name);
    std::fs::write(&path, content).unwrap();
    profile(&path, &mut |_| {})
}

/// What is found in a file that can be measured.
pub fn found(name: &str, content: impl AsRef<[u8]>) -> Profile {
    measure(name, content).unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// The column of a name.
pub fn column<'p>(profile: &'p Profile, name: &str) -> &'p ColumnProfile {
    profile.columns.iter().find(|column| column.name == name).unwrap_or_else(|| panic!("no column {name}"))
}

/// The types of all columns.
pub fn types(profile: &Profile) -> Vec<ValueType> {
    profile.columns.iter().map(|column| column.value_type).collect()
}

/// Runs so many random cases, twenty times as many in a soak; prints the seed, which replays them.
pub fn runner(seed: u64, cases: u32) -> TestRunner {
    println!("seed {seed}");
    let mut bytes = [0; 32];
    bytes[..8].copy_from_slice(&seed.to_le_bytes());
    let cases = if std::env::var_os("TABLESMITH_SOAK").is_some() { cases * 20 } else { cases };
    let config = Config { cases, failure_persistence: None, ..Config::default() };
    TestRunner::new_with_rng(config, TestRng::from_seed(RngAlgorithm::ChaCha, &bytes))
}
