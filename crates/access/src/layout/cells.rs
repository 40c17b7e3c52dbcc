//! The families of a layout, and the columns in their cells.

use std::collections::HashMap;
use std::sync::Arc;

use bytes::Bytes;
use tablesmith_model::design::{self, Cells, Rows};
use tablesmith_model::key::Part;
use tablesmith_model::value::{CellEncoding, CellError, ValueType};
use tablesmith_model::workload::{self, Column};

use super::wide;
use super::{LaidColumn, LaidFamily, Together};
use crate::error::LayoutError;

/// Bytes of a value as text where the workload does not know.
const VALUE_BYTES: f64 = 8.0;
/// Bytes of a cell that are neither key, names nor value: lengths, timestamp, kind.
const CELL_BYTES: f64 = 20.0;

/// What the cells of an entry are made of.
pub(super) struct Making<'m> {
    pub laid: &'m design::Table,
    pub rows: &'m Rows,
    pub source: &'m workload::Table,
    pub columns: &'m HashMap<String, usize>,
}

impl Making<'_> {
    /// The families, with what lies in them.
    pub fn families(&self) -> Result<Vec<LaidFamily>, LayoutError> {
        let mut families: Vec<LaidFamily> = Vec::new();
        for cells in &self.rows.cells {
            if !self.laid.families.iter().any(|family| family.name == cells.family) {
                return Err(self.no_family(&cells.family));
            }
            let at = match families.iter().position(|family| family.name == cells.family) {
                Some(_) if cells.qualifier.is_some() => {
                    let reason = format!("it has two entries of `cells` in the family {:?}", cells.family);
                    return Err(LayoutError::Wide { table: self.laid.name.clone(), reason });
                }
                Some(at) => at,
                None => {
                    families.push(LaidFamily::new(&cells.family));
                    families.len() - 1
                }
            };
            let Some(family) = families.get_mut(at) else { continue };
            for column in self.columns_of(cells)? {
                if family.column(&column.name).is_some() {
                    return Err(LayoutError::Twice { family: cells.family.clone(), column: column.name });
                }
                family.columns.push(column);
            }
        }
        match families.is_empty() {
            true => Err(LayoutError::NoCells { from: self.rows.from.clone(), table: self.laid.name.clone() }),
            false => Ok(families),
        }
    }

    fn no_family(&self, family: &str) -> LayoutError {
        LayoutError::NoFamily { table: self.laid.name.clone(), family: family.to_owned() }
    }

    /// The columns of one entry of `cells`.
    fn columns_of(&self, cells: &Cells) -> Result<Vec<LaidColumn>, LayoutError> {
        let names = match cells.qualifier {
            Some(_) => wide::held(&self.laid.name, cells)?,
            None => cells.columns.iter().collect(),
        };
        let mut columns = names.iter().map(|name| self.column(cells, name)).collect::<Result<Vec<_>, _>>()?;
        if cells.together {
            let encodings: Arc<[CellEncoding]> = columns.iter().map(|column| column.encoding).collect();
            let first = columns.first().map(|column| column.qualifier.clone()).unwrap_or_default();
            for (at, column) in columns.iter_mut().enumerate() {
                column.together = Some(Together { encodings: encodings.clone(), at });
                column.qualifier = first.clone();
            }
        }
        if cells.qualifier.is_some() {
            columns.iter_mut().for_each(|column| column.qualifier = Bytes::new());
        }
        Ok(columns)
    }

    fn column(&self, cells: &Cells, name: &str) -> Result<LaidColumn, LayoutError> {
        let found = self.columns.get(name).and_then(|index| Some((*index, self.source.columns.get(*index)?)));
        let Some((index, column)) = found else {
            return Err(LayoutError::NoColumn { table: self.laid.name.clone(), column: name.to_owned() });
        };
        let key_bytes: f64 = self.rows.key.parts.iter().map(|part| part_bytes(part, self.source)).sum();
        let mut laid = laid_column(cells, index, column)?;
        laid.bytes += CELL_BYTES + key_bytes + (name.len() + cells.family.len()) as f64;
        laid.bytes *= 1.0 - column.nulls.unwrap_or(0.0);
        Ok(laid)
    }
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
    Ok(LaidColumn { name: column.name.clone(), encoding, index, bytes, qualifier, together: None })
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
