//! What is taken of data where nobody counted it, for deciders and the planner alike.

use super::Workload;
use crate::value::ValueType;

/// Rows of a table of which nobody said how many it has.
pub const ROWS_ASSUMED: u64 = 1_000_000;

impl Workload {
    /// The workload with the number of rows and of different values filled in where they follow from something else: a
    /// column that is the key has as many values as there are rows, one that points to another table at most as many as
    /// that has rows.
    pub fn with_assumptions(&self) -> Self {
        let mut filled = self.clone();
        for table in &mut filled.tables {
            let rows = *table.rows.get_or_insert(ROWS_ASSUMED);
            let key = table.key.clone();
            for column in &mut table.columns {
                let points = table.references.iter().find(|reference| reference.column == column.name);
                let target = points.and_then(|reference| self.table(&reference.table));
                let inferred = if key == [column.name.clone()] {
                    Some(rows)
                } else if let Some(target) = target {
                    Some(target.rows.unwrap_or(ROWS_ASSUMED).min(rows))
                } else if key.contains(&column.name) {
                    Some((rows as f64).powf(1.0 / key.len() as f64).ceil() as u64)
                } else if column.value_type == ValueType::Bool {
                    Some(2)
                } else {
                    None
                };
                column.distinct = column.distinct.or(inferred).map(|distinct| distinct.clamp(1, rows.max(1)));
            }
        }
        filled
    }
}
