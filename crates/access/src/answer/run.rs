//! Carries a plan of a query out: rows as they come.

use std::sync::Arc;

use async_trait::async_trait;
use tablesmith_model::value::Value;
use tablesmith_sql::executable::{Aggregate, Column, Expr, Grouping, Query};
use tablesmith_store::Store;

use super::Database;
use super::error::AnswerError;
use super::explain::{Explain, ExplainStep};
use super::operators::{
    Filter, Group, Input, Join, Limit, Lookup, On, Place as Taken, Project, Row, Rows, Sort, WantedAggregate,
};
use super::plan::{How, PlanOrigin, QueryPlan, Step, Sums, sort_by};
use super::read::{Counted, Place, ReadingsLookup, ReadingsPlace, RecordLookup};

/// Bytes that a sort or a grouping keeps in memory before it writes to temporary files.
const MEMORY_BYTES: usize = 64 << 20;

/// The rows of an answer as they come.
pub struct Answer<'a> {
    rows: Input<'a>,
    columns: Vec<String>,
    steps: Vec<(Step, Arc<Counted>)>,
    above: Vec<String>,
    origin: PlanOrigin,
    uncounted: Vec<String>,
}

impl Answer<'_> {
    /// The names of the columns.
    pub fn columns(&self) -> &[String] {
        &self.columns
    }

    /// The next rows; none when there are no more.
    pub async fn next(&mut self) -> Result<Vec<Row>, AnswerError> {
        self.rows.next().await
    }

    /// All rows, for answers that are known to be small.
    pub async fn all(&mut self) -> Result<Vec<Row>, AnswerError> {
        let mut all = Vec::new();
        loop {
            let rows = self.next().await?;
            if rows.is_empty() {
                return Ok(all);
            }
            all.extend(rows);
        }
    }

    /// The way to the answer, with what it took up to now.
    pub fn explain(&self) -> Explain {
        let (origin, uncounted) = (self.origin.clone(), self.uncounted.clone());
        Explain { origin, uncounted, ..explained(&self.steps, &self.above, true) }
    }
}

impl QueryPlan {
    /// The way to the answer, with what it is expected to take.
    pub fn explain(&self) -> Explain {
        let steps: Vec<_> = self.steps.iter().map(|step| (step.clone(), Arc::default())).collect();
        let (origin, uncounted) = (self.origin.clone(), self.uncounted.clone());
        Explain { origin, uncounted, ..explained(&steps, &above(self), false) }
    }
}

fn explained(steps: &[(Step, Arc<Counted>)], above: &[String], has_run: bool) -> Explain {
    let read = |(number, (step, counted)): (usize, &(Step, Arc<Counted>))| {
        let mut what = if number == 0 { step.words.clone() } else { format!("join: {}", step.words) };
        if !step.left.is_empty() {
            let many = if step.left.len() == 1 { "" } else { "s" };
            what += &format!("; {} condition{many} checked here", step.left.len());
        }
        ExplainStep {
            table: Some(step.table.clone()),
            what,
            expected: Some(step.expected),
            actual: has_run.then(|| counted.figures()),
        }
    };
    let mut all: Vec<ExplainStep> = steps.iter().enumerate().map(read).collect();
    all.extend(above.iter().map(ExplainStep::here));
    Explain { steps: all, ..Explain::default() }
}

/// What is done above the reads, in words.
fn above(plan: &QueryPlan) -> Vec<String> {
    let Query { grouping, distinct, order, limit, offset, .. } = &plan.query;
    let mut words = Vec::new();
    if plan.is_never {
        words.push("nothing is read: no row can meet the conditions".to_owned());
    }
    if let Some(Grouping { by, aggregates, having }) = grouping.as_ref().filter(|_| plan.in_regions.is_none())
    {
        let names: Vec<&str> = by.iter().map(|column| column.name.as_str()).collect();
        let worked_out: Vec<String> = aggregates.iter().map(ToString::to_string).collect();
        let by = if names.is_empty() { "into one".to_owned() } else { format!("by {}", names.join(", ")) };
        let mut step = format!("group {by}: {}", worked_out.join(", "));
        if !having.is_empty() {
            step += "; conditions on groups are checked";
        }
        words.push(step);
    }
    if *distinct {
        words.push("equal rows become one".to_owned());
    }
    if !order.is_empty() && !plan.in_order {
        words.push(match limit {
            Some(limit) => format!("sort, the first {} are kept", limit.saturating_add(*offset)),
            None => "sort".to_owned(),
        });
    }
    let at_most = limit.map(|limit| format!("at most {limit} rows"));
    let passed = (*offset > 0).then(|| format!("{offset} rows are passed over"));
    let cut: Vec<String> = passed.into_iter().chain(at_most).collect();
    if !cut.is_empty() {
        words.push(cut.join(", then "));
    }
    words
}

