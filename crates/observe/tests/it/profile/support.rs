//! Writes a file and measures it.

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
