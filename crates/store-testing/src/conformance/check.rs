//! A check: one rule that every store keeps.

use std::fmt::{self, Display};
use std::pin::Pin;

use tablesmith_store::StoreError;

use super::lab::Lab;

/// One rule, and how to see whether a store keeps it.
#[derive(Clone, Copy)]
pub struct Check {
    /// What the rule is about.
    pub theme: &'static str,
    /// The rule in a few words.
    pub name: &'static str,
    pub(super) run: Run,
}

/// Runs a check in a laboratory of its own.
pub(super) type Run = for<'a> fn(&'a Lab<'a>) -> Pin<Box<dyn Future<Output = Checked> + Send + 'a>>;

impl Check {
    /// `theme::name`.
    pub fn full_name(&self) -> String {
        format!("{}::{}", self.theme, self.name)
    }
}

impl fmt::Debug for Check {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.full_name())
    }
}

/// How a check ends.
pub(super) type Checked<T = ()> = Result<T, Broken>;

/// How a store broke a rule.
#[derive(Clone, Debug)]
pub(super) struct Broken(pub(super) String);

impl Broken {
    /// The store failed where it should not.
    pub(super) fn failed(what: impl Display, error: &StoreError) -> Self {
        Self(format!("{what} failed with {}: {error}", error.exception()))
    }

    /// The store answered something else.
    pub(super) fn differs(what: impl Display, got: impl Display, expected: impl Display) -> Self {
        Self(format!("{what}\n    answers  {got}\n    expected {expected}"))
    }
}

/// Wants two things to be the same.
pub(super) fn same<T: PartialEq + fmt::Debug>(what: impl Display, got: &T, expected: &T) -> Checked {
    if got == expected {
        return Ok(());
    }
    Err(Broken::differs(what, format!("{got:?}"), format!("{expected:?}")))
}

/// Wants something to hold.
pub(super) fn holds(what: impl Display, holds: bool) -> Checked {
    if holds { Ok(()) } else { Err(Broken(format!("it should be that {what}"))) }
}

/// Wants a call to succeed.
pub(super) fn done<T>(what: impl Display, result: Result<T, StoreError>) -> Checked<T> {
    result.map_err(|error| Broken::failed(what, &error))
}

/// Wants a call to be refused with HBase's exception.
pub(super) fn refused<T>(what: impl Display, result: Result<T, StoreError>, exception: &str) -> Checked {
    match result {
        Err(error) if error.exception() == exception => Ok(()),
        Err(error) => Err(Broken::differs(what, format!("{}: {error}", error.exception()), exception)),
        Ok(_) => Err(Broken::differs(what, "without an error", exception)),
    }
}
