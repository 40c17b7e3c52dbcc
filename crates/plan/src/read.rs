//! What reading an access pattern from stored rows takes.
//!
//! An [`AccessPath`] says which keys or key ranges are read. Deciders find it from the parts of the key ([`path`]), the query
//! planner from the values of a statement; [`AccessPath::operations`] counts for both.

use tablesmith_model::cost::{Operations, Prices};
use tablesmith_model::design::{ColumnOf, PlanAccess};
use tablesmith_model::workload::Workload;

use crate::key_match::KeyMatch;
use crate::rpc::{self, FanOutBounds, PAGE_BYTES};
use crate::{AccessPattern, StoredRows, regions, statistics};

/// What estimates are made with.
#[derive(Clone, Copy)]
pub struct CostContext<'w> {
    /// The workload, with its assumptions filled in.
    pub workload: &'w Workload,
    /// What operations cost.
    pub prices: &'w Prices,
    /// Region servers.
    pub servers: f64,
}

/// How stored rows are read.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum AccessKind {
    /// Rows by their keys.
    Gets,
    /// Key ranges.
    Scans,
    /// The whole table.
    FullScan,
    /// Key ranges, aggregated inside the regions.
    Aggregate,
}

/// The keys or key ranges that are read in one execution of a pattern.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AccessPath {
    /// How rows are read.
    pub access: AccessKind,
    /// Keys or key ranges.
    pub requests: f64,
    /// The share of all records that lies in them.
    pub share: f64,
    /// Of a wide row, the cells that are read by their qualifiers.
    pub cells_of_row: Option<f64>,
    /// Of a wide row, the share of its cells that is read.
    pub row_share: f64,
    /// The share of records that are read which meets all predicates.
    pub matching_share: f64,
    /// Whether records come in the required order, so that reading stops when the pattern's limit is reached.
    pub stops_early: bool,
}

/// What reading a pattern takes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ReadEstimate {
    /// How it is read.
    pub access: AccessKind,
    /// Keys or key ranges, in all executions of one execution of the query.
    pub requests: f64,
    /// The operations of all executions of the pattern in one execution of the query.
    pub operations: Operations,
    /// Rows that the store hands out.
    pub rows_returned: f64,
    /// Records that meet all predicates.
    pub records: f64,
    /// Whether rows come in the required order, so that reading stops at the limit.
    pub stops_early: bool,
}

/// Why stored rows cannot serve a pattern.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unreadable {
    /// They are rows of other tables, or joined in another way.
    OtherRows,
    /// They lack a column.
    Lacks(ColumnOf),
    /// The time-series layout does not answer such a query.
    NotTimeSeries,
}

impl AccessKind {
    /// The word for it in a design's plan.
    pub fn plan_access(self) -> PlanAccess {
        match self {
            Self::Gets => PlanAccess::Get,
            Self::Scans | Self::FullScan => PlanAccess::Scan,
            Self::Aggregate => PlanAccess::Aggregate,
        }
    }
}

impl ReadEstimate {
    /// The access in words.
    pub fn words(&self) -> String {
        let several = |what: &str| match self.requests <= 1.5 {
            true => format!("one {what}"),
            false => format!("{} {what}s", self.requests.round()),
        };
        match self.access {
            AccessKind::Gets => several("get"),
            AccessKind::Scans => several("scan"),
            AccessKind::FullScan => "a full scan".to_owned(),
            AccessKind::Aggregate => "an aggregate inside the regions".to_owned(),
        }
    }
}

/// What reading a pattern from stored rows takes, by the best access path; or why they cannot serve it.
pub fn read(
    context: &CostContext<'_>,
    pattern: &AccessPattern,
    rows: &StoredRows,
) -> Result<ReadEstimate, Unreadable> {
    Ok(path(pattern, rows)?.estimate(context, pattern, rows))
}

