//! What keeping a candidate true takes when a statement writes.

use tablesmith_model::cost::Operations;
use tablesmith_model::design::ColumnOf;
use tablesmith_model::workload::Workload;
use tablesmith_plan::{AccessPattern, EqualityPredicate, StoredRows, statistics};
use tablesmith_sql::{Kind, Need};

use super::Ground;
use crate::tables::ask::Ask;
use crate::tables::candidate::{Candidate, Shape};
use crate::tables::candidates::Readings;

/// What keeping a candidate true takes in one call of a statement.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Keeping {
    /// What is written.
    pub operations: Operations,
    /// What has to be read first, wherever that is read from.
    pub reads: Vec<AccessPattern>,
    /// Whether it is a single increment.
    pub is_increment: bool,
}

/// What keeping a candidate true takes; `None` when the statement does not touch it.
pub fn keeping(ground: &Ground<'_>, ask: &Ask, candidate: &Candidate) -> Option<Keeping> {
    let need = ask.written()?;
    let kept = candidate.entries.iter().filter_map(|entry| match &candidate.shape {
        Shape::Time(layout) if entry.rows.from == need.table => {
            let readings: &Readings = ground.readings.iter().find(|one| one.table == need.table)?;
            let predicted = readings.predict(layout, ground.prices, 1.0).queries;
            let query = predicted.into_iter().find(|query| query.name == ask.name)?;
            Some(Keeping { operations: query.operations, ..Keeping::default() })
        }
        _ => Writing { ground, ask, need, entry }.keeping(),
    });
    kept.reduce(|one, two| Keeping {
        operations: one.operations + two.operations,
        reads: one.reads.into_iter().chain(two.reads).collect(),
        is_increment: false,
    })
}

/// Whether a statement writes one record of a candidate at most: records of one row are written one by one.
pub fn writes_one_record(ground: &Ground<'_>, ask: &Ask, candidate: &Candidate) -> bool {
    let Some(need) = ask.written() else { return true };
    let given = AccessPattern::of_table(ground.workload, need).equalities;
    let key = ground.workload.table(&need.table).map(|table| table.key.as_slice()).unwrap_or_default();
    let is_given = |column: &String| {
        let of = ColumnOf::new(&need.table, column);
        given.iter().any(|given| given.column == of && given.values <= 1.0)
    };
    let is_one = match ask.kind {
        Kind::Insert => need.written.len() <= 1,
        _ => !key.is_empty() && key.iter().all(is_given),
    };
    let mut touched = candidate.entries.iter().filter(|entry| entry.record.has(&need.table));
    is_one && !touched.any(|entry| entry.record.joins.iter().any(|join| join.to_many))
}

/// Rows of a table that a statement writes.
pub fn rows_written(workload: &Workload, ask: &Ask, need: &Need) -> f64 {
    if ask.kind == Kind::Insert {
        return need.written.len().max(1) as f64;
    }
    let all = workload.table(&need.table).map_or(1.0, statistics::rows);
    ask.rows.unwrap_or_else(|| (all * AccessPattern::of_table(workload, need).share()).max(1.0))
}

struct Writing<'a> {
    ground: &'a Ground<'a>,
    ask: &'a Ask,
    need: &'a Need,
    entry: &'a StoredRows,
}

