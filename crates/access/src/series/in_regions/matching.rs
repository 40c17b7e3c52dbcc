//! Who has a metric at one time that compares so.

use std::cmp::Ordering;

use tablesmith_model::TableName;
use tablesmith_model::series::{CellShape, Dimension};
use tablesmith_model::value::{CellEncoding, Value};
use tablesmith_store::filter::{Comparator, CompareOp, ListOp};
use tablesmith_store::{Answer, Filter, Scan, Select, Store};

use super::{Worked, worked};
use crate::series::window::Window;
use crate::series::{Entities, RangeQuery, Series, SeriesError, tall, versions};

/// A metric at one time, compared with a value.
#[derive(Clone, Debug, PartialEq)]
pub struct MatchQuery {
    /// The time.
    pub at: i64,
    /// The metric.
    pub metric: String,
    /// How it must compare with the value.
    pub op: CompareOp,
    /// The value.
    pub value: Value,
}

/// Who was found, and who looked.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Matched {
    /// The entities, in the order of the rows.
    pub entities: Vec<Vec<Value>>,
    /// The regions that found any; none where readings were looked at here.
    pub regions: Vec<Worked>,
}

impl Series {
    /// Who has a value of a metric at one time that compares so with another. Null compares with nothing.
    pub async fn matching(
        &self,
        store: &dyn Store,
        name: &TableName,
        query: &MatchQuery,
    ) -> Result<Answer<Matched>, SeriesError> {
        let index =
            self.columns.select(std::slice::from_ref(&query.metric))?.first().copied().unwrap_or_default();
        let window = Window::new(query.at, query.at.saturating_add(1), self.keys.time_type);
        let Some(window) = window else { return Ok(Answer::uncounted(Matched::default())) };
        let Some(select) = self.select_matching(index, window, query)? else {
            return self.match_readings(store, name, query).await;
        };
        let Answer { value: regions, stats } = store.select(name, select).await?;
        let rows = regions.iter().flat_map(|region| &region.rows);
        let entity = |row| self.keys.read(row, self.layout.span).map(|id| id.entity);
        let entities = rows.map(|row| entity(row)).collect::<Result<_, _>>()?;
        Ok(Answer { value: Matched { entities, regions: worked(&regions).collect() }, stats })
    }

    /// What regions look for, where rows of the time lie together and bytes compare as values do.
    fn select_matching(
        &self,
        index: usize,
        window: Window,
        query: &MatchQuery,
    ) -> Result<Option<Select>, SeriesError> {
        let Some(metric) = self.columns.metrics.get(index) else { return Ok(None) };
        let filter = rises_above(metric.encoding, query.op, &query.value);
        let (Some(filter), CellShape::EachMetric) = (filter, self.columns.shape) else { return Ok(None) };
        let read = match self.layout.dimension {
            Dimension::Version => versions::options(&self.columns, &[index], window),
            Dimension::Row if self.keys.is_time_first() => Some(tall::options(&self.columns, &[index])),
            Dimension::Row | Dimension::Qualifier | Dimension::Packed => None,
        };
        let Some(mut read) = read else { return Ok(None) };
        read.filter = Some(filter);
        let rows = self.rows_in(self.shape(), &Entities::All, window)?.filter(|rows| rows.rows.is_none());
        Ok(rows.map(|rows| Select::any(Scan { read, ..rows.scan })))
    }

    async fn match_readings(
        &self,
        store: &dyn Store,
        name: &TableName,
        query: &MatchQuery,
    ) -> Result<Answer<Matched>, SeriesError> {
        let range = RangeQuery::all(query.at, query.at.saturating_add(1)).metrics([query.metric.as_str()]);
        let mut readings = self.range(store, name, &range).await?;
        let mut entities = Vec::new();
        loop {
            let portion = readings.next().await?;
            if portion.is_empty() {
                let stats = readings.stats();
                return Ok(Answer { value: Matched { entities, regions: Vec::new() }, stats });
            }
            let fits =
                |value: Option<&Value>| value.is_some_and(|value| compares(value, query.op, &query.value));
            entities
                .extend(portion.into_iter().filter(|one| fits(one.metrics.first())).map(|one| one.entity));
        }
    }
}

/// A filter for numbers above another that is not negative: their bytes rise as they do. Negative numbers, numbers that are
/// none and cells that hold nothing come after all these.
fn rises_above(encoding: CellEncoding, op: CompareOp, than: &Value) -> Option<Filter> {
    let is_above = matches!(op, CompareOp::Greater | CompareOp::GreaterOrEqual);
    let is_positive = match than {
        Value::Float(number) => number.is_sign_positive() && !number.is_nan(),
        Value::Int(number) => *number >= 0,
        _ => false,
    };
    let greatest = match encoding {
        CellEncoding::F64 => f64::INFINITY.to_be_bytes().to_vec(),
        CellEncoding::I64 => i64::MAX.to_be_bytes().to_vec(),
        CellEncoding::I32 => i32::MAX.to_be_bytes().to_vec(),
        CellEncoding::Text | CellEncoding::Bytes => return None,
    };
    let than = encoding.encode(than).ok().flatten().filter(|_| is_above && is_positive)?;
    let value = |op, bytes: Vec<u8>| Filter::Value(op, Comparator::Binary(bytes.into()));
    Some(Filter::List(ListOp::All, vec![value(op, than), value(CompareOp::LessOrEqual, greatest)]))
}

/// Whether a value compares so with another of its type.
fn compares(value: &Value, op: CompareOp, than: &Value) -> bool {
    let order = match (value, than) {
        (Value::Null, _) | (_, Value::Null) => None,
        (Value::Float(one), Value::Float(other)) => one.partial_cmp(other),
        (one, other) if one.value_type() == other.value_type() => Some(one.cmp(other)),
        _ => None,
    };
    match (op, order) {
        (_, None) | (CompareOp::NoOp, _) => false,
        (CompareOp::Less, Some(order)) => order == Ordering::Less,
        (CompareOp::LessOrEqual, Some(order)) => order != Ordering::Greater,
        (CompareOp::Equal, Some(order)) => order == Ordering::Equal,
        (CompareOp::NotEqual, Some(order)) => order != Ordering::Equal,
        (CompareOp::GreaterOrEqual, Some(order)) => order != Ordering::Less,
        (CompareOp::Greater, Some(order)) => order == Ordering::Greater,
    }
}