/// The access path to what a pattern requires, by the parts of key and qualifier.
pub fn path(pattern: &AccessPattern, rows: &StoredRows) -> Result<AccessPath, Unreadable> {
    if !is_same_record(pattern, rows) {
        return Err(Unreadable::OtherRows);
    }
    let key = KeyMatch::of(pattern, rows, &rows.rows.key.parts);
    let qualifier_parts = rows.qualifier_parts();
    let qualifier = (rows.is_wide() && key.is_whole).then(|| KeyMatch::of(pattern, rows, &qualifier_parts));
    let one_cell = qualifier.as_ref().is_some_and(|qualifier| qualifier.is_whole);
    let used: Vec<&ColumnOf> =
        key.used.iter().chain(qualifier.iter().filter(|_| one_cell).flat_map(|one| &one.used)).collect();
    lacks(pattern, rows, &used)?;
    let is_residual = |column: &ColumnOf| !used.contains(&&rows.record.same_as(column));
    let has_residual = pattern.residual > 0
        || pattern.equalities.iter().any(|equality| is_residual(&equality.column))
        || pattern.ranges.iter().any(|range| is_residual(&range.column));
    let aggregates = pattern.aggregates || !pattern.grouping.is_empty();
    let row_share = qualifier.as_ref().map_or(1.0, |qualifier| qualifier.share);
    let found = AccessPath {
        access: AccessKind::Gets,
        requests: key.requests,
        share: key.share,
        cells_of_row: None,
        row_share,
        matching_share: matching_share(pattern, rows, &key, qualifier.as_ref()),
        stops_early: false,
    };
    if let Some(qualifier) = qualifier {
        return Ok(AccessPath { cells_of_row: one_cell.then_some(qualifier.requests), ..found });
    }
    if key.is_whole {
        return Ok(AccessPath { stops_early: true, ..found });
    }
    let in_order =
        !rows.is_wide() && (pattern.order.is_empty() || key.is_sorted(pattern, rows, &rows.rows.key.parts));
    let stops_early = in_order && !aggregates && (!has_residual || pattern.limit.is_some());
    let access = match (aggregates && !has_residual && is_aggregated(pattern, rows), key.share >= 1.0) {
        (true, _) => AccessKind::Aggregate,
        (false, true) if !stops_early => AccessKind::FullScan,
        _ => AccessKind::Scans,
    };
    Ok(AccessPath { access, stops_early, ..found })
}

/// The share of the records behind a key, and a qualifier, that meets the predicates which neither ensures.
pub fn matching_share(
    pattern: &AccessPattern,
    rows: &StoredRows,
    key: &KeyMatch,
    qualifier: Option<&KeyMatch>,
) -> f64 {
    let is_ensured = |column: &ColumnOf| {
        let same = rows.record.same_as(column);
        key.used.contains(&same) || qualifier.is_some_and(|qualifier| qualifier.used.contains(&same))
    };
    let equalities = pattern.equalities.iter().filter(|one| !is_ensured(&one.column)).map(|one| one.share);
    let ranges = pattern.ranges.iter().filter(|one| !is_ensured(&one.column)).map(|one| one.share);
    equalities.chain(ranges).product::<f64>() * pattern.residual_share()
}

impl AccessPath {
    /// What reading takes on this path.
    pub fn estimate(
        &self,
        context: &CostContext<'_>,
        pattern: &AccessPattern,
        rows: &StoredRows,
    ) -> ReadEstimate {
        let counting = Counting { context, pattern, rows, path: self };
        match self.access {
            AccessKind::Gets => counting.gets(),
            AccessKind::Scans | AccessKind::FullScan | AccessKind::Aggregate => counting.scans(),
        }
    }
}

/// Whether the rows are those of the pattern's tables, joined as it joins them.
fn is_same_record(pattern: &AccessPattern, rows: &StoredRows) -> bool {
    let record = &rows.record;
    pattern.is_of(&record.tables)
        && pattern.joins.iter().all(|(one, two)| record.same_as(one) == record.same_as(two))
        && record.joins.iter().all(|join| pattern.are_equal(&join.have, &join.other))
}

/// Refuses rows without a column that must come back; what the statement says itself need not.
fn lacks(pattern: &AccessPattern, rows: &StoredRows, used: &[&ColumnOf]) -> Result<(), Unreadable> {
    let is_said = |column: &ColumnOf| {
        let same = rows.record.same_as(column);
        let is_it = |equality: &crate::EqualityPredicate| {
            equality.values <= 1.0 && rows.record.same_as(&equality.column) == same
        };
        used.contains(&&same) && pattern.equalities.iter().any(is_it)
    };
    let missing = pattern.columns.iter().find(|column| !is_said(column) && !rows.holds(column));
    missing.map_or(Ok(()), |column| Err(Unreadable::Lacks(column.clone())))
}

