//! Which columns of a row are wanted, and how many versions of each have been seen.

use bytes::Bytes;
use tablesmith_model::{CellType, Timestamp};

use super::{Seen, Step};
use crate::short;

/// How long versions are kept.
#[derive(Clone, Copy, Debug)]
pub(super) struct Keep {
    /// At most so many versions.
    pub max_versions: u32,
    /// So many even when they are expired.
    pub min_versions: u32,
    /// What is older is expired.
    pub oldest_unexpired: Timestamp,
}

impl Keep {
    fn is_expired(&self, timestamp: Timestamp) -> bool {
        timestamp < self.oldest_unexpired
    }

    /// Whether nothing of this age or older can count.
    pub fn is_past(&self, timestamp: Timestamp) -> bool {
        self.min_versions == 0 && self.is_expired(timestamp)
    }
}

/// Follows the columns of a row.
#[derive(Debug)]
pub(super) enum Columns {
    /// All columns are wanted.
    All(AllColumns),
    /// Only some.
    Named(NamedColumns),
}

#[derive(Debug)]
pub(super) struct AllColumns {
    keep: Keep,
    /// The present column, if `begun`. A buffer, since it changes with almost every cell.
    current: Vec<u8>,
    begun: bool,
    count: u32,
    last: Option<(Timestamp, CellType)>,
}

#[derive(Debug)]
pub(super) struct NamedColumns {
    keep: Keep,
    wanted: Vec<Bytes>,
    at: usize,
    count: u32,
    last: Option<Timestamp>,
}

impl Columns {
    pub fn all(keep: Keep) -> Self {
        Self::All(AllColumns { keep, current: Vec::new(), begun: false, count: 0, last: None })
    }

    pub fn named(keep: Keep, wanted: impl IntoIterator<Item = Bytes>) -> Self {
        Self::Named(NamedColumns { keep, wanted: wanted.into_iter().collect(), at: 0, count: 0, last: None })
    }

    pub fn keep(&self) -> &Keep {
        match self {
            Self::All(all) => &all.keep,
            Self::Named(named) => &named.keep,
        }
    }

    /// For the next row.
    pub fn reset(&mut self) {
        match self {
            Self::All(all) => (all.begun, all.last) = (false, None),
            Self::Named(named) => (named.at, named.count, named.last) = (0, 0, None),
        }
    }

    /// Whether no further column of the row is wanted.
    pub fn is_done(&self) -> bool {
        match self {
            Self::All(_) => false,
            Self::Named(named) => named.column().is_none(),
        }
    }

    /// The next column that is wanted, where that is known.
    pub fn next_wanted(&self) -> Option<&Bytes> {
        match self {
            Self::All(_) => None,
            Self::Named(named) => named.column(),
        }
    }

    /// Whether the cell's column is wanted ([`Step::Include`]), or where to go on.
    pub fn check_column(&mut self, cell: Seen<'_>) -> Step {
        match self {
            Self::All(_) => Step::Include,
            Self::Named(named) => named.check_column(cell),
        }
    }

    /// Whether the cell's version is wanted.
    #[inline]
    pub fn check_versions(&mut self, cell: Seen<'_>) -> Step {
        match self {
            Self::All(all) => all.check_versions(cell),
            Self::Named(named) => named.check_versions(cell),
        }
    }

    /// A cell that has outlived itself does not count, but it still stands for older writes of the same version.
    pub fn pass_over(&mut self, cell: Seen<'_>) {
        match self {
            Self::All(all) => {
                all.begin_column(cell);
                all.last = Some((cell.timestamp, cell.kind));
            }
            Self::Named(named) => {
                if named.check_column(cell) == Step::Include {
                    named.last = Some(cell.timestamp);
                }
            }
        }
    }

    /// The reader leaves the cell's column.
    pub fn leave_column(&mut self, cell: Seen<'_>) -> Step {
        self.done_with_column(cell);
        if self.is_done() { Step::NextRow } else { Step::NextColumn }
    }

    pub fn done_with_column(&mut self, cell: Seen<'_>) {
        if let Self::Named(named) = self {
            named.done_with_column(cell);
        }
    }
}

impl AllColumns {
    /// Whether the cell begins a column.
    #[inline]
    fn begin_column(&mut self, cell: Seen<'_>) -> bool {
        if self.begun && short::equal(&self.current, cell.qualifier) {
            return false;
        }
        self.begun = true;
        self.current.clear();
        self.current.extend_from_slice(cell.qualifier);
        self.count = 0;
        self.last = None;
        true
    }

    #[inline]
    fn check_versions(&mut self, cell: Seen<'_>) -> Step {
        if !self.begin_column(cell) && self.last == Some((cell.timestamp, cell.kind)) {
            return Step::Skip;
        }
        if cell.kind == CellType::Put {
            self.count += 1;
        }
        let wanted = self.count <= self.keep.max_versions
            && (self.count <= self.keep.min_versions || !self.keep.is_expired(cell.timestamp));
        if wanted {
            self.last = Some((cell.timestamp, cell.kind));
            Step::Include
        } else {
            Step::NextColumn
        }
    }
}

impl NamedColumns {
    fn column(&self) -> Option<&Bytes> {
        self.wanted.get(self.at)
    }

    fn next(&mut self) {
        (self.at, self.count, self.last) = (self.at + 1, 0, None);
    }

    fn check_column(&mut self, cell: Seen<'_>) -> Step {
        while let Some(column) = self.column() {
            match cell.qualifier.cmp(&column[..]) {
                std::cmp::Ordering::Equal => return Step::Include,
                std::cmp::Ordering::Less => {
                    self.last = None;
                    return Step::NextColumn;
                }
                std::cmp::Ordering::Greater => self.next(),
            }
        }
        Step::NextRow
    }

    fn check_versions(&mut self, cell: Seen<'_>) -> Step {
        if self.last == Some(cell.timestamp) {
            return Step::Skip;
        }
        self.count += 1;
        let was_last = self.count >= self.keep.max_versions
            || (self.count >= self.keep.min_versions && self.keep.is_expired(cell.timestamp));
        if was_last {
            self.next();
            return if self.column().is_none() {
                Step::IncludeAndNextRow
            } else {
                Step::IncludeAndNextColumn
            };
        }
        self.last = Some(cell.timestamp);
        Step::Include
    }

    fn done_with_column(&mut self, cell: Seen<'_>) {
        self.last = None;
        while let Some(column) = self.column() {
            match cell.qualifier.cmp(&column[..]) {
                std::cmp::Ordering::Less => return,
                std::cmp::Ordering::Equal => return self.next(),
                std::cmp::Ordering::Greater => self.next(),
            }
        }
    }
}
