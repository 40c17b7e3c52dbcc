//! Makes the tables of a design, or brings those that are there to what the design says.
//!
//! ```text
//!  design ─┐
//!          ├─ steps.rs decides ──▶ Steps ──▶ make.rs carries them out
//!  store ──living.rs looks ─┘
//! ```

mod living;
mod make;
mod steps;

pub use living::{Living, LivingTable};
pub use steps::{ApplyError, FamilyName, Step, Steps, falls_short};

use tablesmith_model::{TableDescriptor, TableName};
use tablesmith_store::Store;

use crate::error::AccessError;
use crate::layout::Layout;

/// Makes the table that a layout describes, under a name: families with their settings, cut at the design's splits.
pub async fn apply(store: &dyn Store, layout: &Layout, name: &TableName) -> Result<(), AccessError> {
    let descriptor = TableDescriptor::new(name.clone(), layout.descriptors.iter().cloned());
    let splits = layout.splits.iter().map(|split| split.clone().into()).collect();
    Ok(store.create_table(descriptor, splits).await?)
}
