//! What a proxy does to a connection, as data: each rule is a condition and a reaction.

use std::time::Duration;

use fastrand::Rng;

/// Which way bytes go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// From the client to the server: requests.
    ToServer,
    /// From the server to the client: replies.
    ToClient,
}

/// What is known when a frame begins. HBase's frames, like ZooKeeper's, begin with their length; the preamble of an HBase
/// connection counts as one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Frame {
    /// The number of the connection in its [`ProxySet`](super::ProxySet), from 0.
    pub connection: u64,
    /// Which way it goes.
    pub direction: Direction,
    /// Its number in this connection and direction, from 0.
    pub number: u64,
    /// How many bytes went before it in this connection and direction.
    pub begins_at: u64,
    /// How long it is, with the length itself.
    pub bytes: u64,
}

/// When to react; looked at for every frame.
#[derive(Clone, Debug, PartialEq)]
pub enum Condition {
    /// For every frame.
    Always,
    /// With this probability.
    Chance(f64),
    /// For frames that go this way.
    Direction(Direction),
    /// For the connection with this number, from 0.
    Connection(u64),
    /// For the frame with this number in its connection and direction, from 0.
    Frame(u64),
    /// From the frame on in which this many bytes are reached.
    Bytes(u64),
    /// When all of these hold.
    All(Vec<Condition>),
    /// When one of these holds.
    Any(Vec<Condition>),
    /// When this does not hold.
    Not(Box<Condition>),
}

/// What to do with a frame.
#[derive(Clone, Debug, PartialEq)]
pub enum Reaction {
    /// Hold it, and what comes after it, for a random time up to this.
    Delay(Duration),
    /// Close the connection before it.
    Cut,
    /// Pass on a random part of it, but never all, then close the connection.
    Truncate,
    /// Pass on nothing more this way, and leave the connection open.
    Stall,
}

/// A condition and what follows from it.
#[derive(Clone, Debug, PartialEq)]
pub struct Rule {
    /// When to react.
    pub when: Condition,
    /// How to react.
    pub then: Reaction,
}

impl Rule {
    /// The rule that reacts so when this holds.
    pub fn new(when: Condition, then: Reaction) -> Self {
        Self { when, then }
    }
}

/// The reaction of the first rule whose condition holds.
pub(super) fn decide<'a>(rules: &'a [Rule], frame: &Frame, random: &mut Rng) -> Option<&'a Reaction> {
    rules.iter().find(|rule| rule.when.holds(frame, random)).map(|rule| &rule.then)
}

impl Condition {
    fn holds(&self, frame: &Frame, random: &mut Rng) -> bool {
        match self {
            Self::Always => true,
            Self::Chance(probability) => random.f64() < *probability,
            Self::Direction(direction) => *direction == frame.direction,
            Self::Connection(number) => *number == frame.connection,
            Self::Frame(number) => *number == frame.number,
            Self::Bytes(bytes) => frame.begins_at + frame.bytes > *bytes,
            Self::All(conditions) => conditions.iter().all(|condition| condition.holds(frame, random)),
            Self::Any(conditions) => conditions.iter().any(|condition| condition.holds(frame, random)),
            Self::Not(condition) => !condition.holds(frame, random),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FRAME: Frame =
        Frame { connection: 2, direction: Direction::ToClient, number: 5, begins_at: 100, bytes: 20 };

    fn holds(condition: Condition) -> bool {
        condition.holds(&FRAME, &mut Rng::with_seed(1))
    }

    #[test]
    fn conditions() {
        assert!(holds(Condition::Always));
        assert!(holds(Condition::Connection(2)) && !holds(Condition::Connection(1)));
        assert!(holds(Condition::Frame(5)) && !holds(Condition::Frame(4)));
        assert!(holds(Condition::Bytes(119)) && holds(Condition::Bytes(0)) && !holds(Condition::Bytes(120)));
        assert!(holds(Condition::Direction(Direction::ToClient)));
        assert!(!holds(Condition::Direction(Direction::ToServer)));
        assert!(holds(Condition::Not(Box::new(Condition::Frame(4)))));
        assert!(holds(Condition::Any(vec![Condition::Frame(4), Condition::Connection(2)])));
        assert!(!holds(Condition::All(vec![Condition::Frame(4), Condition::Connection(2)])));
    }

    #[test]
    fn the_first_rule_that_holds_decides() {
        let rules = [
            Rule::new(Condition::Frame(4), Reaction::Stall),
            Rule::new(Condition::Frame(5), Reaction::Cut),
            Rule::new(Condition::Always, Reaction::Truncate),
        ];
        assert_eq!(decide(&rules, &FRAME, &mut Rng::with_seed(1)), Some(&Reaction::Cut));
        assert_eq!(decide(&[], &FRAME, &mut Rng::with_seed(1)), None);
    }
}
