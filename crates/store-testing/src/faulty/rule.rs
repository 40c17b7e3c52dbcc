//! When a call fails, and how: the rules of a faulty store.

use std::time::Duration;

use bytes::Bytes;
use tablesmith_model::TableName;
use tablesmith_store::wrap::{Op, OpKind};

/// Which calls a rule is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Condition {
    /// Every call.
    Always,
    /// Calls of one kind.
    Kind(OpKind),
    /// Calls that change rows.
    Writes,
    /// Calls that read rows.
    Reads,
    /// Calls to one table.
    Table(TableName),
    /// Calls about this row.
    Row(Bytes),
    /// Calls for which another condition does not hold.
    Not(Box<Condition>),
    /// Calls for which all of these hold.
    All(Vec<Condition>),
    /// Calls for which one of these holds.
    Any(Vec<Condition>),
}

impl Condition {
    /// Whether it holds for a call.
    pub fn holds(&self, op: &Op<'_>) -> bool {
        match self {
            Self::Always => true,
            Self::Kind(kind) => op.kind() == *kind,
            Self::Writes => op.kind().writes(),
            Self::Reads => op.kind().reads(),
            Self::Table(table) => op.is_about(table),
            Self::Row(row) => op.rows().contains(&row),
            Self::Not(condition) => !condition.holds(op),
            Self::All(conditions) => conditions.iter().all(|condition| condition.holds(op)),
            Self::Any(conditions) => conditions.iter().any(|condition| condition.holds(op)),
        }
    }
}

/// Which of the calls that meet the condition it is then.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Turn {
    /// Each.
    Each,
    /// Just the nth, counted from 1.
    Nth(u64),
    /// The first so many.
    First(u64),
    /// Each with this chance, from 0 to 1.
    Chance(f64),
}

/// What the caller learns when a call fails.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// The server is too busy.
    TooBusy,
    /// The connection broke.
    Io,
}

/// What a rule does to a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reaction {
    /// The call fails and nothing is done.
    FailBefore(Fault),
    /// The call is done and fails: the acknowledgement is lost.
    FailAfter(Fault),
    /// The call is done after a while.
    Delay(Duration),
}

/// When, and what then.
#[derive(Clone, Debug, PartialEq)]
pub struct Rule {
    /// Which calls.
    pub condition: Condition,
    /// Which of those.
    pub turn: Turn,
    /// What happens to them.
    pub reaction: Reaction,
}

impl Rule {
    /// A rule.
    pub fn new(condition: Condition, turn: Turn, reaction: Reaction) -> Self {
        Self { condition, turn, reaction }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tablesmith_store::Get;

    #[test]
    fn conditions_combine() {
        let (table, get): (TableName, _) = ("t".parse().unwrap(), Get::new("r"));
        let op = Op::Get(&table, &get);
        let not = |condition| Condition::Not(Box::new(condition));
        for holds in [
            Condition::Always,
            Condition::Reads,
            not(Condition::Writes),
            Condition::All(vec![Condition::Kind(OpKind::Get), Condition::Table("t".parse().unwrap())]),
            Condition::Any(vec![Condition::Kind(OpKind::Put), Condition::Row("r".into())]),
        ] {
            assert!(holds.holds(&op), "{holds:?}");
            assert!(!not(holds.clone()).holds(&op), "not {holds:?}");
        }
    }
}
