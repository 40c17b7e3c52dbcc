//! Is what the simulator predicts what a store does?

use tablesmith_design::keys::simulate::{Capacity, Clients, Layout};

use super::designs::KeyDesign;
use super::measured::Measured;
use super::placed::{Source, placed};
use super::point::{LoadPoint, Setting};
use super::simulated::{GridError, Model, load};

/// Ratios of load times may differ by this share.
pub const TOLERANCE: f64 = 0.15;
/// All load times are told as multiples of this design's.
pub const YARDSTICK: KeyDesign = KeyDesign::Md5Mod;

/// A load measured and simulated.
#[derive(Clone, Debug, PartialEq)]
pub struct Checked {
    /// The key.
    pub design: KeyDesign,
    /// Where.
    pub setting: Setting,
    /// Measured load time.
    pub measured_s: f64,
    /// Simulated load time.
    pub simulated_s: f64,
    /// The measured time as a multiple of the yardstick's.
    pub measured_ratio: f64,
    /// The simulated time as a multiple of the yardstick's.
    pub simulated_ratio: f64,
    /// Whether every region and every server has exactly the rows that were predicted.
    pub rows_equal: bool,
}

impl Checked {
    /// The share by which the measured ratio differs from the simulated one.
    pub fn error(&self) -> f64 {
        (self.measured_ratio / self.simulated_ratio - 1.0).abs()
    }

    /// Whether the simulator was right.
    pub fn holds(&self) -> bool {
        self.rows_equal && self.error() <= TOLERANCE
    }
}

/// What a throttled store is to the simulator.
pub fn model_of_store(
    requests_per_second: f64,
    burst_requests: u32,
    round_trip_s: f64,
    batch_rows: usize,
    seed: u64,
) -> Model {
    Model {
        capacity: Capacity { requests_per_second, burst_requests, cores: None },
        clients: Clients { round_trip_s, ..Clients::default() },
        batch_rows,
        seed,
    }
}

/// Simulates what was measured, region by region where it lay.
pub fn predict(model: &Model, source: &Source, measured: &Measured) -> Result<LoadPoint, GridError> {
    let LoadPoint { design, setting, .. } = measured.point;
    let cells = placed(source, design, &[setting.regions])?;
    let layout =
        Layout { servers: measured.server_of_region.clone(), ..Layout::pre_split(setting.regions, 1) };
    let cells = cells.first().map_or(&[][..], Vec::as_slice);
    Ok(load(model, design, setting, &layout, cells)?)
}

/// Sets measured loads beside predicted ones, in the same order. Settings without the yardstick are left out.
pub fn checked(measured: &[Measured], predicted: &[LoadPoint]) -> Vec<Checked> {
    let yardstick = |points: &[&LoadPoint], setting: Setting| {
        points
            .iter()
            .find(|point| point.design == YARDSTICK && point.setting == setting)
            .map(|point| point.load_s)
    };
    let measured: Vec<&LoadPoint> = measured.iter().map(|measured| &measured.point).collect();
    let predicted: Vec<&LoadPoint> = predicted.iter().collect();
    let one = |(measured_point, predicted_point): (&&LoadPoint, &&LoadPoint)| {
        let setting = measured_point.setting;
        Some(Checked {
            design: measured_point.design,
            setting,
            measured_s: measured_point.load_s,
            simulated_s: predicted_point.load_s,
            measured_ratio: measured_point.load_s / yardstick(&measured, setting)?,
            simulated_ratio: predicted_point.load_s / yardstick(&predicted, setting)?,
            rows_equal: measured_point.region_rows == predicted_point.region_rows
                && measured_point.server_rows == predicted_point.server_rows,
        })
    };
    measured.iter().zip(&predicted).filter_map(one).collect()
}
