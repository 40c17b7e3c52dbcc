//! Steps that read tables of readings over time.

use tablesmith_model::cost::Operations;
use tablesmith_model::plan::{Condition, Test};
use tablesmith_model::series::Dimension;
use tablesmith_model::value::Value;
use tablesmith_plan::rpc::PAGE_BYTES;
use tablesmith_plan::{AccessKind, ReadEstimate};
use tablesmith_sql::executable::{Column, Expr};

use super::figures::StepFigures;
use super::parts::Part;
use super::search::Stepped;
use super::step::{How, Latest, Planner, ROW_MS, Step};
use crate::records::Wanted;
use crate::series::StoredSeries;

/// Rows of the outer side whose readings are looked for at a time.
const BATCH_ROWS: usize = 256;
/// More of the last readings than this are read as all others: they are held in memory.
const LATEST_MAX: usize = 10_000;
/// Bytes of a reading in a row that holds many, about.
const READING_BYTES: f64 = 40.0;

impl Planner<'_> {
    /// The parts of a query that tables of readings serve: they come after those of layouts.
    pub fn parts_of_readings(&self) -> Vec<Part> {
        let mut parts = Vec::new();
        for (at, stored) in self.series.iter().enumerate() {
            let sources = self.query.sources.iter().enumerate();
            let sources = sources.filter(|(_, source)| source.table == stored.from);
            parts.extend(sources.map(|(source, _)| Part {
                layout: self.layouts.len() + at,
                sources: vec![source],
                with: None,
            }));
        }
        parts
    }

    /// A table of readings, by its number among all tables.
    pub(super) fn stored_at(&self, number: usize) -> Option<&StoredSeries> {
        self.series.get(number.checked_sub(self.layouts.len())?)
    }

    /// Begins with readings.
    pub(super) fn first_readings(&self, part: &Part, all: u64) -> Option<Stepped<Step>> {
        let stored = self.stored_at(part.layout)?;
        let in_order = self.query.order.is_empty();
        let mut step = self.step_of_readings(part, stored);
        if let Some(latest) = self.latest(stored, &step.wanted).filter(|_| part.mask() == all) {
            return Some(self.step_of_latest(stored, step, latest));
        }
        let expected = self.figures_of_readings(stored, part, &step.wanted.conditions);
        step.how = How::Readings;
        step.words = format!("readings of {} ({})", stored.name, words(stored));
        (step.in_order, step.expected) = (in_order, expected);
        let cost_ms = expected.ms.unwrap_or_default() + expected.records * ROW_MS;
        Some(Stepped { cost_ms, in_order, step })
    }

    /// Joins readings to sources that are read already.
    pub(super) fn next_readings(&self, before: u64, part: &Part) -> Option<Stepped<Step>> {
        let stored = self.stored_at(part.layout)?;
        let mut step = self.step_of_readings(part, stored);
        (step.on, step.agree) = self.agreeing(&step.columns, before, |column| Some(column.name.clone()))?;
        let outer: Vec<usize> =
            (0..self.query.sources.len()).filter(|source| before & (1 << source) != 0).collect();
        let outer_rows = self.estimate.joined(&outer, true).max(1.0);
        let batches = (outer_rows / BATCH_ROWS as f64).ceil();
        let is_found = |entity: &String| step.on.iter().any(|on| on.field == *entity);
        let whole = self.figures_of_readings(stored, part, &step.wanted.conditions);
        // Readings of entities that are named are found by their keys; others are looked for among all.
        let times = match stored.series.layout().entity.iter().all(is_found) {
            true => (outer_rows / self.entities(stored)).min(1.0),
            false => batches,
        };
        step.words = format!("readings of {} ({}), {BATCH_ROWS} rows at a time", stored.name, words(stored));
        (step.how, step.batch_rows) = (How::LookupReadings, BATCH_ROWS);
        step.expected = whole.share(times, whole.calls);
        let cost_ms = step.expected.ms.unwrap_or_default() + (outer_rows + step.expected.records) * ROW_MS;
        Some(Stepped { cost_ms, in_order: false, step })
    }

    /// Which readings are wanted when those are the last few of one entity: they are found from the newest row back.
    fn latest(&self, stored: &StoredSeries, wanted: &Wanted) -> Option<Latest> {
        let layout = stored.series.layout();
        // No two readings of an entity have one time: what else is sorted by changes nothing.
        let is_newest_first = self.query.order.first().is_some_and(|order| {
            order.descending && matches!(&order.by, Expr::Column(column) if column.name == layout.time)
        });
        let value = |name: &String| {
            let mut own = wanted.conditions.iter().filter(|condition| condition.column == *name);
            match own.next().map(|condition| &condition.test) {
                Some(Test::In(values)) => values.first().filter(|_| values.len() == 1).cloned(),
                _ => None,
            }
        };
        let entity: Vec<Value> = layout.entity.iter().map(value).collect::<Option<_>>()?;
        let is_all = wanted.conditions.len() == entity.len() && stored.has_all(&wanted.fields);
        let limit = self.query.limit?.saturating_add(self.query.offset);
        let n = usize::try_from(limit).ok().filter(|n| *n <= LATEST_MAX)?;
        (is_newest_first && is_all && self.can_stop(&[])).then_some(Latest { entity, n })
    }

    fn step_of_latest(&self, stored: &StoredSeries, mut step: Step, latest: Latest) -> Stepped<Step> {
        let n = latest.n as f64;
        let expected = self.figures_of_scan(n.max(1.0), n);
        let many = if latest.n == 1 { "reading" } else { "readings" };
        step.words =
            format!("the last {} {many} of {} ({}), backwards", latest.n, stored.name, words(stored));
        step.how = How::LatestReadings(Box::new(latest));
        (step.in_order, step.expected) = (true, expected);
        Stepped { cost_ms: expected.ms.unwrap_or_default() + n * ROW_MS, in_order: true, step }
    }

    fn step_of_readings(&self, part: &Part, stored: &StoredSeries) -> Step {
        let is_here = |source: usize| part.sources.contains(&source);
        let columns: Vec<_> = self.needed.iter().filter(|column| is_here(column.source)).cloned().collect();
        let tests = self.conditions.tests.iter().filter(|(column, _)| is_here(column.source));
        let conditions = tests.map(|(column, test)| Condition::new(column.name.clone(), test.clone()));
        let fields = columns.iter().map(|column| column.name.clone()).collect();
        let wanted = Wanted { fields, conditions: conditions.collect(), order: Vec::new(), limit: None };
        Step { columns, wanted, ..Step::of(part.layout, &stored.name.to_string()) }
    }

    /// What reading all that meets conditions takes, where the entity or the time narrows it down.
    fn figures_of_readings(
        &self,
        stored: &StoredSeries,
        part: &Part,
        conditions: &[Condition],
    ) -> StepFigures {
        let layout = stored.series.layout();
        let share = |condition: &Condition| {
            let mut tests = self.conditions.tests.iter().map(|(column, _)| column);
            let is_it =
                |column: &&Column| part.sources.contains(&column.source) && column.name == condition.column;
            tests.find(is_it).map_or(1.0, |column| self.estimate.share(column, &condition.test))
        };
        let narrows = |condition: &&Condition| {
            layout.entity.contains(&condition.column) || condition.column == layout.time
        };
        let all = self.estimate.joined(&part.sources, false);
        let visited: f64 = conditions.iter().filter(narrows).map(share).product();
        let found: f64 = conditions.iter().map(share).product();
        self.figures_of_scan((all * visited).max(1.0), all * found)
    }

    /// The estimated figures of a scan over `points` data points.
    fn figures_of_scan(&self, points: f64, records: f64) -> StepFigures {
        let bytes = points * READING_BYTES;
        let operations = Operations {
            calls: (bytes / PAGE_BYTES).ceil().max(1.0),
            regions: 1.0,
            seeks: 1.0,
            rows: points,
            family_rows: points,
            cells: points,
            bytes,
            cells_returned: records,
            bytes_returned: records * READING_BYTES,
            ..Operations::NONE
        };
        let (access, requests, stops_early) = (AccessKind::Scans, 1.0, false);
        let rows_returned = points;
        let read = ReadEstimate { access, requests, operations, rows_returned, records, stops_early };
        StepFigures::of(&read, self.prices.cost(&operations))
    }

    /// How many entities there are.
    fn entities(&self, stored: &StoredSeries) -> f64 {
        let table = self.estimate.workload.table(&stored.from);
        let distinct = |name: &String| {
            let column = table.and_then(|table| table.column(name));
            column.and_then(|column| column.distinct).unwrap_or(1) as f64
        };
        stored.series.layout().entity.iter().map(distinct).product::<f64>().max(1.0)
    }
}

fn words(stored: &StoredSeries) -> &'static str {
    match stored.series.layout().dimension {
        Dimension::Row => "a row each",
        Dimension::Qualifier => "a column each",
        Dimension::Version => "a version each",
        Dimension::Packed => "packed into cells",
    }
}
