//! A table as the engine holds it: its description, its regions, and who may change them.

use std::sync::{Arc, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

use bytes::Bytes;
use tablesmith_model::{FamilyDescriptor, TableDescriptor};
use tablesmith_store::StoreError;

use crate::locks::RowLocks;
use crate::region::Region;

/// A table. Readers take the present state and keep it; writers hold `writes` shared, whoever changes regions, families
/// or generations holds it alone.
#[derive(Debug)]
pub(crate) struct Table {
    pub id: u64,
    state: RwLock<Arc<TableState>>,
    writes: RwLock<()>,
    pub row_locks: RowLocks,
}

/// What a table is at a moment.
#[derive(Clone, Debug)]
pub(crate) struct TableState {
    pub descriptor: TableDescriptor,
    pub enabled: bool,
    /// Removed: whoever still holds it must not write.
    pub dropped: bool,
    /// In key order, without gaps.
    pub regions: Vec<Arc<Region>>,
}

impl Table {
    pub fn new(id: u64, state: TableState) -> Self {
        Self {
            id,
            state: RwLock::new(Arc::new(state)),
            writes: RwLock::new(()),
            row_locks: RowLocks::default(),
        }
    }

    /// The present state.
    pub fn state(&self) -> Arc<TableState> {
        self.state.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// The present state, which does not change as long as the guard is held.
    pub fn state_for_write(&self) -> (RwLockReadGuard<'_, ()>, Arc<TableState>) {
        let guard = self.writes.read().unwrap_or_else(PoisonError::into_inner);
        (guard, self.state())
    }

    /// Keeps writers out.
    pub fn lock_writes(&self) -> RwLockWriteGuard<'_, ()> {
        self.writes.write().unwrap_or_else(PoisonError::into_inner)
    }

    /// Puts a new state in place. The caller holds [`Table::lock_writes`].
    pub fn replace(&self, state: TableState) {
        *self.state.write().unwrap_or_else(PoisonError::into_inner) = Arc::new(state);
    }
}

impl TableState {
    /// Refuses what a table that does not answer cannot do.
    pub fn check_enabled(&self) -> Result<(), StoreError> {
        if self.dropped {
            return Err(StoreError::TableNotFound(self.descriptor.name.clone()));
        }
        if !self.enabled {
            return Err(StoreError::TableNotEnabled(self.descriptor.name.clone()));
        }
        Ok(())
    }

    /// The family of this name, or the error that there is none.
    pub fn family(&self, name: &Bytes) -> Result<&FamilyDescriptor, StoreError> {
        self.descriptor.family(name).ok_or_else(|| StoreError::NoSuchColumnFamily {
            table: self.descriptor.name.clone(),
            family: name.clone(),
        })
    }

    /// Refuses writes to a table that is read-only.
    pub fn check_writable(&self) -> Result<(), StoreError> {
        if self.descriptor.flag_attribute("READONLY", false) {
            return Err(StoreError::ReadOnly(self.descriptor.name.clone()));
        }
        Ok(())
    }

    /// Refuses what an attribute of the table forbids.
    pub fn check_allows(&self, attribute: &str, what: &str) -> Result<(), StoreError> {
        if self.descriptor.flag_attribute(attribute, true) {
            return Ok(());
        }
        let name = &self.descriptor.name;
        Err(StoreError::DoNotRetry(format!(
            "regions of table {name} must not be {what}: its {attribute} is false"
        )))
    }

    /// The region that a row belongs to.
    pub fn region_of(&self, row: &[u8]) -> Result<&Arc<Region>, StoreError> {
        let after = self.regions.partition_point(|region| &region.start[..] <= row);
        self.regions
            .get(after.saturating_sub(1))
            .ok_or_else(|| StoreError::Corrupt(format!("table {} has no regions", self.descriptor.name)))
    }
}
