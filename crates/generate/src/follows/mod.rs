//! People who follow each other and write short messages: the worked example of two guides to HBase's schemas (Khurana,
//! "Introduction to HBase Schema Design"; the chapter on schema design that builds TwitBase).
//!
//! ```text
//! graph.rs     who follows whom: few with very many followers     → user.csv, follow.csv
//! twits.rs     who writes what when: the followed write the most  → twit.csv
//! manifest.rs  what is asked of it                                → workload.toml
//! ```
//!
//! At scale 1 there are 500,000 people, 4 million edges and 2 million messages.

mod graph;
mod manifest;
mod twits;

use std::io::{self, Write};
use std::path::{Path, PathBuf};

pub use graph::{Edge, Graph, User};
pub use manifest::{seen, workload};
pub use twits::{FIRST_TWIT_MS, Twit, Twits};

use tablesmith_model::workload::Workload;

use crate::whole_file::{check_target, write_file};
use crate::{GenerateError, Progress};

/// What is written is told about after so many rows.
const TELL_EVERY: u64 = 10_000;

/// The names of the files that are written.
pub const FILES: [&str; 4] = ["user.csv", "follow.csv", "twit.csv", "workload.toml"];

/// How many of each there are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Size {
    /// People.
    pub users: usize,
    /// Edges among them.
    pub follows: usize,
    /// Messages that they wrote.
    pub twits: usize,
}

impl Size {
    /// So many at a scale; two people at least.
    pub fn at_scale(scale: f64) -> Self {
        let of = |full: f64| (full * scale).round() as usize;
        Self { users: of(500_000.0).max(2), follows: of(4_000_000.0).max(1), twits: of(2_000_000.0).max(1) }
    }
}

/// What was written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Written {
    /// How many of each.
    pub size: Size,
    /// The files, in the order in which they were written.
    pub files: Vec<PathBuf>,
}

/// Writes `user.csv`, `follow.csv`, `twit.csv` and `workload.toml` into a directory, which is made when it is not there. A file
/// is there as a whole or not at all.
pub fn generate(
    scale: f64,
    seed: u64,
    directory: &Path,
    progress: &mut dyn FnMut(Progress),
) -> Result<Written, GenerateError> {
    check_target(scale, directory)?;
    let asked = Size::at_scale(scale);
    let graph = Graph::generate(seed, asked.users, asked.follows);
    let size = Size { follows: graph.edges.len(), ..asked };
    let total = (size.users + size.follows + size.twits) as u64;
    let mut done = 0;
    let mut tell = |rows: u64| {
        done += rows;
        progress(Progress { done, total });
    };
    let [users, follows, twits, workload] = FILES;
    let files = vec![
        write_file(directory, users, |out| write_users(out, &graph, &mut tell))?,
        write_file(directory, follows, |out| write_follows(out, &graph, seed, &mut tell))?,
        write_file(directory, twits, |out| write_twits(out, &graph, size.twits, seed, &mut tell))?,
        write_file(directory, workload, |out| {
            let seen = manifest::seen(pairs(&graph, Twits::new(&graph, seed).take(size.twits)));
            let workload = Workload { joins: vec![seen], ..manifest::workload(size) };
            out.write_all(workload.to_toml().as_bytes())
        })?,
    ];
    Ok(Written { size, files })
}

/// Pairs of an edge and a message of the one who is followed.
fn pairs(graph: &Graph, twits: impl Iterator<Item = Twit>) -> u64 {
    let mut followers = vec![0_u64; graph.users.len()];
    for edge in &graph.edges {
        followers.get_mut(edge.followed).into_iter().for_each(|count| *count += 1);
    }
    twits.filter_map(|twit| followers.get(twit.author)).sum()
}

fn write_users(out: &mut dyn Write, graph: &Graph, tell: &mut dyn FnMut(u64)) -> io::Result<()> {
    out.write_all(b"id,name\n")?;
    for user in &graph.users {
        writeln!(out, "{},{}", user.id, user.name)?;
    }
    tell(graph.users.len() as u64);
    Ok(())
}

fn write_follows(out: &mut dyn Write, graph: &Graph, seed: u64, tell: &mut dyn FnMut(u64)) -> io::Result<()> {
    out.write_all(b"follower,followed,since\n")?;
    for (number, (edge, since)) in (1_u64..).zip(graph.edges.iter().zip(twits::since(seed))) {
        let (Some(follower), Some(followed)) =
            (graph.users.get(edge.follower), graph.users.get(edge.followed))
        else {
            continue;
        };
        writeln!(out, "{},{},{since}", follower.id, followed.id)?;
        if number.is_multiple_of(TELL_EVERY) {
            tell(TELL_EVERY);
        }
    }
    tell(graph.edges.len() as u64 % TELL_EVERY);
    Ok(())
}

fn write_twits(
    out: &mut dyn Write,
    graph: &Graph,
    twits: usize,
    seed: u64,
    tell: &mut dyn FnMut(u64),
) -> io::Result<()> {
    out.write_all(b"author,at,text\n")?;
    for (number, twit) in (1_u64..).zip(Twits::new(graph, seed).take(twits)) {
        let Some(author) = graph.users.get(twit.author) else { continue };
        writeln!(out, "{},{},{}", author.id, twit.at(), twit.text)?;
        if number.is_multiple_of(TELL_EVERY) {
            tell(TELL_EVERY);
        }
    }
    tell(twits as u64 % TELL_EVERY);
    Ok(())
}
