//! What `tablesmith calibrate` does, and where calibrations are kept: one file for each store, in the data directory.

pub mod text;

use std::path::{Path, PathBuf};
use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};
use tablesmith_model::cost::Calibration;
use tablesmith_model::value::Moment;
use tablesmith_store::{Clock, SystemClock};
use tablesmith_verify::calibrate::{CalibrateError, Found, Observer, Options, RealTime, calibrate};

use crate::arguments::Global;
use crate::failure::Failure;
use crate::input_file::{self, InputKind};
use crate::interrupt;
use crate::terminal;
use crate::{data_directory, open, output_file, workload_file};

/// How long a store is calibrated when an experiment finds that it never was.
const FIRST_TIME: Duration = Duration::from_secs(60);

/// What was measured, and where it is kept.
pub struct Outcome {
    pub calibration: Calibration,
    /// Different experiments, and how often each was done at least.
    pub experiments: usize,
    pub repeats: usize,
    pub file: PathBuf,
}

/// Measures the store of the command line, and keeps what was found.
pub async fn measure(global: &Global, time: Duration) -> Result<Outcome, Failure> {
    let store = open::for_calibration(global).await?;
    let id = open::store_id(global).await?;
    let file = file_of(&id)?;
    let mut shown = Shown::new();
    let options = Options { time, seed: global.seed };
    let tables = interrupt::TemporaryTables::new("calibrate, in the namespace tablesmith_calibration");
    let found = calibrate(&*store, options, &RealTime::default(), &mut shown).await;
    shown.bar.finish_and_clear();
    let Found { each_ms, fit, experiments, repeats } =
        tables.dropped(found.map_err(|error| match error {
            CalibrateError::Store(error) => Failure::Store(error),
            CalibrateError::Stopped => Failure::Interrupted,
        }))?;
    let measured_at = Moment::from_millis(SystemClock.now_ms() / 1_000 * 1_000).unwrap_or(Moment::MIN);
    let calibration = Calibration { store: id, address: open::address(global), measured_at, fit, each_ms };
    keep(&calibration, &file)?;
    Ok(Outcome { calibration, experiments, repeats, file })
}

/// The calibration of the store that the command line names, if there is one. A cluster is only asked for its id when
/// `insists`: else its calibration is found by its address, or not at all.
pub async fn of_store(global: &Global, insists: bool) -> Result<Option<Calibration>, Failure> {
    if let Some(calibration) = of_address(&open::address(global))? {
        return Ok(Some(calibration));
    }
    if !insists && is_cluster(global) {
        return Ok(None);
    }
    match file_of(&open::store_id(global).await?) {
        Ok(file) if file.exists() => read(&file).map(Some),
        _ => Ok(None),
    }
}

/// The calibration of the store, made now where there is none: for experiments whose predictions must be of this store.
pub async fn known_or_measured(global: &Global) -> Result<Calibration, Failure> {
    match of_store(global, true).await? {
        Some(calibration) => Ok(calibration),
        None => Ok(measure(global, FIRST_TIME).await?.calibration),
    }
}

/// What to do when there is none.
pub fn is_missing(global: &Global) -> Failure {
    let store = global.store.as_ref().map(|store| format!(" --store {store}")).unwrap_or_default();
    Failure::BadFile(format!(
        "the cost `store` needs prices that were measured, and there are none for this store: \
         run `tablesmith calibrate{store}` first, or choose another cost with --cost"
    ))
}

fn is_cluster(global: &Global) -> bool {
    matches!(global.store, Some(crate::store_address::StoreAddress::HBase(_)))
}

/// The calibration of a cluster that was reached by this very address. Directories have ids of their own.
fn of_address(address: &str) -> Result<Option<Calibration>, Failure> {
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

fn file_of(store: &str) -> Result<PathBuf, Failure> {
    // Ids of clusters are UUIDs; whatever else one may be, it is one name.
    let name: String = store.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '-' }).collect();
    Ok(data_directory::calibrations_path()?.join(format!("{name}.toml")))
}

fn read(path: &Path) -> Result<Calibration, Failure> {
    let text = input_file::read_text(path, InputKind::Calibration)?;
    Calibration::parse_toml(&text).map_err(|error| workload_file::problems(path, &text, &error.problems))
}

fn keep(calibration: &Calibration, file: &Path) -> Result<(), Failure> {
    data_directory::calibrations()?;
    output_file::write(file, &calibration.to_toml())
}

/// Steps of the bar.
const BAR_STEPS: u64 = 1_000;

/// Shows how far it is, and stops when the program is interrupted.
struct Shown {
    bar: ProgressBar,
}

impl Shown {
    fn new() -> Self {
        let style = ProgressStyle::with_template("{msg:15} {bar:40.cyan} {percent} % ({elapsed})");
        let bar =
            ProgressBar::new(BAR_STEPS).with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
        Self { bar }
    }
}

impl Observer for Shown {
    fn goes_on(&mut self, share: f64, what: &'static str) -> bool {
        terminal::set_message(&self.bar, what);
        self.bar.set_position((share * BAR_STEPS as f64) as u64);
        !interrupt::is_interrupted()
    }
}
