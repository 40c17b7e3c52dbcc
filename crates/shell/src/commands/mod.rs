//! The commands, one file for each or for a tight family of them. [`registry`] has them all; help and completion are
//! made from it.

mod alter;
mod append;
mod bulk;
mod confirm;
mod count;
mod counter;
mod create;
mod delete;
mod describe;
mod exit;
mod get;
mod help;
mod list;
mod maintenance;
mod namespace;
mod put;
mod read;
mod regions;
pub mod registry;
mod scan;
mod schema;
mod splits;
mod state;
mod status;
mod target;
mod truncate;
mod write;

use std::collections::VecDeque;

use async_trait::async_trait;
use tablesmith_store::Store;

use crate::error::ShellError;
use crate::language::Value;
use crate::output::Reply;

pub(crate) use confirm::AnswerInScript;
pub use confirm::{Confirm, Confirmation};

/// What a command is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Group {
    /// About the shell and the store.
    General,
    /// Tables.
    Ddl,
    /// Namespaces.
    Namespace,
    /// Rows and cells.
    Dml,
    /// Regions and files.
    Tools,
}

impl Group {
    /// All groups, in the order that help shows them.
    pub const ALL: [Self; 5] = [Self::General, Self::Ddl, Self::Namespace, Self::Dml, Self::Tools];

    /// The group's name.
    pub fn name(self) -> &'static str {
        match self {
            Self::General => "general",
            Self::Ddl => "ddl",
            Self::Namespace => "namespace",
            Self::Dml => "dml",
            Self::Tools => "tools",
        }
    }
}

/// What people should know of a command.
#[derive(Debug)]
pub struct Usage {
    /// Its name.
    pub name: &'static str,
    /// Other names for it.
    pub aliases: &'static [&'static str],
    /// What it is for.
    pub group: Group,
    /// A sentence or two.
    pub summary: &'static str,
    /// How it is called, each form once.
    pub examples: &'static [&'static str],
    /// The options it knows.
    pub options: &'static [&'static str],
    /// At least and at most so many arguments; `None` for any number.
    pub arguments: (usize, Option<usize>),
}

/// What a command works with.
pub struct Context<'a> {
    /// The store.
    pub store: &'a dyn Store,
    /// Who answers when a command wants to be sure.
    pub confirm: &'a dyn Confirm,
}

/// A command.
#[async_trait]
pub trait ShellCommand: Sync {
    /// What people should know of it.
    fn usage(&self) -> &'static Usage;

    /// Runs it. The number of arguments is right.
    async fn run(&self, context: &Context<'_>, arguments: Arguments) -> Result<Reply, ShellError>;

    /// Whether there may be other tables after it.
    fn changes_tables(&self) -> bool {
        self.usage().group == Group::Ddl
    }

    /// Whether bare words among the arguments are taken as they are.
    fn takes_bare_words(&self) -> bool {
        false
    }
}

/// What a command is given, taken one by one.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Arguments(VecDeque<Value>);

impl Arguments {
    /// These values.
    pub fn new(values: Vec<Value>) -> Self {
        Self(values.into())
    }

    /// The next one; `nil` when there are no more.
    pub fn take(&mut self) -> Value {
        self.0.pop_front().unwrap_or(Value::Nil)
    }

    /// The next one, if there is one and it is not `nil`.
    pub fn optional(&mut self) -> Option<Value> {
        self.0.pop_front().filter(|value| *value != Value::Nil)
    }

    /// All that are left.
    pub fn rest(self) -> Vec<Value> {
        self.0.into()
    }

    /// All that are left, lists taken apart and `nil` left out.
    pub fn flat_rest(self) -> Vec<Value> {
        fn flatten(values: impl IntoIterator<Item = Value>, into: &mut Vec<Value>) {
            for value in values {
                match value {
                    Value::Nil => {}
                    Value::Array(values) => flatten(values, into),
                    other => into.push(other),
                }
            }
        }
        let mut flat = Vec::new();
        flatten(self.0, &mut flat);
        flat
    }
}
