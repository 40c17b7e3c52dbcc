//! A pattern as a list of steps for the [`super::machine`].

use regex_syntax::hir::ClassUnicode;

use super::node::{Assertion, Greed, Node};

/// A pattern has at most so many steps: counted repetitions are written out.
const MAX_STEPS: usize = 100_000;

/// One step. Numbers are places in the list, or slots in which a place of the text is kept.
#[derive(Clone, Debug)]
pub(super) enum Step {
    /// One character of the set.
    Set(ClassUnicode),
    /// A place between characters.
    Assert(Assertion),
    /// Goes on at the first; comes back to the second if that fails.
    Split(usize, usize),
    /// Goes on elsewhere.
    Jump(usize),
    /// Keeps the place in the text.
    Save(usize),
    /// Goes on at the first if the text has moved since the slot was kept, else at the second.
    IfMoved { slot: usize, then: usize, otherwise: usize },
    /// What follows, up to its [`Step::Found`], must be found from here once; then goes on at `end`.
    Atomic { end: usize },
    /// The same without moving, or it must not be found.
    Ahead { negative: bool, end: usize },
    /// The same for what ends here.
    Behind { negative: bool, end: usize },
    /// The text that a group found.
    Backreference { group: usize, ignore_case: bool },
    /// The end.
    Found,
}

/// The steps, and how many slots they need. Groups have two slots each, the first two are unused.
#[derive(Debug)]
pub(super) struct Program {
    pub(super) steps: Vec<Step>,
    pub(super) slots: usize,
    /// It can be found at the text's begin only.
    pub(super) is_anchored: bool,
}

impl Program {
    pub(super) fn new(node: &Node) -> Result<Self, String> {
        let mut program = Self {
            steps: Vec::new(),
            slots: 2 * (greatest_group(node) + 1),
            is_anchored: begins_with_start(node),
        };
        program.add(node)?;
        program.push(Step::Found)?;
        Ok(program)
    }

    fn push(&mut self, step: Step) -> Result<usize, String> {
        if self.steps.len() >= MAX_STEPS {
            return Err("it is too large with its repetitions written out".to_owned());
        }
        self.steps.push(step);
        Ok(self.steps.len() - 1)
    }

    /// Puts the right step at a place that was kept free for it.
    fn set(&mut self, at: usize, step: Step) {
        if let Some(place) = self.steps.get_mut(at) {
            *place = step;
        }
    }

    fn end(&self) -> usize {
        self.steps.len()
    }

    fn add(&mut self, node: &Node) -> Result<(), String> {
        match node {
            Node::Empty => Ok(()),
            Node::Set(class) => self.push(Step::Set(class.clone())).map(|_| ()),
            Node::Assert(assertion) => self.push(Step::Assert(*assertion)).map(|_| ()),
            Node::Concat(nodes) => nodes.iter().try_for_each(|node| self.add(node)),
            Node::Alternate(nodes) => self.add_alternatives(nodes),
            Node::Capture(node, group) => {
                self.push(Step::Save(2 * group))?;
                self.add(node)?;
                self.push(Step::Save(2 * group + 1)).map(|_| ())
            }
            Node::Repeat { node, min, max, greed: Greed::Possessive } => self
                .add_inner(|end| Step::Atomic { end }, |program| program.add_repeat(node, *min, *max, true)),
            Node::Repeat { node, min, max, greed } => {
                self.add_repeat(node, *min, *max, *greed == Greed::Greedy)
            }
            Node::Look { node, behind, negative } => {
                let step = |end| match (*behind, *negative) {
                    (true, negative) => Step::Behind { negative, end },
                    (false, negative) => Step::Ahead { negative, end },
                };
                self.add_inner(step, |program| program.add(node))
            }
            Node::Atomic(node) => self.add_inner(|end| Step::Atomic { end }, |program| program.add(node)),
            Node::Backreference { group, ignore_case } => {
                self.push(Step::Backreference { group: *group, ignore_case: *ignore_case }).map(|_| ())
            }
        }
    }

    /// Steps that are a small program of their own.
    fn add_inner(
        &mut self,
        step: impl FnOnce(usize) -> Step,
        add: impl FnOnce(&mut Self) -> Result<(), String>,
    ) -> Result<(), String> {
        let at = self.push(Step::Found)?;
        add(self)?;
        self.push(Step::Found)?;
        self.set(at, step(self.end()));
        Ok(())
    }

    fn add_alternatives(&mut self, nodes: &[Node]) -> Result<(), String> {
        let mut jumps = Vec::new();
        for (at, node) in nodes.iter().enumerate() {
            if at + 1 == nodes.len() {
                self.add(node)?;
            } else {
                let split = self.push(Step::Found)?;
                self.add(node)?;
                jumps.push(self.push(Step::Found)?);
                self.set(split, Step::Split(split + 1, self.end()));
            }
        }
        for jump in jumps {
            self.set(jump, Step::Jump(self.end()));
        }
        Ok(())
    }

    fn add_repeat(&mut self, node: &Node, min: u32, max: Option<u32>, greedy: bool) -> Result<(), String> {
        for _ in 0..min {
            self.add(node)?;
        }
        let split = |inside: usize, after: usize| match greedy {
            true => Step::Split(inside, after),
            false => Step::Split(after, inside),
        };
        let Some(max) = max else {
            let slot = self.slots;
            self.slots += 1;
            let again = self.push(Step::Found)?;
            self.push(Step::Save(slot))?;
            self.add(node)?;
            let end = self.end() + 1;
            self.push(Step::IfMoved { slot, then: again, otherwise: end })?;
            self.set(again, split(again + 1, end));
            return Ok(());
        };
        let mut splits = Vec::new();
        for _ in min..max {
            splits.push(self.push(Step::Found)?);
            self.add(node)?;
        }
        for at in splits {
            self.set(at, split(at + 1, self.end()));
        }
        Ok(())
    }
}

fn greatest_group(node: &Node) -> usize {
    match node {
        Node::Empty | Node::Set(_) | Node::Assert(_) => 0,
        Node::Concat(nodes) | Node::Alternate(nodes) => nodes.iter().map(greatest_group).max().unwrap_or(0),
        Node::Capture(node, group) => greatest_group(node).max(*group),
        Node::Repeat { node, .. } | Node::Look { node, .. } | Node::Atomic(node) => greatest_group(node),
        Node::Backreference { group, .. } => *group,
    }
}

fn begins_with_start(node: &Node) -> bool {
    match node {
        Node::Assert(assertion) => *assertion == Assertion::TextStart,
        Node::Concat(nodes) => nodes.first().is_some_and(begins_with_start),
        Node::Capture(node, _) | Node::Atomic(node) => begins_with_start(node),
        _ => false,
    }
}
