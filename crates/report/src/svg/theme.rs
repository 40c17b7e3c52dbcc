//! The colours of both themes, and the style that gives them to shapes.
//!
//! Plain colours instead of variables of CSS: programs that show pictures alone often know no variables. The colours of
//! series are those of Okabe and Ito, told apart also by those who see colours differently, made darker or lighter until
//! each stands out at least 3 : 1 from its paper.

use std::fmt::Write as _;

/// A colour in the light and in the dark.
#[derive(Clone, Copy, Debug)]
pub struct Colour {
    /// On white paper.
    pub light: &'static str,
    /// On a dark screen.
    pub dark: &'static str,
}

const fn colour(light: &'static str, dark: &'static str) -> Colour {
    Colour { light, dark }
}

/// What everything is drawn on.
pub const PAPER: Colour = colour("#ffffff", "#15181c");
/// A panel that stands out a little.
pub const PANEL: Colour = colour("#f5f7f9", "#1d2126");
/// Text and marks.
pub const INK: Colour = colour("#191d22", "#e9ecef");
/// Text that steps back.
pub const MUTED: Colour = colour("#59626d", "#a4adb8");
/// Lines that guide the eye.
pub const GRID: Colour = colour("#e2e6ea", "#30363d");
/// Lines that hold something together.
pub const EDGE: Colour = colour("#b3bcc6", "#535c66");
/// What is good.
pub const GOOD: Colour = colour("#00724f", "#3fcf9f");
/// What is not.
pub const BAD: Colour = colour("#b3460a", "#ff9a62");

/// The colours of series; the last is for all that have none of their own.
pub const SERIES: [Colour; 8] = [
    colour("#0072b2", "#5cb1ea"),
    colour("#d05a00", "#f58b4e"),
    colour("#008f68", "#37c79a"),
    colour("#b25490", "#e29ac6"),
    colour("#9c7300", "#e3b341"),
    colour("#39424d", "#d3d9e0"),
    colour("#8a5a3c", "#cf9a77"),
    colour("#7b8591", "#8b949f"),
];

/// The class of a series without a colour of its own.
pub const PLAIN: &str = "s7";

/// The class of the n-th series.
pub fn series(index: usize) -> &'static str {
    ["s0", "s1", "s2", "s3", "s4", "s5", "s6"].get(index).copied().unwrap_or(PLAIN)
}

/// Where a style is used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// In a picture that is a document.
    Document,
    /// In a page, which has its own paper.
    Page,
}

/// Shapes by class, and which colour each takes.
const SHAPES: [(&str, &str, Colour); 11] = [
    ("text", "fill", INK),
    (".muted", "fill", MUTED),
    (".good", "fill", GOOD),
    (".bad", "fill", BAD),
    (".paper", "fill", PAPER),
    (".panel", "fill", PANEL),
    (".halo", "stroke", PAPER),
    (".grid", "stroke", GRID),
    (".edge", "stroke", EDGE),
    (".mark", "stroke", INK),
    (".markfill", "fill", INK),
];

const FORMS: &str = "svg text{font:12px system-ui,-apple-system,\"Segoe UI\",Roboto,\"Helvetica Neue\",Arial,sans-serif;\
font-variant-numeric:tabular-nums}svg .small{font-size:11px}svg .strong{font-weight:600}\
svg .grid,svg .edge,svg .mark,svg .stroke{fill:none}svg .halo{stroke-width:2;paint-order:stroke}svg .soft{fill-opacity:.24}\
svg .faint{fill-opacity:.1}svg .h1{fill-opacity:.16}svg .h2{fill-opacity:.32}svg .h3{fill-opacity:.6}svg .thick{stroke-width:2.5;stroke-linecap:round}\
svg .dashed{stroke-dasharray:3 3}svg .joined{stroke-linejoin:round;stroke-width:1.5}";

/// The style of pictures: forms, and colours for both themes. Paper is always light.
pub fn style(place: Place) -> String {
    let dark = rules(|colour| colour.dark);
    let (light, paper) =
        (rules(|colour| colour.light), if place == Place::Page { "svg .paper{fill:none}" } else { "" });
    format!("{FORMS}{light}@media screen and (prefers-color-scheme: dark){{{dark}}}{paper}")
}

fn rules(pick: impl Fn(Colour) -> &'static str) -> String {
    let mut style = String::new();
    for (class, property, colour) in SHAPES {
        let _ = write!(style, "svg {class}{{{property}:{}}}", pick(colour));
    }
    for (index, colour) in SERIES.into_iter().enumerate() {
        let colour = pick(colour);
        let _ = write!(
            style,
            "svg .s{index} .fill,svg .s{index}.fill{{fill:{colour}}}svg .s{index} .stroke,svg .s{index}.stroke{{stroke:{colour}}}"
        );
    }
    style
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Relative luminance and contrast as the Web Content Accessibility Guidelines define them.
    fn contrast(one: &str, other: &str) -> f64 {
        let luminance = |hex: &str| {
            let part = |at: usize| {
                let share = f64::from(u8::from_str_radix(&hex[at..at + 2], 16).unwrap()) / 255.0;
                if share <= 0.04045 { share / 12.92 } else { ((share + 0.055) / 1.055).powf(2.4) }
            };
            0.2126 * part(1) + 0.7152 * part(3) + 0.0722 * part(5)
        };
        let (a, b) = (luminance(one), luminance(other));
        (a.max(b) + 0.05) / (a.min(b) + 0.05)
    }

    #[test]
    fn everything_stands_out_from_its_paper_in_both_themes() {
        for paper in [PAPER, PANEL] {
            let both = |colour: Colour, least: f64| {
                assert!(contrast(colour.light, paper.light) >= least, "{colour:?} on {paper:?} in the light");
                assert!(contrast(colour.dark, paper.dark) >= least, "{colour:?} on {paper:?} in the dark");
            };
            [INK, MUTED, GOOD, BAD].into_iter().for_each(|text| both(text, 4.5));
            SERIES.into_iter().for_each(|mark| both(mark, 3.0));
        }
    }

    #[test]
    fn the_last_colour_is_for_the_rest() {
        assert_eq!((series(0), series(6), series(7), series(900)), ("s0", "s6", PLAIN, PLAIN));
    }
}
