//! The column families of each design, drawn to size and in words.

use super::html::{self, Cell, Table, details, figure};
use crate::number::{NONE, bytes, grouped};
use crate::pictures::{Pictures, copies};
use crate::view::View;

/// The section, when designs say what families they have.
pub fn section(view: &View<'_>, pictures: &Pictures) -> String {
    let mut table =
        Table::new("Families", &["design", "family", "bytes a row", "columns", "which; × marks a copy"]);
    for shown in &view.designs {
        let copies = copies(shown.design);
        for family in &shown.design.families {
            let mark = |column: &String| match copies.get(column.as_str()) {
                Some(count) if *count > 1 => format!("{column} ×{count}"),
                _ => column.clone(),
            };
            let columns: Vec<String> = family.columns.iter().map(mark).collect();
            table.row(vec![
                Cell::Name(shown.design.name.clone(), Some(shown.class)),
                Cell::Words(family.name.clone()),
                Cell::Number(family.bytes_a_row.map_or(NONE.to_owned(), bytes)),
                Cell::Number(grouped(family.columns.len() as u64)),
                Cell::Words(columns.join(", ")),
            ]);
        }
    }
    if table.is_empty() {
        return String::new();
    }
    let caption = "A box for each family, as wide as its bytes in a row; inside, its columns. All designs have one scale.";
    let words = details("Families in words", &format!("<div class=\"wrapping\">{}</div>", table.html()));
    html::section("families", "Families", &format!("{}{words}", figure(pictures.families.as_ref(), caption)))
}
