//! Answers of whole designs: a statement over all tables of the workload, whichever layouts hold them.
//!
//! ```text
//!  relational::Query ──plan_query──▶ QueryPlan ──Designed::answer──▶ Answer: rows as they come
//!                        │                           │
//!              layouts, order, joins       records of layouts ─▶ joins, filters ─▶ groups, sort, limit
//! ```
//!
//! Planning is pure; carrying out streams, in bounded memory. Answers are what SQLite gives on the same data.

mod change;
mod error;
mod explain;
mod in_regions;
mod operators;
mod plan;
mod read;
mod reading_sums;
mod run;

use std::sync::Arc;

use tablesmith_model::TableName;
use tablesmith_model::cost::Prices;
use tablesmith_model::design::Design;
use tablesmith_model::workload::Workload;
use tablesmith_sql::relational::Query;

pub use change::Changer;
pub use error::AnswerError;
pub use explain::{Explain, ExplainStep};
pub use operators::Row;
pub use plan::{Figures, QueryPlan};
pub use run::Answer;

use crate::error::AccessError;
use crate::layout::Layout;
use crate::series::StoredSeries;

/// A design for a workload, ready to be asked.
#[derive(Clone, Debug)]
pub struct Designed {
    workload: Arc<Workload>,
    layouts: Vec<Layout>,
    names: Vec<TableName>,
    series: Vec<StoredSeries>,
    prices: Prices,
}

impl Designed {
    /// A design for a workload; its tables have the names that the design gives them.
    pub fn new(workload: Arc<Workload>, design: &Design) -> Result<Self, AnswerError> {
        let layouts = Layout::all(&workload, design)?;
        let name = |layout: &Layout| {
            let named = layout.table().parse();
            named.map_err(|error| AnswerError::Name { table: layout.table().to_owned(), error })
        };
        let names = layouts.iter().map(name).collect::<Result<_, _>>()?;
        let series = StoredSeries::all(&workload, design).map_err(AccessError::from)?;
        Ok(Self { workload, layouts, names, series, prices: Prices::guessed() })
    }

    /// The same, planned by other prices.
    pub fn with_prices(self, prices: Prices) -> Self {
        Self { prices, ..self }
    }

    /// The workload.
    pub fn workload(&self) -> &Workload {
        &self.workload
    }

    /// How its tables hold records.
    pub fn layouts(&self) -> &[Layout] {
        &self.layouts
    }

    /// The cheapest way to the answer of a query.
    pub fn plan(&self, query: &Query) -> Result<QueryPlan, AnswerError> {
        plan::plan_query(&self.workload, &self.layouts, &self.series, query, &self.prices)
    }

    /// Readings over time, by their number among all tables.
    fn readings(&self, number: usize) -> Result<&StoredSeries, AnswerError> {
        let at = number.checked_sub(self.layouts.len());
        at.and_then(|at| self.series.get(at)).ok_or(AnswerError::OtherDesign)
    }

    /// A layout and the name of its table.
    fn place(&self, layout: usize) -> Result<(&Layout, &TableName), AnswerError> {
        self.layouts.get(layout).zip(self.names.get(layout)).ok_or(AnswerError::OtherDesign)
    }
}
