//! How the rows of a table lie in a design: as rows, or as readings over time.

use tablesmith_access::series::{Series, SeriesError};
use tablesmith_access::{AccessError, Call, LaidFamily, Layout, LayoutError, PlanError, plan};
use tablesmith_model::design::{self, Design, Qualifier};
use tablesmith_model::evidence::FamilyShape;
use tablesmith_model::workload::{Table, Workload};
use tablesmith_store::StoreError;

/// How the rows of a table lie in a design.
#[derive(Clone, Debug)]
#[expect(clippy::large_enum_variant, reason = "there is one for each table that is measured")]
pub enum Laid {
    /// A row of the table is a row of the store.
    Rows(Layout),
    /// A row of the table is a reading, and a row of the store has many.
    Readings(LaidReadings),
}

/// Readings in a design.
#[derive(Clone, Debug)]
pub struct LaidReadings {
    /// Their layout.
    pub series: Series,
    /// The table of the design.
    pub table: design::Table,
    /// The table of the workload.
    pub source: Table,
    /// What the design is called.
    pub design: String,
}

/// Why a table is not laid out, not loaded, or a call not answered.
#[derive(Debug, thiserror::Error)]
pub enum LaidError {
    /// The design does not have the rows of the table.
    #[error(transparent)]
    Layout(#[from] LayoutError),
    /// A call has no plan.
    #[error(transparent)]
    Plan(#[from] PlanError),
    /// Work on rows failed.
    #[error(transparent)]
    Rows(#[from] AccessError),
    /// Work on readings failed.
    #[error(transparent)]
    Readings(#[from] SeriesError),
}

impl LaidError {
    /// What the store said, if it is the store.
    pub fn into_store(self) -> Result<StoreError, Self> {
        match self {
            Self::Rows(AccessError::Store(error)) | Self::Readings(SeriesError::Store(error)) => Ok(error),
            error => Err(error),
        }
    }
}

impl From<StoreError> for LaidError {
    fn from(error: StoreError) -> Self {
        Self::Rows(error.into())
    }
}

impl From<Layout> for Laid {
    fn from(layout: Layout) -> Self {
        Self::Rows(layout)
    }
}

impl Laid {
    /// How the rows of a table lie in a design of this name.
    pub fn of(workload: &Workload, design: &Design, name: &str, table: &str) -> Result<Self, LaidError> {
        let laid = design.tables.iter().find(|laid| has_readings(laid, table));
        match (workload.table(table), laid) {
            (Some(source), Some(laid)) => Ok(Self::Readings(LaidReadings {
                series: Series::of_design(laid, source)?,
                table: laid.clone(),
                source: source.clone(),
                design: name.to_owned(),
            })),
            _ => Ok(Self::Rows(Layout::of(workload, design, table)?.named(name))),
        }
    }

    /// The table of the workload.
    pub fn source(&self) -> &Table {
        match self {
            Self::Rows(layout) => layout.source(),
            Self::Readings(readings) => &readings.source,
        }
    }

    /// What the design is called.
    pub fn design(&self) -> &str {
        match self {
            Self::Rows(layout) => layout.design(),
            Self::Readings(readings) => &readings.design,
        }
    }

    /// Whether a call is answered.
    pub fn check(&self, call: &Call) -> Result<(), LaidError> {
        match self {
            Self::Rows(layout) => Ok(plan(layout, call).map(|_| ())?),
            Self::Readings(readings) => Ok(readings.series.check_call(call)?),
        }
    }

    /// The families, with what a row has in them.
    pub fn families(&self) -> Vec<FamilyShape> {
        match self {
            Self::Rows(layout) => {
                let shape = |family: &LaidFamily| FamilyShape {
                    name: family.name.clone(),
                    columns: family.columns.iter().map(|column| column.name.clone()).collect(),
                    bytes_a_row: Some(family.bytes()),
                };
                layout.families().iter().map(shape).collect()
            }
            Self::Readings(LaidReadings { series, .. }) => vec![FamilyShape {
                name: String::from_utf8_lossy(&series.family().name).into_owned(),
                columns: series.layout().metrics.clone(),
                bytes_a_row: None,
            }],
        }
    }
}

/// Whether a table of a design has the rows of a table as readings: their time is in a version, an offset or a packed cell.
fn has_readings(laid: &design::Table, table: &str) -> bool {
    let is_reading = |cells: &design::Cells| {
        cells.version.is_some()
            || cells.pack_by.is_some()
            || matches!(cells.qualifier, Some(Qualifier::Offset(_)))
    };
    laid.rows.iter().any(|rows| rows.from == table && rows.cells.iter().any(is_reading))
}
