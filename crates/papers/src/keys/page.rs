//! What the page shows beside the claims: the histogram, load times, and requests of servers over time.

use crate::keys::claims::{CHARTED, EIGHT, FOUR};
use crate::keys::designs::KeyDesign;
use crate::keys::point::{LoadPoint, Setting};
use tablesmith_model::evidence::{Figures, HeatLine, HeatMap};

use super::run::Outcome;

/// The histogram, the loads in the simulator, and those on the store.
pub fn figures(outcome: &Outcome) -> Vec<Figures> {
    let histogram = outcome.histograms.iter().map(|one| {
        let counts = [one.modulus, one.first_id, one.ids, one.min, one.max].map(|count| count.to_string());
        counts.into_iter().chain([format!("{:.3}", one.sd), format!("{:.2}", one.chance_sd())]).collect()
    });
    let heads = ["modulus", "first id", "ids", "least", "most", "sd", "sd by chance"];
    vec![
        Figures {
            title: "How often each remainder of MD5 comes up".to_owned(),
            columns: heads.map(str::to_owned).into(),
            rows: histogram.collect(),
        },
        loads("Loads in the simulator", &outcome.simulated),
        loads("Loads on the store", &outcome.measured),
    ]
}

fn loads(title: &str, points: &[LoadPoint]) -> Figures {
    let heads = ["key", "servers", "regions", "files", "map tasks", "load, s", "share of the busiest server"];
    let row = |point: &LoadPoint| {
        let Setting { regions, servers, files } = point.setting;
        vec![
            point.design.name().to_owned(),
            servers.to_string(),
            regions.to_string(),
            files.to_string(),
            point.clients.to_string(),
            format!("{:.1}", point.load_s),
            format!("{:.1} %", point.busiest_share() * 100.0),
        ]
    };
    Figures {
        title: title.to_owned(),
        columns: heads.map(str::to_owned).into(),
        rows: points.iter().map(row).collect(),
    }
}

/// Requests of servers over time: every design in the settings that the paper draws, then those of the store.
pub fn heat(outcome: &Outcome) -> Vec<HeatMap> {
    let of_paper =
        |setting: Setting| KeyDesign::ALL.into_iter().filter_map(move |design| outcome.at(design, setting));
    let simulated =
        [CHARTED, EIGHT, FOUR].into_iter().flat_map(of_paper).map(|point| map("simulated", point));
    simulated.chain(outcome.measured.iter().map(|point| map("measured", point))).collect()
}

fn map(how: &str, point: &LoadPoint) -> HeatMap {
    let line = |(server, rates): (usize, &Vec<f64>)| HeatLine {
        name: format!("server {server}"),
        loads: rates.clone(),
    };
    HeatMap {
        name: format!("{}, {how}, {} regions", point.design.name(), point.setting.regions),
        line: "server".to_owned(),
        step: "slice of the time that the load takes".to_owned(),
        lines: point.rates.iter().enumerate().map(line).collect(),
    }
}
