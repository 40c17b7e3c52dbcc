//! What was measured, for people.

use std::io::{self, Write};

use crate::terminal::{AnsiColor, Style};
use tablesmith_app::calibrate::CalibrateResult;
use tablesmith_model::cost::{Experiment, Operations};

use crate::text_table::{Column, Table};

const TITLE: Style = Style::new().bold();
const GOOD: Style = Style::color(AnsiColor::Green).bold();
const WARNING: Style = Style::color(AnsiColor::Yellow);
const PLAIN: Style = Style::new();
/// Prices that explain less than this are not to be trusted.
const GOOD_R2: f64 = 0.9;

/// Writes the prices, how well they fit, and where they are kept.
pub fn write(out: &mut dyn Write, result: &CalibrateResult) -> io::Result<()> {
    let CalibrateResult { calibration, experiments, repeats, file, .. } = result;
    writeln!(
        out,
        "{TITLE}{}{TITLE:#}: {experiments} experiments, each done {repeats} times or more",
        calibration.address
    )?;
    writeln!(out)?;
    let mut table = Table::new([
        Column::words("price of"),
        Column::numbers("µs"),
        Column::words("per"),
        Column::words(""),
    ]);
    let explained = Operations::SINGULARS.into_iter().zip(Operations::MEANINGS);
    for ((name, price_ms), (one, meaning)) in calibration.each_ms.named().zip(explained) {
        table.add(PLAIN, [name.to_owned(), micros(price_ms), one.to_owned(), first_sentence(meaning)]);
    }
    table.write(out)?;
    writeln!(out)?;
    let Experiment { what, predicted_ms, measured_ms } = &calibration.fit.worst;
    writeln!(
        out,
        "The prices explain {GOOD}{:.1} %{GOOD:#} of what was measured (r² on a logarithmic scale).",
        100.0 * calibration.fit.r2
    )?;
    writeln!(
        out,
        "Furthest off: {what}; {} µs predicted, {} µs measured.",
        micros(*predicted_ms),
        micros(*measured_ms)
    )?;
    if calibration.fit.r2 < GOOD_R2 {
        writeln!(
            out,
            "{WARNING}warning:{WARNING:#} that is little. Something else kept the store busy: calibrate again when it is idle, \
             or with more --seconds"
        )?;
    }
    writeln!(out, "{TITLE}Calibration {}{TITLE:#} is kept in {}", calibration.id(), file.display())?;
    writeln!(
        out,
        "Prices can be edited there. `tablesmith families` uses them: its cost is `store` from now on."
    )
}

/// Three digits that count.
fn micros(milliseconds: f64) -> String {
    let micros = milliseconds * 1e3;
    let digits = if micros > 0.0 { (2.0 - micros.log10().floor()).clamp(0.0, 9.0) as usize } else { 0 };
    format!("{micros:.digits$}")
}

fn first_sentence(meaning: &str) -> String {
    let end = meaning.find([':', ';']).unwrap_or(meaning.len());
    meaning.get(..end).unwrap_or(meaning).trim_end_matches('.').to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_and_large_times_have_three_digits() {
        assert_eq!(
            [0.3, 0.012_34, 0.000_001_5, 2.0, 0.0].map(micros),
            ["300", "12.3", "0.00150", "2000", "0"]
        );
    }

    #[test]
    fn meanings_are_short() {
        assert_eq!(first_sentence("Cells that go: all, or some."), "Cells that go");
        assert_eq!(first_sentence("Bytes of those cells."), "Bytes of those cells");
    }
}
