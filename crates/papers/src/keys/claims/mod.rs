//! The paper's claims about row keys, each beside what came out in the simulator and, where it was measured, on a store.

mod evenness;
mod hashing;
mod time;

use tablesmith_model::evidence::Claim;

use super::check::{Checked, TOLERANCE};
use super::designs::KeyDesign;
use super::hash_cost::HashCost;
use super::histogram::Histogram;
use super::point::{LoadPoint, Setting};

/// The paper's charts of requests per server over time (figure 3): one file, 220 regions, 55 servers.
pub const CHARTED: Setting = Setting { regions: 220, servers: 55, files: 1 };
/// Figures 4 and 6: eight servers with a region each, four files.
pub const EIGHT: Setting = Setting { regions: 8, servers: 8, files: 4 };
/// Figure 5: four servers with a region each, one file.
pub const FOUR: Setting = Setting { regions: 4, servers: 4, files: 1 };

/// Everything that claims are judged by.
#[derive(Clone, Copy, Debug)]
pub struct Results<'a> {
    /// Histograms of MD5, of ids from 1 and from 0 on.
    pub histograms: &'a [Histogram],
    /// Loads in the simulator, at full size.
    pub simulated: &'a [LoadPoint],
    /// Simulated load times at [`EIGHT`] with other numbers of prefixes.
    pub divisors: &'a [Divisor],
    /// What hashing costs.
    pub hash_cost: Option<HashCost>,
    /// Loads on a store.
    pub measured: &'a [LoadPoint],
    /// Those beside the simulator's predictions.
    pub checked: &'a [Checked],
}

/// A load with another number of prefixes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Divisor {
    /// The key.
    pub design: KeyDesign,
    /// Prefixes.
    pub modulus: u64,
    /// Its load time.
    pub load_s: f64,
}

/// All claims of the paper, and one of ours: that the simulator tells the truth.
pub fn claims(results: &Results<'_>) -> Vec<Claim> {
    let mut claims = vec![
        hashing::histogram(results),
        evenness::hashed_designs(results),
        evenness::mod_in_total(results),
        evenness::mod_at_each_moment(results),
        evenness::mod_requests(results),
        evenness::few_regions(results),
        evenness::plain(results),
        time::mod_on_eight(results),
        time::mod_with_one_file(results),
        time::mod_on_many(results),
        time::random_and_md5(results),
        hashing::argument_size(results),
        hashing::divisor(results),
        time::regions_a_server(results),
        time::one_file(results),
    ];
    claims.extend(check(results));
    claims
}

/// Only where something was measured on servers with a limit of their own.
fn check(results: &Results<'_>) -> Option<Claim> {
    let worst = results.checked.iter().map(Checked::error).fold(0.0, f64::max);
    let exact = results.checked.iter().filter(|one| one.rows_equal).count();
    let holds = results.checked.iter().all(Checked::holds);
    (!results.checked.is_empty()).then(|| Claim {
        claim: "the simulator predicts rows exactly and ratios of load times within 15 %".to_owned(),
        paper: "not in the paper".to_owned(),
        measured: format!(
            "rows per region and server exact in {exact} of {} loads; ratios off by {:.1} % at most",
            results.checked.len(),
            100.0 * worst
        ),
        holds,
        reason: (!holds).then(|| {
            format!(
                "a load differs in rows, or its ratio by more than {:.0} %: the store's own work is too large a part of the \
                 load time; give its servers a lower rate",
                100.0 * TOLERANCE
            )
        }),
    })
}

impl<'a> Results<'a> {
    fn at(&self, design: KeyDesign, setting: Setting) -> Option<&'a LoadPoint> {
        find(self.simulated, design, setting)
    }

    fn load_s(&self, design: KeyDesign, setting: Setting) -> Option<f64> {
        self.at(design, setting).map(|point| point.load_s)
    }

    /// The load time of a design as a multiple of another's.
    fn ratio(&self, design: KeyDesign, than: KeyDesign, setting: Setting) -> Option<f64> {
        Some(self.load_s(design, setting)? / self.load_s(than, setting)?)
    }

    /// Something of two designs on the store, in the settings in which both were measured.
    fn on_store(
        &self,
        design: KeyDesign,
        than: KeyDesign,
        tell: impl Fn(&LoadPoint, &LoadPoint) -> String,
    ) -> String {
        let of_design = self.measured.iter().filter(|point| point.design == design);
        let texts: Vec<String> = of_design
            .filter_map(|point| {
                let other = find(self.measured, than, point.setting)?;
                let Setting { servers, regions, files } = point.setting;
                Some(format!("{} ({servers} servers, {regions} regions, {files} files)", tell(point, other)))
            })
            .collect();
        if texts.is_empty() { String::new() } else { format!("; on the store {}", texts.join(", ")) }
    }
}

fn find(points: &[LoadPoint], design: KeyDesign, setting: Setting) -> Option<&LoadPoint> {
    points.iter().find(|point| point.design == design && point.setting == setting)
}

fn not_simulated() -> String {
    "not simulated".to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_not_done_does_not_hold() {
        let nothing = Results {
            histograms: &[],
            simulated: &[],
            divisors: &[],
            hash_cost: None,
            measured: &[],
            checked: &[],
        };
        let claims = claims(&nothing);
        assert_eq!(claims.len(), 15);
        assert!(claims.iter().all(|claim| !claim.holds && claim.reason.is_some()), "{claims:#?}");
    }
}
