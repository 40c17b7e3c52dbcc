//! Places in the text, for errors that point.

use sqlparser::ast::Spanned;
use sqlparser::tokenizer::{Location, Span};

use super::super::error::SourcePosition;

/// Where a part of the tree stands.
pub(super) fn of(part: &impl Spanned) -> Option<SourcePosition> {
    of_span(part.span())
}

/// Where a stretch of the text stands; the first line of it when it has several.
pub(super) fn of_span(span: Span) -> Option<SourcePosition> {
    let mut place = at(span.start)?;
    if span.end.line == span.start.line {
        place.chars = span.end.column.saturating_sub(span.start.column).max(1);
    }
    Some(place)
}

/// A single character; line 0 is nowhere.
pub(super) fn at(location: Location) -> Option<SourcePosition> {
    let Location { line, column } = location;
    (line > 0).then_some(SourcePosition { line, column, chars: 1 })
}
