//! People, edges and messages, and what is true of them.

use std::collections::{BTreeMap, BTreeSet};

use super::design::{Answer, Question};

/// How many messages a stream shows.
pub const NEWEST: usize = 20;

/// A message, as everybody sees it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Message {
    /// When, in milliseconds since 1970.
    pub at_ms: i64,
    /// Who wrote it.
    pub author: String,
    /// What.
    pub text: String,
}

/// What is true.
#[derive(Clone, Debug)]
pub struct World {
    /// The ids of all people.
    pub users: Vec<String>,
    names: BTreeMap<String, String>,
    follows: BTreeMap<String, BTreeSet<String>>,
    followers: BTreeMap<String, BTreeSet<String>>,
    messages: BTreeMap<String, BTreeSet<Message>>,
}

impl World {
    /// People (id and name), edges (who follows whom) and messages.
    pub fn new(
        people: Vec<(String, String)>,
        edges: impl IntoIterator<Item = (String, String)>,
        messages: impl IntoIterator<Item = Message>,
    ) -> Self {
        let mut world = Self {
            users: people.iter().map(|(id, _)| id.clone()).collect(),
            names: people.into_iter().collect(),
            follows: BTreeMap::new(),
            followers: BTreeMap::new(),
            messages: BTreeMap::new(),
        };
        edges.into_iter().for_each(|(follower, followed)| world.add(&follower, &followed));
        messages.into_iter().for_each(|message| world.write(message));
        world
    }

    /// What people read instead of an id.
    pub fn name(&self, id: &str) -> &str {
        self.names.get(id).map(String::as_str).unwrap_or_default()
    }

    /// All edges, by who follows.
    pub fn edges(&self) -> impl Iterator<Item = (&str, &str)> {
        self.follows
            .iter()
            .flat_map(|(one, others)| others.iter().map(move |other| (one.as_str(), other.as_str())))
    }

    /// All messages, by author.
    pub fn messages(&self) -> impl Iterator<Item = &Message> {
        self.messages.values().flatten()
    }

    /// Pairs of an edge and a message of the one who is followed.
    pub fn seen(&self) -> u64 {
        let of = |(_, followed): (&str, &str)| self.messages.get(followed).map_or(0, BTreeSet::len) as u64;
        self.edges().map(of).sum()
    }

    /// Whom somebody follows.
    pub fn followed_by(&self, user: &str) -> impl Iterator<Item = &str> {
        self.follows.get(user).into_iter().flatten().map(String::as_str)
    }

    /// Who follows somebody.
    pub fn followers_of(&self, user: &str) -> impl Iterator<Item = &str> {
        self.followers.get(user).into_iter().flatten().map(String::as_str)
    }

    /// What a question must be answered, and what it changes.
    pub fn ask(&mut self, question: &Question) -> Answer {
        match question {
            Question::Whom(user) => Answer::People(self.followed_by(user).map(str::to_owned).collect()),
            Question::Who(user) => Answer::People(self.followers_of(user).map(str::to_owned).collect()),
            Question::Does(user, other) => {
                Answer::Truth(self.follows.get(user).is_some_and(|others| others.contains(other)))
            }
            Question::Newest(user) => Answer::Messages(self.newest(user)),
            Question::Follow(user, other) => {
                self.add(user, other);
                Answer::Done
            }
            Question::Unfollow(user, other) => {
                self.remove(user, other);
                Answer::Done
            }
            Question::Write(message) => {
                self.write(message.clone());
                Answer::Done
            }
        }
    }

    fn newest(&self, user: &str) -> Vec<Message> {
        let of = |author: &str| self.messages.get(author).into_iter().flatten().rev().take(NEWEST);
        let mut found: Vec<Message> = self.followed_by(user).flat_map(of).cloned().collect();
        found.sort_by(|one, two| two.cmp(one));
        found.truncate(NEWEST);
        found
    }

    fn add(&mut self, user: &str, other: &str) {
        self.follows.entry(user.to_owned()).or_default().insert(other.to_owned());
        self.followers.entry(other.to_owned()).or_default().insert(user.to_owned());
    }

    fn remove(&mut self, user: &str, other: &str) {
        if let Some(followed) = self.follows.get_mut(user) {
            followed.remove(other);
        }
        if let Some(followers) = self.followers.get_mut(other) {
            followers.remove(user);
        }
    }

    fn write(&mut self, message: Message) {
        self.messages.entry(message.author.clone()).or_default().insert(message);
    }
}
