//! From a design to the layout of one table: refuses what is not carried out yet.

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;
use std::sync::atomic::AtomicU64;

use tablesmith_model::FamilyDescriptor;
use tablesmith_model::design::{self, Cells, Design, Rows};
use tablesmith_model::key::Part;
use tablesmith_model::value::{CellEncoding, CellError, ValueType};
use tablesmith_model::workload::{self, Column, Workload};

use super::{LaidColumn, LaidFamily, Layout};
use crate::error::LayoutError;

/// Bytes of a value as text where the workload does not know.
const VALUE_BYTES: f64 = 8.0;
/// Bytes of a cell that are neither key, names nor value: lengths, timestamp, kind.
const CELL_BYTES: f64 = 20.0;

impl Layout {
    /// The layout that a design gives the rows of a table of the workload.
    pub fn of(workload: &Workload, design: &Design, table: &str) -> Result<Self, LayoutError> {
        let source = workload.table(table).ok_or_else(|| LayoutError::NoTable(table.to_owned()))?;
        let (laid, rows) = find(design, table)?;
        let columns: HashMap<String, usize> =
            source.columns.iter().enumerate().map(|(index, column)| (column.name.clone(), index)).collect();
        let type_of =
            |name: &str| columns.get(name).and_then(|at| source.columns.get(*at)).map(|c| c.value_type);
        let key_error = |source| LayoutError::Key { table: laid.name.clone(), source };
        let codec = rows.key.codec(type_of).map_err(key_error)?;
        check_key(&laid.name, source, rows)?;
        Ok(Self {
            design: laid.name.clone(),
            table: laid.name.clone(),
            families: families(laid, rows, source, &columns)?,
            descriptors: laid.families.iter().map(descriptor).collect::<Result<_, _>>()?,
            splits: laid.splits.clone(),
            planned: planned(design, &laid.name),
            source: Arc::new(source.clone()),
            key: rows.key.clone(),
            columns,
            codec,
            in_every_row: BTreeSet::new(),
            next_row: Arc::new(AtomicU64::new(0)),
        })
    }
}

/// The only place where the design has rows of a table.
fn find<'d>(design: &'d Design, table: &str) -> Result<(&'d design::Table, &'d Rows), LayoutError> {
    let mut places = design.tables.iter().flat_map(|laid| laid.rows.iter().map(move |rows| (laid, rows)));
    let place = places.find(|(_, rows)| rows.from == table);
    let (laid, rows) = place.ok_or_else(|| LayoutError::NotInDesign(table.to_owned()))?;
    let not_yet = |what: &str| LayoutError::NotYet { table: laid.name.clone(), what: what.to_owned() };
    if laid.rows.len() > 1 {
        return Err(not_yet("rows of several kinds"));
    }
    if places.any(|(_, rows)| rows.from == table) {
        return Err(not_yet("a copy in another table"));
    }
    if !rows.join.is_empty() {
        return Err(not_yet("rows joined along references"));
    }
    for cells in &rows.cells {
        for (what, is_there) in [
            ("cells with a version", cells.version.is_some()),
            ("cells whose qualifier is data", cells.qualifier.is_some() || cells.value.is_some()),
            ("packed cells", cells.pack_by.is_some()),
            ("columns together in one cell", cells.together),
        ] {
            if is_there {
                return Err(not_yet(what));
            }
        }
    }
    Ok((laid, rows))
}

/// A key must tell rows apart.
fn check_key(table: &str, source: &workload::Table, rows: &Rows) -> Result<(), LayoutError> {
    if rows.key.parts.contains(&Part::RowNumber) {
        return Ok(());
    }
    let tells_apart = |column: &String| {
        rows.key.parts.iter().any(|part| match part {
            Part::Md5 { field, .. } => field == column,
            part => part.gives_back() == Some(column),
        })
    };
    match source.key.iter().find(|column| !tells_apart(column)) {
        Some(column) => Err(LayoutError::KeyTooShort { table: table.to_owned(), column: column.clone() }),
        None => Ok(()),
    }
}

