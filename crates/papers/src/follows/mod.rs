//! Who follows whom (Khurana: *Introduction to HBase Schema Design*; the chapter of TwitBase on schema design): every design
//! that the two guides go through, and one of ours, asked the same questions in turn.
//!
//! ```text
//! world      people, edges, messages, and what is true of them: the answers are checked against it
//! design     what a design must answer
//! numbered   followed people under running numbers, without and with a counter (figures 4 to 7)
//! designed   a design as design.toml says it, asked in SQL: ours, and any other
//! wide       followed people as qualifiers, one way and both ways (figure 8)
//! tall       an edge a row: plain, hashed, both ways with a type in the key (figures 9 to 11; section 4.3)
//! stream     newest messages: joined when read, kept in a table, kept in a family of the person (section 4.2)
//! measure    all designs in turn: calls, rows and time of each question
//! ours       the design that tablesmith finds; predicted: whether designs come in the predicted order
//! run        all of it on a store
//! claims     what the guides say, each beside what came out
//! ```

pub mod claims;
pub mod design;
pub mod designed;
mod figures;
pub mod generate;
mod json;
pub mod measure;
mod numbered;
mod ours;
mod predicted;
mod run;
mod stream;
mod tall;
mod wide;
pub mod world;

use design::FollowsDesign;
pub use run::{Outcome, Task, run};

/// The designs of the guides for the graph, in their order.
pub fn graph_designs() -> Vec<Box<dyn FollowsDesign>> {
    vec![
        Box::new(numbered::Numbered { has_counter: false }),
        Box::new(numbered::Numbered { has_counter: true }),
        Box::new(wide::Wide { both_ways: false }),
        Box::new(wide::Wide { both_ways: true }),
        Box::new(tall::Tall { keys: tall::Keys::Plain }),
        Box::new(tall::Tall { keys: tall::Keys::Hashed }),
        Box::new(tall::Tall { keys: tall::Keys::TypeInside }),
        Box::new(tall::Tall { keys: tall::Keys::TypeFirst }),
    ]
}

/// The designs of the guides for the stream, in their order.
pub fn stream_designs() -> Vec<Box<dyn FollowsDesign>> {
    vec![
        Box::new(stream::Stream { kept: stream::Kept::Nowhere }),
        Box::new(stream::Stream { kept: stream::Kept::InTable }),
        Box::new(stream::Stream { kept: stream::Kept::InFamily }),
    ]
}
