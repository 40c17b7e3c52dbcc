//! Values for the parameters of a statement, drawn from rows of the data.

use std::collections::BTreeMap;

use tablesmith_model::value::Value;
use tablesmith_model::workload::{RANGE_SHARE, Workload};
use tablesmith_sql::executable::{Parameter, ParameterColumn, Parameters};

use super::sample::Samples;

/// So often another row is drawn when one has no value where one is needed: nothing is found by null.
const TRIES: usize = 20;
/// Rows that a LIMIT asks for when a parameter says how many.
const LIMIT_ROWS: i64 = 20;

/// What values are drawn for.
pub(super) struct Drawing<'d> {
    pub workload: &'d Workload,
    /// Rows that an execution of the query touches, where the workload says so.
    pub rows: Option<u64>,
}

/// Parameters of one row of one table: their values belong together.
type RowParameters<'p> = Vec<(&'p str, &'p ParameterColumn)>;

impl Drawing<'_> {
    /// Values for all parameters, and what was drawn, for people. Those of the same source come from one row; several
    /// on one column are the ends of a range.
    pub fn values(
        &self,
        parameters: &[Parameter],
        samples: &mut Samples<'_>,
        random: &mut fastrand::Rng,
    ) -> Result<(Parameters, String), String> {
        let (mut values, mut drawn) = (Parameters::none(), Vec::new());
        let mut by_row: BTreeMap<(usize, usize), RowParameters<'_>> = BTreeMap::new();
        for Parameter { name, column } in parameters {
            match column {
                Some(column) => by_row.entry((column.source, column.row)).or_default().push((name, column)),
                None => values = values.with(name, Value::Int(LIMIT_ROWS)),
            }
        }
        for parameters in by_row.into_values() {
            for (name, column, value) in self.of_one_row(&parameters, samples, random)? {
                drawn.push(format!("{column} = {value}"));
                values = values.with(name, value);
            }
        }
        Ok((values, drawn.join(", ")))
    }

    fn of_one_row<'p>(
        &self,
        parameters: &RowParameters<'p>,
        samples: &mut Samples<'_>,
        random: &mut fastrand::Rng,
    ) -> Result<Vec<(&'p str, &'p str, Value)>, String> {
        let Some((_, ParameterColumn { table: name, .. })) = parameters.first() else {
            return Ok(Vec::new());
        };
        let table = self.workload.table(name).ok_or_else(|| format!("the workload has no table {name:?}"))?;
        let sample = samples.of(table)?;
        let places: Vec<usize> =
            parameters.iter().filter_map(|(_, column)| table.column_index(&column.column)).collect();
        let no_data = || format!("the data of the table {name:?} has no row to draw values from");
        let mut row = sample.row(random).ok_or_else(no_data)?;
        for _ in 0..TRIES {
            if places.iter().all(|at| row.get(*at).is_some_and(|value| !value.is_null())) {
                break;
            }
            row = sample.row(random).ok_or_else(no_data)?;
        }
        let share = match (self.rows, table.rows) {
            (Some(rows), Some(all)) if all > 0 => (rows as f64 / all as f64).min(1.0),
            _ => RANGE_SHARE,
        };
        let mut seen: Vec<usize> = Vec::new();
        let mut values = Vec::with_capacity(parameters.len());
        for ((name, column), at) in parameters.iter().zip(places) {
            let own = row.get(at).cloned().unwrap_or(Value::Null);
            let value = match seen.contains(&at) {
                true => sample.value_after(at, &own, share).unwrap_or(own),
                false => own,
            };
            seen.push(at);
            values.push((*name, column.column.as_str(), value));
        }
        Ok(values)
    }
}
