//! What the demo found out, as plain values: one part prints them as text, another as JSON.

use std::time::Duration;

use bytes::Bytes;
use tablesmith_store::OpStats;

use super::ads::AdsStory;
use super::design::Direction;
use super::whole::WholeStory;

/// All of it; parts that were not wanted are empty.
#[derive(Clone, Debug, Default)]
pub struct Story {
    /// What the graph was made from.
    pub seed: u64,
    /// Users in it.
    pub users: usize,
    /// Edges in it.
    pub edges: usize,
    /// Who has the most followers, and how many.
    pub most_followed: (String, usize),
    /// The tables in the order of the story.
    pub tables: Vec<TableStory>,
    /// The questions in the order they were asked.
    pub questions: Vec<Question>,
    /// From questions to tables; comes before all else.
    pub whole: Option<WholeStory>,
    /// Which columns of a wide table belong together; comes after all else.
    pub ads: Option<AdsStory>,
}

impl Story {
    /// Whether the tables answered what the graph says, and all designs alike.
    pub fn is_true(&self) -> bool {
        let alike = self.ads.as_ref().is_none_or(|ads| ads.evidence.answers_equal);
        let designed = self.whole.as_ref().is_none_or(WholeStory::is_true);
        alike && designed && self.questions.iter().all(|question| question.is_true)
    }
}

/// A table, how it was loaded and where its rows lie.
#[derive(Clone, Debug)]
pub struct TableStory {
    /// Which one.
    pub direction: Direction,
    /// What they cost.
    pub load: Cost,
    /// Its regions in key order.
    pub regions: Vec<RegionStory>,
}

/// A region and what it had to do.
#[derive(Clone, Debug)]
pub struct RegionStory {
    /// The first row; empty for the first region.
    pub start: Bytes,
    /// The server that has it.
    pub server: String,
    /// Rows in it, counted inside the region.
    pub rows: u64,
    /// Rows read from it by the questions.
    pub reads: u64,
    /// Bytes it looked at for them.
    pub read_bytes: Option<u64>,
    /// Rows written to it.
    pub writes: u64,
}

/// A question, how it was asked and what came.
#[derive(Clone, Debug)]
pub struct Question {
    /// The question in words.
    pub words: String,
    /// By which operation.
    pub how: &'static str,
    /// The same in the shell's language.
    pub shell: String,
    /// The answer in words.
    pub answer: String,
    /// Whether the graph says the same.
    pub is_true: bool,
    /// What it cost.
    pub cost: Cost,
}

/// What operations cost.
#[derive(Clone, Copy, Debug, Default)]
pub struct Cost {
    /// Calls to the store; a scan is one call for each portion of rows.
    pub calls: u64,
    /// Rows sent or received.
    pub rows: u64,
    /// What the store counted.
    pub stats: OpStats,
    /// Time that the caller waited.
    pub waited: Duration,
}
