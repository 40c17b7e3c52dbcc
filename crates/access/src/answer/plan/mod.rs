//! Plans a query over a whole design: a pure function.
//!
//! ```text
//!  Query ──conditions──▶ tests of columns, what is left, columns that are equal
//!    │
//!    └─parts─▶ layouts that have a table, or exactly a join of the query, or two tables side by side
//!                 │ each read is planned by `Layout::read`, priced by `estimate` and `figures`
//!                 └──search──▶ the cheapest order of reads and joins ──▶ QueryPlan
//! ```
//!
//! Which rows a single read finds is the business of [`crate::plan`]; here layouts, their order and their joins are chosen.

mod beside;
mod conditions;
mod estimate;
mod figures;
mod needs;
mod parts;
mod readings;
mod search;
mod step;

use tablesmith_model::cost::Prices;
use tablesmith_model::design;
use tablesmith_model::workload::Workload;
use tablesmith_sql::executable::{Column, Expr, Predicate, Query};

use super::error::AnswerError;
use super::in_regions::InRegions;
use super::operators::SortBy;
use super::reading_sums::ReadingSums;
use crate::layout::Layout;
use crate::records::RecordRead;
use crate::series::StoredSeries;
pub(super) use conditions::Conditions;
use estimate::Estimate;
pub use figures::StepFigures;
use parts::{Part, parts};
use search::cheapest;
use step::Planner;
pub(super) use step::{How, Latest, Step};

/// More tables than this in one query make too many orders.
const MOST_SOURCES: usize = 10;

/// How a query is answered.
#[derive(Clone, Debug)]
pub struct QueryPlan {
    pub(super) query: Query,
    pub(super) steps: Vec<Step>,
    /// The columns of rows behind the last step.
    pub(super) columns: Vec<Column>,
    /// Whether no row can meet the conditions.
    pub(super) is_never: bool,
    /// Whether rows come in the query's order.
    pub(super) in_order: bool,
    /// What regions work out, in place of reading rows.
    pub(super) in_regions: Option<Sums>,
    /// Whether it is the plan in the design.
    pub(super) origin: PlanOrigin,
    /// Tables of the workload whose number of rows is assumed.
    pub(super) uncounted: Vec<String>,
}

/// Where a plan comes from.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum PlanOrigin {
    /// The planner's choice, for a statement that the design has no plan for.
    #[default]
    Planner,
    /// The plan in the design for this query of the workload.
    Design(String),
    /// The planner's choice, because the tables of the design's plan do not answer the statement in that order.
    Differs {
        /// The query of the workload.
        query: String,
        /// The tables that the design's plan reads, in order.
        designed: Vec<String>,
    },
}

impl QueryPlan {
    /// The statement.
    pub fn query(&self) -> &Query {
        &self.query
    }

    /// Whether it is the plan in the design.
    pub fn origin(&self) -> &PlanOrigin {
        &self.origin
    }

    /// The tables that it reads, in order.
    pub fn tables(&self) -> impl Iterator<Item = &str> {
        self.steps.iter().map(|step| step.table.as_str())
    }

    /// What is read of the layouts, as far as it does not depend on rows that are read before.
    pub fn reads(&self) -> impl Iterator<Item = &RecordRead> {
        self.steps.iter().filter_map(|step| match &step.how {
            How::Alone(read) => Some(&**read),
            _ => None,
        })
    }

    /// The place of a column in rows behind the last step.
    pub(super) fn place(&self, column: &Column) -> Option<usize> {
        self.columns.iter().position(|have| have == column)
    }
}

/// What regions work out.
#[derive(Clone, Debug)]
pub enum Sums {
    /// Of records.
    Records(Box<InRegions>),
    /// Of readings over time.
    Readings(ReadingSums),
}

