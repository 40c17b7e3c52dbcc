//! By query: which design answers which query fast, and the slowest answers of all.

use super::html::{self, Cell, Table, figure};
use crate::number::{NONE, grouped, ms, significant};
use crate::pictures::{ByQuery, Pictures, by_query};
use crate::view::View;

/// More designs than this make a table that nobody reads.
const MOST_DESIGNS: usize = 12;
/// The slowest answers that are shown.
const MOST_OUTLIERS: usize = 20;
/// From which multiple of the query's best mean on a cell is how hot.
const HEATS: [f64; 4] = [1.15, 1.5, 2.5, 5.0];

/// The section, when queries were told apart.
pub fn section(view: &View<'_>, pictures: &Pictures) -> String {
    let queries = by_query(view);
    let mut inside = figure(
        pictures.queries.as_ref(),
        "A row for each query, the most frequent first; a dot for each design. Further left is faster.",
    );
    if !queries.is_empty() {
        inside.push_str(&means(view, &queries));
    }
    inside.push_str(&outliers(view));
    html::section("queries", "By query", &inside)
}

fn means(view: &View<'_>, queries: &[ByQuery<'_>]) -> String {
    let designs = view.designs.iter().take(MOST_DESIGNS);
    let names: Vec<&str> = designs.map(|shown| shown.design.name.as_str()).collect();
    let which = if view.designs.len() > MOST_DESIGNS {
        format!(", the {MOST_DESIGNS} fastest designs")
    } else {
        String::new()
    };
    let heads: Vec<&str> = ["query", "calls"].into_iter().chain(names.iter().copied()).collect();
    let mut table =
        Table::new(&format!("Mean in ms{which}; the darker, the further from the query's best"), &heads);
    for query in queries {
        let best = query.means.iter().flatten().copied().fold(f64::INFINITY, f64::min);
        let mut row = vec![Cell::Name(query.name.to_owned(), None), Cell::Number(grouped(query.calls))];
        row.extend(query.means.iter().take(MOST_DESIGNS).map(|mean| match mean {
            Some(mean) => Cell::Heat(ms(*mean), heat(*mean, best)),
            None => Cell::Number(NONE.to_owned()),
        }));
        table.row(row);
    }
    table.html()
}

fn heat(mean: f64, best: f64) -> usize {
    HEATS.iter().filter(|multiple| best > 0.0 && mean >= best * **multiple).count()
}

/// The slowest calls of all designs; they are part of all other figures.
fn outliers(view: &View<'_>) -> String {
    let mut slowest: Vec<_> = view
        .designs
        .iter()
        .flat_map(|shown| shown.design.outliers.iter().map(move |outlier| (shown, outlier)))
        .collect();
    slowest.sort_by(|a, b| b.1.ms.total_cmp(&a.1.ms));
    if slowest.is_empty() {
        return String::new();
    }
    let caption = format!(
        "The slowest of {} outliers; all of them are part of the other figures",
        grouped(slowest.len() as u64)
    );
    let mut table = Table::new(&caption, &["design", "query", "call", "ms", "times the median"]);
    for (shown, outlier) in slowest.into_iter().take(MOST_OUTLIERS) {
        table.row(vec![
            Cell::Name(shown.design.name.clone(), Some(shown.class)),
            Cell::Words(outlier.query.clone()),
            Cell::Number(grouped(outlier.call)),
            Cell::Number(ms(outlier.ms)),
            Cell::Number(significant(outlier.ms / shown.design.reads.median_ms, 2)),
        ]);
    }
    html::details("Slowest answers", &table.html())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn heat_grows_with_the_distance_from_the_best() {
        assert_eq!([1.0, 1.2, 2.0, 3.0, 9.0].map(|mean| heat(mean, 1.0)), [0, 1, 2, 3, 4]);
        assert_eq!(heat(1.0, 0.0), 0);
    }
}
