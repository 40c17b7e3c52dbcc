//! One step of a sequence, and how it prints.

use std::fmt;

use bytes::Bytes;
use tablesmith_model::bytes_text::to_text;
use tablesmith_model::{FamilyDescriptor, Timestamp};
use tablesmith_store::{
    Action, Aggregate, Append, CheckAndMutate, Delete, Get, Increment, Put, RowMutations, Scan,
};

use super::text;

/// One thing to do.
#[derive(Clone, Debug, PartialEq)]
#[expect(clippy::large_enum_variant, reason = "nearly every step is an operation, and sequences are short")]
pub enum Step {
    /// Time passes, in milliseconds.
    Advance(Timestamp),
    /// Something is done to a table; tables have numbers.
    On(usize, Operation),
}

/// Something to do to a table.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Operation {
    /// Makes it, cut at these keys.
    Create(Vec<FamilyDescriptor>, Vec<Bytes>),
    /// Gives it these families.
    Alter(Vec<FamilyDescriptor>),
    /// Empties it; keeps its split points or not.
    Truncate(bool),
    /// Disables and enables it.
    Reopen,
    /// Writes values.
    Put(Put),
    /// Writes markers.
    Delete(Delete),
    /// Appends to values.
    Append(Append),
    /// Adds to counters.
    Increment(Increment),
    /// Writes several things to a row.
    MutateRow(RowMutations),
    /// Writes if a condition holds.
    CheckAndMutate(CheckAndMutate),
    /// Does many things.
    Batch(Vec<Action>),
    /// Reads a row.
    Get(Get),
    /// Asks whether a row has anything.
    Exists(Get),
    /// Reads rows.
    Scan(Scan),
    /// Aggregates in the regions.
    Aggregate(Aggregate),
    /// Writes memory to files.
    Flush(Part),
    /// Merges files as the store likes.
    Compact(Part),
    /// Merges all files.
    MajorCompact(Part),
    /// Looks where it is cut.
    Borders,
    /// Cuts the region that has the key.
    Split(Bytes),
    /// Merges a region with the one after it; the number goes round.
    Merge(usize),
    /// Moves a region to another server; the number goes round.
    Move(usize),
}

/// A part of a table, for flushes and compactions.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Part {
    /// One family, or all.
    pub family: Option<Bytes>,
    /// One region, or all; the number goes round.
    pub region: Option<usize>,
}

impl fmt::Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Advance(ms) => write!(f, "clock +{ms} ms"),
            Self::On(table, operation) => write!(f, "t{table}: {operation}"),
        }
    }
}

impl fmt::Display for Operation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Create(families, splits) if splits.is_empty() => write!(f, "create {}", names(families)),
            Self::Create(families, splits) => {
                write!(f, "create {} split at {}", names(families), keys(splits))
            }
            Self::Alter(families) => write!(f, "alter to {}", names(families)),
            Self::Truncate(true) => f.write_str("truncate, keep splits"),
            Self::Truncate(false) => f.write_str("truncate"),
            Self::Reopen => f.write_str("disable and enable"),
            Self::Put(put) => f.write_str(&text::put(put)),
            Self::Delete(delete) => f.write_str(&text::delete(delete)),
            Self::Append(append) => f.write_str(&text::append(append)),
            Self::Increment(increment) => f.write_str(&text::increment(increment)),
            Self::MutateRow(mutations) => f.write_str(&text::mutations(mutations)),
            Self::CheckAndMutate(check) => f.write_str(&text::check_and_mutate(check)),
            Self::Batch(actions) => {
                let actions: Vec<_> = actions.iter().map(text::action).collect();
                write!(f, "batch [{}]", actions.join("; "))
            }
            Self::Get(get) => f.write_str(&text::get(get)),
            Self::Exists(get) => write!(f, "exists {}", text::get(get)),
            Self::Scan(scan) => f.write_str(&text::scan(scan)),
            Self::Aggregate(aggregate) => f.write_str(&text::aggregate(aggregate)),
            Self::Flush(part) => write!(f, "flush{part}"),
            Self::Compact(part) => write!(f, "compact{part}"),
            Self::MajorCompact(part) => write!(f, "major_compact{part}"),
            Self::Borders => f.write_str("regions"),
            Self::Split(key) => write!(f, "split at {}", to_text(key)),
            Self::Merge(region) => write!(f, "merge region {region} with the next"),
            Self::Move(region) => write!(f, "move region {region} to another server"),
        }
    }
}

impl fmt::Display for Part {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(family) = &self.family {
            write!(f, " family {}", to_text(family))?;
        }
        if let Some(region) = self.region {
            write!(f, " region {region}")?;
        }
        Ok(())
    }
}

fn names(families: &[FamilyDescriptor]) -> String {
    families.iter().map(text::family).collect::<Vec<_>>().join(", ")
}

fn keys(keys: &[Bytes]) -> String {
    keys.iter().map(|key| to_text(key)).collect::<Vec<_>>().join(" ")
}
