//! Load over time: a line for each region or server, time from left to right. Blue has up to its share, orange more.

use tablesmith_model::evidence::HeatMap;

use super::{Drawn, Room};
use crate::number::{grouped, significant};
use crate::svg::legend::{self, Entry};
use crate::svg::{Anchor, Sketch, text, theme};
use crate::view::View;

/// More maps than this are in the evidence file alone.
const MOST_MAPS: usize = 25;
/// More lines and steps than this share one.
const MOST_LINES: usize = 24;
const MOST_STEPS: usize = 60;
const LINE_HEIGHT: f64 = 6.0;

/// How hot a place is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Shade {
    /// It has nothing to do.
    None,
    /// Less than half of its share.
    Little,
    /// Less than its share.
    Less,
    /// Its share, give or take a quarter.
    Even,
    /// Up to twice.
    More,
    /// Up to four times.
    Much,
    /// Beyond that.
    Hot,
}

impl Shade {
    fn of(times_even: f64) -> Self {
        match times_even {
            times if times <= 0.0 => Self::None,
            times if times < 0.5 => Self::Little,
            times if times < 0.8 => Self::Less,
            times if times <= 1.25 => Self::Even,
            times if times <= 2.0 => Self::More,
            times if times <= 4.0 => Self::Much,
            _ => Self::Hot,
        }
    }

    /// The class of the colour, and that of how strong it is.
    fn classes(self) -> Option<(&'static str, &'static str)> {
        match self {
            Self::None => None,
            Self::Little => Some((theme::series(0), "fill h1")),
            Self::Less => Some((theme::series(0), "fill h2")),
            Self::Even => Some((theme::series(0), "fill h3")),
            Self::More => Some((theme::series(1), "fill h2")),
            Self::Much => Some((theme::series(1), "fill h3")),
            Self::Hot => Some((theme::series(1), "fill")),
        }
    }
}

const LEGEND: [Entry<'static>; 6] = [
    Entry {
        class: "s0",
        sign: |sketch, at| sign(sketch, "fill h1", at),
        text: "less than half of its share",
    },
    Entry { class: "s0", sign: |sketch, at| sign(sketch, "fill h2", at), text: "less" },
    Entry { class: "s0", sign: |sketch, at| sign(sketch, "fill h3", at), text: "its share" },
    Entry { class: "s1", sign: |sketch, at| sign(sketch, "fill h2", at), text: "up to 2 ×" },
    Entry { class: "s1", sign: |sketch, at| sign(sketch, "fill h3", at), text: "up to 4 ×" },
    Entry { class: "s1", sign: |sketch, at| sign(sketch, "fill", at), text: "more" },
];

fn sign(sketch: &mut Sketch, class: &str, (x, y): (f64, f64)) {
    sketch.rect(class, (x - 5.0, y - 5.0), (10.0, 10.0));
}

/// Draws the maps, if there are any.
pub fn draw(view: &View<'_>) -> Option<Drawn> {
    let maps: Vec<&HeatMap> =
        view.evidence.heat.iter().filter(|map| map.steps() > 0).take(MOST_MAPS).collect();
    if maps.is_empty() {
        return None;
    }
    let small: Vec<HeatMap> = maps.iter().map(|map| map.smaller(MOST_LINES, MOST_STEPS)).collect();
    let pairs: Vec<(&HeatMap, &HeatMap)> = maps.iter().copied().zip(&small).collect();
    Some(Drawn::new("heat", "Load over time", alt(&maps), |room| sketch(room, &pairs)))
}

fn sketch(room: Room, maps: &[(&HeatMap, &HeatMap)]) -> Sketch {
    let mut sketch = Sketch::new(room.width());
    let mut y = 0.0;
    for (whole, small) in maps {
        let figure = format!(
            "{} {}s, hottest {} × its share",
            grouped(whole.lines.len() as u64),
            whole.line,
            hottest(whole)
        );
        let room_left = room.width() - text::width(&figure, 11.0) - 12.0;
        sketch.text(
            "strong",
            Anchor::Start,
            (0.0, y + 14.0),
            &text::fit(&whole.name, 12.0 * text::BOLD, room_left),
        );
        sketch.text("muted small", Anchor::End, (room.width(), y + 14.0), &figure);
        y = map(&mut sketch, room, small, y + 20.0) + 12.0;
    }
    legend::draw(&mut sketch, &LEGEND, (0.0, y - 4.0));
    sketch
}

/// Neighbours of one shade along a line are one rectangle.
fn map(sketch: &mut Sketch, room: Room, map: &HeatMap, top: f64) -> f64 {
    let steps = map.steps();
    let step_width = room.width() / steps.max(1) as f64;
    let columns: Vec<Vec<f64>> = (0..steps).map(|step| map.times_even(step).collect()).collect();
    sketch.rect("panel", (0.0, top), (room.width(), map.lines.len() as f64 * LINE_HEIGHT));
    for (index, line) in map.lines.iter().enumerate() {
        let shades: Vec<Shade> =
            columns.iter().map(|column| Shade::of(column.get(index).copied().unwrap_or(0.0))).collect();
        let y = top + index as f64 * LINE_HEIGHT;
        let mut first = 0;
        for run in shades.chunk_by(PartialEq::eq) {
            if let Some((class, strength)) = run.first().and_then(|shade| shade.classes()) {
                let (x, width) = (first as f64 * step_width, run.len() as f64 * step_width);
                sketch.group(class, &line.name, |sketch| {
                    sketch.rect(strength, (x, y), (width, LINE_HEIGHT - 0.5));
                });
            }
            first += run.len();
        }
    }
    top + map.lines.len() as f64 * LINE_HEIGHT
}

fn hottest(map: &HeatMap) -> String {
    significant(map.hottest(), 2)
}

fn alt(maps: &[&HeatMap]) -> String {
    let each: Vec<String> = maps
        .iter()
        .map(|map| {
            let (lines, line) = (map.lines.len(), &map.line);
            format!(
                "{}: {lines} {line}s, the hottest at any moment has {} times its share",
                map.name,
                hottest(map)
            )
        })
        .collect();
    format!("How the load was spread at each moment, time from left to right. {}.", each.join("; "))
}

#[cfg(test)]
mod tests {
    use super::*;
    use tablesmith_model::evidence::{Evidence, HeatLine};

    fn evidence(loads: &[&[f64]]) -> Evidence {
        let line = |loads: &&[f64]| HeatLine { name: "a<b".into(), loads: loads.to_vec() };
        let heat = HeatMap {
            name: "plain".into(),
            line: "region".into(),
            step: String::new(),
            lines: loads.iter().map(line).collect(),
        };
        Evidence { heat: vec![heat], ..Evidence::default() }
    }

    #[test]
    fn an_even_line_is_one_rectangle_and_a_hot_one_is_orange() {
        let even = evidence(&[&[1.0; 50], &[1.0; 50]]);
        let svg = draw(&View::of(&even)).unwrap().picture().svg;
        assert_eq!(svg.matches("<title>a&lt;b</title>").count(), 2, "{svg}");
        let hot = evidence(&[&[9.0, 0.0], &[0.0, 9.0]]);
        let drawn = draw(&View::of(&hot)).unwrap();
        assert!(drawn.picture().svg.contains("class=\"s1\"><title>"));
        assert!(
            drawn.alt.contains("has 2 times its share") || drawn.alt.contains("has 2.0 times"),
            "{}",
            drawn.alt
        );
    }

    #[test]
    fn without_steps_there_is_no_picture() {
        assert!(draw(&View::of(&evidence(&[&[]]))).is_none());
        assert!(draw(&View::of(&Evidence::default())).is_none());
    }
}
