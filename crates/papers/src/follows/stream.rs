//! The newest messages of the people whom somebody follows (section 4.2): put together when they are read, or kept ready for
//! every follower, in a table of their own or in a family of the person.
//!
//! ```text
//! twits    md5(author) time, newest first              → f:text
//! stream   md5(person) time, newest first, md5(author) → f:author, f:text       one row a message and follower
//! person   md5(person)                                 → s:<time, newest first, md5(author)> = author, text
//! ```

use async_trait::async_trait;
use bytes::Bytes;
use tablesmith_model::TableName;
use tablesmith_store::{Action, ActionAnswer, Get, Mutation, Put, Row, Scan, Store};

use super::design::{
    Answer, FAMILY, FollowsDesign, FollowsError, Question, hash, make, table, text, write, write_all,
};
use super::world::{Message, NEWEST, World};

/// Between an author and a text in one cell.
const BETWEEN: u8 = 0;

/// Where streams are kept.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Kept {
    /// Nowhere: the messages of everybody who is followed are read and sorted.
    Nowhere,
    /// In a table, a row a message.
    InTable,
    /// In the person's row, a cell a message.
    InFamily,
}

/// Messages, and a list of whom everybody follows and is followed by.
pub(super) struct Stream {
    pub kept: Kept,
}

impl Stream {
    fn own_table(&self, name: &str) -> Result<TableName, FollowsError> {
        let kept = match self.kept {
            Kept::Nowhere => "joined",
            Kept::InTable => "stream",
            Kept::InFamily => "family",
        };
        table(&format!("{kept}_{name}"))
    }

    /// Lists are wide rows, which are one call.
    async fn list(&self, store: &dyn Store, name: &str, user: &str) -> Result<Vec<String>, FollowsError> {
        let row = store.get(&self.own_table(name)?, Get::new(user.to_owned())).await?.value;
        Ok(row.cells.iter().map(|cell| text(&cell.qualifier)).collect())
    }

    /// A message in the stream of a follower.
    fn streamed(&self, follower: &str, message: &Message) -> Put {
        let at = [&newest_first(message.at_ms)[..], &hash(&message.author)].concat();
        match self.kept {
            Kept::InFamily => Put::new(hash(follower).to_vec()).add(FAMILY, at, joined(message)),
            _ => Put::new([&hash(follower)[..], &at].concat())
                .add(FAMILY, "author", message.author.clone())
                .add(FAMILY, "text", message.text.clone()),
        }
    }

    /// Gets the list, then the newest messages of each at once, and sorts.
    async fn put_together(&self, store: &dyn Store, user: &str) -> Result<Vec<Message>, FollowsError> {
        let twits = self.own_table("twits")?;
        let mut found = Vec::new();
        for author in self.list(store, "follows", user).await? {
            let scan = Scan::prefix(hash(&author).to_vec()).limit(NEWEST as u64);
            let rows = store.scan_all(&twits, scan).await?.value;
            found.extend(rows.iter().filter_map(|row| {
                let at_ms = time(row.row.get(16..)?)?;
                let text = text(row.value(FAMILY.as_bytes(), b"text")?);
                Some(Message { at_ms, author: author.clone(), text })
            }));
        }
        found.sort_by(|one, two| two.cmp(one));
        found.truncate(NEWEST);
        Ok(found)
    }

    async fn newest(&self, store: &dyn Store, user: &str) -> Result<Vec<Message>, FollowsError> {
        let stream = || self.own_table("streams");
        match self.kept {
            Kept::Nowhere => self.put_together(store, user).await,
            Kept::InTable => {
                let scan = Scan::prefix(hash(user).to_vec()).limit(NEWEST as u64);
                let rows = store.scan_all(&stream()?, scan).await?.value;
                Ok(rows.iter().filter_map(of_row).collect())
            }
            Kept::InFamily => {
                let mut get = Get::new(hash(user).to_vec()).family(FAMILY);
                get.read.max_results_per_family = u32::try_from(NEWEST).ok();
                let answers = store.batch(&stream()?, vec![Action::Get(get)]).await?.value;
                let row = answers.into_iter().find_map(|answer| match answer {
                    Ok(ActionAnswer::Row(row)) => Some(Ok(row)),
                    Ok(ActionAnswer::Checked(_)) => None,
                    Err(error) => Some(Err(error)),
                });
                let row = row.transpose()?.unwrap_or_default();
                Ok(row.cells.iter().filter_map(|cell| of_cell(&cell.qualifier, &cell.value)).collect())
            }
        }
    }
}