/// The plan of a query over these layouts and readings: the one in the design where it has one, else the cheapest by these
/// prices.
pub fn plan_query(
    workload: &Workload,
    layouts: &[Layout],
    series: &[StoredSeries],
    query: &Query,
    designed: Option<&design::QueryPlan>,
    prices: &Prices,
) -> Result<QueryPlan, AnswerError> {
    if query.sources.len() > MOST_SOURCES {
        return Err(AnswerError::TooManyTables(query.sources.len()));
    }
    let conditions = Conditions::of(query);
    let column = |source: usize, name: &str| {
        let table = query.sources.get(source).and_then(|source| workload.table(&source.table))?;
        let value_type = table.column(name)?.value_type;
        Some(Column { source, name: name.to_owned(), value_type })
    };
    let records = layouts.iter().map(Layout::record);
    let mut parts = parts(records, query, &conditions, &column);
    parts.extend(beside::pairs(layouts, &parts, &conditions));
    let needed = needs::columns(query, &conditions);
    let estimate = Estimate { workload, query, conditions: &conditions };
    let servers = workload.cluster.region_servers.unwrap_or(1) as f64;
    let planner = Planner {
        layouts,
        series,
        query,
        conditions: &conditions,
        needed: &needed,
        estimate,
        prices,
        servers,
    };
    parts.extend(planner.parts_of_readings());
    let all = (1_u64 << query.sources.len()) - 1;
    let as_designed = designed.and_then(|designed| search(&planner, &parts, all, Some(designed)));
    let origin = match (designed, &as_designed) {
        (None, _) => PlanOrigin::Planner,
        (Some(designed), Some(_)) => PlanOrigin::Design(designed.name.clone()),
        (Some(design::QueryPlan { name, plan, .. }), None) => PlanOrigin::Differs {
            query: name.clone(),
            designed: plan.iter().map(|step| step.table.clone()).collect(),
        },
    };
    let steps = as_designed.or_else(|| search(&planner, &parts, all, None));
    let steps = steps.ok_or_else(|| planner.uncovered(&parts))?;
    let mut plan = QueryPlan { origin, ..finished(query, conditions.is_never, steps, &conditions) };
    plan.in_regions = in_regions(layouts, &plan).or_else(|| reading_sums(workload, &planner, &plan));
    if let (Some(in_regions), Some(step)) = (&plan.in_regions, plan.steps.first_mut()) {
        let (words, calls) = match in_regions {
            Sums::Records(sums) => (sums.words(&step.table), sums.calls()),
            Sums::Readings(sums) => (sums.words(&step.table), sums.calls()),
        };
        step.words = words;
        step.expected = StepFigures { calls: calls as f64, records: 1.0, ..step.expected };
    }
    Ok(plan)
}

/// The cheapest steps; where a plan of the design is given, those that read its tables in its order.
fn search(
    planner: &Planner<'_>,
    parts: &[Part],
    all: u64,
    designed: Option<&design::QueryPlan>,
) -> Option<Vec<Step>> {
    let is_designed = |step: usize, part: &Part| {
        designed.is_none_or(|designed| {
            let table = planner.table_of(part);
            designed.plan.get(step).map(|step| step.table.as_str()) == table.as_deref()
        })
    };
    cheapest(
        parts,
        all,
        &mut |part| is_designed(0, part).then(|| planner.first(part, all)).flatten(),
        &mut |step, before, part, in_order| {
            is_designed(step, part).then(|| planner.next(before, part, in_order)).flatten()
        },
        planner.sort_ms(),
    )
}

/// Puts what is left of the conditions behind the first step that has all their columns.
fn finished(query: &Query, is_never: bool, mut steps: Vec<Step>, conditions: &Conditions) -> QueryPlan {
    let mut columns: Vec<Column> = Vec::new();
    let mut open: Vec<&Predicate> = conditions.left.iter().map(|(truth, _)| truth).collect();
    for step in &mut steps {
        columns.extend(step.columns.iter().cloned());
        let place = |scalar: &Expr| match scalar {
            Expr::Column(column) => columns.iter().position(|have| have == column),
            Expr::Value(_) | Expr::Aggregate(_) => None,
        };
        open.retain(|truth| match truth.map(&place) {
            Some(_) if step.ensures(truth) => false,
            Some(placed) => {
                step.left.push(placed);
                false
            }
            None => true,
        });
    }
    let in_order = steps.last().is_some_and(|step| step.in_order);
    QueryPlan {
        query: query.clone(),
        steps,
        columns,
        is_never,
        in_order,
        in_regions: None,
        origin: PlanOrigin::Planner,
        uncounted: Vec::new(),
    }
}

/// The aggregates of a query over one table that regions can work out.
fn in_regions(layouts: &[Layout], plan: &QueryPlan) -> Option<Sums> {
    let grouping = plan.query.grouping.as_ref()?;
    let [step] = plan.steps.as_slice() else { return None };
    let How::Alone(read) = &step.how else { return None };
    if plan.is_never || !step.left.is_empty() || !grouping.by.is_empty() || grouping.aggregates.is_empty() {
        return None;
    }
    let field = |column: &Column| {
        let at = step.columns.iter().position(|have| have == column)?;
        step.wanted.fields.get(at).cloned()
    };
    InRegions::of(layouts.get(step.layout)?, read, &grouping.aggregates, &field)
        .map(|sums| Sums::Records(Box::new(sums)))
}

/// The same for readings over time, also for each entity.
fn reading_sums(workload: &Workload, planner: &Planner<'_>, plan: &QueryPlan) -> Option<Sums> {
    let grouping = plan.query.grouping.as_ref()?;
    let [step] = plan.steps.as_slice() else { return None };
    if !matches!(step.how, How::Readings) || plan.is_never || !step.left.is_empty() {
        return None;
    }
    let stored = planner.stored_at(step.layout)?;
    let table = workload.table(&stored.from)?;
    ReadingSums::of(stored, table, &step.wanted.conditions, grouping).map(Sums::Readings)
}

/// The order of a query by places of rows; none where a column has no place.
pub(super) fn sort_by(
    query: &Query,
    place: &dyn Fn(&tablesmith_sql::executable::Expr) -> Option<usize>,
) -> Option<Vec<SortBy>> {
    let by = query.order.iter().map(|order| {
        let place = place(&order.by)?;
        Some(SortBy { place, descending: order.descending, nulls_first: order.nulls_first })
    });
    by.collect()
}