fn families(
    laid: &design::Table,
    rows: &Rows,
    source: &workload::Table,
    columns: &HashMap<String, usize>,
) -> Result<Vec<LaidFamily>, LayoutError> {
    let key_bytes: f64 = rows.key.parts.iter().map(|part| part_bytes(part, source)).sum();
    let mut families: Vec<LaidFamily> = Vec::new();
    for cells in &rows.cells {
        if !laid.families.iter().any(|family| family.name == cells.family) {
            return Err(LayoutError::NoFamily { table: laid.name.clone(), family: cells.family.clone() });
        }
        for name in &cells.columns {
            let column = columns.get(name).and_then(|index| Some((*index, source.columns.get(*index)?)));
            let Some((index, column)) = column else {
                return Err(LayoutError::NoColumn { table: laid.name.clone(), column: name.clone() });
            };
            let mut column = laid_column(cells, index, column)?;
            column.bytes += CELL_BYTES + key_bytes + (name.len() + cells.family.len()) as f64;
            column.bytes *= 1.0 - source.columns.get(index).and_then(|column| column.nulls).unwrap_or(0.0);
            let at = families.iter().position(|family| family.name == cells.family);
            match at.and_then(|at| families.get_mut(at)) {
                Some(family) if family.column(name).is_some() => {
                    return Err(LayoutError::Twice { family: cells.family.clone(), column: name.clone() });
                }
                Some(family) => family.columns.push(column),
                None => families.push(LaidFamily {
                    name: cells.family.clone(),
                    name_bytes: cells.family.clone().into_bytes().into(),
                    columns: vec![column],
                }),
            }
        }
    }
    let none = || LayoutError::NoFamily { table: laid.name.clone(), family: String::new() };
    if families.is_empty() { Err(none()) } else { Ok(families) }
}

fn laid_column(cells: &Cells, index: usize, column: &Column) -> Result<LaidColumn, LayoutError> {
    let value_type = column.value_type;
    let encoding = cells.encoding.unwrap_or(CellEncoding::default_for(value_type));
    if !encoding.takes(value_type) {
        let source = CellError::WrongType { encoding, value_type };
        return Err(LayoutError::Encoding { column: column.name.clone(), source });
    }
    let bytes = match encoding {
        CellEncoding::I64 | CellEncoding::F64 => 8.0,
        CellEncoding::I32 => 4.0,
        CellEncoding::Text | CellEncoding::Bytes => column.bytes.unwrap_or(VALUE_BYTES),
    };
    let qualifier = column.name.clone().into_bytes().into();
    Ok(LaidColumn { name: column.name.clone(), encoding, index, bytes, qualifier })
}

/// Bytes of a part of the key, roughly.
fn part_bytes(part: &Part, source: &workload::Table) -> f64 {
    match part {
        Part::Const(bytes) => bytes.len() as f64,
        Part::RowNumber => 8.0,
        Part::Md5 { bytes, .. } => bytes.unwrap_or(16) as f64,
        Part::Pad { width, .. } => *width as f64,
        part => match part.gives_back().and_then(|field| source.column(field)) {
            Some(column) if matches!(column.value_type, ValueType::String | ValueType::Bytes) => {
                column.bytes.unwrap_or(VALUE_BYTES)
            }
            Some(_) => VALUE_BYTES,
            None => 1.0,
        },
    }
}

fn descriptor(family: &design::Family) -> Result<FamilyDescriptor, LayoutError> {
    family.descriptor().map_err(|source| LayoutError::Setting { family: family.name.clone(), source })
}

/// The families that the design's plans read of a table.
fn planned(design: &Design, table: &str) -> HashMap<String, Vec<String>> {
    let step = |query: &design::QueryPlan| {
        let step = query.plan.iter().find(|step| step.table == table && !step.families.is_empty())?;
        Some((query.name.clone(), step.families.clone()))
    };
    design.queries.iter().filter_map(step).collect()
}
