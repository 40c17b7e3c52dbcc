//! Predicted against measured: whether the cost tells designs apart as measuring does.

use tablesmith_model::evidence::Prediction;

use super::html::{self, Cell, Table, details, facts, figure};
use crate::number::{NONE, decimal, grouped, ms, percent, significant};
use crate::pictures::Pictures;
use crate::view::View;

/// The section, when something was predicted.
pub fn section(view: &View<'_>, pictures: &Pictures) -> String {
    let Some(prediction) = &view.evidence.prediction else { return String::new() };
    let mut table = Table::new("Predicted and measured", &["design", "predicted", "measured, ms"]);
    for point in &prediction.designs {
        table.row(vec![
            Cell::Name(point.design.clone(), Some(view.class(&point.design))),
            Cell::Number(significant(point.predicted, 4)),
            Cell::Number(ms(point.measured_ms)),
        ]);
    }
    let caption = "A point for each design, and the line through all of them. The closer points are to a rising line, the better the cost.";
    let words =
        if table.is_empty() { String::new() } else { details("The points in figures", &table.html()) };
    let inside =
        format!("{}{}{words}", facts(key_figures(prediction)), figure(pictures.prediction.as_ref(), caption));
    html::section("prediction", "Predicted against measured", &inside)
}

fn key_figures(prediction: &Prediction) -> Vec<(&'static str, String)> {
    let ordered = match prediction.significant_pairs {
        0 => "no pair differs significantly".to_owned(),
        pairs => format!(
            "{} of {} ({})",
            grouped(prediction.ordered_right),
            grouped(pairs),
            percent(prediction.ordered_right as f64 / pairs as f64)
        ),
    };
    let cost = match &prediction.calibration {
        Some(calibration) => format!("{}, calibration {calibration}", prediction.cost),
        None => prediction.cost.clone(),
    };
    vec![
        (
            "Spearman's rank correlation",
            prediction.spearman.map_or(NONE.to_owned(), |value| decimal(value, 3)),
        ),
        ("Pairs that differ, ordered right", ordered),
        ("Worst miss", prediction.worst.clone().unwrap_or(NONE.to_owned())),
        ("Cost", cost),
    ]
}
