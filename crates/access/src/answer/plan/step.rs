//! One step of a plan: a read of one layout, alone or joined to what was read before.

use std::collections::BTreeSet;

use tablesmith_model::cost::Prices;
use tablesmith_model::plan::{Condition, Test};
use tablesmith_model::value::{Date, Decimal, Moment, Value, ValueType};
use tablesmith_plan::key_match::KeyMatch;
use tablesmith_plan::rpc::{SCANNED_BATCH_ROWS, lookup_batch_rows};
use tablesmith_plan::{
    AccessKind, AccessPath, AccessPattern, CostContext, EqualityPredicate, ReadEstimate, matching_share,
    statistics,
};
use tablesmith_sql::executable::{Column, Expr, Predicate, Query};

use super::beside::ReadBeside;
use super::conditions::Conditions;
use super::estimate::Estimate;
use super::figures::StepFigures;
use super::parts::Part;
use super::search::Stepped;
use crate::answer::error::AnswerError;
use crate::answer::operators::On;
use crate::layout::Layout;
use crate::records::{RecordRead, Wanted};
use crate::series::StoredSeries;

/// Values that a lookup is planned with to see what it takes.
const SAMPLE: usize = 4;
/// Milliseconds that sorting one row takes here.
const SORT_MS: f64 = 0.001;
/// Milliseconds that handling one row takes here.
pub(super) const ROW_MS: f64 = 0.000_5;

/// Columns that are equal, two by two.
pub type Pairs = Vec<(Column, Column)>;

/// A read of one layout, alone or joined to what was read before.
#[derive(Clone, Debug)]
pub struct Step {
    /// The place of the layout among those of the design.
    pub layout: usize,
    /// The table of the design.
    pub table: String,
    /// The columns that it adds to rows, in the order of what is wanted.
    pub columns: Vec<Column>,
    /// What is read; for a join, without what the outer rows say.
    pub wanted: Wanted,
    /// How it is read.
    pub how: How,
    /// Where it agrees with what was read before.
    pub on: Vec<On>,
    /// The same as columns, outer first.
    pub agree: Pairs,
    /// Columns that are equal in every record, because the layout stores a join.
    pub stored: Pairs,
    /// Whether an outer row meets at most one inner row.
    pub is_to_one: bool,
    /// Outer rows of a batch.
    pub batch_rows: usize,
    /// Conditions that can be checked behind it.
    pub left: Vec<Predicate<usize>>,
    /// Whether rows come in the query's order behind it.
    pub in_order: bool,
    /// How it is read, in words.
    pub words: String,
    /// What it is expected to take.
    pub expected: StepFigures,
}

/// How a step is read.
#[derive(Clone, Debug)]
pub enum How {
    /// The records of its layout.
    Alone(Box<RecordRead>),
    /// Those of its layout, which are parents, with their children.
    Beside(Box<ReadBeside>),
    /// Readings over time.
    Readings,
    /// The last readings of one entity, the newest first.
    LatestReadings(Box<Latest>),
    /// Records joined to what was read before: what exactly is read is known only when there are outer rows.
    Lookup,
    /// Readings over time, joined in the same way.
    LookupReadings,
}

/// Which readings are the last ones.
#[derive(Clone, Debug)]
pub struct Latest {
    /// Of which entity.
    pub entity: Vec<Value>,
    /// How many.
    pub n: usize,
}

impl Step {
    /// A step that reads a table of the design, of which nothing else is said yet.
    pub(super) fn of(at: usize, table: &str) -> Self {
        Self {
            layout: at,
            table: table.to_owned(),
            columns: Vec::new(),
            wanted: Wanted::default(),
            how: How::Lookup,
            on: Vec::new(),
            agree: Vec::new(),
            stored: Vec::new(),
            is_to_one: false,
            batch_rows: 0,
            left: Vec::new(),
            in_order: false,
            words: String::new(),
            expected: StepFigures::default(),
        }
    }

    /// Whether every row behind it meets an equality, because rows were joined by it.
    pub fn ensures(&self, truth: &Predicate) -> bool {
        truth
            .joins()
            .is_some_and(|(one, two)| is_among(&self.agree, one, two) || is_among(&self.stored, one, two))
    }
}

