//! A table of figures, as words: for experiments whose result is no time of a design.

use serde::{Deserialize, Serialize};

/// A table of figures.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Figures {
    /// What it shows.
    pub title: String,
    /// The heads of its columns; the first column holds names, the others numbers or words.
    pub columns: Vec<String>,
    /// Its rows.
    pub rows: Vec<Vec<String>>,
}
