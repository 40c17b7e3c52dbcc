//! One choice of values and prefixes.

use tablesmith_model::key::KeyInput;
use tablesmith_model::value::Value;

/// One choice of values and prefixes.
#[derive(Clone, Debug, Default)]
pub(super) struct Choice<'c> {
    pub values: Vec<(&'c str, Value)>,
    pub prefixes: Vec<u64>,
    /// How many of the prefixes were asked for.
    pub asked: usize,
}

impl KeyInput for Choice<'_> {
    fn value(&self, field: &str) -> Option<&Value> {
        self.values.iter().find(|(column, _)| *column == field).map(|(_, value)| value)
    }

    fn random_below(&mut self, _bound: u64) -> Option<u64> {
        let prefix = self.prefixes.get(self.asked).copied();
        self.asked += 1;
        prefix
    }
}
