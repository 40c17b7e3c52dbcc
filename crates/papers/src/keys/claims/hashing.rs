//! Claims about MD5 and about the divisor.

use tablesmith_model::evidence::Claim;

use super::{Divisor, Results, not_simulated};
use crate::keys::designs::KeyDesign;
use crate::keys::histogram::Histogram;

/// The standard deviation of figure 1.
const PAPER_SD: f64 = 61.89;
/// Near enough to chance, as a share of its standard deviation.
const NEAR: f64 = 0.05;
/// Load times this far apart depend on the divisor.
const DEPENDS: f64 = 0.05;

/// Section III-A, figure 1.
pub(super) fn histogram(results: &Results<'_>) -> Claim {
    let of_thousand: Vec<&Histogram> = results.histograms.iter().filter(|one| one.modulus == 1_000).collect();
    let near_chance = |one: &Histogram| (one.sd / one.chance_sd() - 1.0).abs() <= NEAR;
    let near_paper = |one: &&Histogram| (one.sd / PAPER_SD - 1.0).abs() <= NEAR;
    let holds = !of_thousand.is_empty()
        && results.histograms.iter().all(near_chance)
        && of_thousand.iter().all(near_paper);
    let told: Vec<String> = of_thousand
        .iter()
        .map(|one| format!("{} to {}, sd {:.2} (ids from {})", one.min, one.max, one.sd, one.first_id))
        .collect();
    let exact = of_thousand.iter().any(|one| (one.min, one.max) == (3_810, 4_199));
    let by_chance = of_thousand.first().map_or(0.0, |one| one.chance_sd());
    Claim {
        claim: "md5 mod spreads 4 million sequential ids as chance does, for all four moduli".to_owned(),
        paper: "modulo 1000: 3810 to 4199, sd 61.89".to_owned(),
        measured: if told.is_empty() { not_simulated() } else { format!("modulo 1000: {}", told.join("; ")) },
        holds,
        reason: if of_thousand.is_empty() {
            Some("no histogram was made".to_owned())
        } else {
            (!exact).then(|| {
                format!(
                    "chance gives sd {by_chance:.2}. The paper's exact figures come neither from ids from 0 nor from 1 on: \
                     it does not tell how its ids were written"
                )
            })
        },
    }
}

/// Section IV-D: the size of the argument does not matter.
pub(super) fn argument_size(results: &Results<'_>) -> Claim {
    let ratio = results.ratio(KeyDesign::Md5LineMod, KeyDesign::Md5Mod, super::CHARTED);
    let cost = results.hash_cost;
    // A row took a client of the paper about 2 ms (24 tasks, 4 million rows, 392 seconds).
    let share = cost.map(|cost| (cost.line_s - cost.id_s) / 0.002);
    let holds =
        ratio.is_some_and(|ratio| (0.95..1.05).contains(&ratio)) && share.is_some_and(|share| share < 0.05);
    let store = results.on_store(KeyDesign::Md5LineMod, KeyDesign::Md5Mod, |line, id| {
        format!("{:.2} times", line.load_s / id.load_s)
    });
    Claim {
        claim: "the size of what is hashed does not matter".to_owned(),
        paper: "400 s for the id, 391 s for the line".to_owned(),
        measured: ratio.zip(cost).map_or_else(not_simulated, |(ratio, cost)| {
            format!(
                "{ratio:.2} times the load time; a prefix of an id takes {:.2} µs, of a line of {} bytes {:.2} µs{store}",
                cost.id_s * 1e6,
                cost.line_bytes,
                cost.line_s * 1e6
            )
        }),
        holds,
        reason: Some(match share {
            Some(share) => format!(
                "a row took a client of the paper about 2 ms; hashing its line adds {:.2} % to that",
                100.0 * share
            ),
            None => "hashing was not measured".to_owned(),
        }),
    }
}

/// Section IV-E: the divisor matters for id mod alone.
pub(super) fn divisor(results: &Results<'_>) -> Claim {
    let spread = |design: KeyDesign| {
        let of_design = results.divisors.iter().filter(|one| one.design == design);
        let times: Vec<f64> = of_design.map(|one: &Divisor| one.load_s).collect();
        let (least, most) =
            (times.iter().copied().fold(f64::INFINITY, f64::min), times.iter().copied().fold(0.0, f64::max));
        (times.len() > 1).then(|| most / least - 1.0)
    };
    let spreading = [KeyDesign::Random, KeyDesign::Md5Mod, KeyDesign::Md5LineMod];
    let holds = spreading.iter().all(|design| spread(*design).is_some_and(|spread| spread <= DEPENDS))
        && spread(KeyDesign::Mod).is_some_and(|spread| spread > DEPENDS);
    let told: Vec<String> = spreading
        .into_iter()
        .chain([KeyDesign::Mod])
        .filter_map(|design| Some(format!("{} {:.1} %", design.name(), 100.0 * spread(design)?)))
        .collect();
    Claim {
        claim: "the divisor matters only for id mod".to_owned(),
        paper: "no significant difference for random and md5".to_owned(),
        measured: if told.is_empty() {
            not_simulated()
        } else {
            format!("load times on 8 servers between divisors of 1000 and 1,000,000 differ by: {}", told.join(", "))
        },
        holds,
        reason: (!holds).then(|| {
            if told.is_empty() {
                "other divisors were not simulated".to_owned()
            } else {
                "with fewer remainders than rows of a batch id mod spreads every batch, and is as even as the others"
                    .to_owned()
            }
        }),
    }
}
