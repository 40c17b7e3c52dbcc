//! Carries the steps out.

use tablesmith_store::{Store, StoreError};

use super::{Step, Steps};

impl Steps {
    /// Does everything that has to be done, one after the other, and tells of each step when it is done. What somebody else
    /// has done meanwhile is done.
    pub async fn make(
        &self,
        store: &dyn Store,
        done: &mut (dyn FnMut(&Step) + Send),
    ) -> Result<(), StoreError> {
        for step in &self.steps {
            step.make(store).await?;
            done(step);
        }
        Ok(())
    }
}

impl Step {
    async fn make(&self, store: &dyn Store) -> Result<(), StoreError> {
        match self {
            Self::CreateNamespace(namespace) => match store.create_namespace(namespace).await {
                Err(StoreError::NamespaceExists(_)) => Ok(()),
                made => made,
            },
            Self::CreateTable { descriptor, splits } => {
                let splits = splits.iter().map(|split| split.clone().into()).collect();
                store.create_table(descriptor.clone(), splits).await
            }
            Self::AlterTable { descriptor, .. } => store.alter_table(descriptor.clone()).await,
            Self::Split { table, at } => store.split_table(table, Some(at.clone().into())).await,
        }
    }
}
