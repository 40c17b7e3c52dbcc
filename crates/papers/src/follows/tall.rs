//! An edge a row: `A+B → f:B = name of B` (figures 9 and 10, 4.6), with hashed ids of one length (figure 11), and with both
//! directions in one table, told apart by a type inside the key or before it (section 4.3).

use async_trait::async_trait;
use tablesmith_model::TableName;
use tablesmith_store::{Delete, Get, Mutation, Put, Row, Scan, Store};

use super::design::{
    Answer, FAMILY, FollowsDesign, FollowsError, Question, hash, make, table, text, write, write_all,
};
use super::world::World;

/// What keys are made of.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Keys {
    /// The ids, with a mark between them.
    Plain,
    /// Their digests.
    Hashed,
    /// A digest, the type, a digest; edges both ways.
    TypeInside,
    /// The type, both digests; edges both ways.
    TypeFirst,
}

/// From which side an edge is seen.
#[derive(Clone, Copy)]
enum Side {
    Follows,
    FollowedBy,
}

/// An edge a row.
pub(super) struct Tall {
    pub keys: Keys,
}

impl Tall {
    fn table(&self) -> Result<TableName, FollowsError> {
        table(match self.keys {
            Keys::Plain => "tall",
            Keys::Hashed => "tall_hashed",
            Keys::TypeInside => "tall_type_inside",
            Keys::TypeFirst => "tall_type_first",
        })
    }

    fn both_ways(&self) -> bool {
        matches!(self.keys, Keys::TypeInside | Keys::TypeFirst)
    }

    /// What all keys of somebody's edges begin with.
    fn prefix(&self, side: Side, user: &str) -> Vec<u8> {
        let kind: &[u8] = match side {
            Side::Follows => b"f",
            Side::FollowedBy => b"b",
        };
        match self.keys {
            // No id has a plus.
            Keys::Plain => [user.as_bytes(), b"+"].concat(),
            Keys::Hashed => hash(user).to_vec(),
            Keys::TypeInside => [&hash(user)[..], kind].concat(),
            Keys::TypeFirst => [kind, &hash(user)].concat(),
        }
    }

    fn key(&self, side: Side, user: &str, other: &str) -> Vec<u8> {
        let mut key = self.prefix(side, user);
        match self.keys {
            Keys::Plain => key.extend_from_slice(other.as_bytes()),
            _ => key.extend_from_slice(&hash(other)),
        }
        key
    }

    /// The rows of an edge: its key from each side, and who is at the other end.
    fn rows(&self, user: &str, other: &str) -> Vec<(Vec<u8>, String)> {
        let there = (self.key(Side::Follows, user, other), other.to_owned());
        let back = || (self.key(Side::FollowedBy, other, user), user.to_owned());
        std::iter::once(there).chain(self.both_ways().then(back)).collect()
    }

    fn people(rows: &[Row]) -> Answer {
        Answer::People(rows.iter().flat_map(|row| &row.cells).map(|cell| text(&cell.qualifier)).collect())
    }
}

#[async_trait]
impl FollowsDesign for Tall {
    fn name(&self) -> String {
        match self.keys {
            Keys::Plain => "tall",
            Keys::Hashed => "tall, hashed",
            Keys::TypeInside => "tall, type inside",
            Keys::TypeFirst => "tall, type first",
        }
        .to_owned()
    }

    fn origin(&self) -> String {
        match self.keys {
            Keys::Plain => "figures 9, 10 and 4.6",
            Keys::Hashed => "figure 11",
            Keys::TypeInside | Keys::TypeFirst => "section 4.3",
        }
        .to_owned()
    }

    fn looks(&self) -> String {
        match self.keys {
            Keys::Plain => "A+B → f:B = name",
            Keys::Hashed => "md5(A) md5(B) → f:B = name",
            Keys::TypeInside => "md5(A) type md5(B) → f:B = name",
            Keys::TypeFirst => "type md5(A) md5(B) → f:B = name",
        }
        .to_owned()
    }

    fn tables(&self) -> Result<Vec<TableName>, FollowsError> {
        Ok(vec![self.table()?])
    }

    async fn load(&self, store: &dyn Store, world: &World) -> Result<(), FollowsError> {
        let name = self.table()?;
        make(store, &name, &[FAMILY]).await?;
        let rows = world.edges().flat_map(|(user, other)| self.rows(user, other));
        let puts = rows.map(|(key, other)| {
            let value = world.name(&other).to_owned();
            Put::new(key).add(FAMILY, other, value)
        });
        Ok(write_all(store, &name, Box::new(puts)).await?)
    }

    async fn ask(&self, store: &dyn Store, question: &Question) -> Result<Answer, FollowsError> {
        let name = self.table()?;
        match question {
            Question::Whom(user) => {
                let scan = Scan::prefix(self.prefix(Side::Follows, user)).family(FAMILY);
                Ok(Self::people(&store.scan_all(&name, scan).await?.value))
            }
            Question::Does(user, other) => {
                let get = Get::new(self.key(Side::Follows, user, other));
                Ok(Answer::Truth(store.exists(&name, get).await?.value))
            }
            Question::Who(user) if self.both_ways() => {
                let scan = Scan::prefix(self.prefix(Side::FollowedBy, user)).family(FAMILY);
                Ok(Self::people(&store.scan_all(&name, scan).await?.value))
            }
            Question::Who(user) => {
                // Ids of followers are in no cell of these tables: plain keys have them, digests do not.
                let rows = store.scan_all(&name, Scan::all().column(FAMILY, user.clone())).await?.value;
                let follower = |row: &Row| text(&row.row).split('+').next().unwrap_or_default().to_owned();
                match self.keys {
                    Keys::Plain => Ok(Answer::People(rows.iter().map(follower).collect())),
                    _ => Ok(Answer::Count(rows.len())),
                }
            }
            Question::Follow(user, other) => {
                let puts = self.rows(user, other).into_iter();
                let puts = puts.map(|(key, other)| Mutation::Put(Put::new(key).add(FAMILY, other, "name")));
                write(store, &name, puts.collect()).await?;
                Ok(Answer::Done)
            }
            Question::Unfollow(user, other) => {
                let deletes = self.rows(user, other).into_iter();
                let deletes = deletes.map(|(key, _)| Mutation::Delete(Delete::row(key)));
                write(store, &name, deletes.collect()).await?;
                Ok(Answer::Done)
            }
            Question::Newest(_) | Question::Write(_) => {
                Err(FollowsError::Other("this design has no messages".to_owned()))
            }
        }
    }
}
