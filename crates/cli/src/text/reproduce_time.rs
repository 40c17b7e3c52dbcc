//! The experiment as text: every table of figures, column by column.

use std::io::{self, Write};

use tablesmith_model::evidence::Figures;

use tablesmith_papers::time::Outcome;

/// Writes all tables.
pub fn write(out: &mut dyn Write, outcome: &Outcome) -> io::Result<()> {
    outcome.evidence.figures.iter().try_for_each(|figures| table(out, figures))
}

fn table(out: &mut dyn Write, figures: &Figures) -> io::Result<()> {
    writeln!(out, "{}", figures.title)?;
    let lines: Vec<&Vec<String>> = [&figures.columns].into_iter().chain(&figures.rows).collect();
    let width = |column: usize| {
        let cells = lines.iter().filter_map(|line| line.get(column));
        cells.map(|cell| cell.chars().count()).max().unwrap_or_default()
    };
    let widths: Vec<usize> = (0..figures.columns.len()).map(width).collect();
    for line in &lines {
        for (place, (cell, width)) in line.iter().zip(&widths).enumerate() {
            // Names stand left, numbers right.
            if place == 0 { write!(out, "   {cell:<width$}")? } else { write!(out, "  {cell:>width$}")? }
        }
        writeln!(out)?;
    }
    writeln!(out)
}
