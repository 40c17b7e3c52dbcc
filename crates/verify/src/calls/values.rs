//! Values for the places of a question.

use tablesmith_access::{Call, Question, Slot};
use tablesmith_model::value::{Value, from_sql_literal};
use tablesmith_model::workload::Table;

use super::sample::{Sample, Samples};

/// So often another row is drawn when one has no value where one is wanted: nothing is found by null.
const TRIES: usize = 20;

/// Draws the values of a call from rows of the data: those of one row belong together. Literals that stand in the
/// question's own text stay. The second is what was drawn, for people.
pub(super) fn drawn(
    question: &Question,
    table: &Table,
    samples: &mut Samples<'_>,
    random: &mut fastrand::Rng,
) -> Result<(Call, String), String> {
    let wants_rows = question.slots().iter().any(|slot| slot.literal.as_deref().is_none_or(is_parameter));
    let sample = if wants_rows { Some(samples.of(table)?) } else { None };
    let mut rows = Rows { table, sample, random, drawn: Vec::new() };
    let mut values = Vec::with_capacity(question.slots().len());
    let mut told = Vec::new();
    for slot in question.slots() {
        let value = match &slot.literal {
            Some(literal) if !is_parameter(literal) => literal_value(slot, literal, table)?,
            _ => {
                let value = rows.value(slot, question)?;
                told.push(format!("{} = {value}", slot.column.as_deref().unwrap_or("row")));
                value
            }
        };
        values.push(value);
    }
    let call = question.bind_values(&values).map_err(|error| error.to_string())?;
    Ok((call, told.join(", ")))
}

/// A place for a value, as drivers write it.
pub(super) fn is_parameter(literal: &str) -> bool {
    literal.starts_with(['?', '$', ':', '@', '%'])
}

fn literal_value(slot: &Slot, literal: &str, table: &Table) -> Result<Value, String> {
    match slot.column.as_deref().and_then(|column| table.column(column)) {
        Some(column) => from_sql_literal(column.value_type, literal).map_err(|error| error.to_string()),
        // A limit, or what takes no part in the call.
        None => Ok(literal.trim().parse().map_or(Value::Null, Value::Int)),
    }
}

/// The rows that the values of one call come from.
struct Rows<'a> {
    table: &'a Table,
    sample: Option<&'a Sample>,
    random: &'a mut fastrand::Rng,
    /// By the number that slots give them.
    drawn: Vec<(usize, Vec<Value>)>,
}

impl Rows<'_> {
    fn value(&mut self, slot: &Slot, question: &Question) -> Result<Value, String> {
        let no_data =
            || format!("the data of the table {:?} has no row to draw values from", question.table());
        let Some(column) = &slot.column else {
            // A limit is a parameter of the text; a place in a table without a key is not.
            return match slot.literal {
                Some(_) => Ok(Value::Null),
                None => {
                    let number = self.sample.and_then(|sample| sample.row_number(self.random));
                    number.map(|number| Value::Int(number as i64)).ok_or_else(no_data)
                }
            };
        };
        let Some(at) = self.table.column_index(column) else { return Ok(Value::Null) };
        let known = self.drawn.iter().find(|(row, _)| *row == slot.row);
        let values = match known {
            Some((_, values)) => values,
            None => {
                let wanted: Vec<usize> = question
                    .slots()
                    .iter()
                    .filter(|other| other.row == slot.row)
                    .filter_map(|other| self.table.column_index(other.column.as_deref()?))
                    .collect();
                let values = self.draw(&wanted).ok_or_else(no_data)?;
                self.drawn.push((slot.row, values));
                self.drawn.last().map(|(_, values)| values).ok_or_else(no_data)?
            }
        };
        Ok(values.get(at).cloned().unwrap_or(Value::Null))
    }

    /// A row that has values in these columns, if one comes soon.
    fn draw(&mut self, wanted: &[usize]) -> Option<Vec<Value>> {
        let sample = self.sample?;
        let mut row = sample.row(self.random)?;
        for _ in 0..TRIES {
            if wanted.iter().all(|at| row.get(*at).is_some_and(|value| !value.is_null())) {
                break;
            }
            row = sample.row(self.random)?;
        }
        Some(row.to_vec())
    }
}
