//! Plans what is read of one layout: a pure function.
//!
//! [`keys`] finds the rows by the conditions on a prefix of the key, [`families`] chooses what is read of them, [`order`]
//! says whether they come in an order, and [`records`] puts these together.

mod families;
mod keys;
mod known;
mod order;
mod records;

use tablesmith_model::plan::{Condition, Strand};

use crate::error::PlanError;
use crate::layout::Layout;
use keys::NoOrder;

/// The strands of a scan in the order of ids, for [`crate::FanOut`]: they have all rows that meet the conditions, and
/// others only where a condition says something of a column that the key does not give.
pub fn strands(layout: &Layout, conditions: &[Condition]) -> Result<Vec<Strand>, PlanError> {
    let table = || layout.table().to_owned();
    keys::strands(layout.row_keys(), conditions).map_err(|error| match error {
        NoOrder::Behind(part) => PlanError::NoOrder { table: table(), part: part.to_string() },
        NoOrder::TooMany(strands) => PlanError::TooManyStrands { table: table(), strands },
        NoOrder::Key(source) => PlanError::Key { table: table(), source },
    })
}
