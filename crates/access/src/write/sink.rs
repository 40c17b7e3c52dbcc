//! What is done with the records of a place, one after the other.

use tablesmith_model::value::Value;
use tablesmith_store::Store;

use super::{Batch, Place, Writer};
use crate::error::AccessError;
use crate::repair::Checker;

/// What is done with records.
pub(crate) enum Sink<'w> {
    /// They are written.
    Write(Batch<'w>),
    /// They are removed.
    Remove(Batch<'w>),
    /// They are collected, up to so many.
    Collect(Vec<Vec<Value>>, usize),
    /// They are held against what is there.
    Check(Box<Checker<'w>>),
}

impl Sink<'_> {
    /// Takes one record.
    pub async fn take(
        &mut self,
        writer: &Writer,
        store: &dyn Store,
        place: &Place,
        values: Vec<Value>,
    ) -> Result<(), AccessError> {
        match self {
            Self::Write(batch) => batch.put(place.put_new(&values)?).await,
            Self::Remove(batch) => {
                for row in writer.rows_that_hold(store, place, &values).await? {
                    batch.delete(place.delete(row, &values)?).await?;
                }
                Ok(())
            }
            Self::Collect(records, _) => {
                records.push(values);
                Ok(())
            }
            Self::Check(checker) => checker.take(writer, values).await,
        }
    }

    /// Whether more were collected than are wanted: nothing has to be handed over any more.
    pub fn is_full(&self) -> bool {
        matches!(self, Self::Collect(records, most) if records.len() > *most)
    }

    /// Does what is left to do.
    pub async fn end(&mut self, writer: &Writer) -> Result<(), AccessError> {
        match self {
            Self::Write(batch) | Self::Remove(batch) => batch.send().await,
            Self::Collect(..) => Ok(()),
            Self::Check(checker) => checker.send(writer).await,
        }
    }
}
