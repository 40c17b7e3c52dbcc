//! How much data a request writes and an answer carries.

use std::iter::Sum;
use std::ops::AddAssign;

use tablesmith_model::Cell;

use super::intercept::Outcome;
use super::op::Op;
use crate::{
    Action, ActionAnswer, Append, Delete, DeleteTarget, Increment, Mutation, Put, Row, RowMutations,
};

/// Rows, cells and their bytes. A cell's bytes are those of its row, family, qualifier, timestamp with kind, and
/// value.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Volume {
    /// Rows; one that comes in several parts counts for each.
    pub rows: u64,
    /// Cells, markers among them.
    pub cells: u64,
    /// Bytes of the cells.
    pub bytes: u64,
}

impl Volume {
    /// What a row carries.
    pub fn of_row(row: &Row) -> Self {
        Self {
            rows: u64::from(!row.cells.is_empty()),
            cells: row.cells.len() as u64,
            bytes: row.cells.iter().map(Cell::size_bytes).sum(),
        }
    }

    /// What a write sends.
    pub fn of_mutation(mutation: &Mutation) -> Self {
        match mutation {
            Mutation::Put(put) => of_put(put),
            Mutation::Delete(delete) => of_delete(delete),
            Mutation::Increment(increment) => of_increment(increment),
            Mutation::Append(append) => of_append(append),
        }
    }

    /// What several writes to a row send: it is still one row.
    pub fn of_row_mutations(mutations: &RowMutations) -> Self {
        Self { rows: 1, ..mutations.mutations.iter().map(Self::of_mutation).sum() }
    }

    /// What an element of a batch sends to be written.
    pub fn of_action(action: &Action) -> Self {
        match action {
            Action::Get(_) => Self::default(),
            Action::Mutate(mutation) => Self::of_mutation(mutation),
            Action::RowMutations(mutations) => Self::of_row_mutations(mutations),
            Action::CheckAndMutate(check) => Self::of_row_mutations(&check.then),
        }
    }
}

impl AddAssign for Volume {
    fn add_assign(&mut self, other: Self) {
        self.rows += other.rows;
        self.cells += other.cells;
        self.bytes += other.bytes;
    }
}

impl Sum for Volume {
    fn sum<I: Iterator<Item = Self>>(parts: I) -> Self {
        parts.fold(Self::default(), |mut sum, part| {
            sum += part;
            sum
        })
    }
}

/// What a call sends to be written: one volume, for a batch one for each element.
pub(super) fn sent(op: &Op<'_>) -> Vec<Volume> {
    match op {
        Op::Put(_, put) => vec![of_put(put)],
        Op::Delete(_, delete) => vec![of_delete(delete)],
        Op::Append(_, append) => vec![of_append(append)],
        Op::Increment(_, increment) => vec![of_increment(increment)],
        Op::CheckAndMutate(_, check) => vec![Volume::of_row_mutations(&check.then)],
        Op::MutateRow(_, mutations) => vec![Volume::of_row_mutations(mutations)],
        Op::Batch(_, actions) => actions.iter().map(Volume::of_action).collect(),
        Op::AtomicBatch(batch) => {
            batch.writes.iter().flat_map(|(_, mutations)| mutations).map(Volume::of_mutation).collect()
        }
        _ => Vec::new(),
    }
}

/// What of it is written, now that the answer is there: nothing of what failed or was not to happen.
pub(super) fn written(sent: &[Volume], outcome: &Outcome<'_>) -> Volume {
    match outcome {
        Outcome::Failed(_) => Volume::default(),
        Outcome::Checked(outcome) if !outcome.success => Volume::default(),
        Outcome::Actions(answers) => sent
            .iter()
            .zip(*answers)
            .filter(|(_, answer)| match answer {
                Ok(ActionAnswer::Checked(outcome)) => outcome.success,
                Ok(ActionAnswer::Row(_)) => true,
                Err(_) => false,
            })
            .map(|(volume, _)| *volume)
            .sum(),
        _ => sent.iter().copied().sum(),
    }
}

