//! What a filter says of a cell.

/// What to do with a cell, and where to go on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ReturnCode {
    /// Take it.
    Include,
    /// Take it and go on at the next column.
    IncludeAndNextColumn,
    /// Take it and go on at the next row.
    IncludeAndNextRow,
    /// Leave it.
    Skip,
    /// Leave it and go on at the next column.
    NextColumn,
    /// Leave it and go on at the next row (of this family: other families' cells of the row may still come).
    NextRow,
    /// Leave it and ask [`super::FilterRun::next_hint`] where to go on.
    SeekHint,
}

/// How far a code lets the reader move, from the shortest way to the longest. Lists merge these.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Step {
    Cell,
    Column,
    Row,
}

impl ReturnCode {
    /// Whether the cell is taken.
    pub fn is_include(self) -> bool {
        matches!(self, Self::Include | Self::IncludeAndNextColumn | Self::IncludeAndNextRow)
    }

    /// How far to move; a hint's way is not known, so it counts as the shortest.
    pub(super) fn step(self) -> Step {
        match self {
            Self::Include | Self::Skip | Self::SeekHint => Step::Cell,
            Self::IncludeAndNextColumn | Self::NextColumn => Step::Column,
            Self::IncludeAndNextRow | Self::NextRow => Step::Row,
        }
    }

    /// The code that takes the cell or leaves it and moves so far.
    pub(super) fn of(include: bool, step: Step) -> Self {
        match (include, step) {
            (true, Step::Cell) => Self::Include,
            (true, Step::Column) => Self::IncludeAndNextColumn,
            (true, Step::Row) => Self::IncludeAndNextRow,
            (false, Step::Cell) => Self::Skip,
            (false, Step::Column) => Self::NextColumn,
            (false, Step::Row) => Self::NextRow,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_code_is_taking_and_a_step() {
        for code in [
            ReturnCode::Include,
            ReturnCode::IncludeAndNextColumn,
            ReturnCode::IncludeAndNextRow,
            ReturnCode::Skip,
            ReturnCode::NextColumn,
            ReturnCode::NextRow,
        ] {
            assert_eq!(ReturnCode::of(code.is_include(), code.step()), code);
        }
        assert!(!ReturnCode::SeekHint.is_include());
    }
}
