//! Carries out what a plan writes.

use tablesmith_model::plan::{CellWrite, Change, RowWrite};
use tablesmith_store::{Action, Delete, DeleteTarget, Mutation, Put, RowMutations};

use super::Work;
use crate::error::AccessError;

impl Work<'_> {
    /// Writes rows: one call for a single row, one for all of several.
    pub async fn write(&mut self, writes: &[RowWrite]) -> Result<(), AccessError> {
        let (store, name) = (self.store, self.name);
        let mut actions: Vec<Action> = writes.iter().map(action).collect();
        let stats = match (actions.pop(), actions.is_empty()) {
            (None, _) => return Ok(()),
            (Some(Action::Mutate(Mutation::Put(put))), true) => self.timed(store.put(name, put)).await?.stats,
            (Some(Action::Mutate(Mutation::Delete(delete))), true) => {
                self.timed(store.delete(name, delete)).await?.stats
            }
            (Some(Action::RowMutations(mutations)), true) => {
                self.timed(store.mutate_row(name, mutations)).await?.stats
            }
            (Some(last), _) => {
                actions.push(last);
                let answer = self.timed(store.batch(name, actions)).await?;
                answer.value.into_iter().try_for_each(|one| one.map(|_| ()))?;
                answer.stats
            }
        };
        self.outcome.stats += stats;
        Ok(())
    }
}

/// A write as what the store takes: a put, a delete, or both at once.
fn action(write: &RowWrite) -> Action {
    let Change::Cells(cells) = &write.change else {
        return Action::Mutate(Mutation::Delete(Delete::row(write.key.clone())));
    };
    let mut put = Put::new(write.key.clone());
    let mut delete = Delete::row(write.key.clone());
    for CellWrite { family, qualifier, value } in cells {
        let (family, qualifier) = (family.clone(), qualifier.clone());
        match value {
            Some(value) => put = put.add(family, qualifier, value.clone()),
            None => delete = delete.target(DeleteTarget::Column(family.into(), qualifier.into(), None)),
        }
    }
    if delete.targets.is_empty() {
        return Action::Mutate(Mutation::Put(put));
    }
    let mut mutations = vec![Mutation::Delete(delete)];
    if !put.cells.is_empty() {
        mutations.push(Mutation::Put(put));
    }
    Action::RowMutations(RowMutations { row: write.key.clone().into(), mutations })
}
