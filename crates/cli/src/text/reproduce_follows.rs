//! The designs side by side, for people.

use std::io::{self, Write};

use crate::terminal::Style;
use tablesmith_papers::follows::design::Kind;
use tablesmith_papers::follows::measure::{DesignTook, Measured, Took};

use crate::number_text::grouped;
use crate::text_table::{Column, Table};
use tablesmith_papers::follows::Outcome;

/// Writes what the designs look like, and what each question takes on each.
pub fn write(out: &mut dyn Write, outcome: &Outcome) -> io::Result<()> {
    write_looks(out, &outcome.graph)?;
    write_times::<{ Kind::GRAPH.len() + 1 }>(out, &outcome.graph, &Kind::GRAPH)?;
    write_looks(out, &outcome.stream)?;
    write_times::<{ Kind::STREAM.len() + 1 }>(out, &outcome.stream, &Kind::STREAM)
}

fn write_looks(out: &mut dyn Write, measured: &Measured) -> io::Result<()> {
    let mut looks = Table::new([
        Column::words("design"),
        Column::words("where it comes from"),
        Column::words("row → cells"),
        Column::numbers("bytes on disk"),
    ]);
    for design in &measured.designs {
        let bytes = design.stored_bytes.map_or_else(|| "–".to_owned(), grouped);
        looks.add(Style::new(), [design.name.clone(), design.origin.clone(), design.looks.clone(), bytes]);
    }
    looks.write(out)?;
    writeln!(out)
}

/// A column for the design, and one for each kind.
fn write_times<const COLUMNS: usize>(
    out: &mut dyn Write,
    measured: &Measured,
    kinds: &[Kind],
) -> io::Result<()> {
    writeln!(out, "Calls to the store, and the median in milliseconds")?;
    let kind = |column: usize| column.checked_sub(1).and_then(|place| kinds.get(place));
    let head = |column| kind(column).map_or(Column::words("design"), |kind| Column::numbers(kind.words()));
    let mut table: Table<COLUMNS> = Table::new(std::array::from_fn(head));
    for design in &measured.designs {
        let text = |column| kind(column).map_or_else(|| design.name.clone(), |kind| cell(design, *kind));
        table.add(Style::new(), std::array::from_fn(text));
    }
    table.write(out)?;
    writeln!(out)
}

fn cell(design: &DesignTook, kind: Kind) -> String {
    let Some(Took { calls, median_ms, says_all, .. }) = design.took.get(&kind) else {
        return "–".to_owned();
    };
    // Where digests are all that is stored, nobody can say who it is.
    let short = if *says_all { "" } else { " (how many)" };
    format!("{calls:.0} · {median_ms:.3}{short}")
}
