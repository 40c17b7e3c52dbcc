//! How a candidate is used by the queries that read it, and by what writes to it.

use tablesmith_model::design::{Cells, ColumnOf};
use tablesmith_model::value::ValueType;
use tablesmith_plan::{AccessKind, AccessPattern, ReadEstimate, StoredRows, statistics};

use crate::settings::Usage;
use crate::tables::candidate::{Candidate, Shape};
use crate::tables::pose::Posed;
use crate::tables::predict::{Ground, keeping, read};
use crate::tables::select::Selection;

/// A use of a candidate: a read, or a write.
pub struct Use {
    /// Calls a second, or any weight.
    pub rate: f64,
    /// The query.
    pub query: String,
    /// What is read; `None` for a write.
    pub read: Option<(AccessPattern, ReadEstimate)>,
    /// The columns that are written.
    pub written: Vec<ColumnOf>,
    /// Rows that one call writes.
    pub puts: f64,
}

/// All uses of a candidate, as the selection has them.
pub fn uses(
    ground: &Ground<'_>,
    posed: &Posed,
    selection: &Selection,
    number: usize,
    candidate: &Candidate,
) -> Vec<Use> {
    let mut all = Vec::new();
    for (demand, posing) in posed.problem.demands.iter().zip(&posed.demands) {
        let Some(served) = demand.served(&selection.kept).filter(|_| demand.stands(&selection.kept)) else {
            continue;
        };
        let Some(ask) = posing.what.ask().and_then(|ask| ground.asks.get(ask)) else { continue };
        let Some(way) = posing.orders.get(served.alternative) else { continue };
        for (pattern, _) in way.steps.iter().zip(&served.candidates).filter(|(_, chosen)| **chosen == number)
        {
            let Ok(read) = read(ground, Some(ask), pattern, candidate) else { continue };
            let read = Some((pattern.clone(), read));
            all.push(Use { rate: ask.rate, query: ask.name.clone(), read, written: Vec::new(), puts: 0.0 });
        }
    }
    for ask in ground.asks.iter().filter(|ask| ask.writes()) {
        let (Some(kept), Some(need)) = (keeping(ground, ask, candidate), ask.written()) else { continue };
        all.push(Use {
            rate: ask.rate,
            query: ask.name.clone(),
            read: None,
            written: need.writes.iter().map(|column| ColumnOf::new(&need.table, column)).collect(),
            puts: kept.operations.puts,
        });
    }
    all
}

/// How one family of a candidate is used.
pub fn of_family(ground: &Ground<'_>, candidate: &Candidate, uses: &[Use], family: &str) -> Usage {
    let mut usage = Usage { versions: 1, ..Usage::default() };
    let entry = candidate
        .entries
        .iter()
        .find(|entry| entry.rows.cells.iter().any(|cells| cells.family == family))
        .or(candidate.entries.first());
    let Some(entry) = entry else { return usage };
    for one in uses {
        match &one.read {
            Some((_, read)) => match read.access {
                AccessKind::Gets if entry.is_wide() && read.operations.cells <= 1.5 * read.requests => {
                    usage.cell_gets += one.rate
                }
                AccessKind::Gets => usage.gets += one.rate,
                AccessKind::Scans | AccessKind::FullScan | AccessKind::Aggregate => usage.scans += one.rate,
            },
            None => usage.writes += one.rate,
        }
    }
    let size = &entry.size;
    let columns = |cells: &Cells| cells.columns.iter().chain(&cells.value).cloned().collect::<Vec<_>>();
    let fields: Vec<String> = entry.rows.cells.iter().flat_map(columns).collect();
    let column =
        |field: &String| entry.record.column(field).map(|of| statistics::column(ground.workload, &of));
    let known: Vec<_> = fields.iter().filter_map(column).collect();
    let values: f64 = known.iter().map(statistics::value_bytes).sum();
    let texts: f64 = known
        .iter()
        .filter(|column| column.value_type == ValueType::String)
        .map(statistics::value_bytes)
        .sum();
    usage.total_bytes = size.total_bytes();
    usage.row_bytes = size.total_bytes() / size.rows.max(1.0);
    usage.row_cells = size.cells * size.records / size.rows.max(1.0);
    usage.value_bytes = values / size.cells.max(1.0);
    usage.key_bytes = (size.bytes / size.cells.max(1.0) - usage.value_bytes).max(0.0);
    usage.text_share = if values > 0.0 { texts / values } else { 0.0 };
    // A copy that is joined of several tables ends with the first of them that ends.
    let retention = |name: &String| ground.workload.table(name).and_then(|table| table.retention);
    let is_here = |entry: &&StoredRows| entry.rows.cells.iter().any(|cells| cells.family == family);
    let entries = candidate.entries.iter().filter(is_here);
    let retentions = entries.flat_map(|entry| entry.record.tables.first()).map(retention);
    let retentions: Option<Vec<_>> = retentions.collect();
    usage.retention_s = retentions.and_then(|all| all.into_iter().max()).map(|kept| kept.as_secs());
    if let Shape::Time(layout) = &candidate.shape {
        usage.versions = layout.versions();
    }
    usage
}
