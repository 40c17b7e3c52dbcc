//! HBase's own shell language over any store, so that people who know HBase type what they know.
//!
//! [`language`] reads commands, [`commands`] has one for each name, and each answers with an [`output::Reply`] that is
//! printed as text in HBase's layout or as JSON. [`Session`] runs them one after the other; [`run_script`] does so for
//! a script, [`run_interactive`] at a terminal.

mod arguments;
pub mod commands;
mod completion;
mod error;
mod interactive;
pub mod language;
pub mod output;
mod session;
mod suggest;
mod vocabulary;

pub use error::ShellError;
pub use interactive::run_interactive;
pub use session::{Format, ScriptResult, Session, run_script};
