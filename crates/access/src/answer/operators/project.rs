//! Rows with other columns.

use async_trait::async_trait;
use tablesmith_model::value::Value;

use super::{Input, Row, Rows, at};
use crate::answer::error::AnswerError;

/// What stands in a column of the new row.
#[derive(Clone, Debug, PartialEq)]
pub enum Place {
    /// What stands in this place of the old one.
    Of(usize),
    /// Always this.
    Value(Value),
}

/// The rows of a stream with other columns.
pub struct Project<'i> {
    pub input: Input<'i>,
    pub columns: Vec<Place>,
}

#[async_trait]
impl Rows for Project<'_> {
    async fn next(&mut self) -> Result<Vec<Row>, AnswerError> {
        let rows = self.input.next().await?;
        let column = |row: &Row, place: &Place| match place {
            Place::Of(place) => at(row, *place).clone(),
            Place::Value(value) => value.clone(),
        };
        let row = |row: Row| self.columns.iter().map(|place| column(&row, place)).collect();
        Ok(rows.into_iter().map(row).collect())
    }
}