/// A time whose later values sort first.
fn newest_first(at_ms: i64) -> [u8; 8] {
    (i64::MAX - at_ms).to_be_bytes()
}

fn time(bytes: &[u8]) -> Option<i64> {
    Some(i64::MAX - i64::from_be_bytes(bytes.get(..8)?.try_into().ok()?))
}

/// Author and text in one cell.
fn joined(message: &Message) -> Vec<u8> {
    [message.author.as_bytes(), &[BETWEEN], message.text.as_bytes()].concat()
}

fn of_row(row: &Row) -> Option<Message> {
    let value = |name: &str| row.value(FAMILY.as_bytes(), name.as_bytes()).map(text);
    Some(Message { at_ms: time(row.row.get(16..)?)?, author: value("author")?, text: value("text")? })
}

fn of_cell(qualifier: &Bytes, value: &Bytes) -> Option<Message> {
    let end = value.iter().position(|byte| *byte == BETWEEN)?;
    let (author, words) = (text(&value.slice(..end)), text(&value.slice(end + 1..)));
    Some(Message { at_ms: time(qualifier)?, author, text: words })
}

#[async_trait]
impl FollowsDesign for Stream {
    fn name(&self) -> String {
        match self.kept {
            Kept::Nowhere => "joined when read",
            Kept::InTable => "stream table",
            Kept::InFamily => "stream family",
        }
        .to_owned()
    }

    fn origin(&self) -> String {
        "section 4.2".to_owned()
    }

    fn looks(&self) -> String {
        match self.kept {
            Kept::Nowhere => "md5(author) ↓time → f:text, for everybody who is followed",
            Kept::InTable => "md5(A) ↓time md5(author) → f:author, f:text",
            Kept::InFamily => "md5(A) → f:<↓time md5(author)> = author, text",
        }
        .to_owned()
    }

    fn tables(&self) -> Result<Vec<TableName>, FollowsError> {
        ["follows", "followers", "twits", "streams"].into_iter().map(|name| self.own_table(name)).collect()
    }

    async fn load(&self, store: &dyn Store, world: &World) -> Result<(), FollowsError> {
        let edge = |one: &str, other: &str| Put::new(one.to_owned()).add(FAMILY, other.to_owned(), "1");
        for name in self.tables()? {
            make(store, &name, &[FAMILY]).await?;
        }
        let there = world.edges().map(|(one, other)| edge(one, other));
        write_all(store, &self.own_table("follows")?, Box::new(there)).await?;
        let back = world.edges().map(|(one, other)| edge(other, one));
        write_all(store, &self.own_table("followers")?, Box::new(back)).await?;
        write_all(store, &self.own_table("twits")?, Box::new(world.messages().map(twit))).await?;
        if self.kept != Kept::Nowhere {
            let streams = world.messages().flat_map(|message| {
                world.followers_of(&message.author).map(|one| self.streamed(one, message))
            });
            write_all(store, &self.own_table("streams")?, Box::new(streams)).await?;
        }
        Ok(())
    }

    async fn ask(&self, store: &dyn Store, question: &Question) -> Result<Answer, FollowsError> {
        match question {
            Question::Newest(user) => Ok(Answer::Messages(self.newest(store, user).await?)),
            Question::Write(message) => {
                write(store, &self.own_table("twits")?, vec![Mutation::Put(twit(message))]).await?;
                if self.kept != Kept::Nowhere {
                    let followers = self.list(store, "followers", &message.author).await?;
                    let puts = followers.iter().map(|one| Mutation::Put(self.streamed(one, message)));
                    write(store, &self.own_table("streams")?, puts.collect()).await?;
                }
                Ok(Answer::Done)
            }
            _ => Err(FollowsError::Other("this design is about messages alone".to_owned())),
        }
    }
}

fn twit(message: &Message) -> Put {
    let key = [&hash(&message.author)[..], &newest_first(message.at_ms)].concat();
    Put::new(key).add(FAMILY, "text", message.text.clone())
}