impl Writing<'_> {
    fn keeping(&self) -> Option<Keeping> {
        let table = &self.need.table;
        if !self.entry.record.has(table) {
            return None;
        }
        let written: Vec<ColumnOf> =
            self.need.writes.iter().map(|column| ColumnOf::new(table, column)).collect();
        let is_touched = match self.ask.kind {
            Kind::Update => {
                written.iter().any(|column| self.entry.holds(column) || self.entry.is_placed_by(column))
            }
            Kind::Insert | Kind::Delete | Kind::Select => true,
        };
        if !is_touched {
            return None;
        }
        let workload = self.ground.workload;
        let rows = rows_written(workload, self.ask, self.need);
        let all = workload.table(table).map_or(1.0, statistics::rows);
        let records = rows * (self.entry.size.records / all).max(0.0);
        let moves =
            self.ask.kind == Kind::Update && written.iter().any(|column| self.entry.is_placed_by(column));
        let is_increment = self.is_increment(&written);
        let mut reads = Vec::new();
        if !is_increment {
            reads.extend(self.old_row(&written, rows));
            reads.extend(self.joined_rows(rows));
        }
        Some(Keeping { operations: self.puts(&written, records, moves), reads, is_increment })
    }

    /// Rows that are put or deleted. Each candidate is a call of its own: copies follow their master.
    fn puts(&self, written: &[ColumnOf], records: f64, moves: bool) -> Operations {
        let size = &self.entry.size;
        let share = match self.ask.kind {
            Kind::Update if !moves && !self.entry.is_wide() => {
                let held = written.iter().filter(|column| self.entry.holds(column)).count();
                (held.max(1) as f64 / size.cells.max(1.0)).min(1.0)
            }
            _ => 1.0,
        };
        let times = if moves { 2.0 } else { 1.0 };
        Operations {
            calls: times,
            write_calls: times,
            puts: records * times,
            family_puts: records * times,
            cells_written: records * size.cells * share * times,
            bytes_written: records * size.bytes * share * times,
            ..Operations::NONE
        }
    }

    /// The columns whose values the statement says.
    fn known(&self) -> Vec<ColumnOf> {
        let table = &self.need.table;
        if self.ask.kind == Kind::Insert {
            let columns =
                self.ground.workload.table(table).map(|table| table.columns.as_slice()).unwrap_or_default();
            return columns.iter().map(|column| ColumnOf::new(table, &column.name)).collect();
        }
        let place = AccessPattern::of_table(self.ground.workload, self.need);
        place.equalities.into_iter().map(|given| given.column).collect()
    }

    /// Where the statement does not say where a record lies, or what it has to be written with, the old row is read.
    fn old_row(&self, written: &[ColumnOf], rows: f64) -> Option<AccessPattern> {
        let table = self.ground.workload.table(&self.need.table)?;
        let known = self.known();
        let own = |column: &&ColumnOf| column.table == table.name;
        let mut wanted: Vec<ColumnOf> = self.entry.places().iter().filter(own).cloned().collect();
        wanted.extend(self.joins().map(|(column, _)| column).filter(|column| column.table == table.name));
        if self.ask.kind == Kind::Update && self.is_rewritten(written) {
            let columns = table.columns.iter().map(|column| ColumnOf::new(&table.name, &column.name));
            wanted.extend(columns.filter(|column| self.entry.holds(column)));
        }
        wanted.retain(|column| !known.contains(column));
        wanted.sort();
        wanted.dedup();
        if wanted.is_empty() || table.key.is_empty() {
            return None;
        }
        let given = table.key.iter().map(|column| ColumnOf::new(&table.name, column)).map(|column| {
            EqualityPredicate {
                share: 1.0 / statistics::distinct(self.ground.workload, &column),
                column,
                values: 1.0,
            }
        });
        Some(AccessPattern {
            tables: vec![table.name.clone()],
            equalities: given.collect(),
            columns: wanted,
            executions: rows,
            ..AccessPattern::default()
        })
    }

    /// Whether an update has to know more than what it sets: a cell that holds several columns, a record that moves, or a
    /// value that is computed.
    fn is_rewritten(&self, written: &[ColumnOf]) -> bool {
        let moves = written.iter().any(|column| self.entry.is_placed_by(column));
        let is_set =
            |field: &String| self.entry.column(field).is_some_and(|column| written.contains(&column));
        let shares_cell = |cells: &tablesmith_model::design::Cells| {
            cells.together && cells.columns.iter().any(is_set) && !cells.columns.iter().all(is_set)
        };
        moves || !self.ask.adds().is_empty() || self.entry.rows.cells.iter().any(shares_cell)
    }

    /// Columns of the record's tables that joins run over, with what each equals.
    fn joins(&self) -> impl Iterator<Item = (ColumnOf, ColumnOf)> {
        let joins = self.entry.record.joins.iter();
        joins.flat_map(|join| {
            [(join.have.clone(), join.other.clone()), (join.other.clone(), join.have.clone())]
        })
    }

    /// The rows of the other tables that a joined record is made of, table by table.
    fn joined_rows(&self, rows: f64) -> Vec<AccessPattern> {
        let workload = self.ground.workload;
        let mut reached = vec![self.need.table.clone()];
        let mut wants = Vec::new();
        let mut times = rows;
        while reached.len() < self.entry.record.tables.len() {
            let next = self
                .joins()
                .find(|(have, other)| reached.contains(&have.table) && !reached.contains(&other.table));
            let Some((have, other)) = next else { break };
            let columns =
                workload.table(&other.table).map(|table| table.columns.as_slice()).unwrap_or_default();
            let all = columns.iter().map(|column| ColumnOf::new(&other.table, &column.name));
            let mut reads: Vec<ColumnOf> = all.filter(|column| self.entry.holds(column)).collect();
            reads.extend(self.joins().map(|(column, _)| column).filter(|column| column.table == other.table));
            reads.sort();
            reads.dedup();
            let share = statistics::share_with(workload, &other, &have);
            let found = workload.table(&other.table).map_or(1.0, statistics::rows) * share;
            wants.push(AccessPattern {
                tables: vec![other.table.clone()],
                equalities: vec![EqualityPredicate { column: other.clone(), values: 1.0, share }],
                columns: reads,
                executions: times,
                ..AccessPattern::default()
            });
            times *= found;
            reached.push(other.table);
        }
        wants
    }

    /// Whether the store itself can add: the key is known, and what is added to is a number in a cell of its own.
    fn is_increment(&self, written: &[ColumnOf]) -> bool {
        let adds = self.ask.adds();
        let known = self.known();
        let is_number = |column: &ColumnOf| {
            self.entry.rows.cells.iter().any(|cells| {
                cells.encoding.is_some()
                    && cells.columns.iter().any(|field| self.entry.column(field).as_ref() == Some(column))
            })
        };
        !adds.is_empty()
            && self.entry.rows.join.is_empty()
            && written.iter().all(|column| adds.contains(&column.column.as_str()) && is_number(column))
            && self.entry.places().iter().all(|column| known.contains(column))
    }
}
