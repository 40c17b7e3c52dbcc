//! What is written for a call: cells of rows whose keys are known.

use tablesmith_model::key::Part;
use tablesmith_model::plan::{Change, Condition, RowWrite, Test, Which};
use tablesmith_model::value::Value;

use super::reads::equality;
use super::{Planner, keys};
use crate::call::KeyedRow;
use crate::error::PlanError;
use crate::row_writes::{WholeRow, some_columns, whole_row};

impl Planner<'_> {
    /// A new row. What the statement does not name is null.
    pub fn insert(&self, row: &[(String, Value)]) -> Result<RowWrite, PlanError> {
        let mut values = vec![Value::Null; self.layout.source().columns.len()];
        for (column, value) in row {
            let place = self.layout.columns.get(column).and_then(|index| values.get_mut(*index));
            if let Some(place) = place {
                place.clone_from(value);
            }
        }
        let number = if self.layout.numbers_rows() { self.layout.next_row_number() } else { 0 };
        let mut input = WholeRow::new(self.layout, &values, number);
        let key = self.layout.codec.encode(&mut input).map_err(|error| self.key_error(error))?;
        let cells = whole_row(self.layout, &values).map_err(|error| self.cell_error(error))?;
        Ok(RowWrite { key, change: Change::Cells(cells) })
    }

    /// Sets columns of rows that conditions name by their keys. As in HBase, a row that is not there comes to be.
    pub fn update(
        &self,
        set: &[(String, Value)],
        conditions: &[Condition],
    ) -> Result<Vec<RowWrite>, PlanError> {
        let made_of =
            |column: &String| self.layout.key.parts.iter().any(|part| part.fields().contains(column));
        if let Some((column, _)) = set.iter().find(|(column, _)| made_of(column)) {
            let (design, query) = self.names();
            return Err(PlanError::MovesRow { design, query, column: column.clone() });
        }
        let cells = some_columns(self.layout, set).map_err(|error| self.cell_error(error))?;
        if let Some((column, _)) =
            set.iter().find(|(column, _)| !cells.iter().any(|cell| cell.qualifier == *column))
        {
            let (design, query) = self.names();
            let place = "its families".to_owned();
            return Err(PlanError::Uncovered { design, query, column: column.clone(), place });
        }
        let write = |key| RowWrite { key, change: Change::Cells(cells.clone()) };
        Ok(self.keys(conditions)?.into_iter().map(write).collect())
    }

    /// Removes rows that conditions name by their keys.
    pub fn delete(&self, conditions: &[Condition]) -> Result<Vec<RowWrite>, PlanError> {
        let write = |key| RowWrite { key, change: Change::Remove };
        Ok(self.keys(conditions)?.into_iter().map(write).collect())
    }

    /// Sets columns of rows that are known by the table's key. What is set and is part of the key stays as it is.
    pub fn set_by_key(&self, rows: &[KeyedRow]) -> Result<Vec<RowWrite>, PlanError> {
        let mut writes = Vec::new();
        for row in rows {
            let conditions: Vec<Condition> = row.key.iter().map(equality).collect();
            let of_key = |column: &String| row.key.iter().any(|(key, _)| key == column);
            let set: Vec<(String, Value)> =
                row.set.iter().filter(|(column, _)| !of_key(column)).cloned().collect();
            if !set.is_empty() {
                writes.extend(self.update(&set, &conditions)?);
            }
        }
        Ok(writes)
    }

    /// The keys of the rows that meet conditions, when the conditions say no less and no more.
    fn keys(&self, conditions: &[Condition]) -> Result<Vec<Vec<u8>>, PlanError> {
        let not_known = |why: String| {
            let (design, query) = self.names();
            PlanError::KeyNotKnown { design, query, why }
        };
        let found = keys::find(self.layout.row_keys(), conditions).map_err(|error| self.key_error(error))?;
        let is_spread = self.layout.key.parts.iter().any(|part| {
            part.prefixes().is_some() && part.fields().iter().any(|field| !has_value(field, conditions))
                || matches!(part, Part::Random(_) | Part::Md5LineMod(_))
        });
        match found.which {
            Which::Keys(_) if is_spread => Err(not_known("its prefix is not known".to_owned())),
            Which::Keys(keys) => {
                let fixes_key = |condition: &&Condition| {
                    let mut parts = self.layout.key.parts.iter();
                    names_values(condition) && parts.any(|part| part.fields().contains(&condition.column))
                };
                match conditions.iter().find(|condition| !fixes_key(condition)) {
                    Some(other) => Err(not_known(format!("the condition {other} names no value of it"))),
                    None => Ok(keys),
                }
            }
            Which::Ranges(_) | Which::Strands(_) => Err(not_known("not all of it is said".to_owned())),
        }
    }
}

fn has_value(column: &str, conditions: &[Condition]) -> bool {
    conditions.iter().any(|condition| condition.column == column && names_values(condition))
}

/// Whether a condition says which values there may be, one by one.
fn names_values(condition: &Condition) -> bool {
    matches!(condition.test, Test::In(_) | Test::IsNull)
}
