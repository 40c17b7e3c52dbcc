//! What a design of the follow graph must answer.

use std::collections::BTreeSet;

use async_trait::async_trait;
use bytes::Bytes;
use md5::{Digest, Md5};
use tablesmith_model::{FamilyDescriptor, NameError, TableDescriptor, TableName};
use tablesmith_store::{Action, Mutation, Put, Store, StoreError};

use super::world::{Message, World};

/// Puts of a batch while loading.
const BATCH: usize = 1_000;

/// What is asked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Question {
    /// Whom does one follow?
    Whom(String),
    /// Does one follow another?
    Does(String, String),
    /// Who follows one?
    Who(String),
    /// One begins to follow another.
    Follow(String, String),
    /// One no longer follows another.
    Unfollow(String, String),
    /// The newest messages of the people whom one follows.
    Newest(String),
    /// Somebody writes a message.
    Write(Message),
}

/// The kinds of questions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    /// Whom does one follow?
    Whom,
    /// Does one follow another?
    Does,
    /// Who follows one?
    Who,
    /// One begins to follow another.
    Follow,
    /// One no longer follows another.
    Unfollow,
    /// The newest messages of the people whom one follows.
    Newest,
    /// Somebody writes a message.
    Write,
}

impl Kind {
    /// Those about the graph.
    pub const GRAPH: [Self; 5] = [Self::Whom, Self::Does, Self::Who, Self::Follow, Self::Unfollow];
    /// Those about messages.
    pub const STREAM: [Self; 2] = [Self::Newest, Self::Write];

    /// How it is said.
    pub fn words(self) -> &'static str {
        match self {
            Self::Whom => "whom does A follow",
            Self::Does => "does A follow B",
            Self::Who => "who follows A",
            Self::Follow => "A follows B",
            Self::Unfollow => "A unfollows B",
            Self::Newest => "newest twits for A",
            Self::Write => "A writes a twit",
        }
    }
}

impl Question {
    /// Its kind.
    pub fn kind(&self) -> Kind {
        match self {
            Self::Whom(_) => Kind::Whom,
            Self::Does(..) => Kind::Does,
            Self::Who(_) => Kind::Who,
            Self::Follow(..) => Kind::Follow,
            Self::Unfollow(..) => Kind::Unfollow,
            Self::Newest(_) => Kind::Newest,
            Self::Write(_) => Kind::Write,
        }
    }
}

/// What is answered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// These people.
    People(BTreeSet<String>),
    /// So many people: the design cannot tell who they are.
    Count(usize),
    /// Yes or no.
    Truth(bool),
    /// These messages, the newest first.
    Messages(Vec<Message>),
    /// It is written.
    Done,
}

impl Answer {
    /// Whether it says the same as what is true, as far as it says anything.
    pub fn agrees(&self, truth: &Self) -> bool {
        match (self, truth) {
            (Self::Count(count), Self::People(people)) => *count == people.len(),
            (one, other) => one == other,
        }
    }
}

/// Why a design does not answer.
#[derive(Debug, thiserror::Error)]
pub enum FollowsError {
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// Something else went wrong.
    #[error("{0}")]
    Other(String),
}

/// A design of the follow graph.
#[async_trait]
pub trait FollowsDesign: Send + Sync {
    /// Its name in tables.
    fn name(&self) -> String;

    /// Where it comes from.
    fn origin(&self) -> String;

    /// How it looks, in few words.
    fn looks(&self) -> String;

    /// The tables that it makes.
    fn tables(&self) -> Result<Vec<TableName>, FollowsError>;

    /// Makes its tables and puts everything into them.
    async fn load(&self, store: &dyn Store, world: &World) -> Result<(), FollowsError>;

    /// Makes ready what can be before a question is asked; this is not measured.
    fn prepare(&self, _: &Question) -> Result<(), FollowsError> {
        Ok(())
    }

    /// Answers.
    async fn ask(&self, store: &dyn Store, question: &Question) -> Result<Answer, FollowsError>;
}

/// The only family of most designs.
pub(super) const FAMILY: &str = "f";

/// A table of the experiment.
pub(super) fn table(name: &str) -> Result<TableName, FollowsError> {
    format!("tablesmith_follows_{name}")
        .parse()
        .map_err(|error: NameError| FollowsError::Other(error.to_string()))
}

/// Makes a table anew.
pub(super) async fn make(store: &dyn Store, name: &TableName, families: &[&str]) -> Result<(), StoreError> {
    remove(store, name).await?;
    let families = families.iter().map(|family| FamilyDescriptor::new((*family).to_owned()));
    store.create_table(TableDescriptor::new(name.clone(), families), Vec::new()).await
}

/// Removes a table, when it is there.
pub async fn remove(store: &dyn Store, name: &TableName) -> Result<(), StoreError> {
    if store.table_exists(name).await? {
        if store.is_enabled(name).await? {
            store.disable_table(name).await?;
        }
        store.drop_table(name).await?;
    }
    Ok(())
}

/// Rows to write, one after the other. A box, because the compiler cannot see through closures inside asynchronous functions.
pub(super) type Puts<'p> = Box<dyn Iterator<Item = Put> + Send + 'p>;

/// Writes many rows.
pub(super) async fn write_all(store: &dyn Store, name: &TableName, puts: Puts<'_>) -> Result<(), StoreError> {
    let mut puts = puts.peekable();
    while puts.peek().is_some() {
        let batch: Vec<Mutation> = puts.by_ref().take(BATCH).map(Mutation::Put).collect();
        write(store, name, batch).await?;
        // An embedded store never waits: whoever wants to stop this gets a turn here.
        tokio::task::yield_now().await;
    }
    Ok(())
}

/// Writes some rows in one call.
pub(super) async fn write(
    store: &dyn Store,
    name: &TableName,
    rows: Vec<Mutation>,
) -> Result<(), StoreError> {
    if rows.is_empty() {
        return Ok(());
    }
    let answers = store.batch(name, rows.into_iter().map(Action::Mutate).collect()).await?;
    answers.value.into_iter().try_for_each(|answer| answer.map(drop))
}

/// The digest of an id: 16 bytes.
pub(super) fn hash(id: &str) -> [u8; 16] {
    Md5::digest(id.as_bytes()).into()
}

/// Bytes as the text that they are.
pub(super) fn text(bytes: &Bytes) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}
