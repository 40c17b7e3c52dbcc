//! The tables of a design as one database: statements are planned and executed over all of them.
//!
//! ```text
//!  Statement ──Database::plan──▶ PlannedStatement ──Database::execute──▶ Execution: rows as they come, or what was written
//!                  │                                    │
//!        layouts, join order, limits       records of layouts ─▶ joins, filters ─▶ groups, sort, limit
//!                                          └ Writer: base tables, index tables, materialized joins
//! ```
//!
//! Planning is pure; execution streams, in bounded memory. Answers are what SQLite gives on the same data.

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
use tablesmith_model::design::{self, Design, TableStatistics};
use tablesmith_model::workload::Workload;
use tablesmith_sql::executable::{Delete, Insert, Query, Statement, Update};
use tablesmith_store::{Clock, Store};

pub use error::AnswerError;
pub use explain::{Explain, ExplainStep};
pub use operators::Row;
pub use plan::{PlanOrigin, QueryPlan, StepFigures};
pub use run::Answer;

use crate::error::{AccessError, WriterError};
use crate::layout::Layout;
use crate::series::StoredSeries;
use crate::write::{Writer, Written};

/// The tables of a design, which hold the tables of a workload.
#[derive(Debug)]
pub struct Database {
    workload: Arc<Workload>,
    layouts: Vec<Layout>,
    names: Vec<TableName>,
    series: Vec<StoredSeries>,
    prices: Prices,
    /// The plans of the design, for queries of the workload.
    designed: Vec<design::QueryPlan>,
    /// Tables of the workload whose number of rows is assumed.
    uncounted: Vec<String>,
    /// A design that only holds copies can be read and not be written to.
    writer: Result<Arc<Writer>, Arc<WriterError>>,
}

/// A statement of which everything is decided that does not depend on the store.
#[derive(Clone, Debug)]
pub enum PlannedStatement {
    /// Reads rows.
    Select(Box<QueryPlan>),
    /// Adds rows.
    Insert(Insert),
    /// Changes rows.
    Update(Update),
    /// Removes rows.
    Delete(Delete),
}

/// A statement under way.
pub enum Execution<'a> {
    /// The rows of a SELECT.
    Rows(Answer<'a>),
    /// What a statement has written.
    Written(Written),
}

impl Database {
    /// A design for a workload; its tables have the names that the design gives them. Queries are planned with the design's
    /// statistics, and what is not known is assumed as deciders do.
    pub fn new(workload: Arc<Workload>, design: &Design) -> Result<Self, AnswerError> {
        let mut known = (*workload).clone();
        TableStatistics::fill_in(&design.statistics, &mut known);
        let uncounted = known.tables.iter().filter(|table| table.rows.is_none());
        let uncounted = uncounted.map(|table| table.name.clone()).collect();
        let workload = Arc::new(known.with_assumptions());
        let layouts = Layout::all(&workload, design)?;
        let name = |layout: &Layout| {
            let named = layout.table().parse();
            named.map_err(|error| AnswerError::Name { table: layout.table().to_owned(), error })
        };
        let names = layouts.iter().map(name).collect::<Result<_, _>>()?;
        let series = StoredSeries::all(&workload, design).map_err(AccessError::from)?;
        let writer = Writer::new(&workload, design).map(Arc::new).map_err(Arc::new);
        let (prices, designed) = (Prices::guessed(), design.queries.clone());
        Ok(Self { workload, layouts, names, series, prices, designed, uncounted, writer })
    }

    /// The same, planned with other unit costs.
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

    /// How its tables hold time series.
    pub fn series(&self) -> &[StoredSeries] {
        &self.series
    }

    /// What writes to its tables; an error where the design holds copies of rows alone.
    pub fn writer(&self) -> Result<&Arc<Writer>, AnswerError> {
        self.writer.as_ref().map_err(|error| AnswerError::Writer(Arc::clone(error)))
    }

    /// The same, where planner and writer know which columns of a table have a value in every row that is stored: see
    /// [`Layout`]. To be called before anybody else has its writer: both have to know it, or neither.
    pub fn with_never_null(mut self, table: &str, columns: &[String]) -> Self {
        let is_shared = self.writer.as_mut().is_ok_and(|writer| Arc::get_mut(writer).is_none());
        if is_shared {
            return self;
        }
        let written =
            self.writer.as_mut().ok().and_then(Arc::get_mut).into_iter().flat_map(Writer::layouts_mut);
        for layout in self.layouts.iter_mut().chain(written) {
            if layout.record().tables == [table] {
                layout.set_in_every_row(columns);
            }
        }
        self
    }

    /// The same with another clock of this machine; to be called before anybody else has its writer.
    pub fn with_clock(mut self, clock: Arc<dyn Clock>) -> Self {
        if let Some(writer) = self.writer.as_mut().ok().and_then(Arc::get_mut) {
            writer.set_clock(clock);
        }
        self
    }

    /// Plans a statement; `name` is that of the workload's query that it is an execution of.
    pub fn plan(&self, name: Option<&str>, statement: &Statement) -> Result<PlannedStatement, AnswerError> {
        Ok(match statement {
            Statement::Select(query) => PlannedStatement::Select(Box::new(self.plan_query(name, query)?)),
            Statement::Insert(insert) => PlannedStatement::Insert(insert.clone()),
            Statement::Update(update) => PlannedStatement::Update(update.clone()),
            Statement::Delete(delete) => PlannedStatement::Delete(delete.clone()),
        })
    }

    /// The plan of a query: that of the design for a query of the workload, else the cheapest.
    pub fn plan_query(&self, name: Option<&str>, query: &Query) -> Result<QueryPlan, AnswerError> {
        let designed = name.and_then(|name| self.designed.iter().find(|plan| plan.name == name));
        let plan =
            plan::plan_query(&self.workload, &self.layouts, &self.series, query, designed, &self.prices)?;
        let is_read = |table: &&String| query.sources.iter().any(|source| source.table == **table);
        let uncounted = self.uncounted.iter().filter(is_read).cloned().collect();
        Ok(QueryPlan { uncounted, ..plan })
    }

    /// Executes a planned statement: a SELECT begins to, and hands out its rows as they are asked for.
    pub async fn execute<'a>(
        &'a self,
        store: &'a dyn Store,
        planned: &PlannedStatement,
    ) -> Result<Execution<'a>, AnswerError> {
        Ok(match planned {
            PlannedStatement::Select(plan) => Execution::Rows(self.answer(store, plan)?),
            PlannedStatement::Insert(insert) => Execution::Written(self.insert(store, insert).await?),
            PlannedStatement::Update(update) => Execution::Written(self.update(store, update).await?),
            PlannedStatement::Delete(delete) => Execution::Written(self.delete(store, delete).await?),
        })
    }

    /// Time series, by their number among all tables.
    fn readings(&self, number: usize) -> Result<&StoredSeries, AnswerError> {
        let at = number.checked_sub(self.layouts.len());
        at.and_then(|at| self.series.get(at)).ok_or(AnswerError::OtherDesign)
    }

    /// A layout and the name of its table.
    fn place(&self, layout: usize) -> Result<(&Layout, &TableName), AnswerError> {
        self.layouts.get(layout).zip(self.names.get(layout)).ok_or(AnswerError::OtherDesign)
    }
}
