//! A legend: signs and what they stand for, in as many lines as they need.

use super::{Anchor, Sketch, text};

const SIZE: f64 = 11.0;
const LINE: f64 = 18.0;
/// From the left of a sign to its text, and from there to the next sign.
const SIGN: f64 = 16.0;
const GAP: f64 = 16.0;

/// A sign that is drawn around a middle.
pub type Sign = fn(&mut Sketch, (f64, f64));

/// One entry: the class of its group, its sign, its text.
pub struct Entry<'a> {
    /// The class that colours the sign.
    pub class: &'a str,
    /// How the sign is drawn.
    pub sign: Sign,
    /// What it stands for.
    pub text: &'a str,
}

/// Draws the entries from the left at this height; returns where the next thing can begin.
pub fn draw(sketch: &mut Sketch, entries: &[Entry<'_>], (left, top): (f64, f64)) -> f64 {
    let (mut x, mut y) = (left, top + 12.0);
    for entry in entries {
        let label = text::fit(entry.text, SIZE, sketch.width() - left - SIGN);
        let width = SIGN + text::width(&label, SIZE);
        if x > left && x + width > sketch.width() {
            (x, y) = (left, y + LINE);
        }
        sketch.group(entry.class, "", |sketch| (entry.sign)(sketch, (x + 5.0, y - 4.0)));
        sketch.text("muted small", Anchor::Start, (x + SIGN, y), &label);
        x += width + GAP;
    }
    sketch.reach(y + 6.0);
    y + 6.0
}

/// A square of colour.
pub fn square(sketch: &mut Sketch, (x, y): (f64, f64)) {
    sketch.pill("fill", (x - 5.0, y - 5.0), (10.0, 10.0), 2.0);
}
