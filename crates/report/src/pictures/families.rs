//! Families drawn to size: as wide as their bytes in a row, with their columns as cells inside.

use std::collections::HashMap;

use tablesmith_model::evidence::{FamilyShape, MeasuredDesign};

use super::{Drawn, Room};
use crate::number::bytes;
use crate::svg::legend::{self, Entry};
use crate::svg::{Anchor, Sketch, text};
use crate::view::{Shown, View};

/// More designs than this, families of a design, and columns of a family are in the table alone.
const MOST_DESIGNS: usize = 12;
const MOST_FAMILIES: usize = 40;
const MOST_COLUMNS: usize = 60;
/// A family is never narrower than this.
const LEAST_WIDTH: f64 = 14.0;
const GAP: f64 = 6.0;
const PADDING: f64 = 5.0;
const CELL: f64 = 18.0;
const SIZE: f64 = 11.0;

/// Draws the designs that have families.
pub fn draw(view: &View<'_>) -> Option<Drawn> {
    let shown: Vec<Shown<'_>> = view
        .designs
        .iter()
        .filter(|shown| !shown.design.families.is_empty())
        .take(MOST_DESIGNS)
        .copied()
        .collect();
    if shown.is_empty() {
        return None;
    }
    let largest = shown.iter().map(|shown| total(shown.design)).fold(f64::MIN_POSITIVE, f64::max);
    let title = "Column families, as wide as their bytes in a row";
    Some(Drawn::new("families", title, alt(&shown), |room| sketch(room, &shown, largest)))
}

/// A family's size: its bytes, or its columns where no family of the design says how many bytes it has.
fn size(design: &MeasuredDesign, family: &FamilyShape) -> f64 {
    let known = |bytes: &f64| bytes.is_finite() && *bytes >= 0.0;
    match family.bytes_a_row.filter(known) {
        Some(bytes) => bytes.min(1e300),
        None if knows_bytes(design) => 0.0,
        None => family.columns.len() as f64,
    }
}

fn knows_bytes(design: &MeasuredDesign) -> bool {
    design.families.iter().any(|family| family.bytes_a_row.is_some_and(f64::is_finite))
}

fn total(design: &MeasuredDesign) -> f64 {
    design.families.iter().map(|family| size(design, family)).sum()
}

fn sketch(room: Room, shown: &[Shown<'_>], largest: f64) -> Sketch {
    let mut sketch = Sketch::new(room.width());
    let mut y = 0.0;
    for shown in shown {
        let row = format!("{} a row", bytes(total(shown.design)));
        let figure = if knows_bytes(shown.design) { row } else { "sizes not known".to_owned() };
        let room_for_name = room.width() - text::width(&figure, SIZE) - 16.0;
        sketch.text(
            "strong",
            Anchor::Start,
            (0.0, y + 14.0),
            &text::fit(&shown.design.name, 12.0 * text::BOLD, room_for_name),
        );
        sketch.text("muted small", Anchor::End, (room.width(), y + 14.0), &figure);
        y = design(&mut sketch, shown, largest, y + 22.0) + 16.0;
    }
    let entries = [
        Entry { class: "", sign: cell_sign, text: "a column" },
        Entry { class: "", sign: copy_sign, text: "a column that is in several families" },
    ];
    legend::draw(&mut sketch, &entries, (0.0, y - 4.0));
    sketch
}

/// The families of a design, side by side; returns where they end.
fn design(sketch: &mut Sketch, shown: &Shown<'_>, largest: f64, top: f64) -> f64 {
    let families: Vec<&FamilyShape> = shown.design.families.iter().take(MOST_FAMILIES).collect();
    let sizes: Vec<f64> = families.iter().map(|family| size(shown.design, family)).collect();
    let widths = widths(&sizes, largest, sketch.width());
    let copies = copies(shown.design);
    let height =
        families.iter().zip(&widths).map(|(family, width)| flow(family, *width).1).fold(CELL, f64::max);
    let height = height + 2.0 * PADDING + 14.0;
    let mut x = 0.0;
    sketch.group(shown.class, "", |sketch| {
        for (family, width) in families.iter().zip(&widths) {
            sketch.group("", &words(family), |sketch| {
                sketch.pill("fill faint", (x, top), (*width, height), 5.0);
                sketch.pill("stroke", (x, top), (*width, height), 5.0);
                let name = text::fit(&family.name, SIZE * text::BOLD, width - 2.0 * PADDING);
                sketch.text("small strong", Anchor::Start, (x + PADDING, top + 14.0), &name);
                cells(sketch, family, *width, (x + PADDING, top + 14.0 + PADDING), &copies);
            });
            x += width + GAP;
        }
    });
    top + height
}

/// Widths in proportion to sizes, none too narrow to be seen; the largest design fills the picture.
fn widths(sizes: &[f64], largest: f64, room: f64) -> Vec<f64> {
    let gaps = GAP * sizes.len().saturating_sub(1) as f64;
    let room = (room - gaps).max(0.0);
    let least = LEAST_WIDTH.min(room / sizes.len().max(1) as f64);
    let widths: Vec<f64> = sizes.iter().map(|size| (size / largest * room).max(least)).collect();
    let over: f64 = widths.iter().sum::<f64>() - room;
    if over <= 0.0 {
        return widths;
    }
    // What the narrow ones got too much, the others give, each by its share above the least.
    let above: f64 = widths.iter().map(|width| width - least).sum();
    widths.iter().map(|width| width - (width - least) / above.max(f64::MIN_POSITIVE) * over).collect()
}

/// A column's cell: its place inside the family, its width and its text.
struct Cell<'a> {
    column: &'a str,
    at: (f64, f64),
    width: f64,
    text: String,
}

