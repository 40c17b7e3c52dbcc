//! Some rows of a stream: first so many are passed over, then at most so many are handed on.

use async_trait::async_trait;

use super::{Input, Row, Rows};
use crate::answer::error::AnswerError;

/// Some rows of a stream. Once it has them, nothing more is asked of the stream.
pub struct Limit<'i> {
    pub input: Input<'i>,
    pub offset: u64,
    pub limit: Option<u64>,
}

#[async_trait]
impl Rows for Limit<'_> {
    async fn next(&mut self) -> Result<Vec<Row>, AnswerError> {
        while self.limit != Some(0) {
            let mut rows = self.input.next().await?;
            if rows.is_empty() {
                return Ok(rows);
            }
            let passed = usize::try_from(self.offset).unwrap_or(usize::MAX).min(rows.len());
            self.offset -= passed as u64;
            rows.drain(..passed);
            if let Some(left) = &mut self.limit {
                rows.truncate(usize::try_from(*left).unwrap_or(usize::MAX));
                *left -= rows.len() as u64;
            }
            if !rows.is_empty() {
                return Ok(rows);
            }
        }
        Ok(Vec::new())
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{Given, all, ints};
    use super::*;

    #[tokio::test]
    async fn rows_are_passed_over_and_cut_off() {
        let rows: Vec<Row> = (0..10).map(|number| ints(&[number])).collect();
        for (offset, limit, expected) in
            [(0, Some(2), 0..2), (3, Some(4), 3..7), (8, Some(9), 8..10), (20, None, 0..0), (7, None, 7..10)]
        {
            let limit = Limit { input: Given::rows(rows.clone(), 3), offset, limit };
            let expected: Vec<Row> = expected.map(|number| ints(&[number])).collect();
            assert_eq!(all(limit).await, expected);
        }
    }
}
