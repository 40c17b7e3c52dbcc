//! What the demo found out, as plain values.

use std::time::Duration;

use bytes::Bytes;
use serde::{Serialize, Serializer};
use tablesmith_model::bytes_text::to_text;
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
    /// Who has the most followers.
    pub most_followed: MostFollowed,
    /// The tables in the order of the story.
    pub tables: Vec<TableStory>,
    /// The questions in the order they were asked.
    pub questions: Vec<Question>,
    /// From questions to tables; comes before all else.
    pub whole: Option<WholeStory>,
    /// Which columns of a wide table belong together; comes after all else.
    pub ads: Option<AdsStory>,
}

/// Who has the most followers, and how many.
#[derive(Clone, Debug, Default, Serialize)]
pub struct MostFollowed {
    /// The user.
    pub user: String,
    /// How many follow them.
    pub followers: usize,
}

impl Story {
    /// Whether the tables answered what the graph says, and all designs alike.
    pub fn is_true(&self) -> bool {
        let alike = self.ads.as_ref().is_none_or(|ads| ads.evidence.answers_equal);
        let designed = self.whole.as_ref().is_none_or(|whole| whole.evidence.answers_equal);
        alike && designed && self.questions.iter().all(|question| question.is_true)
    }
}

impl Serialize for Story {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        #[derive(Serialize)]
        struct Fields<'s> {
            seed: u64,
            whole: Option<&'s WholeStory>,
            users: usize,
            edges: usize,
            most_followed: &'s MostFollowed,
            tables: &'s [TableStory],
            questions: &'s [Question],
            ads: Option<&'s AdsStory>,
            answers_equal: bool,
        }
        let fields = Fields {
            seed: self.seed,
            whole: self.whole.as_ref(),
            users: self.users,
            edges: self.edges,
            most_followed: &self.most_followed,
            tables: &self.tables,
            questions: &self.questions,
            ads: self.ads.as_ref(),
            answers_equal: self.is_true(),
        };
        fields.serialize(serializer)
    }
}

/// A table, how it was loaded and where its rows lie.
#[derive(Clone, Debug, Serialize)]
pub struct TableStory {
    /// Which one.
    #[serde(flatten)]
    pub direction: Direction,
    /// What they cost.
    pub load: Cost,
    /// Its regions in key order.
    pub regions: Vec<RegionStory>,
}

/// A region and what it had to do.
#[derive(Clone, Debug, Serialize)]
pub struct RegionStory {
    /// The first row; empty for the first region.
    #[serde(serialize_with = "bytes_text")]
    pub start: Bytes,
    /// The server that has it.
    pub server: String,
    /// Rows in it, counted inside the region.
    pub rows: u64,
    /// Rows written to it.
    pub writes: u64,
    /// Rows read from it by the questions.
    pub reads: u64,
    /// Bytes it looked at for them.
    pub read_bytes: Option<u64>,
}

fn bytes_text<S: Serializer>(bytes: &Bytes, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(&to_text(bytes))
}

/// A question, how it was asked and what came.
#[derive(Clone, Debug, Serialize)]
pub struct Question {
    /// The question in words.
    #[serde(rename = "question")]
    pub words: String,
    /// By which operation.
    pub how: &'static str,
    /// The same in the shell's language.
    pub shell: String,
    /// The answer in words.
    pub answer: String,
    /// Whether the graph says the same.
    #[serde(skip)]
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

impl Serialize for Cost {
    /// What the store does not know is `null`.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        #[derive(Serialize)]
        struct Fields {
            calls: u64,
            rows: u64,
            cells: Option<u64>,
            bytes: Option<u64>,
            blocks: Option<u64>,
            seeks: Option<u64>,
            regions: Option<u64>,
            millis: f64,
        }
        let OpStats { cells, bytes, blocks, seeks, regions, .. } = self.stats;
        let millis = self.waited.as_secs_f64() * 1_000.0;
        Fields { calls: self.calls, rows: self.rows, cells, bytes, blocks, seeks, regions, millis }
            .serialize(serializer)
    }
}
