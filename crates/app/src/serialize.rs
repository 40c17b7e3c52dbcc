//! How fields of results are written where their own form is another one.

use std::path::Path;

use serde::{Serialize, Serializer};

/// A path as people write it, whatever its bytes are.
pub fn path<S: Serializer>(path: impl AsRef<Path>, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(&path.as_ref().display())
}

/// One object for one thing; for several, an object with a list of them.
#[derive(Serialize)]
#[serde(untagged)]
pub enum OneOrTables<'t, T> {
    /// The only one.
    One(&'t T),
    /// Several.
    Tables {
        /// All of them.
        tables: &'t [T],
    },
}

impl<'t, T> OneOrTables<'t, T> {
    /// The form that suits so many.
    pub fn of(tables: &'t [T]) -> Self {
        match tables {
            [one] => Self::One(one),
            tables => Self::Tables { tables },
        }
    }
}
