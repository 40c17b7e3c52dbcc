//! One query: its plan, why, what else was possible, and what a crash leaves.

use std::io::{self, Write};

use crate::terminal::Style;
use tablesmith_design::tables::Answered;

use crate::number_text::{bytes, grouped};
use crate::text_table::{Column, Table};

/// Tells about a query.
pub fn query(out: &mut dyn Write, answered: &Answered, total_cost: f64) -> io::Result<()> {
    let bold = Style::new().bold();
    writeln!(
        out,
        "{bold}{}{bold:#}  {:.3} ms a call, rate {}",
        answered.name, answered.cost_ms, answered.rate
    )?;
    for step in &answered.steps {
        let families = step.families.join(", ");
        writeln!(out, "   {} of {} (family {families})", step.words, step.table)?;
    }
    let operations = &answered.operations;
    for (name, amount) in operations.named().filter(|(_, amount)| *amount > 0.0) {
        let amount =
            if name.starts_with("bytes") { bytes(amount as u64) } else { grouped(amount.ceil() as u64) };
        writeln!(out, "      {name} {amount}")?;
    }
    for reason in &answered.reasons {
        writeln!(out, "   why: {reason}")?;
    }
    if let Some(crash) = &answered.after_crash {
        writeln!(out, "   after a crash: {crash}")?;
    }
    if !answered.rivals.is_empty() {
        writeln!(out, "   not taken:")?;
        let mut table =
            Table::new([Column::numbers("ms a call"), Column::numbers("all queries"), Column::words("what")]);
        for rival in &answered.rivals {
            let more = match rival.total_ms.is_finite() {
                true => format!("{:+.1}", rival.total_ms - total_cost),
                false => "not allowed".to_owned(),
            };
            table.add(Style::new(), [format!("{:.3}", rival.cost_ms), more, rival.what.clone()]);
        }
        table.write(out)?;
    }
    Ok(())
}
