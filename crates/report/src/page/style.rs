//! The style of the page: its own rules, the colours of both themes, and the style of pictures.

use std::fmt::Write as _;

use crate::svg::theme::{self, Colour, Place};

const RULES: &str = include_str!("style.css");

/// Colours that the rules name.
const NAMES: [(&str, Colour); 8] = [
    ("paper", theme::PAPER),
    ("panel", theme::PANEL),
    ("ink", theme::INK),
    ("muted", theme::MUTED),
    ("grid", theme::GRID),
    ("edge", theme::EDGE),
    ("good", theme::GOOD),
    ("bad", theme::BAD),
];

/// All of it.
pub fn style() -> String {
    format!(
        ":root{{{}}}\n@media screen and (prefers-color-scheme: dark){{:root{{{}}}}}\n{}\n{RULES}{}\n",
        variables(|colour| colour.light),
        variables(|colour| colour.dark),
        theme::style(Place::Page),
        swatches(),
    )
}

fn variables(pick: impl Fn(Colour) -> &'static str) -> String {
    let mut style = String::new();
    for (name, colour) in NAMES {
        let _ = write!(style, "--{name}:{};", pick(colour));
    }
    for (index, colour) in theme::SERIES.into_iter().enumerate() {
        let _ = write!(style, "--s{index}:{};", pick(colour));
    }
    style
}

fn swatches() -> String {
    (0..theme::SERIES.len()).map(|index| format!(".swatch.s{index}{{background:var(--s{index})}}")).collect()
}
