//! The hash of options a command is given.

use crate::error::ShellError;
use crate::language::Value;
use crate::suggest;

use super::convert;

/// Options by name. Each is taken out once; what is left over is what the command does not know.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Options(Vec<(String, Value)>);

impl Options {
    /// The options of a hash; of two with the same name the later one counts.
    pub fn new(pairs: Vec<(Value, Value)>) -> Self {
        let mut options = Self::default();
        for (key, value) in pairs {
            options.set(key.to_text(), value);
        }
        options
    }

    fn set(&mut self, key: String, value: Value) {
        match self.0.iter_mut().find(|(have, _)| *have == key) {
            Some((_, place)) => *place = value,
            None => self.0.push((key, value)),
        }
    }

    /// Whether an option is given, be it `nil`.
    pub fn contains(&self, key: &str) -> bool {
        self.keys().any(|have| have == key)
    }

    /// The names of the options that are left.
    pub fn keys(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(|(key, _)| key.as_str())
    }

    /// Takes an option out; `nil` is as good as nothing.
    pub fn take(&mut self, key: &str) -> Option<Value> {
        let at = self.0.iter().position(|(have, _)| have == key)?;
        let (_, value) = self.0.remove(at);
        (value != Value::Nil).then_some(value)
    }

    /// Takes a number out.
    pub fn long(&mut self, key: &str) -> Result<Option<i64>, ShellError> {
        self.take(key).map(|value| convert::long(&value, key)).transpose()
    }

    /// Takes a number out that means nothing unless it is positive.
    pub fn positive(&mut self, key: &str) -> Result<Option<u32>, ShellError> {
        Ok(self.not_negative(key)?.filter(|&number| number > 0))
    }

    /// Takes a number out that means nothing if it is negative.
    pub fn not_negative(&mut self, key: &str) -> Result<Option<u32>, ShellError> {
        let number = self.long(key)?.filter(|&number| number >= 0);
        Ok(number.map(|number| u32::try_from(number).unwrap_or(u32::MAX)))
    }

    /// Takes true or false out.
    pub fn flag(&mut self, key: &str) -> Result<Option<bool>, ShellError> {
        self.take(key).map(|value| convert::flag(&value, key)).transpose()
    }

    /// Takes a text out.
    pub fn text(&mut self, key: &str) -> Result<Option<String>, ShellError> {
        self.take(key).map(|value| convert::text(&value, key)).transpose()
    }

    /// Takes a text out that must be one of some.
    pub fn one_of(&mut self, key: &str, allowed: &[&str]) -> Result<Option<String>, ShellError> {
        let Some(text) = self.text(key)? else { return Ok(None) };
        if allowed.contains(&text.as_str()) {
            return Ok(Some(text));
        }
        let hint = suggest::hint(&text, allowed.iter().copied());
        Err(ShellError::illegal(format!("{key} is one of {}, not '{text}'{hint}", allowed.join(", "))))
    }

    /// What is left over.
    pub fn rest(self) -> Vec<(String, Value)> {
        self.0
    }

    /// A note for each option that is left over: HBase's shell goes on without them.
    pub fn ignored(self, command: &str, known: &[&str]) -> Vec<String> {
        let note = |key: &str| {
            let hint = suggest::hint(key, known.iter().copied());
            format!("Option ignored, {command} does not know it: {key}{hint}")
        };
        self.0.iter().map(|(key, _)| note(key)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn options(pairs: &[(&'static str, Value)]) -> Options {
        Options::new(pairs.iter().map(|(key, value)| (Value::text(*key), value.clone())).collect())
    }

    #[test]
    fn each_is_taken_once_and_the_last_counts() {
        let mut given = options(&[("LIMIT", Value::Int(1)), ("RAW", Value::Nil), ("LIMIT", Value::Int(2))]);
        assert!(given.contains("RAW"));
        assert_eq!(given.long("LIMIT").unwrap(), Some(2));
        assert_eq!(given.long("LIMIT").unwrap(), None);
        assert_eq!(given.flag("RAW").unwrap(), None);
        assert_eq!(given.rest(), []);
    }

    #[test]
    fn what_is_not_known_gets_a_note() {
        let notes = options(&[("LIMITS", Value::Int(1))]).ignored("scan", &["LIMIT"]);
        assert_eq!(notes, ["Option ignored, scan does not know it: LIMITS: did you mean 'LIMIT'?"]);
    }

    #[test]
    fn wrong_types_are_refused() {
        assert_eq!(options(&[("RAW", Value::Int(1))]).flag("RAW").unwrap_err().exception(), "TypeError");
        let error = options(&[("A", Value::text("PREAF"))]).one_of("A", &["PREAD", "STREAM"]).unwrap_err();
        assert_eq!(error.to_string(), "A is one of PREAD, STREAM, not 'PREAF': did you mean 'PREAD'?");
    }
}
