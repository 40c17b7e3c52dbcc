//! A scanner for tests that hands out what it is given.

use std::collections::VecDeque;

use async_trait::async_trait;
use tablesmith_store::{OpStats, Row, Scanner, StoreError};

/// Hands out these portions, then nothing.
pub struct Portions(VecDeque<Result<Vec<Row>, StoreError>>);

impl Portions {
    /// In this order.
    pub fn new(portions: Vec<Result<Vec<Row>, StoreError>>) -> Self {
        Self(portions.into())
    }
}

#[async_trait]
impl Scanner for Portions {
    async fn next_rows(&mut self) -> Result<Vec<Row>, StoreError> {
        self.0.pop_front().unwrap_or(Ok(Vec::new()))
    }

    fn stats(&self) -> OpStats {
        OpStats { cells: Some(7), ..OpStats::default() }
    }
}
