//! Claims about who gets the requests, in total and at each moment.

use tablesmith_model::evidence::Claim;

use super::{CHARTED, FOUR, Results, not_simulated};
use crate::keys::designs::KeyDesign;

/// The hottest server may have so many times an even share in a slice and still be called even: what chance does to a
/// slice of some thousand rows.
const EVEN: f64 = 1.25;
/// From here on a server is hot.
const HOT: f64 = 2.0;
const SPREADING: [KeyDesign; 3] = [KeyDesign::Random, KeyDesign::Md5Mod, KeyDesign::Md5LineMod];

/// Section IV-D, figure 3.
pub(super) fn hashed_designs(results: &Results<'_>) -> Claim {
    let heats: Vec<(KeyDesign, Option<f64>)> = SPREADING
        .into_iter()
        .map(|design| (design, results.at(design, CHARTED).map(|point| point.heat())))
        .collect();
    let holds = heats.iter().all(|(_, heat)| heat.is_some_and(|heat| heat <= EVEN));
    let told: Vec<String> = heats
        .iter()
        .map(|(design, heat)| {
            format!("{} {}", design.name(), heat.map_or_else(not_simulated, |heat| format!("{heat:.2}")))
        })
        .collect();
    let store = results
        .on_store(KeyDesign::Md5Mod, KeyDesign::Md5Mod, |point, _| format!("md5_mod {:.2}", point.heat()));
    Claim {
        claim: "random and both md5 designs load all servers evenly at every moment".to_owned(),
        paper: "lines of all servers overlap (figure 3)".to_owned(),
        measured: format!("hottest server ÷ even share, mean over time: {}{store}", told.join(", ")),
        holds,
        reason: (!holds)
            .then(|| "chance alone makes the hottest of many servers hotter than that".to_owned()),
    }
}

/// Conclusion: the total number of requests per region is equal.
pub(super) fn mod_in_total(results: &Results<'_>) -> Claim {
    let spread = results.at(KeyDesign::Mod, CHARTED).map(|point| {
        let (least, most) = (point.region_rows.iter().min(), point.region_rows.iter().max());
        (least.copied().unwrap_or_default(), most.copied().unwrap_or_default())
    });
    let holds = spread.is_some_and(|(least, most)| least > 0 && most as f64 <= least as f64 * 1.01);
    Claim {
        claim: "id mod is even in total".to_owned(),
        paper: "equal requests per region".to_owned(),
        measured: spread
            .map_or_else(not_simulated, |(least, most)| format!("{least} to {most} rows a region")),
        holds,
        reason: (!holds).then(|| "the divisor does not divide the ids evenly over the regions".to_owned()),
    }
}

/// Section IV-D: not all servers are equally active at the same time.
pub(super) fn mod_at_each_moment(results: &Results<'_>) -> Claim {
    let heat = results.at(KeyDesign::Mod, CHARTED).map(|point| point.heat());
    let holds = heat.is_some_and(|heat| heat >= HOT);
    let store = results.on_store(KeyDesign::Mod, KeyDesign::Mod, |point, _| format!("{:.2}", point.heat()));
    Claim {
        claim: "id mod is hot at each moment".to_owned(),
        paper: "some servers idle while others work (figure 3)".to_owned(),
        measured: format!(
            "hottest server {} times an even share{store}",
            heat.map_or_else(not_simulated, |heat| format!("{heat:.1}"))
        ),
        holds,
        reason: (!holds).then(|| "the map tasks are at different remainders and hide each other".to_owned()),
    }
}

/// Section IV-D: three to four times more requests on servers.
pub(super) fn mod_requests(results: &Results<'_>) -> Claim {
    let rates = results.at(KeyDesign::Mod, CHARTED).zip(results.at(KeyDesign::Md5Mod, CHARTED));
    let times = rates.map(|(modulo, md5)| modulo.active_rate() / md5.active_rate());
    let holds = times.is_some_and(|times| (2.5..4.5).contains(&times));
    let store = results.on_store(KeyDesign::Mod, KeyDesign::Md5Mod, |modulo, md5| {
        format!("{:.1}", modulo.active_rate() / md5.active_rate())
    });
    let slice_s = rates.map_or(0.0, |(modulo, _)| modulo.load_s / crate::keys::point::SLICES as f64);
    Claim {
        claim: "id mod sends several times the requests to the servers that are active".to_owned(),
        paper: "3 to 4 times".to_owned(),
        measured: format!("{}{store}", times.map_or_else(not_simulated, |times| format!("{times:.1} times"))),
        holds,
        reason: (!holds).then(|| {
            format!(
                "it depends on how many map tasks have the same remainder at a time and on the width of a slice (here \
                 {slice_s:.0} s; the paper does not tell its own)"
            )
        }),
    }
}

/// Section IV-D, figure 5.
pub(super) fn few_regions(results: &Results<'_>) -> Claim {
    let heat = results.at(KeyDesign::Random, FOUR).map(|point| point.worst_heat());
    let holds = heat.is_some_and(|heat| heat >= HOT);
    Claim {
        claim: "few regions with a random prefix can still be hot".to_owned(),
        paper: "a spike of one server at 4 regions (figure 5)".to_owned(),
        measured: format!(
            "hottest of 4 servers in the worst slice: {}",
            heat.map_or_else(not_simulated, |heat| format!("{heat:.2} times an even share"))
        ),
        holds,
        reason: (!holds).then(|| {
            "chance cannot do that: of some ten thousand rows in a slice a fourth goes to each region within a few per \
             cent. A spike on a cluster has another cause, such as a flush or a region that moves"
                .to_owned()
        }),
    }
}

/// Section III: rising keys pound one region.
pub(super) fn plain(results: &Results<'_>) -> Claim {
    let share = results.at(KeyDesign::Plain, CHARTED).map(|point| point.busiest_share());
    let holds = share.is_some_and(|share| share > 0.99);
    let store = results.on_store(KeyDesign::Plain, KeyDesign::Md5Mod, |plain, md5| {
        format!(
            "{:.0} %, {:.1} times the time of md5_mod",
            100.0 * plain.busiest_share(),
            plain.load_s / md5.load_s
        )
    });
    let ratio = results.ratio(KeyDesign::Plain, KeyDesign::Md5Mod, CHARTED);
    Claim {
        claim: "with the plain key one server gets everything".to_owned(),
        paper: "one region is pounded, the others idle".to_owned(),
        measured: share.zip(ratio).map_or_else(not_simulated, |(share, ratio)| {
            format!("{:.0} % on one server, {ratio:.1} times the time of md5_mod{store}", 100.0 * share)
        }),
        holds,
        reason: (!holds).then(|| "ids reach more than one region".to_owned()),
    }
}
