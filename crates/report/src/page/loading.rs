//! How loading went, and which rows are not in the tables.

use super::html::{self, Cell, Table, paragraph};
use crate::number::{NONE, grouped, time};
use crate::view::View;

/// The section, when something was loaded or refused.
pub fn section(view: &View<'_>) -> String {
    let mut loaded = Table::new("Loading", &["design", "rows", "rejected", "time", "rows a second"]);
    let mut rejected = Table::new("Rejected rows", &["design", "reason", "rows", "first line"]);
    for shown in &view.designs {
        let loading = &shown.design.loaded;
        let refused = loading.rejected.iter().map(|rejected| rejected.rows).fold(0, u64::saturating_add);
        if loading.rows == 0 && refused == 0 {
            continue;
        }
        let rate = loading.rows as f64 / loading.seconds;
        let rate = if rate.is_finite() { grouped(rate.round() as u64) } else { NONE.to_owned() };
        loaded.row(vec![
            Cell::Name(shown.design.name.clone(), Some(shown.class)),
            Cell::Number(grouped(loading.rows)),
            Cell::Number(grouped(refused)),
            Cell::Number(time(loading.seconds * 1_000.0)),
            Cell::Number(rate),
        ]);
        for rejection in &loading.rejected {
            rejected.row(vec![
                Cell::Name(shown.design.name.clone(), Some(shown.class)),
                Cell::Words(rejection.reason.clone()),
                Cell::Number(grouped(rejection.rows)),
                Cell::Number(grouped(rejection.first_line)),
            ]);
        }
    }
    if loaded.is_empty() {
        return String::new();
    }
    let refusals = if rejected.is_empty() {
        paragraph("Every row of the data is in every table.")
    } else {
        let why = "Some rows of the data could not be loaded. They are in no table, and no query finds them.";
        format!("{}<div class=\"wrapping\">{}</div>", paragraph(why), rejected.html())
    };
    html::section("loading", "Loading", &format!("{refusals}{}", loaded.html()))
}
