//! Further tables of figures.

use super::html::{self, Cell, Table};
use crate::view::View;

/// The section, when there are any.
pub fn section(view: &View<'_>) -> String {
    let tables: String = view.evidence.figures.iter().map(table).collect();
    html::section("figures", "Figures", &tables)
}

fn table(figures: &tablesmith_model::evidence::Figures) -> String {
    let heads: Vec<&str> = figures.columns.iter().map(String::as_str).collect();
    let mut table = Table::new(&figures.title, &heads);
    for row in &figures.rows {
        let cells = row.iter().enumerate().map(|(column, text)| match column {
            0 => Cell::Name(text.clone(), None),
            _ if is_number(text) => Cell::Number(text.clone()),
            _ => Cell::Words(text.clone()),
        });
        table.row(cells.collect());
    }
    table.html()
}

/// Whether a text is a number, perhaps with a unit after it.
fn is_number(text: &str) -> bool {
    text.starts_with(|first: char| first.is_ascii_digit() || first == '-')
}
