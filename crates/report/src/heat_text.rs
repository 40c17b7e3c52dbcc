//! Load over time as text for a terminal: a line for each place, time from left to right, darker where it is hotter.

use std::fmt::Write as _;

use tablesmith_model::evidence::HeatMap;

use crate::escape::printable;
use crate::number::significant;

/// Columns that the names of places take.
const NAME_COLUMNS: usize = 12;
/// More steps than this are added up.
const MOST_STEPS: usize = 64;
/// From nothing to do to more than four times the even share.
const SHADES: [char; 6] = [' ', '·', '░', '▒', '▓', '█'];

/// A heat map of at most so many lines, for a terminal of so many columns. Ends with a line's end.
pub fn heat_text(map: &HeatMap, most_lines: usize, width: usize) -> String {
    let steps = width.saturating_sub(NAME_COLUMNS + 4).clamp(8, MOST_STEPS);
    let small = map.smaller(most_lines, steps);
    let columns: Vec<Vec<f64>> = (0..small.steps()).map(|step| small.times_even(step).collect()).collect();
    let shared = shared_start(small.lines.iter().map(|line| line.name.as_str()));
    let mut text = String::new();
    for (index, line) in small.lines.iter().enumerate() {
        let name = name_of(&line.name, shared);
        let shades: String =
            columns.iter().map(|column| shade(column.get(index).copied().unwrap_or(0.0))).collect();
        let _ = writeln!(text, "{name:>NAME_COLUMNS$} │{shades}│");
    }
    let _ = writeln!(
        text,
        "{:>NAME_COLUMNS$}  time →   ░ its share, ▓ up to 4 ×, █ more; the hottest {} at any moment has {} × its share",
        "",
        map.line,
        significant(map.hottest(), 2)
    );
    text
}

/// How many characters all names begin with alike; a first place without a name says nothing.
fn shared_start<'n>(names: impl Iterator<Item = &'n str>) -> usize {
    let mut names = names.filter(|name| !name.is_empty());
    let Some(first) = names.next() else { return 0 };
    let alike = |shared: usize, name: &str| {
        first.chars().zip(name.chars()).take(shared).take_while(|(one, other)| one == other).count()
    };
    names.fold(first.chars().count().saturating_sub(1), alike)
}

/// A name in few columns: of names that begin alike for long only what tells them apart.
fn name_of(name: &str, shared: usize) -> String {
    let name = printable(name);
    let length = name.chars().count();
    if length <= NAME_COLUMNS {
        return name;
    }
    let skip = shared.min(length - NAME_COLUMNS + 1);
    let rest = name.chars().skip(skip).take(NAME_COLUMNS - usize::from(skip > 0));
    if skip > 0 { std::iter::once('…').chain(rest).collect() } else { rest.collect() }
}

fn shade(times_even: f64) -> char {
    let place = match times_even {
        times if times <= 0.0 => 0,
        times if times < 0.8 => 1,
        times if times <= 1.25 => 2,
        times if times <= 2.0 => 3,
        times if times <= 4.0 => 4,
        _ => 5,
    };
    SHADES.get(place).copied().unwrap_or(' ')
}

#[cfg(test)]
mod tests {
    use super::*;
    use tablesmith_model::evidence::HeatLine;

    #[test]
    fn a_diagonal_is_a_diagonal() {
        let line = |at: usize| HeatLine {
            name: format!("server {at}"),
            loads: (0..3).map(|step| if step == at { 9.0 } else { 0.0 }).collect(),
        };
        let map = HeatMap { line: "server".into(), lines: (0..3).map(line).collect(), ..HeatMap::default() };
        let text = heat_text(&map, 10, 80);
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines[0], "    server 0 │▓  │");
        assert_eq!(lines[2], "    server 2 │  ▓│");
        let long = |name: &str| HeatLine { name: format!("the same beginning {name}"), loads: vec![1.0] };
        let map = HeatMap { lines: ["a", "b"].map(long).into(), ..HeatMap::default() };
        assert!(heat_text(&map, 10, 80).starts_with("…beginning a │"), "{}", heat_text(&map, 10, 80));
        assert!(lines[3].contains("has 3 × its share") || lines[3].contains("3.0 ×"), "{}", lines[3]);
    }
}
