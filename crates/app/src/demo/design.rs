//! How the follow graph lies in tables: a tall table with hashed keys, and the same edges the other way round.
//!
//! ```text
//! demo_follows     row key: md5(follower) md5(followed)   cell: f:<id of the followed> = <name of the followed>
//! demo_followers   row key: md5(followed) md5(follower)   cell: f:<id of the follower> = <name of the follower>
//! ```
//! Hashes have one length, so that no delimiter is needed, and spread users evenly over the regions; a user's edges
//! stay together, since they share the first half of the key.

use bytes::Bytes;
use md5::{Digest, Md5};
use serde::{Serialize, Serializer};
use tablesmith_model::{FamilyDescriptor, NameError, TableDescriptor, TableName};
use tablesmith_store::Put;

use tablesmith_generate::follows::{Edge, Graph, User};

/// The one family; its name is part of every cell, so it is short.
pub const FAMILY: &str = "f";

/// Bytes of a hash: half a row key.
pub const HASH_BYTES: usize = 16;

/// Regions of each table at its creation.
pub const REGIONS: u8 = 8;

/// From which side an edge is stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// By who follows: the table `demo_follows`.
    Follows,
    /// By who is followed: the table `demo_followers`.
    Followers,
}

impl Serialize for Direction {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        #[derive(Serialize)]
        struct Fields {
            table: &'static str,
            key: &'static str,
            cell: &'static str,
        }
        Fields { table: self.table_text(), key: self.key_text(), cell: self.cell_text() }
            .serialize(serializer)
    }
}

impl Direction {
    /// Both, in the order of the story.
    pub const ALL: [Self; 2] = [Self::Follows, Self::Followers];

    /// The table's name as people write it.
    pub fn table_text(self) -> &'static str {
        match self {
            Self::Follows => "demo_follows",
            Self::Followers => "demo_followers",
        }
    }

    /// The row key's parts for people.
    pub fn key_text(self) -> &'static str {
        match self {
            Self::Follows => "md5(follower) md5(followed)",
            Self::Followers => "md5(followed) md5(follower)",
        }
    }

    /// What a cell holds, for people.
    pub fn cell_text(self) -> &'static str {
        match self {
            Self::Follows => "f:<followed> = name",
            Self::Followers => "f:<follower> = name",
        }
    }

    /// The table's name.
    pub fn table(self) -> Result<TableName, NameError> {
        TableName::new("default", self.table_text())
    }

    /// The table's description.
    pub fn descriptor(self) -> Result<TableDescriptor, NameError> {
        Ok(TableDescriptor::new(self.table()?, [FamilyDescriptor::new(FAMILY)]))
    }

    /// The put that stores an edge; `None` for one whose users do not exist.
    pub fn put(self, graph: &Graph, edge: Edge) -> Option<Put> {
        let (follower, followed) = (graph.users.get(edge.follower)?, graph.users.get(edge.followed)?);
        let (from, to) = match self {
            Self::Follows => (follower, followed),
            Self::Followers => (followed, follower),
        };
        Some(Put::new(key(from, to)).add(FAMILY, to.id.clone(), to.name.clone()))
    }
}

/// The first half of the keys of a user's edges.
pub fn prefix(user: &User) -> Bytes {
    Bytes::copy_from_slice(&Md5::digest(user.id.as_bytes()))
}

/// The key of an edge.
pub fn key(from: &User, to: &User) -> Bytes {
    [prefix(from), prefix(to)].concat().into()
}

/// Split points that cut the hashes into equal parts: `\x20`, `\x40` and so on.
pub fn splits() -> Vec<Bytes> {
    (1..REGIONS).map(|part| Bytes::from(vec![part * (u8::MAX / REGIONS + 1)])).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_hashes_of_one_length() {
        let graph = Graph::generate(1, 10, 20);
        for (direction, edge) in Direction::ALL.into_iter().zip(&graph.edges) {
            assert_eq!(direction.put(&graph, *edge).unwrap().row.len(), 2 * HASH_BYTES);
        }
        let user = User { id: "a".into(), name: "A".into() };
        assert_eq!(prefix(&user)[..4], [0x0C, 0xC1, 0x75, 0xB9]);
    }

    #[test]
    fn the_second_table_is_the_first_turned_round() {
        let graph = Graph::generate(1, 10, 20);
        let edge = graph.edges[0];
        let (there, back) =
            (Direction::Follows.put(&graph, edge).unwrap(), Direction::Followers.put(&graph, edge).unwrap());
        assert_eq!(there.row[..16], back.row[16..]);
        assert_eq!(there.row[16..], back.row[..16]);
        assert_eq!(there.cells[0].1, graph.users[edge.followed].id.as_bytes());
        assert_eq!(back.cells[0].3, graph.users[edge.follower].name.as_bytes());
    }

    #[test]
    fn splits_are_even() {
        let firsts: Vec<u8> = splits().iter().map(|split| split[0]).collect();
        assert_eq!(firsts, [0x20, 0x40, 0x60, 0x80, 0xA0, 0xC0, 0xE0]);
    }
}
