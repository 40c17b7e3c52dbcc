//! A layout as a table of a design.

use super::{CellShape, Dimension, SeriesLayout, Span};
use crate::design::{self, Cells, Family, Qualifier, Rows, Setting};
use crate::value::ValueType;
use crate::workload::{self, SequenceKind};

/// The name of the family that readings are in: short, since every cell carries it.
pub const FAMILY: &str = "m";

/// The qualifier of the cell that holds all metrics.
pub const TOGETHER_QUALIFIER: &str = "t";

/// The most versions that HBase counts: as good as no limit.
const MOST_VERSIONS: u64 = i32::MAX as u64;

/// The longest TTL; as HBase takes it, it is none.
const MOST_TTL_S: u64 = i32::MAX as u64;

impl SeriesLayout {
    /// The table that goes into `design.toml`: key, cells, and the settings without which readings would be lost.
    pub fn to_design(&self, table: &workload::Table) -> design::Table {
        let time_type = self.time_type(table).unwrap_or(ValueType::Timestamp);
        design::Table {
            name: table.name.clone(),
            splits: Vec::new(),
            families: vec![Family { name: FAMILY.to_owned(), settings: self.settings(table) }],
            rows: vec![Rows {
                from: self.table.clone(),
                join: Vec::new(),
                key: self.key(time_type),
                cells: vec![self.cells_entry()],
            }],
        }
    }

    pub(super) fn cells_entry(&self) -> Cells {
        let mut cells = Cells {
            family: FAMILY.to_owned(),
            columns: self.metrics.clone(),
            together: self.cells == CellShape::Together,
            ..Cells::default()
        };
        match self.dimension {
            Dimension::Row => {}
            Dimension::Qualifier => cells.qualifier = Some(Qualifier::Offset(self.time.clone())),
            Dimension::Version => cells.version = Some(self.time.clone()),
            Dimension::Packed => cells.pack_by = Some(self.time.clone()),
        }
        cells
    }

    fn settings(&self, table: &workload::Table) -> Vec<(String, Setting)> {
        let integer = |number: u64| Setting::Integer(i64::try_from(number).unwrap_or(i64::MAX));
        let mut settings = vec![("VERSIONS".to_owned(), integer(self.versions()))];
        if let Some(ttl_s) = self.ttl_s(table) {
            settings.push(("TTL".to_owned(), integer(ttl_s)));
        }
        settings
    }

    /// `VERSIONS` of the family: one, or where versions are times as many as a row has times, so that none is dropped.
    pub fn versions(&self) -> u64 {
        match (self.dimension, self.span) {
            (Dimension::Version, Span::Of(width)) => width.min(MOST_VERSIONS),
            (Dimension::Version, _) => MOST_VERSIONS,
            _ => 1,
        }
    }

    /// How far apart the times of a row must lie so that so many versions keep them all: readings whose distance from the
    /// row's beginning is a multiple of it. `None` when no distance is enough.
    pub fn step(&self, versions: u64) -> Option<u64> {
        match (self.dimension, self.span) {
            (Dimension::Version, _) if versions >= MOST_VERSIONS => Some(1),
            (Dimension::Version, Span::Of(width)) if versions > 0 => Some(width.div_ceil(versions)),
            (Dimension::Version, _) => None,
            _ => Some(1),
        }
    }

    /// `TTL` of the family, when the table's rows need not be kept for ever. Where versions count something else than time
    /// a TTL would drop everything at once.
    fn ttl_s(&self, table: &workload::Table) -> Option<u64> {
        if self.dimension == Dimension::Version && !self.versions_are_times(table) {
            return None;
        }
        let retention_ms = table.retention?.as_millis();
        let seconds = u64::try_from(retention_ms.div_ceil(1_000)).ok()?;
        (1..MOST_TTL_S).contains(&seconds).then_some(seconds)
    }

    /// Whether the numbers of readings are milliseconds since 1970, as versions are.
    pub(super) fn versions_are_times(&self, table: &workload::Table) -> bool {
        let has_clock = self.time_type(table).is_ok_and(|time_type| time_type != ValueType::Int);
        self.kind == SequenceKind::Time && has_clock
    }
}
