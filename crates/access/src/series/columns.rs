//! The metrics of a layout with their types, and the bytes of their cells.

use bytes::Bytes;
use tablesmith_model::series::offset::Offsets;
use tablesmith_model::series::{
    CellShape, Dimension, Reading, SeriesLayout, TOGETHER_QUALIFIER, entry, single,
};
use tablesmith_model::value::{CellEncoding, Value, ValueType};
use tablesmith_model::workload::Table;

use super::SeriesError;

/// One metric.
#[derive(Clone, Debug)]
pub(crate) struct Metric {
    pub name: String,
    pub qualifier: Bytes,
    pub encoding: CellEncoding,
    pub value_type: ValueType,
}

/// The cells of a layout.
#[derive(Clone, Debug)]
pub(crate) struct Columns {
    pub family: Bytes,
    pub metrics: Vec<Metric>,
    /// The encodings of all metrics, as entries need them.
    pub encodings: Vec<CellEncoding>,
    pub dimension: Dimension,
    pub shape: CellShape,
    pub offsets: Offsets,
    pub together: Bytes,
}

impl Columns {
    pub fn new(layout: &SeriesLayout, table: &Table, family: &str, time_type: ValueType) -> Self {
        let metric = |name: &String| {
            let value_type = table.column(name).map_or(ValueType::Bytes, |column| column.value_type);
            let encoding = CellEncoding::default_for(value_type);
            Metric { name: name.clone(), qualifier: name.clone().into_bytes().into(), encoding, value_type }
        };
        let metrics: Vec<Metric> = layout.metrics.iter().map(metric).collect();
        Self {
            family: family.as_bytes().to_vec().into(),
            encodings: metrics.iter().map(|metric| metric.encoding).collect(),
            metrics,
            dimension: layout.dimension,
            shape: layout.cells,
            offsets: Offsets::new(layout.span, time_type),
            together: Bytes::from_static(TOGETHER_QUALIFIER.as_bytes()),
        }
    }

    /// The places of metrics by name; all when none is named.
    pub fn select(&self, names: &[String]) -> Result<Vec<usize>, SeriesError> {
        if names.is_empty() {
            return Ok((0..self.metrics.len()).collect());
        }
        let place = |name: &String| {
            let known =
                || self.metrics.iter().map(|metric| metric.name.as_str()).collect::<Vec<_>>().join(", ");
            let place = self.metrics.iter().position(|metric| metric.name == *name);
            place.ok_or_else(|| SeriesError::NoMetric { metric: name.clone(), known: known() })
        };
        names.iter().map(place).collect()
    }

    /// The cells of a reading, apart from where its time goes: the qualifier and the bytes.
    pub fn cells(&self, reading: &Reading) -> Result<Vec<(Bytes, Vec<u8>)>, SeriesError> {
        match self.shape {
            CellShape::Together => Ok(vec![(self.together.clone(), self.entry(reading)?)]),
            CellShape::EachMetric => {
                let metrics = self.metrics.iter().zip(&reading.metrics);
                let cell = |(metric, value): (&Metric, &Value)| {
                    let bytes = single::encode(metric.encoding, value);
                    bytes
                        .map(|bytes| (metric.qualifier.clone(), bytes))
                        .map_err(|source| metric.refuses(source))
                };
                metrics.map(cell).collect()
            }
        }
    }

    fn entry(&self, reading: &Reading) -> Result<Vec<u8>, SeriesError> {
        if reading.is_empty() {
            return Ok(entry::NOTHING.to_vec());
        }
        let mut bytes = Vec::new();
        entry::write(&self.encodings, &self.values(reading)?, &mut bytes);
        Ok(bytes)
    }

    /// The bytes of each metric, `None` for null.
    pub fn values(&self, reading: &Reading) -> Result<Vec<Option<Vec<u8>>>, SeriesError> {
        let metrics = self.metrics.iter().zip(&reading.metrics);
        metrics
            .map(|(metric, value)| metric.encoding.encode(value).map_err(|source| metric.refuses(source)))
            .collect()
    }
}

impl Metric {
    pub fn refuses(&self, source: tablesmith_model::value::CellError) -> SeriesError {
        SeriesError::Cell { metric: self.name.clone(), source }
    }
}
