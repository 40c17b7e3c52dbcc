//! What a key can be made of.

use std::collections::{BTreeMap, HashMap};
use std::hash::BuildHasher;

use crate::value::Value;

/// A row, as far as it is known to the one who wants its key. What is not known is absent.
pub trait KeyInput {
    /// The value of a field; `Value::Null` is a value that is known.
    fn value(&self, field: &str) -> Option<&Value>;

    /// The whole line that the row was read from, for `md5_line_mod`.
    fn line(&self) -> Option<&[u8]> {
        None
    }

    /// The row's number, for `row_number`.
    fn row_number(&self) -> Option<u64> {
        None
    }

    /// A random number below `bound`, for `random`.
    fn random_below(&mut self, _bound: u64) -> Option<u64> {
        None
    }
}

impl KeyInput for BTreeMap<String, Value> {
    fn value(&self, field: &str) -> Option<&Value> {
        self.get(field)
    }
}

impl<S: BuildHasher> KeyInput for HashMap<String, Value, S> {
    fn value(&self, field: &str) -> Option<&Value> {
        self.get(field)
    }
}
