//! Rows on their way to the reader.

use super::portion::Portion;
use crate::cell::Row;
use crate::wire::WireError;

/// Rows that were put together from pieces, and between them whole rows that are read when they are wanted.
#[derive(Default)]
pub(super) struct Rows {
    before: std::vec::IntoIter<Row>,
    unread: Option<Portion>,
    after: std::vec::IntoIter<Row>,
}

impl Rows {
    pub fn new(before: Vec<Row>, unread: Option<Portion>) -> Self {
        Self { before: before.into_iter(), unread, after: Vec::new().into_iter() }
    }

    /// The same with more at the end.
    pub fn and(self, after: Vec<Row>) -> Self {
        Self { after: after.into_iter(), ..self }
    }

    pub fn is_empty(&self) -> bool {
        self.before.len() + self.after.len() + self.unread.as_ref().map_or(0, Portion::len) == 0
    }

    /// Adds rows until there are `limit` of them, or no more here.
    pub fn read_up_to(&mut self, limit: usize, rows: &mut Vec<Row>) -> Result<(), WireError> {
        rows.extend(self.before.by_ref().take(limit.saturating_sub(rows.len())));
        if let Some(unread) = &mut self.unread {
            unread.read_up_to(limit, rows)?;
        }
        rows.extend(self.after.by_ref().take(limit.saturating_sub(rows.len())));
        Ok(())
    }

    #[inline]
    pub fn next_row(&mut self) -> Result<Option<Row>, WireError> {
        if let Some(row) = self.before.next() {
            return Ok(Some(row));
        }
        if let Some(unread) = &mut self.unread
            && let Some((row, _)) = unread.next_row()?
        {
            return Ok(Some(row));
        }
        Ok(self.after.next())
    }
}
