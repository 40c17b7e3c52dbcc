//! Messages: those whom many follow write the most, and every message has a moment of its own.

use fastrand::Rng;
use tablesmith_model::value::Moment;

use super::graph::Graph;
use crate::skewed::Skewed;

/// When the first message was written: 2026-01-01T00:00:00Z.
pub const FIRST_TWIT_MS: i64 = 1_767_225_600_000;
/// From one message to the next, at most.
const GAP_MS: i64 = 2_000;
/// Edges are older: they were made in the year before.
const YEAR_MS: i64 = 365 * 86_400_000;
/// Some weight for those whom nobody follows.
const WEIGHT_OF_ALL: f64 = 0.5;

const SUBJECTS: &[&str] =
    &["my cat", "this train", "the moon", "everybody", "my coffee", "the sea", "our team"];
const VERBS: &[&str] = &["likes", "misses", "sings about", "waits for", "cannot stand", "dreams of"];
const OBJECTS: &[&str] =
    &["rain", "small towns", "long rows", "good keys", "Mondays", "old maps", "new shoes"];

/// A message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Twit {
    /// Who wrote it, by position among the users.
    pub author: usize,
    /// When, in milliseconds since 1970.
    pub at_ms: i64,
    /// What.
    pub text: String,
}

impl Twit {
    /// When, as text.
    pub fn at(&self) -> String {
        moment(self.at_ms)
    }
}

/// Messages without end, in the order of their time.
#[derive(Debug)]
pub struct Twits {
    authors: Skewed,
    random: Rng,
    at_ms: i64,
}

impl Twits {
    /// The same graph and seed give the same messages.
    pub fn new(graph: &Graph, seed: u64) -> Self {
        let mut followers = vec![WEIGHT_OF_ALL; graph.users.len()];
        for edge in &graph.edges {
            followers.get_mut(edge.followed).into_iter().for_each(|weight| *weight += 1.0);
        }
        let authors = Skewed::of_weights(followers.into_iter().map(f64::sqrt));
        Self { authors, random: Rng::with_seed(seed ^ 0x7717), at_ms: FIRST_TWIT_MS }
    }
}

impl Iterator for Twits {
    type Item = Twit;

    fn next(&mut self) -> Option<Twit> {
        self.at_ms += self.random.i64(1..=GAP_MS);
        let mut word = |words: &[&str]| self.random.choice(words).copied().unwrap_or_default().to_owned();
        let text = format!("{} {} {}", word(SUBJECTS), word(VERBS), word(OBJECTS));
        Some(Twit { author: self.authors.pick(&mut self.random), at_ms: self.at_ms, text })
    }
}

/// Since when edges are there, one after the other.
pub(super) fn since(seed: u64) -> impl Iterator<Item = String> {
    let mut random = Rng::with_seed(seed ^ 0x51CE);
    std::iter::repeat_with(move || moment(FIRST_TWIT_MS - random.i64(1..YEAR_MS)))
}

fn moment(millis: i64) -> String {
    Moment::from_millis(millis).map(|at| at.to_string()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_rise_in_time_and_the_followed_write_most() {
        let graph = Graph::generate(3, 500, 5_000);
        let twits: Vec<Twit> = Twits::new(&graph, 1).take(5_000).collect();
        assert!(twits.is_sorted_by(|one, next| one.at_ms < next.at_ms));
        assert_eq!(twits.first().unwrap().at().get(..4), Some("2026"));
        let (star, _) = graph.most_followed().unwrap();
        let of_star = twits.iter().filter(|twit| twit.author == star).count();
        assert!(of_star > 3 * 5_000 / 500, "{of_star}");
        assert_eq!(twits, Twits::new(&graph, 1).take(5_000).collect::<Vec<_>>());
    }
}
