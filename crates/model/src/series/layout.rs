//! How the readings of a table are laid out.

use super::{CellShape, Dimension, KeyOrder, SeriesLayoutError, Span, time};
use crate::workload::{SequenceKind, Table};

/// How the readings of a table are laid out.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct SeriesLayout {
    /// The table of the workload.
    pub table: String,
    /// The columns that say whose reading it is.
    pub entity: Vec<String>,
    /// The column that orders readings.
    pub time: String,
    /// What the order is by.
    pub kind: SequenceKind,
    /// The columns that are read, in the order of a [`super::Reading`]'s values.
    pub metrics: Vec<String>,
    /// Where the time goes.
    pub dimension: Dimension,
    /// How much one row holds.
    pub span: Span,
    /// How the key is built.
    pub order: KeyOrder,
    /// Which metrics are in one cell.
    pub cells: CellShape,
}

impl SeriesLayout {
    /// The plainest layout of a table: a row a reading, by entity and time, a cell a metric. Every column that is neither
    /// entity nor time is a metric. An error when the table has no sequence.
    pub fn tall(table: &Table) -> Result<Self, SeriesLayoutError> {
        let Some(sequence) = &table.time else {
            return Err(SeriesLayoutError::NoSequence { table: table.name.clone() });
        };
        let is_metric = |name: &String| *name != sequence.column && !sequence.entity.contains(name);
        let names = table.columns.iter().map(|column| column.name.clone());
        let layout = Self {
            table: table.name.clone(),
            entity: sequence.entity.clone(),
            time: sequence.column.clone(),
            kind: sequence.kind,
            metrics: names.filter(is_metric).collect(),
            dimension: Dimension::Row,
            span: Span::Each,
            order: KeyOrder::EntityTime,
            cells: CellShape::EachMetric,
        };
        layout.check(table).map(|()| layout)
    }

    /// A short name, different for each layout of a table: `versions/1d/entity-time/each`.
    pub fn name(&self) -> String {
        let (span, cells) = (self.span.name(self.kind), self.cells.name());
        format!("{}/{span}/{}/{cells}", self.dimension.name(), self.order)
    }

    /// Whether the layout makes sense for its table.
    pub fn check(&self, table: &Table) -> Result<(), SeriesLayoutError> {
        self.check_columns(table)?;
        let layout = || self.name();
        if (self.dimension == Dimension::Row) != (self.span == Span::Each) {
            return Err(SeriesLayoutError::SpanOfDimension { layout: layout() });
        }
        if self.span == Span::Unbounded && self.order.is_time_first() {
            return Err(SeriesLayoutError::TimeFirstWithoutSpan { layout: layout() });
        }
        if self.order.buckets() == Some(0) {
            return Err(SeriesLayoutError::NoBuckets { layout: layout() });
        }
        match self.span.width() {
            Some(width) if !time::takes_span(self.time_type(table)?, width) => {
                Err(SeriesLayoutError::BadSpan { layout: layout(), column: self.time.clone() })
            }
            _ => Ok(()),
        }
    }

    fn check_columns(&self, table: &Table) -> Result<(), SeriesLayoutError> {
        for name in self.entity.iter().chain([&self.time]).chain(&self.metrics) {
            if table.column(name).is_none() {
                return Err(SeriesLayoutError::NoColumn { table: table.name.clone(), column: name.clone() });
            }
        }
        if self.entity.is_empty() {
            return Err(SeriesLayoutError::NoEntity { table: table.name.clone() });
        }
        if self.metrics.is_empty() {
            return Err(SeriesLayoutError::NoMetrics { table: table.name.clone() });
        }
        let all: Vec<&String> = self.entity.iter().chain([&self.time]).chain(&self.metrics).collect();
        let twice =
            all.iter().enumerate().find(|(at, name)| all.iter().skip(at + 1).any(|other| other == *name));
        if let Some((_, name)) = twice {
            return Err(SeriesLayoutError::Twice { table: table.name.clone(), column: (*name).clone() });
        }
        self.time_type(table).map(|_| ())
    }

    /// The type of the column that orders readings.
    pub(super) fn time_type(&self, table: &Table) -> Result<crate::value::ValueType, SeriesLayoutError> {
        let column = table.column(&self.time).ok_or_else(|| SeriesLayoutError::NoColumn {
            table: table.name.clone(),
            column: self.time.clone(),
        })?;
        match time::orders(column.value_type) {
            true => Ok(column.value_type),
            false => {
                Err(SeriesLayoutError::NoTime { column: self.time.clone(), value_type: column.value_type })
            }
        }
    }
}
