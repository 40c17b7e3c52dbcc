//! What a rule found.

/// What a rule found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// The rule's id.
    pub rule: &'static str,
    /// How grave it is.
    pub severity: Severity,
    /// Where: `stations.key`, `stations.family.m`, `query "latest"`.
    pub at: String,
    /// What is wrong, in a sentence.
    pub message: String,
    /// What to do, in a sentence.
    pub fix: String,
}

/// How grave a finding is, the gravest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// Data is lost, or a query gets no answer.
    Error,
    /// It works, and will be slow or uneven.
    Warning,
    /// It could be better.
    Hint,
}

impl Severity {
    /// Its name in output.
    pub fn name(self) -> &'static str {
        match self {
            Self::Error => "error",
            Self::Warning => "warning",
            Self::Hint => "hint",
        }
    }
}
