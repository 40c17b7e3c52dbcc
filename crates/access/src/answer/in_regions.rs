//! Aggregates over all rows of a read, added up inside the regions: only sums travel.
//!
//! A decider says where that means the same as adding up here ([`InRegions::of`]); every aggregate of a column then takes one
//! call, however many rows there are.

use std::sync::Arc;

use bytes::Bytes;
use tablesmith_model::plan::{KeyRange, Which};
use tablesmith_model::value::{CellEncoding, Value, ValueType};
use tablesmith_sql::executable::{Aggregate, Column, Function};
use tablesmith_store::aggregate::{Figures, Number, Partial, RowSet, ValueType as Held, merge};
use tablesmith_store::{Aggregate as Question, Columns, ReadOptions, RowBound, Scan};

use super::error::AnswerError;
use super::operators::{Generated, Input, Row, Total};
use super::read::{Counted, Place};
use crate::layout::Layout;
use crate::records::RecordRead;

/// Aggregates that regions work out.
#[derive(Clone, Debug)]
pub struct InRegions {
    scan: Scan,
    rows: Option<RowSet>,
    /// What rows are seen in, for `COUNT(*)`.
    witness: ReadOptions,
    asks: Vec<Ask>,
}

/// One aggregate.
#[derive(Clone, Debug)]
struct Ask {
    aggregate: Aggregate,
    /// The column's cell and how it holds values; none for `COUNT(*)`.
    cell: Option<(Bytes, Bytes, Held)>,
}

impl InRegions {
    /// The aggregates of all rows of a read, where regions give the same: the read is one of ranges that have no other rows,
    /// every record is a row of the store, and every aggregate is of numbers in cells of their own.
    pub fn of(
        layout: &Layout,
        read: &RecordRead,
        aggregates: &[Aggregate],
        field: &dyn Fn(&Column) -> Option<String>,
    ) -> Option<Self> {
        let Which::Ranges(ranges) = read.which() else { return None };
        if layout.is_wide() || layout.is_mixed || !read.residual_conditions().is_empty() {
            return None;
        }
        let ask = |aggregate: &Aggregate| {
            let cell = match &aggregate.of {
                None => None,
                Some(column) => Some(cell(layout, &field(column)?, column.value_type, aggregate)?),
            };
            (!aggregate.distinct).then(|| Ask { aggregate: aggregate.clone(), cell })
        };
        let asks = aggregates.iter().map(ask).collect::<Option<Vec<_>>>()?;
        let hull = hull(ranges)?;
        let rows = (ranges.len() > 1).then(|| RowSet::of_ranges(ranges.iter().cloned().map(bounds)));
        Some(Self { scan: scan(hull), rows, witness: read.options(), asks })
    }

    /// How it is told.
    pub fn words(&self, table: &str) -> String {
        let asked: Vec<String> = self.asks.iter().map(|ask| ask.aggregate.to_string()).collect();
        format!("aggregate inside the regions of {table}: {}", asked.join(", "))
    }

    /// Calls to the store.
    pub fn calls(&self) -> usize {
        self.asks.len()
    }