impl Database {
    /// Begins to carry a plan out.
    pub fn answer<'a>(&'a self, store: &'a dyn Store, plan: &QueryPlan) -> Result<Answer<'a>, AnswerError> {
        let steps: Vec<(Step, Arc<Counted>)> =
            plan.steps.iter().map(|step| (step.clone(), Arc::default())).collect();
        let query = &plan.query;
        let (mut rows, place) = match (&plan.in_regions, steps.first()) {
            (Some(Sums::Records(sums)), Some((step, counted))) => {
                groups((**sums).clone().row(self.stored(store, step)?, Arc::clone(counted)), plan)
            }
            (Some(Sums::Readings(sums)), Some((step, counted))) => {
                groups(sums.clone().rows(self.stored_readings(store, step)?, Arc::clone(counted)), plan)
            }
            _ if plan.is_never => grouped(Box::new(Nothing), plan),
            _ => grouped(self.joined(store, plan, &steps)?, plan),
        };
        let columns = query.outputs.iter().map(|output| match &output.expr {
            Expr::Value(value) => Taken::Value(value.clone()),
            expr => place(expr).map_or(Taken::Value(Value::Null), Taken::Of),
        });
        let columns: Vec<Taken> = columns.collect();
        let keep = query.limit.map(|limit| limit.saturating_add(query.offset));
        if query.distinct {
            let count = columns.len();
            rows = Box::new(Project { input: rows, columns });
            rows = Box::new(Group::distinct(rows, count, MEMORY_BYTES));
            let output = |expr: &Expr| query.outputs.iter().position(|output| output.expr == *expr);
            rows = sorted(rows, query, &output, keep);
            rows = limited(rows, query);
        } else {
            if !plan.in_order {
                rows = sorted(rows, query, &*place, keep);
            }
            rows = limited(rows, query);
            rows = Box::new(Project { input: rows, columns });
        }
        let columns = query.outputs.iter().map(|output| output.name.clone()).collect();
        Ok(Answer {
            rows,
            columns,
            steps,
            above: above(plan),
            origin: plan.origin.clone(),
            uncounted: plan.uncounted.clone(),
        })
    }

    /// The rows of all sources together.
    fn joined<'a>(
        &'a self,
        store: &'a dyn Store,
        plan: &QueryPlan,
        steps: &[(Step, Arc<Counted>)],
    ) -> Result<Input<'a>, AnswerError> {
        let mut rows: Input<'a> = Box::new(Nothing);
        for (step, counted) in steps {
            let counted = Arc::clone(counted);
            let wanted = step.wanted.clone();
            rows = match &step.how {
                How::Readings => self.stored_readings(store, step)?.rows(wanted, counted),
                How::LatestReadings(latest) => {
                    self.stored_readings(store, step)?.latest((**latest).clone(), wanted, counted)
                }
                How::Beside(beside) => {
                    let (children, _) = self.place(beside.layout)?;
                    self.stored(store, step)?.rows_beside(children, beside.read.clone(), counted)
                }
                How::Alone(read) => self.stored(store, step)?.rows((**read).clone(), counted),
                How::Lookup => {
                    let place = self.stored(store, step)?;
                    joined_by(rows, Box::new(RecordLookup { place, wanted, counted }), plan, step)
                }
                How::LookupReadings => {
                    let place = self.stored_readings(store, step)?;
                    joined_by(rows, Box::new(ReadingsLookup { place, wanted, counted }), plan, step)
                }
            };
            if !step.left.is_empty() {
                rows = Box::new(Filter { input: rows, conditions: step.left.clone() });
            }
        }
        Ok(rows)
    }

    /// Where a step finds records.
    fn stored<'a>(&'a self, store: &'a dyn Store, step: &Step) -> Result<Place<'a>, AnswerError> {
        let (layout, name) = self.place(step.layout)?;
        Ok(Place { store, layout, name })
    }

    /// Where a step finds readings.
    fn stored_readings<'a>(
        &'a self,
        store: &'a dyn Store,
        step: &Step,
    ) -> Result<ReadingsPlace<'a>, AnswerError> {
        Ok(ReadingsPlace { store, stored: self.readings(step.layout)? })
    }
}

