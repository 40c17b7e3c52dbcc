//! From the entries of a design to layouts.

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;
use std::sync::atomic::AtomicU64;

use tablesmith_model::design::{self, Design, Qualifier, Record, Rows};
use tablesmith_model::key::Part;
use tablesmith_model::workload::{self, Workload};
use tablesmith_plan::{RowsSize, StoredRows};

use super::apart::{Apart, apart};
use super::cells::Making;
use super::{Layout, Wide};
use crate::error::LayoutError;

impl Layout {
    /// The layouts of all `rows` entries of a design, in their order. Readings over time are not among them: they have
    /// layouts of their own, see [`Layout::is_over_time`] and [`crate::series`].
    pub fn all(workload: &Workload, design: &Design) -> Result<Vec<Self>, LayoutError> {
        let mut layouts: Vec<Self> = Vec::new();
        for table in &design.tables {
            let first = layouts.len();
            for rows in table.rows.iter().filter(|rows| !Self::is_of_readings(workload, design, rows)) {
                layouts.push(build(workload, table, rows)?);
            }
            tell_apart(layouts.get_mut(first..).unwrap_or_default())?;
        }
        Ok(layouts)
    }

    /// Whether an entry holds readings over time, or what is fixed of their entities: readings beside such are no plain rows,
    /// even where each has a row of its own.
    pub(crate) fn is_of_readings(workload: &Workload, design: &Design, rows: &Rows) -> bool {
        let is_fixed = |other: &Rows| other.from == rows.from && Self::is_fixed(workload, other);
        let is_beside_fixed = || design.tables.iter().flat_map(|laid| &laid.rows).any(is_fixed);
        Self::is_over_time(rows) || rows.join.is_empty() && is_beside_fixed()
    }

    /// Whether an entry holds what depends on the entity of readings alone: a row for each entity.
    pub(crate) fn is_fixed(workload: &Workload, rows: &Rows) -> bool {
        let Some(table) = workload.table(&rows.from) else { return false };
        let Some(time) = table.time.as_ref().filter(|time| !time.entity.is_empty()) else { return false };
        let is_entity = |part: &Part| matches!(part, Part::Field(field) if time.entity.contains(field));
        let identifies = table.key.iter().all(|column| time.entity.contains(column)) && !table.key.is_empty();
        !identifies
            && rows.join.is_empty()
            && !Self::is_over_time(rows)
            && rows.key.parts.len() == time.entity.len()
            && rows.key.parts.iter().all(is_entity)
            && rows.cells.iter().all(|cells| cells.qualifier.is_none())
    }

    /// Whether an entry lays out readings over time: in versions, in offsets or packed.
    pub fn is_over_time(rows: &Rows) -> bool {
        rows.cells.iter().any(|cells| {
            let is_offset = matches!(cells.qualifier, Some(Qualifier::Offset(_)));
            cells.version.is_some() || cells.pack_by.is_some() || is_offset
        })
    }
}

fn build(workload: &Workload, table: &design::Table, rows: &Rows) -> Result<Layout, LayoutError> {
    let record = Record::of(rows, workload)
        .map_err(|source| LayoutError::Record { table: table.name.clone(), source: Box::new(source) })?;
    let source = source(workload, &record)?;
    let columns: HashMap<String, usize> =
        source.columns.iter().enumerate().map(|(index, column)| (column.name.clone(), index)).collect();
    let type_of =
        |name: &str| columns.get(name).and_then(|at| source.columns.get(*at)).map(|column| column.value_type);
    let key_error = |source| LayoutError::Key { table: table.name.clone(), source };
    let codec = rows.key.codec(type_of).map_err(key_error)?;
    let wide = Wide::of(&table.name, rows, type_of)?;
    check_key(&table.name, &record, &source, rows, wide.as_ref())?;
    let families = Making { laid: table, rows, source: &source, columns: &columns }.families()?;
    let stored = StoredRows {
        size: RowsSize::of(rows, &record, workload),
        rows: rows.clone(),
        record: record.clone(),
        regions: Some((table.splits.len() + 1) as f64),
    };
    Ok(Layout {
        table: table.name.clone(),
        record,
        families,
        stored: Arc::new(stored),
        wide,
        is_mixed: false,
        source: Arc::new(source),
        key: rows.key.clone(),
        columns,
        codec,
        in_every_row: BTreeSet::new(),
        next_row: Arc::new(AtomicU64::new(0)),
    })
}

/// The table of a record; for joined ones a table that has their fields as columns.
fn source(workload: &Workload, record: &Record) -> Result<workload::Table, LayoutError> {
    let table_of = |name: &String| workload.table(name).ok_or_else(|| LayoutError::NoTable(name.clone()));
    let tables = record.tables.iter().map(table_of).collect::<Result<Vec<_>, _>>()?;
    let mut source = tables.first().copied().cloned().unwrap_or_default();
    for table in tables.iter().skip(1) {
        let joined = table.columns.iter().map(|column| {
            let mut column = column.clone();
            column.name = format!("{}.{}", table.name, column.name);
            column
        });
        source.columns.extend(joined);
    }
    if !record.joins.is_empty() {
        source.key = record.identity(workload);
    }
    Ok(source)
}

/// Marks the layouts of one table that share families, once all can be told apart.
fn tell_apart(layouts: &mut [Layout]) -> Result<(), LayoutError> {
    let mut mixed = BTreeSet::new();
    for (at, one) in layouts.iter().enumerate() {
        for (other_at, other) in layouts.iter().enumerate().skip(at + 1) {
            match apart(one, other) {
                Apart::Families => {}
                Apart::Constant => mixed.extend([at, other_at]),
                Apart::Not => {
                    let (table, one, two) =
                        (one.table.clone(), one.source.name.clone(), other.source.name.clone());
                    return Err(LayoutError::Mixed { table, one, two });
                }
            }
        }
    }
    layouts.iter_mut().enumerate().for_each(|(at, layout)| layout.is_mixed = mixed.contains(&at));
    Ok(())
}

/// Key and qualifier must tell records apart.
fn check_key(
    table: &str,
    record: &Record,
    source: &workload::Table,
    rows: &Rows,
    wide: Option<&Wide>,
) -> Result<(), LayoutError> {
    if rows.key.parts.contains(&Part::RowNumber) {
        return Ok(());
    }
    let same = |field: &str| record.column(field).map(|column| record.same_as(&column));
    let tells_apart = |column: &String| {
        rows.key.parts.iter().chain(wide.iter().flat_map(|wide| &wide.key.parts)).any(|part| {
            let told = match part {
                Part::Md5 { field, .. } => Some(field.as_str()),
                part => part.gives_back(),
            };
            told.is_some_and(|told| told == column || same(told) == same(column))
        })
    };
    match source.key.iter().find(|column| !tells_apart(column)) {
        Some(column) => Err(LayoutError::KeyTooShort { table: table.to_owned(), column: column.clone() }),
        None => Ok(()),
    }
}