/// What an answer carries.
pub(super) fn read(outcome: &Outcome<'_>) -> Volume {
    match outcome {
        Outcome::Row(row) => Volume::of_row(row),
        Outcome::Rows(rows) => rows.iter().map(Volume::of_row).sum(),
        Outcome::Checked(outcome) => outcome.row.as_ref().map(Volume::of_row).unwrap_or_default(),
        Outcome::Actions(answers) => answers
            .iter()
            .map(|answer| match answer {
                Ok(ActionAnswer::Row(row)) => Volume::of_row(row),
                Ok(ActionAnswer::Checked(outcome)) => read(&Outcome::Checked(outcome)),
                Err(_) => Volume::default(),
            })
            .sum(),
        Outcome::Partials(_) | Outcome::Done | Outcome::Failed(_) => Volume::default(),
    }
}

fn of_put(put: &Put) -> Volume {
    let lengths =
        put.cells.iter().map(|(family, column, _, value)| family.len() + column.len() + value.len());
    of_cells(&put.row, lengths)
}

fn of_append(append: &Append) -> Volume {
    let lengths =
        append.values.iter().map(|(family, column, value)| family.len() + column.len() + value.len());
    of_cells(&append.row, lengths)
}

fn of_increment(increment: &Increment) -> Volume {
    let lengths = increment
        .amounts
        .iter()
        .map(|(family, column, amount)| family.len() + column.len() + size_of_val(amount));
    of_cells(&increment.row, lengths)
}

/// A delete of the whole row counts as one marker: the caller does not know how many families there are.
fn of_delete(delete: &Delete) -> Volume {
    if delete.targets.is_empty() {
        return of_cells(&delete.row, std::iter::once(0));
    }
    let lengths = delete.targets.iter().map(|target| match target {
        DeleteTarget::Family(family, _) | DeleteTarget::FamilyVersion(family, _) => family.len(),
        DeleteTarget::Column(family, column, _) | DeleteTarget::Version(family, column, _) => {
            family.len() + column.len()
        }
    });
    of_cells(&delete.row, lengths)
}

/// One row of cells whose family, qualifier and value together have these lengths.
fn of_cells(row: &[u8], lengths: impl Iterator<Item = usize>) -> Volume {
    let empty_cell_bytes = Cell::put("", "", "", 0, "").size_bytes() + row.len() as u64;
    let mut volume = Volume { rows: 1, ..Volume::default() };
    for length in lengths {
        volume.cells += 1;
        volume.bytes += empty_cell_bytes + length as u64;
    }
    volume
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Get, StoreError};

    #[test]
    fn a_put_counts_as_the_cells_it_becomes() {
        let table = "t".parse().unwrap();
        let put = Put::new("row").add("f", "q", "value").add("f", "", "");
        let cells = [Cell::put("row", "f", "q", 0, "value"), Cell::put("row", "f", "", 0, "")];
        let bytes = cells.iter().map(Cell::size_bytes).sum();
        assert_eq!(sent(&Op::Put(&table, &put)), [Volume { rows: 1, cells: 2, bytes }]);
    }

    #[test]
    fn what_failed_is_not_written() {
        let table = "t".parse().unwrap();
        let put = |row: &'static str| Action::Mutate(Mutation::Put(Put::new(row).add("f", "q", "v")));
        let actions = vec![put("a"), Action::Get(Get::new("a")), put("b")];
        let sent = sent(&Op::Batch(&table, &actions));
        let answers = [
            Ok(ActionAnswer::Row(Row::default())),
            Ok(ActionAnswer::Row(Row { row: "a".into(), cells: vec![Cell::put("a", "f", "q", 1, "v")] })),
            Err(StoreError::Io("lost".to_owned())),
        ];
        let one_cell_bytes = Cell::put("a", "f", "q", 1, "v").size_bytes();
        let one = Volume { rows: 1, cells: 1, bytes: one_cell_bytes };
        assert_eq!(written(&sent, &Outcome::Actions(&answers)), one);
        assert_eq!(read(&Outcome::Actions(&answers)), one);
    }
}
