//! Plans a call on a layout: a pure function.
//!
//! [`records`] and [`order`] plan what records a layout reads for whoever puts answers together.
//!
//! [`keys`] finds the rows by the conditions on a prefix of the key, [`families`] chooses what is read of them, [`reads`]
//! puts both together, [`writes`] makes cells of what is written, [`notes`] says what is dear about it.

mod families;
mod keys;
mod known;
mod notes;
mod order;
mod reads;
mod records;
mod writes;

use tablesmith_model::key::KeyEncodeError;
use tablesmith_model::plan::{Condition, Plan, Strand};
use tablesmith_model::value::CellError;

use crate::call::{Ask, Call};
use crate::error::PlanError;
use crate::layout::Layout;
use keys::NoOrder;

/// How a call is carried out on the table of a layout.
pub fn plan(layout: &Layout, call: &Call) -> Result<Plan, PlanError> {
    let planner = Planner { layout, query: &call.query };
    if *call.table != *layout.source().name {
        let (design, query) = planner.names();
        return Err(PlanError::OtherTable { design, query, table: call.table.to_string() });
    }
    let (mut reads, mut writes) = (Vec::new(), Vec::new());
    match &call.ask {
        Ask::Read { columns, conditions, limit } => reads.push(planner.read(columns, conditions, *limit)?),
        Ask::ReadOn { columns, place, rows } => reads.push(planner.read_on(columns, place, *rows)?),
        Ask::Insert(rows) => {
            writes = rows.iter().map(|row| planner.insert(row)).collect::<Result<_, _>>()?;
        }
        Ask::Update { set, conditions } => writes = planner.update(set, conditions)?,
        Ask::Delete(conditions) => writes = planner.delete(conditions)?,
        Ask::ByKey { columns, rows } => {
            reads = planner.read_by_key(columns, rows)?;
            writes = planner.set_by_key(rows)?;
        }
    }
    let notes = reads.iter().flat_map(|read| notes::of(layout, read)).collect();
    Ok(Plan {
        notes,
        query: call.query.to_string(),
        table: layout.table().to_owned(),
        reads,
        writes,
        not_understood: call.not_understood.to_vec(),
    })
}

/// The strands of a scan in the order of ids, for [`crate::FanOut`]: they have all rows that meet the conditions, and
/// others only where a condition says something of a column that the key does not give.
pub fn strands(layout: &Layout, conditions: &[Condition]) -> Result<Vec<Strand>, PlanError> {
    let design = || layout.design().to_owned();
    keys::strands(layout.row_keys(), conditions).map_err(|error| match error {
        NoOrder::Behind(part) => PlanError::NoOrder { design: design(), part: part.to_string() },
        NoOrder::TooMany(strands) => PlanError::TooManyStrands { design: design(), strands },
        NoOrder::Key(source) => PlanError::Key { design: design(), query: "scan".to_owned(), source },
    })
}

/// What every step of planning looks at.
pub(crate) struct Planner<'p> {
    pub layout: &'p Layout,
    pub query: &'p str,
}

impl Planner<'_> {
    /// The names of design and query, for messages.
    fn names(&self) -> (String, String) {
        (self.layout.design().to_owned(), self.query.to_owned())
    }

    fn key_error(&self, source: KeyEncodeError) -> PlanError {
        let (design, query) = self.names();
        PlanError::Key { design, query, source }
    }

    fn cell_error(&self, (column, source): (String, CellError)) -> PlanError {
        let (design, query) = self.names();
        PlanError::Cell { design, query, column, source }
    }
}