/// Rows with those of a step that belong to them.
fn joined_by<'a>(
    rows: Input<'a>,
    lookup: Box<dyn Lookup<'a> + 'a>,
    plan: &QueryPlan,
    step: &Step,
) -> Input<'a> {
    let outer = |(have, _): &(Column, Column)| plan.place(have).unwrap_or(0);
    let on = step.on.iter().zip(&step.agree);
    let on = on.map(|(on, agree)| On { outer: outer(agree), ..on.clone() }).collect();
    Box::new(Join::new(rows, lookup, on, step.is_to_one, step.batch_rows))
}

/// Where an output column is in a row.
type Places = Box<dyn Fn(&Expr) -> Option<usize> + Send + Sync>;

/// Groups rows where the query does.
fn grouped<'a>(rows: Input<'a>, plan: &QueryPlan) -> (Input<'a>, Places) {
    let columns = plan.columns.clone();
    let place = move |column: &Column| columns.iter().position(|have| have == column);
    let Some(grouping) = &plan.query.grouping else {
        let of = move |expr: &Expr| match expr {
            Expr::Column(column) => place(column),
            Expr::Aggregate(_) | Expr::Value(_) => None,
        };
        return (rows, Box::new(of));
    };
    let by = grouping.by.iter().filter_map(&place).collect();
    let aggregate = |aggregate: &Aggregate| WantedAggregate {
        function: aggregate.function,
        of: aggregate.of.as_ref().and_then(&place),
        distinct: aggregate.distinct,
    };
    let wanted = grouping.aggregates.iter().map(aggregate).collect();
    groups(Box::new(Group::new(rows, by, wanted, MEMORY_BYTES)), plan)
}

/// Groups that the query wants: rows that are what they agree in, then what was worked out.
fn groups<'a>(rows: Input<'a>, plan: &QueryPlan) -> (Input<'a>, Places) {
    let grouping = plan.query.grouping.clone().unwrap_or_default();
    let by = grouping.by;
    let of = move |expr: &Expr| match expr {
        Expr::Column(column) => by.iter().position(|have| have == column),
        Expr::Aggregate(at) => Some(by.len() + at),
        Expr::Value(_) => None,
    };
    let conditions: Vec<_> = grouping.having.iter().filter_map(|predicate| predicate.map(&of)).collect();
    if conditions.is_empty() {
        return (rows, Box::new(of));
    }
    (Box::new(Filter { input: rows, conditions }), Box::new(of))
}

fn sorted<'a>(
    rows: Input<'a>,
    query: &Query,
    place: &dyn Fn(&Expr) -> Option<usize>,
    keep: Option<u64>,
) -> Input<'a> {
    match sort_by(query, place) {
        Some(by) if !by.is_empty() => Box::new(Sort::new(rows, by, keep, MEMORY_BYTES)),
        _ => rows,
    }
}

fn limited<'a>(rows: Input<'a>, query: &Query) -> Input<'a> {
    match (query.limit, query.offset) {
        (None, 0) => rows,
        (limit, offset) => Box::new(Limit { input: rows, offset, limit }),
    }
}

/// No rows.
struct Nothing;

#[async_trait]
impl Rows for Nothing {
    async fn next(&mut self) -> Result<Vec<Row>, AnswerError> {
        Ok(Vec::new())
    }
}
