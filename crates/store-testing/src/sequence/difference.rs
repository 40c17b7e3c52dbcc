//! Where two stores differ.

use std::fmt;

use super::Sequence;
use super::observed::Observed;

/// Two stores that answer differently to the last step of a sequence.
#[derive(Clone, Debug, PartialEq)]
pub struct Difference {
    /// The steps up to the one where they differ.
    pub sequence: Sequence,
    /// What the first store answered.
    pub left: Observed,
    /// What the second store answered.
    pub right: Observed,
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Sequence { seed, original_steps, steps, .. } = &self.sequence;
        writeln!(f, "stores differ (seed {seed}, {} of {original_steps} steps):", steps.len())?;
        for (place, step) in steps.iter().enumerate() {
            writeln!(f, "  {:>3}. {step}", place + 1)?;
        }
        writeln!(f, "  left:  {}", self.left)?;
        write!(f, "  right: {}", self.right)
    }
}

impl std::error::Error for Difference {}
