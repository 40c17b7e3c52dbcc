//! What a store answered to a step, in a form in which two stores can be compared.

use std::collections::BTreeMap;
use std::fmt;

use bytes::Bytes;
use tablesmith_model::Cell;
use tablesmith_model::bytes_text::to_text;
use tablesmith_store::{
    ActionAnswer, CheckOutcome, GroupKey, Partial, RegionInfo, RegionPartials, Row, StoreError,
};

use super::text;

/// What a store answered.
#[derive(Clone, Debug, PartialEq)]
pub enum Observed {
    /// It is done.
    Done,
    /// There was nothing to do it to.
    NothingToDo,
    /// Yes or no.
    Flag(bool),
    /// Cells of one row.
    Cells(Vec<Cell>),
    /// Rows, or parts of them.
    Rows(Vec<Row>),
    /// Whether a condition held, and the new values.
    Checked(bool, Vec<Cell>),
    /// What each action of a batch answered.
    Actions(Vec<Observed>),
    /// The groups of each region that has any.
    Groups(Vec<BTreeMap<GroupKey, Partial>>),
    /// The first rows of the regions.
    Borders(Vec<Bytes>),
    /// Refused.
    Refused(Refusal),
}

/// Why a store refused: HBase's exception, by which refusals are compared, and what it said, which is up to the store.
#[derive(Clone, Debug)]
pub struct Refusal {
    /// The exception's name.
    pub exception: &'static str,
    /// What it said.
    pub message: String,
}

impl PartialEq for Refusal {
    fn eq(&self, other: &Self) -> bool {
        self.exception == other.exception
    }
}

impl Observed {
    /// Takes times that a store's clock made for equal.
    pub(super) fn without_own_times(mut self) -> Self {
        match &mut self {
            Self::Cells(cells) | Self::Checked(_, cells) => hide_times(cells),
            Self::Rows(rows) => rows.iter_mut().for_each(|row| hide_times(&mut row.cells)),
            Self::Actions(answers) => {
                for answer in answers {
                    *answer = std::mem::replace(answer, Self::Done).without_own_times();
                }
            }
            _ => {}
        }
        self
    }
}

fn hide_times(cells: &mut [Cell]) {
    for cell in cells {
        cell.timestamp = cell.timestamp.min(text::SERVER_TIME_MS);
    }
}

impl From<StoreError> for Observed {
    fn from(error: StoreError) -> Self {
        Self::Refused(Refusal { exception: error.exception(), message: error.to_string() })
    }
}

impl From<Row> for Observed {
    fn from(row: Row) -> Self {
        Self::Cells(row.cells)
    }
}

impl From<CheckOutcome> for Observed {
    fn from(outcome: CheckOutcome) -> Self {
        Self::Checked(outcome.success, outcome.row.map(|row| row.cells).unwrap_or_default())
    }
}

impl From<Vec<Result<ActionAnswer, StoreError>>> for Observed {
    fn from(answers: Vec<Result<ActionAnswer, StoreError>>) -> Self {
        let observe = |answer| match answer {
            Ok(ActionAnswer::Row(row)) => Self::from(row),
            Ok(ActionAnswer::Checked(outcome)) => Self::from(outcome),
            Err(error) => Self::from(error),
        };
        Self::Actions(answers.into_iter().map(observe).collect())
    }
}

impl From<Vec<RegionPartials>> for Observed {
    fn from(regions: Vec<RegionPartials>) -> Self {
        let groups = regions.into_iter().map(|region| {
            region.groups.into_iter().filter(|(_, partial)| partial.cells > 0).collect::<BTreeMap<_, _>>()
        });
        Self::Groups(groups.filter(|groups| !groups.is_empty()).collect())
    }
}

impl From<Vec<RegionInfo>> for Observed {
    fn from(regions: Vec<RegionInfo>) -> Self {
        Self::Borders(regions.into_iter().map(|region| region.start).collect())
    }
}

impl fmt::Display for Observed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Done => f.write_str("done"),
            Self::NothingToDo => f.write_str("nothing to do"),
            Self::Flag(flag) => write!(f, "{flag}"),
            Self::Cells(cells) => f.write_str(&text::cells(cells)),
            Self::Rows(rows) => f.write_str(&text::rows(rows)),
            Self::Checked(success, cells) => write!(f, "checked {success}: {}", text::cells(cells)),
            Self::Actions(answers) => {
                let answers: Vec<_> = answers.iter().map(Self::to_string).collect();
                write!(f, "[{}]", answers.join("; "))
            }
            Self::Groups(regions) => write!(f, "{regions:?}"),
            Self::Borders(starts) => {
                let starts: Vec<_> = starts.iter().map(|start| format!("{}..", to_text(start))).collect();
                f.write_str(&starts.join(" "))
            }
            Self::Refused(refusal) => write!(f, "{}: {}", refusal.exception, refusal.message),
        }
    }
}