/// Whether regions can aggregate: groups are beginnings of keys.
fn is_aggregated(pattern: &AccessPattern, rows: &StoredRows) -> bool {
    let leads = |column: &ColumnOf| {
        let mut first = rows.rows.key.parts.iter().take(pattern.equalities.len() + pattern.grouping.len());
        first.any(|part| part.fields().iter().any(|field| rows.column(field).as_ref() == Some(column)))
    };
    !rows.is_wide() && pattern.grouping.iter().all(|column| leads(&rows.record.same_as(column)))
}

/// Counts the operations of one access path.
struct Counting<'a> {
    context: &'a CostContext<'a>,
    pattern: &'a AccessPattern,
    rows: &'a StoredRows,
    path: &'a AccessPath,
}

impl Counting<'_> {
    /// Rows by their keys. A row that is read by its key is taken to exist, however many other keys there could be.
    fn gets(&self) -> ReadEstimate {
        let executions = self.pattern.executions;
        let keys = self.path.requests * executions;
        let records = match (self.rows.is_wide(), self.path.cells_of_row) {
            (false, _) => keys,
            (true, cells) => {
                let in_rows = self.rows.size.records * self.path.share * self.path.row_share * executions;
                cells.map_or(in_rows, |cells| (keys * cells).min(in_rows.max(keys)))
            }
        };
        let read = self.cells(records, records);
        let records = records * self.path.matching_share;
        let operations = Operations {
            calls: self.lookups(rpc::get_calls(keys), rpc::get_calls),
            seeks: keys * read.families,
            rows: keys,
            family_rows: keys * read.families,
            ..read.operations
        };
        self.estimate(keys, operations, keys, records)
    }

    fn estimate(
        &self,
        requests: f64,
        operations: Operations,
        rows_returned: f64,
        records: f64,
    ) -> ReadEstimate {
        let AccessPath { access, stops_early, .. } = *self.path;
        ReadEstimate { access, requests, operations, rows_returned, records, stops_early }
    }

    /// Calls of all executions: those of a join are made for batches of outer rows.
    fn lookups(&self, alone: f64, calls: impl Fn(f64) -> f64) -> f64 {
        let executions = self.pattern.executions;
        if executions <= 1.0 {
            return alone;
        }
        let batches = rpc::batches(executions, rpc::lookup_batch_rows(1));
        batches * calls(self.path.requests * executions / batches)
    }

    /// Key ranges, or the whole table.
    fn scans(&self) -> ReadEstimate {
        let (pattern, size, path) = (self.pattern, &self.rows.size, self.path);
        let is_full = path.share >= 1.0;
        let executions = if is_full { rpc::passes(pattern.executions) } else { pattern.executions };
        let ranges = path.requests * executions;
        let mut records = size.records * path.share * path.row_share * executions;
        // Reading goes on until so many records are found that meet all predicates.
        let limit = pattern.limit.filter(|_| path.stops_early);
        if let Some(limit) = limit {
            let until = limit / path.matching_share.max(f64::MIN_POSITIVE) * executions;
            // Whole pages are read.
            let page = self.page_rows(limit) * size.records / size.rows;
            records = records.min((until / page).ceil() * page);
        }
        let rows = records * size.rows / size.records;
        let returned = match path.access {
            AccessKind::Aggregate => self.groups().min(records),
            _ => records,
        };
        let read = self.cells(records, returned);
        let regions = self.regions(records / executions.max(1.0)) * ranges;
        let operations = Operations {
            calls: self.scan_calls(ranges, regions, rows, limit, read.operations.bytes_returned),
            regions,
            seeks: regions * read.families,
            rows,
            family_rows: rows * read.families,
            ..read.operations
        };
        let matching = records * path.matching_share;
        let matching = limit.map_or(matching, |limit| matching.min(limit * executions));
        // Of wide rows only those come back that have a cell which is asked for.
        let rows_returned = if self.rows.is_wide() { rows.min(matching.max(1.0)) } else { rows };
        self.estimate(ranges, operations, rows_returned, matching)
    }

    /// Rows of a page of a scan with a limit.
    fn page_rows(&self, limit: f64) -> f64 {
        rpc::limited_page_rows(limit as u64, self.path.matching_share < 1.0) as f64
    }

    /// Regions that one range goes through, when so many records are read.
    fn regions(&self, records: f64) -> f64 {
        let size = &self.rows.size;
        let all = self.rows.regions.unwrap_or_else(|| regions(size.total_bytes(), self.context.servers));
        (all * records / size.records / self.path.requests).max(1.0)
    }

    /// Calls of scans: a page for each region and each 2 MiB; of ranges that are merged, each has pages of its own.
    fn scan_calls(
        &self,
        ranges: f64,
        regions: f64,
        rows: f64,
        limit: Option<f64>,
        bytes_returned: f64,
    ) -> f64 {
        if self.path.access == AccessKind::Aggregate {
            return self.pattern.executions.max(1.0);
        }
        let by_bytes = (bytes_returned / PAGE_BYTES).floor();
        if self.path.requests <= 1.0 && self.pattern.executions <= 1.0 {
            let by_rows = limit.map_or(1.0, |limit| (rows / self.page_rows(limit)).ceil().max(1.0));
            return regions.max(by_rows) + by_bytes;
        }
        let limit = limit.map(|limit| limit as u64);
        let page_rows = FanOutBounds::default().page_rows_of(self.path.requests as usize, limit);
        let pages_of_range = (rows / ranges.max(1.0) / page_rows as f64).ceil().max(1.0);
        (ranges * pages_of_range).max(regions) + by_bytes
    }

    /// How many groups there are.
    fn groups(&self) -> f64 {
        let columns = self.pattern.grouping.iter();
        columns.map(|column| statistics::distinct(self.context.workload, column)).product()
    }

    /// Cells and bytes of records that are read, and of those that go to the client: whole families are read, and of them
    /// the columns that are asked for are returned.
    fn cells(&self, read: f64, returned: f64) -> CellsRead {
        let size = &self.rows.size;
        let is_asked = |field: &String| {
            let column = self.rows.column(field);
            self.pattern.columns.iter().any(|asked| Some(self.rows.record.same_as(asked)) == column)
        };
        let entries = || self.rows.rows.cells.iter().zip(&size.each_cells);
        let is_entry_asked = |cells: &tablesmith_model::design::Cells| {
            cells.qualifier.is_some() || cells.columns.iter().chain(&cells.value).any(is_asked)
        };
        let mut families: Vec<&str> = Vec::new();
        for (cells, _) in entries().filter(|(cells, _)| is_entry_asked(cells)) {
            if !families.contains(&cells.family.as_str()) {
                families.push(&cells.family);
            }
        }
        if families.is_empty() {
            families.extend(self.rows.rows.cells.first().map(|cells| cells.family.as_str()));
        }
        let (mut all, mut asked) = ((0.0, 0.0), (0.0, 0.0));
        for (cells, one) in entries().filter(|(cells, _)| families.contains(&cells.family.as_str())) {
            let columns = cells.columns.len().max(1) as f64;
            let count = cells.columns.iter().filter(|field| is_asked(field)).count();
            let is_whole = cells.together || cells.qualifier.is_some() || cells.columns.is_empty();
            let share = if is_whole { 1.0 } else { count as f64 / columns };
            all = (all.0 + one.cells, all.1 + one.bytes);
            asked = (asked.0 + one.cells * share, asked.1 + one.bytes * share);
        }
        // A record without a value still has a marker cell.
        let marker = statistics::cell_bytes(size.key_bytes, 0.0, 0.0);
        let at_least_one = |(cells, bytes): (f64, f64)| match cells < 1.0 {
            true => (1.0, bytes + (1.0 - cells) * marker),
            false => (cells, bytes),
        };
        let (all, asked) = (at_least_one(all), at_least_one(asked));
        let operations = Operations {
            cells: read * all.0,
            bytes: read * all.1,
            cells_returned: returned * asked.0,
            bytes_returned: returned * asked.1,
            ..Operations::NONE
        };
        CellsRead { families: families.len().max(1) as f64, operations }
    }
}

/// The families that are read, and cells and bytes of them.
struct CellsRead {
    families: f64,
    operations: Operations,
}
