//! Decides a workload written down in a test.

use std::time::Duration;

use tablesmith_design::tables::{Answered, Decided, TablesError, Terms, decide};
use tablesmith_model::cost::Prices;
use tablesmith_model::design::Design;
use tablesmith_model::workload::Workload;

pub fn workload(text: &str) -> Workload {
    Workload::parse(&format!("version = 1\n{text}")).unwrap_or_else(|error| panic!("{error}"))
}

pub fn try_decide(text: &str) -> Result<Decided, TablesError> {
    let terms = Terms { prices: Prices::guessed(), servers: Some(5), time: Duration::from_secs(10) };
    decide(&workload(text), &terms)
}

/// Decides, and sees that the design is one that the rest of the program takes.
pub fn decided(text: &str) -> Decided {
    let decided = try_decide(text).unwrap_or_else(|error| panic!("{error}"));
    let written = decided.design.to_toml();
    let read =
        Design::parse_for(&written, &workload(text)).unwrap_or_else(|error| panic!("{error}\n{written}"));
    assert_eq!(read, decided.design, "the design is read as it was written");
    assert!(decided.is_proven, "{} and {}", decided.total_cost, decided.bound);
    decided
}

pub fn query<'d>(decided: &'d Decided, name: &str) -> &'d Answered {
    decided.queries.iter().find(|query| query.name == name).unwrap_or_else(|| panic!("no query {name}"))
}
