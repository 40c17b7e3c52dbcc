//! The experiment for people: a table each, and pictures of requests per server over time.

use std::io::{self, Write};

use crate::terminal::Style;
use tablesmith_papers::keys::claims::{CHARTED, EIGHT};
use tablesmith_papers::keys::designs::KeyDesign;
use tablesmith_papers::keys::point::{LoadPoint, Setting};
use tablesmith_papers::keys::simulated::REGIONS;
use tablesmith_papers::keys::tasks::FILES;

use crate::number_text::grouped;
use crate::text_table::{Column, Table};
use tablesmith_papers::keys::Outcome;

/// From nothing to the most that a server gets in any of the pictures side by side.
const SHADES: [char; 5] = [' ', '░', '▒', '▓', '█'];
/// Pictures show at most so many servers.
const MOST_SERVERS: usize = 11;

/// Writes the tables and pictures.
pub fn write(out: &mut dyn Write, outcome: &Outcome) -> io::Result<()> {
    histograms(out, outcome)?;
    by_regions(out, outcome)?;
    by_files(out, outcome)?;
    checks(out, outcome)?;
    let simulated = |setting| -> Vec<&LoadPoint> {
        KeyDesign::ALL.into_iter().filter_map(|design| outcome.at(design, setting)).collect()
    };
    let charted: Vec<&LoadPoint> = simulated(CHARTED)
        .into_iter()
        .filter(|point| matches!(point.design, KeyDesign::Mod | KeyDesign::Md5Mod))
        .collect();
    pictures(out, "in the simulator", &charted)?;
    pictures(out, "in the simulator", &simulated(EIGHT))?;
    let eight: Vec<&LoadPoint> =
        outcome.measured.iter().filter(|point| point.setting.regions == EIGHT.regions).collect();
    pictures(out, "on the store", &eight)
}

fn histograms(out: &mut dyn Write, outcome: &Outcome) -> io::Result<()> {
    writeln!(out, "MD5 of sequential ids, modulo m: how often a remainder comes up")?;
    let mut table = Table::new([
        Column::numbers("m"),
        Column::numbers("ids"),
        Column::numbers("from"),
        Column::numbers("min"),
        Column::numbers("max"),
        Column::numbers("sd"),
        Column::numbers("sd of chance"),
    ]);
    for one in &outcome.histograms {
        let cells = [
            grouped(one.modulus),
            grouped(one.ids),
            one.first_id.to_string(),
            grouped(one.min),
            grouped(one.max),
            format!("{:.2}", one.sd),
            format!("{:.2}", one.chance_sd()),
        ];
        table.add(Style::new(), cells);
    }
    table.write(out)?;
    writeln!(out)
}

/// One column for each design.
fn design_columns(first: &'static str) -> [Column; 6] {
    let [a, b, c, d, e] = KeyDesign::ALL.map(|design| Column::numbers(design.name()));
    [Column::words(first), a, b, c, d, e]
}

fn load_times(outcome: &Outcome, first: String, setting: Setting) -> [String; 6] {
    let time = |design| {
        outcome.at(design, setting).map_or_else(|| "–".to_owned(), |point| format!("{:.0}", point.load_s))
    };
    let [a, b, c, d, e] = KeyDesign::ALL.map(time);
    [first, a, b, c, d, e]
}

fn by_regions(out: &mut dyn Write, outcome: &Outcome) -> io::Result<()> {
    writeln!(out, "Seconds to load in the simulator, one file (24 map tasks)")?;
    let mut table = Table::new(design_columns("servers, regions"));
    for servers in [4, 8, 55] {
        for regions in REGIONS {
            let cells = load_times(
                outcome,
                format!("{servers:2}, {regions}"),
                Setting { regions, servers, files: 1 },
            );
            table.add(Style::new(), cells);
        }
    }
    table.write(out)?;
    writeln!(out)
}

fn by_files(out: &mut dyn Write, outcome: &Outcome) -> io::Result<()> {
    writeln!(out, "Seconds to load in the simulator by number of files")?;
    let mut table = Table::new(design_columns("servers, regions, files"));
    for (servers, regions) in [(8, 8), (55, 165)] {
        for files in FILES {
            let first = format!("{servers:2}, {regions}, {files}");
            table.add(Style::new(), load_times(outcome, first, Setting { regions, servers, files }));
        }
    }
    table.write(out)?;
    writeln!(out)
}

fn checks(out: &mut dyn Write, outcome: &Outcome) -> io::Result<()> {
    if outcome.checked.is_empty() {
        return Ok(());
    }
    writeln!(out, "Load times on the store beside the simulator's, and as multiples of md5_mod's")?;
    let mut table = Table::new([
        Column::words("key"),
        Column::numbers("servers"),
        Column::numbers("regions"),
        Column::numbers("measured s"),
        Column::numbers("simulated s"),
        Column::numbers("ratio"),
        Column::numbers("simulated"),
        Column::words("rows"),
    ]);
    for one in &outcome.checked {
        let cells = [
            one.design.name().to_owned(),
            one.setting.servers.to_string(),
            one.setting.regions.to_string(),
            format!("{:.2}", one.measured_s),
            format!("{:.2}", one.simulated_s),
            format!("{:.3}", one.measured_ratio),
            format!("{:.3}", one.simulated_ratio),
            if one.rows_equal { "exact" } else { "differ" }.to_owned(),
        ];
        table.add(Style::new(), cells);
    }
    table.write(out)?;
    writeln!(out)
}

/// Requests per server over time: a line for each server, a column for each slice of time.
fn pictures(out: &mut dyn Write, where_to: &str, points: &[&LoadPoint]) -> io::Result<()> {
    let most = points.iter().flat_map(|point| point.rates.iter().flatten()).copied().fold(0.0, f64::max);
    let Some(setting) = points.first().map(|point| point.setting) else { return Ok(()) };
    let Setting { servers, regions, files } = setting;
    let step = servers.div_ceil(MOST_SERVERS).max(1);
    let shown = if step > 1 { format!(", one of {step} servers shown") } else { String::new() };
    writeln!(
        out,
        "Requests per server over time {where_to}: {servers} servers, {regions} regions, files: {files}{shown}; █ is {most:.0} \
         a second"
    )?;
    for point in points {
        writeln!(out, "   {} ({:.1} s)", point.design.name(), point.load_s)?;
        for rates in point.rates.iter().step_by(step) {
            let shades: String = rates.iter().map(|rate| shade(*rate, most)).collect();
            writeln!(out, "   │{shades}│")?;
        }
    }
    writeln!(out)
}

/// A little is more than nothing.
fn shade(rate: f64, most: f64) -> char {
    let share = if most > 0.0 && rate.is_finite() { (rate / most).min(1.0) } else { 0.0 };
    let level = if share > 0.001 { 1 + (share * 3.999) as usize } else { 0 };
    SHADES.get(level.min(SHADES.len() - 1)).copied().unwrap_or(' ')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shades_grow_with_the_rate() {
        let shades: String =
            [0.0, 0.01, 0.3, 0.6, 0.9, 1.0].map(|rate| shade(rate, 1.0)).into_iter().collect();
        assert_eq!(shades, " ░▒▓██");
        assert_eq!((shade(5.0, 0.0), shade(f64::NAN, 1.0)), (' ', ' '));
    }
}
