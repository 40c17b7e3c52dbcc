//! Which rows a question is about: a range to scan, and which rows of it count.

use bytes::Bytes;
use tablesmith_model::plan::KeyRange;
use tablesmith_store::aggregate::RowSet;
use tablesmith_store::{RowBound, Scan};

use super::shape::Shape;
use crate::series::keys::is_of_no_row;
use crate::series::window::Window;
use crate::series::{Entities, Series, SeriesError};

/// The rows of a question.
#[derive(Debug)]
pub(super) struct Rows {
    /// A scan that has all of them.
    pub scan: Scan,
    /// Those that count, when others lie between them.
    pub rows: Option<RowSet>,
    /// Whether rows of other entities count too, and must be told apart by their group.
    pub has_others: bool,
}

impl Series {
    /// The rows of some entities in a window; `None` when there can be none.
    pub(super) fn rows_in(
        &self,
        shape: Shape,
        entities: &Entities,
        window: Window,
    ) -> Result<Option<Rows>, SeriesError> {
        let ranges = match entities {
            Entities::All => self.keys.of_everybody(window)?,
            Entities::These(entities) if self.keys.is_time_first() => {
                possible(entities.iter().map(|entity| self.keys.beside_entity(entity, window)))?
            }
            Entities::These(entities) => {
                possible(entities.iter().map(|entity| self.keys.of_entity(entity, window)))?
            }
        };
        let ranges = KeyRange::merged(ranges);
        let Some(scan) = hull(&ranges) else { return Ok(None) };
        let others = matches!(entities, Entities::These(_)) && self.keys.is_time_first();
        Ok(Some(match (entities, ranges.len()) {
            (Entities::These(entities), 1) if others => {
                let parts = possible(entities.iter().map(|entity| self.part_of(shape, entity, window)))?;
                Rows { scan, rows: Some(RowSet::of_parts(shape.entity, parts)), has_others: false }
            }
            (_, 1) => Rows { scan, rows: None, has_others: false },
            _ => Rows {
                scan,
                rows: Some(RowSet::of_ranges(ranges.into_iter().map(bounds))),
                has_others: others,
            },
        }))
    }
}

/// From the first range to the last.
fn hull(ranges: &[KeyRange]) -> Option<Scan> {
    let start = ranges.iter().map(|range| &range.start).min()?;
    let end = ranges
        .iter()
        .map(|range| range.end.as_ref())
        .reduce(|one, other| one.zip(other).map(|(a, b)| a.max(b)));
    let start = if start.is_empty() { RowBound::Open } else { RowBound::Included(start.clone().into()) };
    let stop = end.flatten().map_or(RowBound::Open, |end| RowBound::Excluded(end.clone().into()));
    Some(Scan { start, stop, ..Scan::all() })
}

fn bounds(range: KeyRange) -> std::ops::Range<Bytes> {
    range.start.into()..range.end.unwrap_or_default().into()
}

/// All that can be there: an entity whose key would be too long has no rows.
pub(super) fn possible<T>(
    found: impl Iterator<Item = Result<T, SeriesError>>,
) -> Result<Vec<T>, SeriesError> {
    found.filter(|one| !matches!(one, Err(error) if is_of_no_row(error))).collect()
}
