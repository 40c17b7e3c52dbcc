//! Queries that are SQL.

use tablesmith_model::workload::{Column, RANGE_SHARE, SequenceKind};
use tablesmith_sql::{Amount, Kind, Need, Operator, Predicate, Statement, Value};

use super::{Asking, words};
use crate::time::facts::place;
use crate::time::query::{Group, TimeKind, TimeQuery, Whose};

/// Values of an `IN` of which nobody knows how many they are.
const NAMED_ASSUMED: f64 = 10.0;
/// The newest readings that are wanted when nobody knows how many.
const NEWEST_ASSUMED: u64 = 10;

/// What a statement says about time.
enum When {
    /// One moment.
    Instant,
    /// A stretch of so long.
    Length(f64),
    /// Nothing.
    Always,
}

impl Asking<'_> {
    /// What a statement asks of the table; none when it is about other tables.
    pub(super) fn statement(&mut self, sql: &str, statement: &Statement) -> Option<TimeQuery> {
        let needs: Vec<&Need> = statement.needs.iter().filter(|need| need.table == self.table.name).collect();
        let need = *needs.first()?;
        let columns: Vec<String> =
            needs.iter().flat_map(|need| need.reads.iter().chain(&need.writes)).cloned().collect();
        let kind = match statement.kind {
            Kind::Insert | Kind::Update | Kind::Delete => {
                TimeKind::Write { readings: self.written(sql, need) }
            }
            Kind::Select if self.is_comparison(&needs) => TimeKind::Compare,
            Kind::Select => self.select(sql, need),
        };
        if statement.needs.iter().any(|need| need.table != self.table.name) {
            self.note("joins other tables; only what it reads of this one counts".to_owned());
        }
        Some(self.made(kind, &columns))
    }

    fn written(&mut self, sql: &str, need: &Need) -> f64 {
        let said = self.query.rows.map(|rows| rows.max(1) as f64);
        if !need.written.is_empty() && need.predicates.is_empty() {
            return said.unwrap_or(need.written.len() as f64);
        }
        let each = match self.when(sql, need) {
            When::Instant => 1.0,
            When::Length(length) => self.facts.readings_within(length).max(1.0),
            When::Always => self.facts.readings_per_entity(),
        };
        said.unwrap_or(each * self.whose(need).count(self.facts.entities))
    }

    /// The same table twice, each time at a moment of its own: what is there and what is not.
    fn is_comparison(&self, needs: &[&Need]) -> bool {
        let at_moment =
            |need: &&&Need| self.of_time(need).any(|predicate| predicate.operator == Operator::Eq);
        needs.len() == 2 && needs.iter().filter(at_moment).count() == 2
    }

    fn select(&mut self, sql: &str, need: &Need) -> TimeKind {
        let entities = self.whose(need);
        let when = self.when(sql, need);
        let is_one = entities.count(self.facts.entities) < 1.5;
        if need.aggregates.is_empty() && self.is_newest_first(need) && is_one {
            match need.limit.map(Amount::rows) {
                Some(Some(n)) => return TimeKind::Latest { n: n.max(1) },
                Some(None) => {
                    let n = self.query.rows.unwrap_or(NEWEST_ASSUMED);
                    self.note(format!("wants the newest; {n} are assumed"));
                    return TimeKind::Latest { n };
                }
                None => {}
            }
        }
        match (need.aggregates.is_empty(), when) {
            (true, When::Instant) => TimeKind::Instant { entities },
            (true, When::Length(length)) => TimeKind::Range { entities, length },
            (true, When::Always) => TimeKind::Range { entities, length: self.facts.extent() },
            (false, When::Instant) => {
                let group = self.group(sql, need);
                TimeKind::Aggregate { entities, length: self.facts.interval, group }
            }
            (false, When::Length(length)) => {
                TimeKind::Aggregate { entities, length, group: self.group(sql, need) }
            }
            (false, When::Always) => {
                TimeKind::Aggregate { entities, length: self.facts.extent(), group: self.group(sql, need) }
            }
        }
    }

    fn is_newest_first(&self, need: &Need) -> bool {
        let time = self.table.time.as_ref().map(|time| time.column.as_str());
        need.order.first().is_some_and(|order| order.descending && Some(order.column.as_str()) == time)
    }

    fn group(&self, sql: &str, need: &Need) -> Group {
        let Some(time) = &self.table.time else { return Group::All };
        let by_entity = need.grouping.iter().any(|column| time.entity.contains(column));
        let by_time = need.grouping.contains(&time.column).then_some(self.facts.interval);
        match (by_entity, words::stretch_ms(sql).or(by_time)) {
            (false, None) => Group::All,
            (true, None) => Group::Entity,
            (false, Some(length)) => Group::Bucket(length),
            (true, Some(length)) => Group::EntityAndBucket(length),
        }
    }

    /// Whose readings: named when every column of the entity is given by value.
    fn whose(&mut self, need: &Need) -> Whose {
        let Some(time) = &self.table.time else { return Whose::All };
        let mut count = 1.0;
        for column in &time.entity {
            let named = need.predicates.iter().filter(|predicate| predicate.column == *column);
            let values = named.filter_map(|predicate| match predicate.operator {
                Operator::Eq => Some(1.0),
                Operator::In(0) => Some(NAMED_ASSUMED),
                Operator::In(values) => Some(values as f64),
                _ => None,
            });
            match values.min_by(f64::total_cmp) {
                Some(values) => count *= values,
                // A join gives one value a time.
                None if need.joins.iter().any(|join| join.column == *column) => {}
                None => return Whose::All,
            }
        }
        if time.entity.is_empty() { Whose::All } else { Whose::Named(count) }
    }

    fn of_time<'n>(&self, need: &'n Need) -> impl Iterator<Item = &'n Predicate> + use<'n> {
        let time = self.table.time.as_ref().map(|time| time.column.clone());
        need.predicates.iter().filter(move |predicate| Some(&predicate.column) == time.as_ref())
    }

    fn when(&mut self, sql: &str, need: &Need) -> When {
        let predicates: Vec<&Predicate> = self.of_time(need).collect();
        if predicates.iter().any(|predicate| predicate.operator == Operator::Eq) {
            return When::Instant;
        }
        if let Some(values) = predicates.iter().find_map(|predicate| match predicate.operator {
            Operator::In(values) => Some(values.max(1)),
            _ => None,
        }) {
            return When::Length(self.facts.interval * values as f64);
        }
        let is_end = |predicate: &&&Predicate| {
            use Operator::{Between, Ge, Gt, Le, Lt};
            matches!(predicate.operator, Lt | Le | Gt | Ge | Between)
        };
        let ends: Vec<&Predicate> = predicates.iter().filter(is_end).copied().collect();
        if ends.is_empty() {
            return When::Always;
        }
        let rows_each = |asking: &mut Self, rows: u64| {
            let entities = asking.whose(need).count(asking.facts.entities);
            asking.length_of_rows(rows as f64, entities)
        };
        let interval = words::interval_ms(sql).filter(|_| self.facts.kind == SequenceKind::Time);
        let length = match self.query.rows {
            Some(rows) => Some(rows_each(self, rows)),
            None => self.literal_length(&ends).or(interval),
        };
        When::Length(length.unwrap_or_else(|| {
            let guessed = RANGE_SHARE * self.facts.extent();
            self.note(format!(
                "does not say how long its stretch of {} is; a third of all is assumed (say `rows = N`, the rows that \
                 one call reads)",
                need_time(self)
            ));
            guessed
        }))
    }

    /// The length of a stretch whose ends are literals; an end that is missing is the first or the last moment.
    fn literal_length(&self, ends: &[&Predicate]) -> Option<f64> {
        let time = self.table.time.as_ref()?;
        let column = self.table.column(&time.column)?;
        let (mut low, mut high) = (self.facts.first, self.facts.last);
        for predicate in ends {
            match predicate.operator {
                Operator::Gt | Operator::Ge => low = literal(column, &predicate.value)?,
                Operator::Lt | Operator::Le => high = literal(column, &predicate.value)?,
                _ => {
                    low = literal(column, &predicate.value)?;
                    high = literal(column, predicate.more.first()?)?;
                }
            }
        }
        Some((high.saturating_sub(low) as f64).clamp(1.0, self.facts.extent()))
    }
}

fn literal(column: &Column, value: &Value) -> Option<i64> {
    place(column, value.literal()?)
}

fn need_time(asking: &Asking<'_>) -> String {
    asking.table.time.as_ref().map(|time| time.column.clone()).unwrap_or_default()
}