/// Sets the cells of a family line by line, as wide as their names; returns them and the height of all.
fn flow(family: &FamilyShape, width: f64) -> (Vec<Cell<'_>>, f64) {
    let room = (width - 2.0 * PADDING).max(2.0);
    let (mut x, mut y) = (0.0, 0.0);
    let mut cells = Vec::new();
    for column in family.columns.iter().take(MOST_COLUMNS) {
        let wish = text::width(column, SIZE) + 8.0;
        let cell = wish.min(room);
        if x > 0.0 && x + cell > room {
            (x, y) = (0.0, y + CELL);
        }
        let text = text::fit(column, SIZE, cell - 6.0);
        cells.push(Cell { column, at: (x, y), width: cell, text });
        x += cell + 3.0;
    }
    (cells, if family.columns.is_empty() { 0.0 } else { y + CELL })
}

fn cells(
    sketch: &mut Sketch,
    family: &FamilyShape,
    width: f64,
    (left, top): (f64, f64),
    copies: &Copies<'_>,
) {
    for cell in flow(family, width).0 {
        let at = (left + cell.at.0, top + cell.at.1);
        let is_copy = copies.get(cell.column).is_some_and(|count| *count > 1);
        sketch.pill("fill soft", at, (cell.width, CELL - 3.0), 3.0);
        if is_copy {
            sketch.pill("mark", at, (cell.width, CELL - 3.0), 3.0);
        }
        sketch.text("small", Anchor::Start, (at.0 + 4.0, at.1 + 11.5), &cell.text);
    }
}

type Copies<'a> = HashMap<&'a str, usize>;

/// In how many families each column is.
pub fn copies(design: &MeasuredDesign) -> Copies<'_> {
    let mut copies = HashMap::new();
    for column in design.families.iter().flat_map(|family| &family.columns) {
        *copies.entry(column.as_str()).or_default() += 1;
    }
    copies
}

fn cell_sign(sketch: &mut Sketch, (x, y): (f64, f64)) {
    sketch.pill("muted soft", (x - 5.0, y - 5.0), (10.0, 10.0), 2.0);
}

fn copy_sign(sketch: &mut Sketch, at: (f64, f64)) {
    cell_sign(sketch, at);
    sketch.pill("mark", (at.0 - 5.0, at.1 - 5.0), (10.0, 10.0), 2.0);
}

fn words(family: &FamilyShape) -> String {
    let size = family.bytes_a_row.map(|size| format!(", {} a row", bytes(size))).unwrap_or_default();
    let some: Vec<&str> = family.columns.iter().take(MOST_COLUMNS).map(String::as_str).collect();
    format!("family {}{size}: {}", family.name, some.join(", "))
}

fn alt(shown: &[Shown<'_>]) -> String {
    let designs: Vec<String> = shown
        .iter()
        .map(|shown| {
            let count = shown.design.families.len();
            let plural = if count == 1 { "family" } else { "families" };
            format!("{} has {count} {plural}", shown.design.name)
        })
        .collect();
    format!("The column families of each design, as wide as their bytes in a row. {}.", designs.join("; "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn widths_are_in_proportion_and_never_leave_the_picture() {
        assert_eq!(widths(&[300.0, 100.0], 400.0, 406.0), [300.0, 100.0]);
        let many = widths(&vec![1.0; 40], 40.0, 340.0);
        assert!(many.iter().sum::<f64>() + GAP * 39.0 <= 340.5, "{many:?}");
        let uneven = widths(&[1e6, 1.0, 1.0], 1e6, 312.0);
        assert!(
            (uneven.iter().sum::<f64>() - 300.0).abs() < 0.5 && uneven[1] >= LEAST_WIDTH - 0.1,
            "{uneven:?}"
        );
    }

    #[test]
    fn cells_stay_inside_their_family() {
        let columns = (0..30).map(|index| format!("column_{}", "x".repeat(index))).collect();
        let family = FamilyShape { columns, ..FamilyShape::default() };
        let (cells, height) = flow(&family, 120.0);
        assert!(cells.iter().all(|cell| cell.at.0 + cell.width <= 110.1 && cell.at.1 + CELL <= height));
    }
}