/// Whether two columns are one of these pairs.
fn is_among(pairs: &[(Column, Column)], one: &Column, two: &Column) -> bool {
    pairs.iter().any(|(have, other)| (have, other) == (one, two) || (have, other) == (two, one))
}

/// What every step of planning looks at.
pub struct Planner<'p> {
    pub layouts: &'p [Layout],
    /// Readings over time: their numbers come after those of layouts.
    pub series: &'p [StoredSeries],
    pub query: &'p Query,
    pub conditions: &'p Conditions,
    pub needed: &'p BTreeSet<Column>,
    pub estimate: Estimate<'p>,
    pub prices: &'p Prices,
    /// Region servers.
    pub servers: f64,
}

impl Planner<'_> {
    /// What sorting the answer takes.
    pub fn sort_ms(&self) -> f64 {
        let all: Vec<usize> = (0..self.query.sources.len()).collect();
        if self.query.order.is_empty() { 0.0 } else { self.estimate.joined(&all, true) * SORT_MS }
    }

    /// The table of the design that a part reads.
    pub fn table_of(&self, part: &Part) -> Option<String> {
        match self.layouts.get(part.layout) {
            Some(layout) => Some(layout.table().to_owned()),
            None => self.stored_at(part.layout).map(|stored| stored.name.to_string()),
        }
    }

    /// Begins with a part.
    pub fn first(&self, part: &Part, all: u64) -> Option<Stepped<Step>> {
        if let Some(with) = &part.with {
            return self.beside(&part.alone(), with, all);
        }
        let Some(layout) = self.layouts.get(part.layout) else { return self.first_readings(part, all) };
        let (columns, mut wanted) = self.wanted(layout, part)?;
        wanted.order = self.order(layout, part).unwrap_or_default();
        let mut read = layout.read(&wanted).ok()?;
        let in_order = self.is_ordered_by_read(&wanted, &read);
        let stored = self.stored(layout, part);
        if in_order && part.mask() == all && self.can_stop(&stored) {
            wanted.limit = self.query.limit.map(|limit| limit.saturating_add(self.query.offset));
            read = layout.read(&wanted).ok()?;
        } else if !in_order && !wanted.order.is_empty() {
            wanted.order.clear();
            read = layout.read(&wanted).ok()?;
        }
        let estimate = self.estimate(layout, part, &wanted, &read, 1.0);
        // A limit of this read alone is part of the estimate; one on joined rows ends it after a share of its rows.
        let share = if wanted.limit.is_some() { 1.0 } else { self.share_read(in_order) };
        let cost_ms = self.prices.cost(&estimate.operations);
        let least_calls = if wanted.order.is_empty() { 1.0 } else { read.scans().max(1) as f64 };
        let expected = StepFigures::of(&estimate, cost_ms).share(share, least_calls);
        let step = Step {
            columns,
            words: read.words(),
            how: How::Alone(Box::new(read)),
            wanted,
            stored,
            in_order,
            expected,
            ..Step::of(part.layout, layout.table())
        };
        Some(Stepped { cost_ms: cost_ms * share + expected.records * ROW_MS, in_order, step })
    }

    /// Joins a part to sources that are read already.
    pub fn next(&self, before: u64, part: &Part, in_order: bool) -> Option<Stepped<Step>> {
        if part.with.is_some() {
            return None;
        }
        let Some(layout) = self.layouts.get(part.layout) else { return self.next_readings(before, part) };
        let (columns, wanted) = self.wanted(layout, part)?;
        let (on, agree) = self.agreeing(&columns, before, |column| part.field(layout.record(), column))?;
        let outer: Vec<usize> =
            (0..self.query.sources.len()).filter(|source| before & (1 << source) != 0).collect();
        let is_to_one = self.is_to_one(layout, part, &on);
        let in_order = in_order && is_to_one;
        let outer_rows = self.estimate.joined(&outer, true).max(1.0) * self.share_read(in_order);
        let mut sampled = wanted.clone();
        let condition = |on: &On| Condition::new(on.field.clone(), Test::In(sample(on.value_type)));
        sampled.conditions.extend(on.iter().map(condition));
        let read = layout.read(&sampled).ok()?;
        let batch_rows = batch_rows(&read, on.len());
        let lookups = self.lookups(&agree, outer_rows.max(1.0));
        let estimate = self.lookup(layout, part, &wanted, &on, &read, lookups);
        let cost_ms = self.prices.cost(&estimate.operations);
        let expected = StepFigures::of(&estimate, cost_ms);
        let step = Step {
            columns,
            words: lookup_words(&read, batch_rows),
            wanted,
            on,
            agree,
            stored: self.stored(layout, part),
            is_to_one,
            batch_rows,
            in_order,
            expected,
            ..Step::of(part.layout, layout.table())
        };
        let cost_ms = cost_ms + (outer_rows + expected.records) * ROW_MS;
        Some(Stepped { cost_ms, in_order, step })
    }

    /// The columns that are wanted of a part, and the read that gives them; none where the layout does not have one.
    pub(super) fn wanted(&self, layout: &Layout, part: &Part) -> Option<(Vec<Column>, Wanted)> {
        let record = layout.record();
        let is_here = |column: &&Column| part.sources.contains(&column.source);
        let columns: Vec<Column> = self.needed.iter().filter(is_here).cloned().collect();
        let fields = columns.iter().map(|column| part.field(record, column)).collect::<Option<Vec<_>>>()?;
        let tests = self.conditions.tests.iter().filter(|(column, _)| part.sources.contains(&column.source));
        let conditions =
            tests.map(|(column, test)| Some(Condition::new(part.field(record, column)?, test.clone())));
        let conditions = conditions.collect::<Option<Vec<_>>>()?;
        Some((columns, Wanted { fields, conditions, order: Vec::new(), limit: None }))
    }

    /// The query's order as fields of a part; none where it is made of something else.
    pub(super) fn order(&self, layout: &Layout, part: &Part) -> Option<Vec<(String, bool)>> {
        if self.query.grouping.is_some() || self.query.distinct {
            return None;
        }
        let step = |order: &tablesmith_sql::executable::Order| match &order.by {
            Expr::Column(column) if order.is_natural() => {
                Some((part.field(layout.record(), column)?, order.descending))
            }
            _ => None,
        };
        self.query.order.iter().map(step).collect()
    }

    pub(super) fn is_ordered_by_read(&self, wanted: &Wanted, read: &RecordRead) -> bool {
        let needs_none = self.query.order.is_empty();
        needs_none || (wanted.order.len() == self.query.order.len() && read.is_in_order())
    }

    /// Whether a read of the whole query may stop at the limit: nothing above it takes rows away.
    pub(super) fn can_stop(&self, stored: &[(Column, Column)]) -> bool {
        let Query { grouping, distinct, limit, .. } = self.query;
        let is_met = |truth: &Predicate| truth.joins().is_some_and(|(one, two)| is_among(stored, one, two));
        let is_all_met = self.conditions.left.iter().all(|(truth, _)| is_met(truth));
        limit.is_some() && grouping.is_none() && !distinct && is_all_met
    }

    /// Columns of the query that are equal in every record of a part.
    pub(super) fn stored(&self, layout: &Layout, part: &Part) -> Pairs {
        let record = layout.record();
        let column = |of: &tablesmith_model::design::ColumnOf| {
            record.field(of).and_then(|field| self.column_of(layout, part, &field))
        };
        record.joins.iter().filter_map(|join| Some((column(&join.have)?, column(&join.other)?))).collect()
    }

    /// The share of the work that is done before the limit is reached, when rows come in the wanted order.
    pub(super) fn share_read(&self, in_order: bool) -> f64 {
        let all: Vec<usize> = (0..self.query.sources.len()).collect();
        let wanted =
            self.query.limit.filter(|_| in_order && self.query.grouping.is_none() && !self.query.distinct);
        match wanted {
            Some(limit) => {
                let rows = limit.saturating_add(self.query.offset) as f64;
                (rows / self.estimate.joined(&all, true).max(1.0)).clamp(0.000_001, 1.0)
            }
            None => 1.0,
        }
    }

    /// Where columns of a part agree with the sources before it.
    pub(super) fn agreeing(
        &self,
        columns: &[Column],
        before: u64,
        field: impl Fn(&Column) -> Option<String>,
    ) -> Option<(Vec<On>, Pairs)> {
        let outer = self.needed.iter().filter(|column| before & (1 << column.source) != 0);
        let outer: Vec<&Column> = outer.collect();
        let (mut on, mut agree) = (Vec::new(), Vec::new());
        for class in &self.conditions.classes {
            let Some(have) = outer.iter().find(|column| class.contains(column)) else { continue };
            let Some((inner, other)) = columns.iter().enumerate().find(|(_, column)| class.contains(column))
            else {
                continue;
            };
            let field = field(other)?;
            // Where the outer rows are is known when all steps are chosen.
            on.push(On { outer: 0, inner, field, value_type: other.value_type });
            agree.push(((*have).clone(), other.clone()));
        }
        Some((on, agree))
    }

    /// Whether what an outer row says, and the query itself, leave at most one record.
    fn is_to_one(&self, layout: &Layout, part: &Part, on: &[On]) -> bool {
        let identity = &layout.source().key;
        let is_pinned = |field: &String| {
            let pinned = self
                .conditions
                .tests
                .iter()
                .map(|(column, _)| column)
                .filter(|column| self.conditions.is_pinned(column));
            let mut pinned = pinned.filter_map(|column| part.field(layout.record(), column));
            pinned.any(|pinned| pinned == *field)
        };
        !identity.is_empty()
            && identity.iter().all(|field| on.iter().any(|on| on.field == *field) || is_pinned(field))
    }

    /// What a read of one part takes.
    pub(super) fn estimate(
        &self,
        layout: &Layout,
        part: &Part,
        wanted: &Wanted,
        read: &RecordRead,
        executions: f64,
    ) -> ReadEstimate {
        let pattern = self.estimate.pattern(layout, part, wanted, executions);
        let requests = if read.gets() > 0 { read.gets() } else { read.scans() };
        self.on_path(layout, &pattern, read, requests as f64)
    }

    /// Distinct join keys of the outer rows.
    fn lookups(&self, agree: &[(Column, Column)], outer_rows: f64) -> f64 {
        let distinct = |(outer, _): &(Column, Column)| match self.conditions.is_pinned(outer) {
            true => 1.0,
            false => self.estimate.distinct(outer),
        };
        agree.iter().map(distinct).product::<f64>().min(outer_rows)
    }

    /// The estimate of `lookups` lookups by key: each has one value of the join columns.
    fn lookup(
        &self,
        layout: &Layout,
        part: &Part,
        wanted: &Wanted,
        on: &[On],
        read: &RecordRead,
        lookups: f64,
    ) -> ReadEstimate {
        let mut pattern = self.estimate.pattern(layout, part, wanted, lookups);
        for on in on {
            let Some(column) = layout.record().column(&on.field) else { continue };
            pattern.equalities.retain(|equality| equality.column != column);
            let share = 1.0 / statistics::distinct(self.estimate.workload, &column);
            pattern.equalities.push(EqualityPredicate { column, values: 1.0, share });
        }
        let requests = if read.gets() > 0 { read.gets() } else { read.scans() };
        let of_one =
            if read.is_full_scan() { 1.0 } else { requests as f64 / SAMPLE.pow(on.len() as u32) as f64 };
        self.on_path(layout, &pattern, read, of_one.max(1.0))
    }

    fn on_path(
        &self,
        layout: &Layout,
        pattern: &AccessPattern,
        read: &RecordRead,
        requests: f64,
    ) -> ReadEstimate {
        let stored = layout.stored();
        let key = KeyMatch::of(pattern, stored, &stored.rows.key.parts);
        let qualifier_parts = stored.qualifier_parts();
        // A scan goes through all cells of wide rows, however few it hands out.
        let is_narrowed = layout.is_wide() && read.gets() > 0;
        let qualifier = is_narrowed.then(|| KeyMatch::of(pattern, stored, &qualifier_parts));
        let path = AccessPath {
            access: match (read.gets(), read.is_full_scan()) {
                (0, true) => AccessKind::FullScan,
                (0, false) => AccessKind::Scans,
                _ => AccessKind::Gets,
            },
            requests,
            share: key.share,
            cells_of_row: qualifier.as_ref().filter(|qualifier| qualifier.is_whole).map(|one| one.requests),
            row_share: qualifier.as_ref().map_or(1.0, |qualifier| qualifier.share),
            matching_share: matching_share(pattern, stored, &key, qualifier.as_ref()),
            stops_early: pattern.limit.is_some(),
        };
        let context =
            CostContext { workload: self.estimate.workload, prices: self.prices, servers: self.servers };
        path.estimate(&context, pattern, stored)
    }

    /// The column of the query that a field of a part is.
    fn column_of(&self, layout: &Layout, part: &Part, field: &str) -> Option<Column> {
        let of = layout.record().column(field)?;
        let at = layout.record().tables.iter().position(|table| *table == of.table)?;
        let source = *part.sources.get(at)?;
        Some(Column {
            source,
            name: of.column,
            value_type: layout.type_of(field).unwrap_or(ValueType::Bytes),
        })
    }

    /// Why no plan covers the query.
    pub fn uncovered(&self, parts: &[Part]) -> AnswerError {
        for (source, named) in self.query.sources.iter().enumerate() {
            let mut reason = "it has no rows of this table".to_owned();
            let mut is_served = false;
            for part in parts.iter().filter(|part| part.sources.contains(&source)) {
                let Some(layout) = self.layouts.get(part.layout) else {
                    // Readings over time answer whatever is asked of their table.
                    is_served = true;
                    continue;
                };
                match self.wanted(layout, part).map(|(_, wanted)| layout.read(&wanted)) {
                    Some(Ok(_)) => is_served = true,
                    Some(Err(error)) => reason = error.to_string(),
                    None => reason = format!("{} does not have them", layout.table()),
                }
            }
            if !is_served {
                let columns = self.needed.iter().filter(|column| column.source == source);
                let columns = columns.map(|column| column.name.as_str()).collect::<Vec<_>>().join(", ");
                return AnswerError::NotInDesign { table: named.table.clone(), columns, reason };
            }
        }
        AnswerError::TooManyTables(self.query.sources.len())
    }
}

