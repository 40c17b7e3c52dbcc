//! Why an experiment came to nothing.

use tablesmith_access::series::SeriesError;
use tablesmith_app::{AppError, ErrorClass};
use tablesmith_design::keys::simulate::SimulateError;
use tablesmith_design::tables::TablesError;
use tablesmith_generate::GenerateError;
use tablesmith_model::NameError;
use tablesmith_model::series::SeriesLayoutError;
use tablesmith_store::StoreError;
use tablesmith_verify::time::TimeError;

use crate::follows::design::FollowsError;
use crate::keys::histogram::HistogramError;
use crate::keys::measured::LoadError;
use crate::keys::placed::PlacedError;
use crate::keys::simulated::GridError;

/// Why an experiment came to nothing.
#[derive(Debug, thiserror::Error)]
pub enum PaperError {
    /// An operation of the product did not succeed.
    #[error(transparent)]
    App(AppError),
    /// A scale that makes nothing.
    #[error("the scale {scale} makes no {what}: give a number from 0.0001 to 10")]
    Scale {
        /// The scale.
        scale: f64,
        /// What it does not make.
        what: &'static str,
    },
    /// There is nothing to load.
    #[error("there are no rows to load: give more with --rows or --scale")]
    NoRows,
    /// Generated data lacks a table.
    #[error("the generated workload has no table `{0}`")]
    NoTable(&'static str),
    /// A layout that was named.
    #[error("{0}")]
    Layout(String),
    /// A design of the follow graph.
    #[error("{0}")]
    Follows(String),
    /// A time series.
    #[error(transparent)]
    Series(SeriesError),
    /// Schemas of time series.
    #[error(transparent)]
    SeriesLayout(#[from] SeriesLayoutError),
    /// Loads in the simulator.
    #[error(transparent)]
    Grid(GridError),
    /// Histograms of hashes.
    #[error(transparent)]
    Histogram(#[from] HistogramError),
    /// Where rows go.
    #[error(transparent)]
    Placed(#[from] PlacedError),
    /// Loads on a store.
    #[error(transparent)]
    Load(LoadError),
    /// A name of a table.
    #[error(transparent)]
    Name(#[from] NameError),
    /// Tables designed from queries.
    #[error(transparent)]
    Tables(#[from] TablesError),
}

impl PaperError {
    /// Who has to do something about it.
    pub fn class(&self) -> ErrorClass {
        match self {
            Self::App(error) => error.class(),
            _ => ErrorClass::Input,
        }
    }
}

macro_rules! failed_in_app {
    ($($error:ty),*) => {
        $(impl From<$error> for PaperError {
            fn from(error: $error) -> Self {
                Self::App(error.into())
            }
        })*
    };
}

failed_in_app!(AppError, StoreError, GenerateError, TimeError);

impl From<FollowsError> for PaperError {
    fn from(error: FollowsError) -> Self {
        match error {
            FollowsError::Store(error) => error.into(),
            FollowsError::Other(message) => Self::Follows(message),
        }
    }
}

impl From<SeriesError> for PaperError {
    fn from(error: SeriesError) -> Self {
        match error {
            SeriesError::Store(error) => error.into(),
            error => Self::Series(error),
        }
    }
}

impl From<GridError> for PaperError {
    fn from(error: GridError) -> Self {
        match error {
            GridError::Simulate(SimulateError::EmptyStream) => Self::NoRows,
            error => Self::Grid(error),
        }
    }
}

impl From<LoadError> for PaperError {
    fn from(error: LoadError) -> Self {
        match error {
            LoadError::Store(error) => error.into(),
            error => Self::Load(error),
        }
    }
}
