//! `calibrate`: measures unit costs of a store. Calibrations are kept in the data directory, one file for each store.

use std::path::{Path, PathBuf};
use std::time::Duration;

use serde::{Serialize, Serializer};
use tablesmith_model::cost::Calibration;
use tablesmith_model::value::Moment;
use tablesmith_store::{Clock, SystemClock};
use tablesmith_verify::calibrate::{CalibrateError, Found, Observer, Options, RealTime, calibrate};

use crate::input_file::{self, InputKind};
use crate::leftovers::TemporaryTables;
use crate::{AppError, Context, StoreAddress, Unit, data_directory, open, output_file, workload_file};

/// How long a store is calibrated when an experiment finds that it never was.
const FIRST_TIME: Duration = Duration::from_secs(60);

/// What was measured, and where it is kept.
#[derive(Clone, Debug, Serialize)]
pub struct CalibrateResult {
    /// The unit costs, and how well they fit.
    #[serde(flatten, serialize_with = "calibration")]
    pub calibration: Calibration,
    /// Different experiments.
    pub experiments: usize,
    /// How often each was done at least.
    pub repeats: usize,
    /// Where it is kept.
    #[serde(serialize_with = "crate::serialize::path")]
    pub file: PathBuf,
    /// What everything random was made from.
    pub seed: u64,
}

fn calibration<S: Serializer>(calibration: &Calibration, serializer: S) -> Result<S::Ok, S::Error> {
    calibration.to_json().serialize(serializer)
}

/// Measures the store of the context, and keeps what was found.
pub async fn measure(context: &Context, time: Duration) -> Result<CalibrateResult, AppError> {
    let store = open::for_calibration(context).await?;
    let id = open::store_id(context).await?;
    let file = file_of(&id)?;
    context.progress.begin("calibrating", Unit::Share, Some(STEPS));
    let options = Options { time, seed: context.seed };
    let tables = TemporaryTables::new("calibrate, in the namespace tablesmith_calibration");
    let found = calibrate(&*store, options, &RealTime::default(), &mut Shown(context)).await;
    context.progress.end();
    let Found { each_ms, fit, experiments, repeats } = tables.dropped(
        context,
        found.map_err(|error| match error {
            CalibrateError::Store(error) => AppError::Store(error),
            CalibrateError::Stopped => AppError::Cancelled,
        }),
    )?;
    let measured_at = Moment::from_millis(SystemClock.now_ms() / 1_000 * 1_000).unwrap_or(Moment::MIN);
    let calibration = Calibration { store: id, address: open::address(context), measured_at, fit, each_ms };
    keep(&calibration, &file)?;
    Ok(CalibrateResult { calibration, experiments, repeats, file, seed: context.seed })
}

/// The calibration of the store of the context, if there is one. A cluster is only asked for its id when
/// `insists`: else its calibration is found by its address, or not at all.
pub async fn of_store(context: &Context, insists: bool) -> Result<Option<Calibration>, AppError> {
    if let Some(calibration) = of_address(&open::address(context))? {
        return Ok(Some(calibration));
    }
    if !insists && is_cluster(context) {
        return Ok(None);
    }
    match file_of(&open::store_id(context).await?) {
        Ok(file) if file.exists() => read(&file).map(Some),
        _ => Ok(None),
    }
}

/// The calibration of the store, made now where there is none: for experiments whose predictions must be of this store.
pub async fn known_or_measured(context: &Context) -> Result<Calibration, AppError> {
    match of_store(context, true).await? {
        Some(calibration) => Ok(calibration),
        None => Ok(measure(context, FIRST_TIME).await?.calibration),
    }
}

/// What to do when there is none.
pub(crate) fn is_missing(context: &Context) -> AppError {
    AppError::NotCalibrated(context.store.as_ref().map(ToString::to_string))
}

fn is_cluster(context: &Context) -> bool {
    matches!(context.store, Some(StoreAddress::HBase(_)))
}

/// The calibration of a cluster that was reached by this very address. Directories have ids of their own.
fn of_address(address: &str) -> Result<Option<Calibration>, AppError> {
    if address.starts_with("embedded:") {
        return Ok(None);
    }
    let Some(files) = data_directory::calibrations_path().ok().and_then(|place| place.read_dir().ok()) else {
        return Ok(None);
    };
    let mut newest: Option<Calibration> = None;
    for file in files.flatten().map(|entry| entry.path()).filter(|path| is_calibration(path)) {
        let calibration = read(&file)?;
        let is_newer = newest.as_ref().is_none_or(|newest| newest.measured_at < calibration.measured_at);
        if calibration.address == address && is_newer {
            newest = Some(calibration);
        }
    }
    Ok(newest)
}

fn is_calibration(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "toml")
}

fn file_of(store: &str) -> Result<PathBuf, AppError> {
    // Ids of clusters are UUIDs; whatever else one may be, it is one name.
    let name: String = store.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '-' }).collect();
    Ok(data_directory::calibrations_path()?.join(format!("{name}.toml")))
}

fn read(path: &Path) -> Result<Calibration, AppError> {
    let text = input_file::read_text(path, InputKind::Calibration)?;
    Calibration::parse_toml(&text).map_err(|error| workload_file::problems(path, &text, &error.problems))
}

fn keep(calibration: &Calibration, file: &Path) -> Result<(), AppError> {
    data_directory::calibrations()?;
    output_file::write(file, &calibration.to_toml())
}

/// Parts that progress is told in.
const STEPS: u64 = 1_000;

/// Tells how far it is, and stops when the work is cancelled.
struct Shown<'c>(&'c Context);

impl Observer for Shown<'_> {
    fn goes_on(&mut self, share: f64, what: &'static str) -> bool {
        self.0.progress.detail(what);
        self.0.progress.advance((share * STEPS as f64) as u64);
        !self.0.cancellation.is_cancelled()
    }
}