/// Outer rows of a batch.
fn batch_rows(read: &RecordRead, columns: usize) -> usize {
    if read.is_full_scan() { SCANNED_BATCH_ROWS } else { lookup_batch_rows(columns) }
}

/// How the inner rows of a join are found, in words.
fn lookup_words(read: &RecordRead, batch_rows: usize) -> String {
    let families: Vec<&str> = read.families().collect();
    let of = format!("of {} ({})", read.table(), families.join(", "));
    match (read.gets(), read.is_full_scan()) {
        (0, true) => format!("full scan {of} for every {batch_rows} rows"),
        (0, false) => format!("scans {of} by key, {batch_rows} rows at a time"),
        _ => format!("gets {of} by key, {batch_rows} rows at a time"),
    }
}

/// A few values of a type, to see what a lookup takes.
fn sample(value_type: ValueType) -> Vec<Value> {
    let value = |number: i64| match value_type {
        ValueType::String => Value::String(number.to_string()),
        ValueType::Int => Value::Int(number),
        ValueType::Float => Value::Float(number as f64),
        ValueType::Decimal => Value::Decimal(Decimal::from(number)),
        ValueType::Bool => Value::Bool(number % 2 == 0),
        ValueType::Bytes => Value::Bytes(number.to_be_bytes().to_vec()),
        ValueType::Date => {
            i32::try_from(number).ok().and_then(Date::from_days).map_or(Value::Null, Value::Date)
        }
        ValueType::Timestamp => Moment::from_micros(number).map_or(Value::Null, Value::Timestamp),
    };
    (1..=SAMPLE as i64).map(value).collect()
}