    /// The one row of the answer: the aggregates in their order.
    pub fn row(self, place: Place<'_>, counted: Arc<Counted>) -> Input<'_> {
        Box::new(Generated::new(|out| async move {
            let mut row: Row = Vec::with_capacity(self.asks.len());
            for ask in &self.asks {
                let partial = self.partial(place, ask, &counted).await?;
                row.push(answer(ask, &partial)?);
            }
            // Nobody takes it when nobody wants it.
            let _ = out.send(vec![row]).await;
            Ok(())
        }))
    }

    async fn partial(&self, place: Place<'_>, ask: &Ask, counted: &Counted) -> Result<Partial, AnswerError> {
        let (read, held) = match &ask.cell {
            None => (self.witness.clone(), Held::None),
            Some((family, qualifier, held)) => {
                let mut columns = Columns::all();
                columns.add_column(family.clone(), qualifier.clone());
                (ReadOptions { columns, ..ReadOptions::default() }, *held)
            }
        };
        let scan = Scan { read, ..self.scan.clone() };
        let question = Question { rows: self.rows.clone(), ..Question::new(scan, held) };
        let question = question.only(ask.figures());
        let answer = place.store.aggregate(place.name, question).await?;
        let partial = merge(&answer.value).into_values().next().unwrap_or_default();
        counted.add_call(partial.rows.max(partial.cells).max(partial.numbers), answer.value.len() as u64);
        Ok(partial)
    }
}

impl Ask {
    /// What of each region the answer is made of: a store may know that without looking at every cell.
    fn figures(&self) -> Figures {
        match (&self.cell, self.aggregate.function) {
            (None, _) => Figures::ROWS,
            (_, Function::Count) => Figures::CELLS,
            (_, Function::Sum | Function::Avg) => Figures::MEAN,
            (_, Function::Min) => Figures::MIN,
            (_, Function::Max) => Figures::MAX,
        }
    }
}

/// The cell that holds a column alone, with how it holds numbers where these are wanted.
fn cell(
    layout: &Layout,
    field: &str,
    value_type: ValueType,
    aggregate: &Aggregate,
) -> Option<(Bytes, Bytes, Held)> {
    let mut families = layout.families().iter();
    let (family, column) = families.find_map(|family| Some((family, family.column(field)?)))?;
    if column.together.is_some() {
        return None;
    }
    let held = match (aggregate.function, value_type, column.encoding) {
        (Function::Count, ..) => Held::None,
        (_, ValueType::Int, CellEncoding::I64) => Held::I64,
        (_, ValueType::Int, CellEncoding::I32) => Held::I32,
        (_, ValueType::Int, CellEncoding::Text) => Held::Text,
        (_, ValueType::Float, CellEncoding::F64) => Held::F64,
        _ => return None,
    };
    Some((family.name_bytes.clone(), column.qualifier.clone(), held))
}

fn answer(ask: &Ask, partial: &Partial) -> Result<Value, AnswerError> {
    let count = |amount: u64| i64::try_from(amount).unwrap_or(i64::MAX);
    if ask.cell.is_none() {
        return Ok(Value::Int(count(partial.rows)));
    }
    of_numbers(&ask.aggregate, partial)
}

/// An aggregate of numbers that were added up.
pub(super) fn of_numbers(aggregate: &Aggregate, partial: &Partial) -> Result<Value, AnswerError> {
    let count = |amount: u64| i64::try_from(amount).unwrap_or(i64::MAX);
    let total = match partial.sum {
        _ if partial.numbers == 0 => Total::None,
        Number::Int(sum) => Total::Int(sum),
        Number::Float(sum) => Total::Float(sum, 0.0),
    };
    match aggregate.function {
        Function::Count => Ok(Value::Int(count(partial.cells))),
        Function::Sum => total.sum(),
        Function::Avg => Ok(total.mean(count(partial.numbers))),
        Function::Min => Ok(partial.min.map_or(Value::Null, number)),
        Function::Max => Ok(partial.max.map_or(Value::Null, number)),
    }
}

fn number(number: Number) -> Value {
    match number {
        Number::Int(number) => i64::try_from(number).map_or(Value::Float(number as f64), Value::Int),
        Number::Float(number) => Value::Float(number),
    }
}

/// From the first range to the last.
fn hull(ranges: &[KeyRange]) -> Option<KeyRange> {
    let start = ranges.iter().map(|range| &range.start).min()?.clone();
    let end = match ranges.iter().any(|range| range.end.is_none()) {
        true => None,
        false => ranges.iter().filter_map(|range| range.end.clone()).max(),
    };
    Some(KeyRange { start, end })
}

fn bounds(range: KeyRange) -> std::ops::Range<Bytes> {
    range.start.into()..range.end.unwrap_or_default().into()
}

fn scan(range: KeyRange) -> Scan {
    let start = if range.start.is_empty() { RowBound::Open } else { RowBound::Included(range.start.into()) };
    let stop = range.end.map_or(RowBound::Open, |end| RowBound::Excluded(end.into()));
    Scan { start, stop, ..Scan::default() }
}
